// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A request as the trace has it: its packets, the bytes they carry, and how far it has come. It sees keys and the
 * report. Begin with {@link dev.verbatim.conformance.oracle.request.Request}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.request;

import org.jspecify.annotations.NullMarked;
