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
 */
public record UcConnection(PathMtu pathMtu, int access) {

    /** The default attributes: path MTU 1024, remote write. */
    public static final UcConnection USUAL = new UcConnection(PathMtu.MTU_1024, AccessFlags.REMOTE_WRITE);

    /** Returns a copy with another path MTU. */
    public UcConnection withPathMtu(PathMtu value) {
        return new UcConnection(value, access);
    }

    /** Returns a copy with other access rights. */
    public UcConnection withAccess(int value) {
        return new UcConnection(pathMtu, value);
    }

    /** Connects two queue pairs of this JVM with the default attributes. */
    public static void connect(QueuePair left, QueuePair right) {
        USUAL.join(left, right);
    }

    /** Connects two queue pairs of this JVM; a queue pair may be connected to itself (QV-12). */
    public void join(QueuePair left, QueuePair right) {
        Endpoint leftEnd = Endpoint.of(left, left.number());
        Endpoint rightEnd = Endpoint.of(right, right.number());
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
                .portNumber(1)
                .accessFlags(access));
        queuePair.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(peer.gid()))
                .pathMtu(pathMtu)
                .destinationQp(peer.qpNumber())
                .rqPsn(peer.psn()));
    }

    /** RTR to RTS: the queue pair can send, starting with {@code psn}. */
    public void readyToSend(QueuePair queuePair, int psn) {
        queuePair.modify(new QpAttributes().state(QpState.RTS).sqPsn(psn));
    }
}
