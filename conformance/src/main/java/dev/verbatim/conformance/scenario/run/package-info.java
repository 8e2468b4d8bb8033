// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Runs scenarios on any fabric, once or in every permitted order. Begin with {@link
 * dev.verbatim.conformance.scenario.run.ScenarioRun} and {@link
 * dev.verbatim.conformance.scenario.run.ScenarioExploration}; {@link
 * dev.verbatim.conformance.scenario.run.FabricRunner} is what differs between fabrics. It sees all other packages of
 * scenarios, and nobody sees it but commands and explorations.
 */
@NullMarked
package dev.verbatim.conformance.scenario.run;

import org.jspecify.annotations.NullMarked;
