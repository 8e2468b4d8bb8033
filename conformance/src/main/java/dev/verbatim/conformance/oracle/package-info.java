// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Decides from the trace of a run alone whether everything that was observed was permitted: the event model of semantics
 * F.2 and F.3, written a second time and independently of the device. All its packages see verbs and traces, and nothing
 * of devices, wires and fabrics. Begin with {@link dev.verbatim.conformance.oracle.Oracle}, which gives each event of a
 * trace to the models.
 */
@NullMarked
package dev.verbatim.conformance.oracle;

import org.jspecify.annotations.NullMarked;
