// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that create, destroy, change and query devices, queue pairs and queues. The tables of attributes are in {@link
 * dev.verbatim.conformance.scenario.step.object.Attribute}, {@link
 * dev.verbatim.conformance.scenario.step.object.QueryDevice} and {@link
 * dev.verbatim.conformance.scenario.step.object.QueryPort}. It sees no other package of steps but the one above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.object;

import org.jspecify.annotations.NullMarked;
