// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;

/** A connection could not be established: the error number, the status of the event that reported it, and the peer's private data. */
public final class ConnectionException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final byte[] privateData;

    /**
     * A connection could not be established.
     *
     * @param status of the event: an error number below 0, or a reject reason above 0
     * @param privateData of the event
     */
    public ConnectionException(Errno errno, Refusal refusal, int status, byte... privateData) {
        super(errno, refusal);
        this.status = status;
        this.privateData = privateData.clone();
    }

    /** An error number below 0, or a reject reason above 0. */
    public int status() {
        return status;
    }

    /** The private data with which the peer's application rejected the request, padded with zeros; else empty. A copy. */
    public byte[] privateData() {
        return privateData.clone();
    }
}
