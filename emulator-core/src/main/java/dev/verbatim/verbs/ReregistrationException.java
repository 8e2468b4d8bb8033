// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** A failed re-registration: the error code determines the state of the region, and errno is the reason. */
public final class ReregistrationException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final ReregistrationError error;

    /** A failure with both numbers and its reason. */
    public ReregistrationException(ReregistrationError error, Errno errno, Refusal refusal) {
        super(errno, refusal);
        this.error = error;
    }

    /** The return value of the verb. */
    public ReregistrationError error() {
        return error;
    }

    @Override
    public String getMessage() {
        return error + " (" + error.number() + "), " + super.getMessage();
    }
}
