// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the nodes of a scenario have: profiles, regions, completion queues, queue pairs and their connections, as values
 * with their forms in a file. It sees forms, profiles and verbs. Begin with {@link
 * dev.verbatim.conformance.scenario.spec.QpSpec}.
 */
@NullMarked
package dev.verbatim.conformance.scenario.spec;

import org.jspecify.annotations.NullMarked;
