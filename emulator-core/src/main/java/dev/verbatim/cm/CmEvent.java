// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** An event of an identifier ({@code struct rdma_cm_event}). */
public final class CmEvent {

    private final Identifier about;
    private final CmId id;
    private final @Nullable CmId listenId;
    private final CmEventType type;
    private final int status;
    private final ConnectionParameters parameters;
    private final int queueKey;
    private final @Nullable AddressVector addressVector;
    private final String explanation;
    private boolean acknowledged;

    CmEvent(
            Identifier about,
            CmId id,
            @Nullable CmId listenId,
            CmEventType type,
            int status,
            ConnectionParameters parameters,
            int queueKey,
            @Nullable AddressVector addressVector,
            String explanation) {
        this.about = about;
        this.id = id;
        this.listenId = listenId;
        this.type = type;
        this.status = status;
        this.parameters = parameters;
        this.queueKey = queueKey;
        this.addressVector = addressVector;
        this.explanation = explanation;
    }

    /** The type of the event. */
    public CmEventType type() {
        return type;
    }

    /** The identifier; for CONNECT_REQUEST a new one for the requested connection, which the application has to close. */
    public CmId id() {
        return id;
    }

    /** For CONNECT_REQUEST the listener, else null. */
    public @Nullable CmId listenId() {
        return listenId;
    }

    /** 0, an error number below 0, or for REJECTED a reason above 0; for UNREACHABLE in port space UDP the peer's status. */
    public int status() {
        return status;
    }

    /** The reason of a REJECTED; null for other events, and if the reason has no name. */
    public @Nullable RejectReason rejectReason() {
        return type == CmEventType.REJECTED ? RejectReason.of(status) : null;
    }

    /**
     * Private data of the peer's application, padded with zeros to the size of the message's field, or empty: CONNECT_REQUEST 56 bytes
     * (UDP 180), ESTABLISHED of the side that connected and CONNECT_RESPONSE 196 (UDP 136), REJECTED 148 (CM-15). A copy.
     */
    public byte[] privateData() {
        return parameters.privateData();
    }

    /**
     * The peer's parameters from the view of this side: depths can be passed to {@link CmId#accept} unchanged. Of CONNECT_REQUEST,
     * CONNECT_RESPONSE, and ESTABLISHED of the side that connected; zeros in all others.
     */
    public ConnectionParameters parameters() {
        return parameters;
    }

    /** ESTABLISHED in port space UDP: Q_Key of the peer's queue pair, whose number the parameters have. */
    public int queueKey() {
        return queueKey;
    }

    /** ESTABLISHED in port space UDP: where the peer's queue pair is; else null. */
    public @Nullable AddressVector addressVector() {
        return addressVector;
    }

    /** What happened, and why, as a sentence. */
    public String explanation() {
        return explanation;
    }

    /**
     * Acknowledges the event: the application does not use it any more ({@code rdma_ack_cm_event}).
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if it was acknowledged before (CM-29)
     */
    public synchronized void acknowledge() {
        if (acknowledged) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_29, "the event was acknowledged before");
        }
        acknowledged = true;
        about.acknowledged();
    }

    @Override
    public String toString() {
        return type + " status=" + status + ": " + explanation;
    }
}
