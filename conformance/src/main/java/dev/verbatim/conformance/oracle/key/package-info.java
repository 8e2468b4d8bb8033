// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Lives of keys, windows and queue pairs as the trace has them: which keys are valid, what they name, and in which state
 * a queue pair is. It sees the report. Begin with {@link dev.verbatim.conformance.oracle.key.KeyLedger} and
 * {@link dev.verbatim.conformance.oracle.key.QueuePairState}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.key;

import org.jspecify.annotations.NullMarked;
