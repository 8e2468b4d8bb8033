// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Somebody wants to connect: accept or reject, once. */
public final class ConnectionRequest {

    private final CmId id;
    private final ConnectionParameters parameters;

    ConnectionRequest(CmId id, ConnectionParameters parameters) {
        this.id = id;
        this.parameters = parameters;
    }

    /** The identifier that it brought. */
    public CmId id() {
        return id;
    }

    /** What the peer asks for, in this side's own terms. */
    public ConnectionParameters parameters() {
        return parameters;
    }

    /** What the peer's application said, padded with zeros to 56 bytes. A copy. */
    public byte[] privateData() {
        return parameters.privateData();
    }

    /** GID and port of the peer. */
    public InetSocketAddress peerAddress() {
        InetSocketAddress address = id.peerAddress();
        if (address == null) {
            throw VerbsException.of(Errno.EINVAL, "CM-28", "%s has no peer", id);
        }
        return address;
    }

    /**
     * Accepts, and waits until the connection stands.
     *
     * @throws ConnectionException ECONNREFUSED if the peer then refused, ETIMEDOUT if it said nothing any more,
     *     ECONNABORTED if it gave up meanwhile. Nothing is left behind then
     */
    public Endpoint accept(
            ProtectionDomain pd, QpInitAttributes attributes, ConnectionParameters answer, Duration patience) {
        EventChannel channel = EventChannel.open(id.device(), id.channel().options());
        id.migrate(channel);
        Steps steps = new Steps(channel, id);
        try {
            long deadlineNanos = steps.deadlineNanos(patience);
            id.createQp(pd, attributes);
            id.accept(answer);
            steps.await(CmEventType.ESTABLISHED, deadlineNanos);
            return new Endpoint(steps, parameters.privateData());
        } catch (RuntimeException e) {
            steps.close();
            throw e;
        }
    }

    /** Refuses, and closes the identifier; the peer sees up to {@value ConnectionParameters#MOST_REJECT_BYTES} bytes. */
    public void reject(byte... privateData) {
        try {
            id.reject(privateData);
        } catch (VerbsException e) {
            if (e.errno() != Errno.ECONNABORTED) {
                throw e;
            }
        }
        id.close();
    }
}
