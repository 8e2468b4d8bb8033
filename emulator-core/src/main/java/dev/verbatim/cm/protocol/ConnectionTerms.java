// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;

/**
 * What the two sides of a connection agreed upon, as far as it goes into a queue pair (CM-18). Each side announces the first PSN
 * that it expects to <em>receive</em>.
 *
 * @param peer GID of the peer's port
 * @param pathMtu code from 1 to 5
 * @param peerQpn number of the peer's queue pair
 * @param receivePsn first PSN that this side receives: its own announcement
 * @param sendPsn first PSN that this side sends: the peer's announcement
 * @param serves READs and atomics that this side serves at a time
 * @param issues READs and atomics that this side has outstanding
 * @param timeout code of the ACK timeout
 * @param retryCount retries after timeouts
 * @param rnrRetry retries after RNR NAKs
 * @param flowLabel of the path
 * @param trafficClass of the path
 * @param hopLimit of the path
 */
public record ConnectionTerms(
        Gid peer,
        int pathMtu,
        int peerQpn,
        int receivePsn,
        int sendPsn,
        int serves,
        int issues,
        int timeout,
        int retryCount,
        int rnrRetry,
        int flowLabel,
        int trafficClass,
        int hopLimit) {

    private static final int REMOTE_READS = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int FLUSH = AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;

    /** Of the side that asked. */
    static ConnectionTerms ofActive(Req request, Rep answer, int mostIssued) {
        Path path = request.primary();
        return new ConnectionTerms(
                path.remoteGid(),
                request.pathMtu(),
                answer.localQpn(),
                request.startingPsn(),
                answer.startingPsn(),
                answer.initiatorDepth(),
                Math.min(answer.responderResources(), mostIssued),
                CmTimers.ackTimeout(answer.targetAckDelay(), path.ackTimeout() - 1),
                request.retryCount(),
                answer.rnrRetryCount(),
                path.flowLabel(),
                path.trafficClass(),
                path.hopLimit());
    }

    /** Of the side that accepts. */
    public static ConnectionTerms ofPassive(Req request, Rep answer) {
        Path path = request.primary();
        return new ConnectionTerms(
                path.localGid(),
                request.pathMtu(),
                request.localQpn(),
                answer.startingPsn(),
                request.startingPsn(),
                answer.responderResources(),
                answer.initiatorDepth(),
                path.ackTimeout(),
                request.retryCount(),
                request.rnrRetryCount(),
                path.flowLabel(),
                path.trafficClass(),
                path.hopLimit());
    }

    /** The same with that ACK timeout. */
    ConnectionTerms withTimeout(int code) {
        return new ConnectionTerms(
                peer,
                pathMtu,
                peerQpn,
                receivePsn,
                sendPsn,
                serves,
                issues,
                code,
                retryCount,
                rnrRetry,
                flowLabel,
                trafficClass,
                hopLimit);
    }

    /** To INIT of a queue pair whose connection is not agreed upon yet, at that port. */
    public static QpAttributes init(int portNumber, int access) {
        return new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(portNumber)
                .accessFlags(access);
    }

    /** Rights of a queue pair that serves so many READs and atomics. */
    public static int access(int served) {
        return AccessFlags.REMOTE_WRITE | FLUSH | (served > 0 ? REMOTE_READS : 0);
    }

    /** The attributes for this state, at that port. */
    public QpAttributes attributes(int portNumber, QpState state) {
        return switch (state) {
            case INIT -> init(portNumber, access(serves));
            case RTR ->
                new QpAttributes()
                        .state(QpState.RTR)
                        .addressVector(
                                new AddressVector(peer, true, portNumber, 0, flowLabel, hopLimit, trafficClass, 0))
                        .pathMtu(mtu())
                        .destinationQp(peerQpn)
                        .rqPsn(receivePsn)
                        .maxDestRdAtomic(serves)
                        .minRnrTimer(0);
            case RTS ->
                new QpAttributes()
                        .state(QpState.RTS)
                        .timeout(timeout)
                        .retryCount(retryCount)
                        .rnrRetry(rnrRetry)
                        .sqPsn(sendPsn)
                        .maxRdAtomic(issues);
            default ->
                throw VerbsException.of(
                        Errno.EINVAL,
                        Rule.CM_18,
                        "a connection says nothing about state %s; ask for INIT, RTR or RTS",
                        state);
        };
    }

    private PathMtu mtu() {
        return PathMtu.values()[pathMtu - 1];
    }
}
