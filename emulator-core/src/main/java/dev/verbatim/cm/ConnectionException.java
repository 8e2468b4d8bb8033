// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;

/** A connection that did not come about: the error number, the status of the event that said so, and what the peer said with it. */
public final class ConnectionException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final byte[] privateData;

    /**
     * A connection that did not come about.
     *
     * @param status of the event: an error number below 0, or above 0 the reason for which it was refused
     * @param privateData of the event
     */
    public ConnectionException(Errno errno, Refusal refusal, int status, byte... privateData) {
        super(errno, refusal);
        this.status = status;
        this.privateData = privateData.clone();
    }

    /** An error number below 0, or above 0 the reason for which it was refused. */
    public int status() {
        return status;
    }

    /** What the peer's application said when it refused, padded with zeros; empty if it was not the one who did. A copy. */
    public byte[] privateData() {
        return privateData.clone();
    }
}
