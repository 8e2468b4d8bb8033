// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.plan;

/** A measurement cannot be made; the message is one sentence, with what to do about it. */
public final class BenchFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BenchFailure(String message) {
        super(message);
    }
}
