// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;

/**
 * Takes UC queue pairs from RESET to RTS. Each setter returns a changed copy.
 *
 * @param pathMtu payload bytes of a packet
 * @param access rights that the queue pair grants
 * @param portNumber local port of the queue pairs, from 1
 */
public record UcConnection(PathMtu pathMtu, int access, int portNumber) {

    /** The default attributes: path MTU 1024, remote write. */
    public static final UcConnection USUAL = new UcConnection(PathMtu.MTU_1024, AccessFlags.REMOTE_WRITE);

    /** Connections at port 1. */
    public UcConnection(PathMtu pathMtu, int access) {
        this(pathMtu, access, 1);
    }

    /** Returns a copy with another path MTU. */
    public UcConnection withPathMtu(PathMtu value) {
        return new UcConnection(value, access, portNumber);
    }

    /** Returns a copy with other access rights. */
    public UcConnection withAccess(int value) {
        return new UcConnection(pathMtu, value, portNumber);
    }

    /** Returns a copy at another local port of the queue pairs; peers are found at the GID of theirs. */
    public UcConnection withPort(int value) {
        return new UcConnection(pathMtu, access, value);
    }

    /** Connects two queue pairs of this JVM with the default attributes. */
    public static void connect(QueuePair left, QueuePair right) {
        USUAL.join(left, right);
    }

    /** Connects two queue pairs of this JVM, each at the port of this connection; a queue pair may be connected to itself (QV-12). */
    public void join(QueuePair left, QueuePair right) {
        Endpoint leftEnd = Endpoint.of(left, portNumber, left.number());
        Endpoint rightEnd = Endpoint.of(right, portNumber, right.number());
        readyToReceive(left, rightEnd);
        if (!right.equals(left)) {
            readyToReceive(right, leftEnd);
            readyToSend(right, rightEnd.psn());
        }
        readyToSend(left, leftEnd.psn());
    }

    /** RESET to INIT to RTR: the queue pair receives from {@code peer}. */
    public void readyToReceive(QueuePair queuePair, Endpoint peer) {
        queuePair.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(portNumber)
                .accessFlags(access));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(peer.gid()).withPort(portNumber))
                .pathMtu(pathMtu)
                .destinationQp(peer.qpNumber())
                .rqPsn(peer.psn()));
    }

    /** RTR to RTS: the queue pair can send, starting with {@code psn}. */
    public void readyToSend(QueuePair queuePair, int psn) {
        queuePair.modify(new QpAttributes().state(QpState.RTS).sqPsn(psn));
    }
}
