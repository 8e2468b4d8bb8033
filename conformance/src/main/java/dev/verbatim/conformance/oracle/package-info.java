// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Says of a run, from its trace alone, whether everything that was observed was permitted: the event model of semantics F.2 and
 * F.3, written a second time and independently of the device. It sees verbs and traces, and nothing of devices, wires and
 * fabrics.
 */
@NullMarked
package dev.verbatim.conformance.oracle;

import org.jspecify.annotations.NullMarked;
