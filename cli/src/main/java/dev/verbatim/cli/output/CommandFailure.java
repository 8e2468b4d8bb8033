// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

/** A command cannot do what it was asked to; the message is one sentence, with what to do about it. */
public final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With that message. */
    public CommandFailure(String message) {
        super(message);
    }

    /** Fails unless every step of the demo ended as the script says. */
    public static void unless(boolean asExpected) {
        if (!asExpected) {
            throw new CommandFailure("a step did not end as it should; the last step shown says which and how");
        }
    }
}
