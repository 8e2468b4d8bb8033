// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;

/**
 * Takes RC queue pairs from RESET to RTS. The default attributes are: all remote rights, path MTU 1024, 16 READs and
 * atomics, timeout 14, seven retries, unlimited RNR retries. Each setter returns a changed copy.
 *
 * @param pathMtu payload bytes of a packet
 * @param access rights that the queue pair grants
 * @param depth READs and atomics outstanding, in either direction
 * @param timeout ACK timeout code
 * @param retryCount retries after timeouts
 * @param rnrRetry retries after RNR NAKs
 * @param minRnrTimer RNR timer code
 * @param portNumber local port of the queue pairs, from 1
 */
public record RcConnection(
        PathMtu pathMtu,
        int access,
        int depth,
        int timeout,
        int retryCount,
        int rnrRetry,
        int minRnrTimer,
        int portNumber) {

    private static final int ALL_REMOTE_RIGHTS = AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;
    private static final int USUAL_DEPTH = 16;
    private static final int USUAL_TIMEOUT = 14;
    private static final int SEVEN = 7;
    private static final int USUAL_RNR_TIMER = 12;

    /** The default attributes. */
    public static final RcConnection USUAL = new RcConnection(
            PathMtu.MTU_1024, ALL_REMOTE_RIGHTS, USUAL_DEPTH, USUAL_TIMEOUT, SEVEN, SEVEN, USUAL_RNR_TIMER, 1);

    /** Connections at port 1. */
    public RcConnection(
            PathMtu pathMtu, int access, int depth, int timeout, int retryCount, int rnrRetry, int minRnrTimer) {
        this(pathMtu, access, depth, timeout, retryCount, rnrRetry, minRnrTimer, 1);
    }

    /**
     * The address of a queue pair, which the two sides of a connection exchange.
     *
     * @param gid GID of the port
     * @param qpNumber number of the queue pair
     * @param psn first PSN that the queue pair sends
     */
    public record Endpoint(Gid gid, int qpNumber, int psn) {

        /** The endpoint at port 1 of a queue pair whose first PSN is {@code psn}. */
        public static Endpoint of(QueuePair queuePair, int psn) {
            return of(queuePair, 1, psn);
        }

        /** The endpoint at a port of a queue pair whose first PSN is {@code psn}. */
        public static Endpoint of(QueuePair queuePair, int portNumber, int psn) {
            return new Endpoint(queuePair.device().queryGid(portNumber, 0), queuePair.number(), psn);
        }
    }

    /** Returns a copy with another path MTU. */
    public RcConnection withPathMtu(PathMtu value) {
        return new RcConnection(value, access, depth, timeout, retryCount, rnrRetry, minRnrTimer, portNumber);
    }

    /** Returns a copy with other access rights. */
    public RcConnection withAccess(int value) {
        return new RcConnection(pathMtu, value, depth, timeout, retryCount, rnrRetry, minRnrTimer, portNumber);
    }

    /** Returns a copy with another number of outstanding READs and atomics. */
    public RcConnection withDepth(int value) {
        return new RcConnection(pathMtu, access, value, timeout, retryCount, rnrRetry, minRnrTimer, portNumber);
    }

    /** Returns a copy with other retry parameters. */
    public RcConnection withRetries(int timeoutCode, int retries, int rnrRetries, int rnrTimerCode) {
        return new RcConnection(pathMtu, access, depth, timeoutCode, retries, rnrRetries, rnrTimerCode, portNumber);
    }

    /** Returns a copy at another local port of the queue pairs; peers are found at the GID of theirs. */
    public RcConnection withPort(int value) {
        return new RcConnection(pathMtu, access, depth, timeout, retryCount, rnrRetry, minRnrTimer, value);
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

    /** RESET to INIT to RTR: the queue pair responds to requests of {@code peer}. */
    public void readyToReceive(QueuePair queuePair, Endpoint peer) {
        queuePair.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(portNumber)
                .accessFlags(access));
        QpAttributes values = new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(peer.gid()).withPort(portNumber))
                .pathMtu(pathMtu)
                .destinationQp(peer.qpNumber())
                .rqPsn(peer.psn());
        if (queuePair.initAttributes().type() != QpType.XRC_SEND) {
            values.maxDestRdAtomic(depth).minRnrTimer(minRnrTimer);
        }
        queuePair.modify(values);
    }

    /** RTR to RTS: the queue pair can send requests, starting with {@code psn}. */
    public void readyToSend(QueuePair queuePair, int psn) {
        QpAttributes values =
                new QpAttributes().state(QpState.RTS).timeout(timeout).sqPsn(psn);
        if (queuePair.initAttributes().type() != QpType.XRC_RECV) {
            values.retryCount(retryCount).rnrRetry(rnrRetry).maxRdAtomic(depth);
        }
        queuePair.modify(values);
    }
}
