// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

/**
 * Something that a run must not show.
 *
 * @param kind the same for what is wrong in the same way: id of the rule that was broken, or a word
 * @param sentence what happened
 */
public record RunFailure(String kind, String sentence) {

    /** A completion was polled that the device did not make, or the other way round. */
    static final String COMPLETIONS = "completions";
    /** An event was read that the device did not raise, or the other way round. */
    static final String EVENTS = "events";
    /** Something was left behind. */
    static final String LEAK = "leak";
    /** The run had no end. */
    static final String ENDLESS = "endless";
    /** A verb failed, or a program waited for ever. */
    static final String PROGRAM = "program";

    /** An unexpected exception. */
    static RunFailure thrown(Throwable thrown) {
        return new RunFailure(thrown.getClass().getSimpleName(), "the run threw " + thrown);
    }

    @Override
    public String toString() {
        return kind + ": " + sentence;
    }
}
