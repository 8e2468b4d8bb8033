// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a step of a program is: {@link dev.verbatim.conformance.scenario.step.Step}, its {@link
 * dev.verbatim.conformance.scenario.step.StepWord}, and the steps of the run itself, which signal, await signals and
 * cut links. The packages below it have the other steps; the table of all is {@link
 * dev.verbatim.conformance.scenario.StepWords}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step;

import org.jspecify.annotations.NullMarked;
