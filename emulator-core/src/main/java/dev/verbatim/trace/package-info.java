// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Trace events as values, taps that store or write them, and the reader of captures. It sees verbs and packets. Begin with
 * {@link dev.verbatim.trace.TraceEvent} and {@link dev.verbatim.trace.Tap}; {@link dev.verbatim.trace.CaptureReader} reads what
 * {@link dev.verbatim.trace.PcapngTap} or a network tool wrote.
 */
@NullMarked
package dev.verbatim.trace;

import org.jspecify.annotations.NullMarked;
