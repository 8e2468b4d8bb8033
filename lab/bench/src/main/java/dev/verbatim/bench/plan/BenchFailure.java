// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

/** A measurement cannot be made; the message is one sentence, with what to do about it. */
public final class BenchFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BenchFailure(String message) {
        super(message);
    }

    /** The bench itself did something wrong. */
    public static BenchFailure defect(String what) {
        return new BenchFailure(what + "; this is a defect, please report it with the command line");
    }

    /** The same, unless something else is told to have gone wrong, of which this may come. */
    public static BenchFailure defectOrSequel(String what) {
        return new BenchFailure(
                what + "; without an error elsewhere this is a defect, please report it with the command line");
    }
}
