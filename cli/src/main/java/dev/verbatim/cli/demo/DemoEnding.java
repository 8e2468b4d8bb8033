// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

/** How a demo ended. */
public enum DemoEnding {
    AS_EXPECTED("All steps ended as expected."),
    STEP_FAILED("A step did not end as expected."),

    /** All steps ended as expected, and the sanitizer found an error. */
    MISTAKE_FOUND("The sanitizer found a mistake.");

    private final String sentence;

    DemoEnding(String sentence) {
        this.sentence = sentence;
    }

    /** Of a demo whose programs nobody judges: whether all its steps ended as expected. */
    static DemoEnding of(boolean asExpected) {
        return asExpected ? AS_EXPECTED : STEP_FAILED;
    }

    /** Whether everything was as it should be. */
    public boolean isGood() {
        return this == AS_EXPECTED;
    }

    /** For a reader. */
    String sentence() {
        return sentence;
    }
}
