// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A connection request of a peer, to be accepted or rejected once. */
public final class ConnectionRequest {

    private final CmId id;
    private final ConnectionParameters parameters;

    ConnectionRequest(CmId id, ConnectionParameters parameters) {
        this.id = id;
        this.parameters = parameters;
    }

    /** The new identifier of the requested connection. */
    public CmId id() {
        return id;
    }

    /** The peer's parameters, from the view of this side. */
    public ConnectionParameters parameters() {
        return parameters;
    }

    /** Private data of the peer's application, padded with zeros to 56 bytes. A copy. */
    public byte[] privateData() {
        return parameters.privateData();
    }

    /** GID and port of the peer. */
    public InetSocketAddress peerAddress() {
        InetSocketAddress address = id.peerAddress();
        if (address == null) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_28, "%s has no peer", id);
        }
        return address;
    }

    /**
     * Creates the queue pair, in INIT, so that receives can be posted before the peer can send. Then call
     * {@link #accept(ConnectionParameters, Duration)}, or {@link #reject}, which destroys it.
     *
     * @throws VerbsException as {@link CmId#createQp}; ECONNABORTED if the peer has withdrawn the request
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        return id.createQp(pd, attributes);
    }

    /**
     * Creates the queue pair and accepts: {@link #createQp}, and {@link #accept(ConnectionParameters, Duration)}.
     *
     * @throws ConnectionException ECONNREFUSED if the peer then rejected, ETIMEDOUT if it did not confirm, ECONNABORTED if it has
     *     withdrawn the request. Queue pair and identifier are destroyed then
     */
    public Endpoint accept(
            ProtectionDomain pd, QpInitAttributes attributes, ConnectionParameters answer, Duration patience) {
        return accept(answer, patience, () -> createQp(pd, attributes));
    }

    /**
     * Accepts with the queue pair that was {@linkplain #createQp created}, and waits until the connection is established.
     *
     * @throws VerbsException EINVAL if there is no queue pair (CM-27)
     * @throws ConnectionException ECONNREFUSED if the peer then rejected, ETIMEDOUT if it did not confirm, ECONNABORTED if it has
     *     withdrawn the request. Queue pair and identifier are destroyed then
     */
    public Endpoint accept(ConnectionParameters answer, Duration patience) {
        if (id.qp() == null) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.CM_27, "accept needs a queue pair, and %s has none; call createQp first", id);
        }
        return accept(answer, patience, () -> {});
    }

    private Endpoint accept(ConnectionParameters answer, Duration patience, Runnable preparation) {
        VerbsException.requireNonNull(answer, "answer");
        VerbsException.requireNonNull(patience, "patience");
        EventChannel channel = EventChannel.open(id.device(), id.channel().options());
        id.migrate(channel);
        SynchronousId synchronous = new SynchronousId(channel, id);
        try {
            long deadlineNanos = synchronous.deadlineNanos(patience);
            preparation.run();
            id.accept(answer);
            synchronous.await(CmEventType.ESTABLISHED, deadlineNanos);
            return new Endpoint(synchronous, parameters.privateData());
        } catch (RuntimeException e) {
            synchronous.close();
            throw e;
        }
    }

    /**
     * Rejects the request, destroys the queue pair if there is one, and closes the identifier. The peer gets up to
     * {@value ConnectionParameters#MOST_REJECT_BYTES} bytes.
     */
    public void reject(byte... privateData) {
        try {
            id.reject(privateData);
        } catch (VerbsException e) {
            if (e.errno() != Errno.ECONNABORTED) {
                throw e;
            }
        }
        id.destroyQp();
        id.close();
    }

    @Override
    public String toString() {
        return "request for " + id;
    }
}
