// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** What a responder makes of a packet's PSN (rule PSN-01). */
public enum PsnClass {
    /** The next packet in order. */
    EXPECTED,
    /** 1 to 2^23-1 ahead: something before it was lost. */
    FUTURE,
    /** Everything else, which is 1 to 2^23 behind: it was seen before. */
    DUPLICATE
}
