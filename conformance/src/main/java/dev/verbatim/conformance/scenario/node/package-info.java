// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the nodes of a run have: objects by name, memory, completions and events that were taken, and the signals and
 * failures that they share. {@link dev.verbatim.conformance.scenario.node.NodeSetup} makes a {@link
 * dev.verbatim.conformance.scenario.node.NodeState}; steps work with a {@link
 * dev.verbatim.conformance.scenario.node.StepContext}. It sees names and verbs, and no step.
 */
@NullMarked
package dev.verbatim.conformance.scenario.node;

import org.jspecify.annotations.NullMarked;
