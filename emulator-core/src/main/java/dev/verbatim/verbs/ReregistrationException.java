// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A re-registration that failed: {@code ibv_rereg_mr} says by its number which region is left, and by errno why. */
public final class ReregistrationException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final ReregistrationError error;

    /** A failure with both numbers and its reason. */
    public ReregistrationException(ReregistrationError error, Errno errno, Refusal refusal) {
        super(errno, refusal);
        this.error = error;
    }

    /** What the verb returns. */
    public ReregistrationError error() {
        return error;
    }

    @Override
    public String getMessage() {
        return error + " (" + error.number() + "), " + super.getMessage();
    }
}
