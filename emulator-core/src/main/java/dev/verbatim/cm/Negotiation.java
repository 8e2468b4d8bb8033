// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmConnection;
import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.cm.protocol.CmTimers;
import dev.verbatim.cm.protocol.PathOptions;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import org.jspecify.annotations.Nullable;

/** Makes REQ and REP of the parameters of applications, and parameters for applications of REQ and REP (CM-19, CM-20). */
final class Negotiation {

    private static final int DEFAULT_PARTITION = 0xffff;
    private static final int HOP_LIMIT = 64;
    private static final int FLOW_LABEL_FACTOR = 31;
    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int FIRST_USERS_QP = 2;

    private Negotiation() {}

    /** Refuses more private data than the message has room for. */
    static Octets privateData(byte[] bytes, int most) {
        if (bytes.length > most) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_20,
                    "private data of %d bytes > %d, which is all that the message has room for",
                    bytes.length,
                    most);
        }
        return Octets.of(bytes);
    }

    /** The flow label of a connection between two ports (CM-05). */
    static int flowLabel(int sourcePort, int destinationPort) {
        return sourcePort * FLOW_LABEL_FACTOR + destinationPort & FLOW_LABEL;
    }

    /** The REQ of the active side. */
    static Req request(
            CmContext context,
            CmOptions options,
            PathOptions path,
            int lifeTime,
            PortSpace portSpace,
            int sourcePort,
            Gid peer,
            int destinationPort,
            @Nullable QueuePair qp,
            ConnectionParameters asked) {
        Octets user = privateData(asked.privateData(), ConnectionParameters.MOST_CONNECT_BYTES);
        context.decided(Rule.CM_02);
        context.decided(Rule.CM_03);
        context.decided(Rule.CM_05);
        context.decided(Rule.CM_19);
        context.decided(Rule.CM_20);
        Path primary = new Path(
                Path.PERMISSIVE_LID,
                Path.PERMISSIVE_LID,
                context.gid(),
                peer,
                flowLabel(sourcePort, destinationPort),
                path.trafficClass(),
                HOP_LIMIT,
                0,
                0,
                false,
                CmTimers.ackTimeout(options.ackDelay(), lifeTime));
        return Req.builder()
                .serviceId(portSpace.serviceId(destinationPort))
                .localCaGuid(context.port().guid())
                .localQpn(number(qp, asked))
                .responderResources(depth(
                        "responder_resources", asked.responderResources(), context.mostServed(), context.mostServed()))
                .initiatorDepth(
                        depth("initiator_depth", asked.initiatorDepth(), context.mostIssued(), context.mostIssued()))
                .remoteResponseTimeout(options.responseTimeout())
                .transportType(Req.TRANSPORT_RC)
                .flowControl(asked.flowControl())
                .localResponseTimeout(options.responseTimeout())
                .retryCount(asked.retryCount())
                .partitionKey(DEFAULT_PARTITION)
                .pathMtu(context.mostMtu())
                .rnrRetryCount(asked.rnrRetryCount())
                .maxCmRetries(options.retries())
                .srq(hasSrq(qp, asked))
                .primary(primary)
                .alternate(Path.NONE)
                .privateData(IpHeader.of(sourcePort, context.gid(), peer).emit(user))
                .localId(context.numbers().communicationId())
                .startingPsn(context.numbers().psn())
                .build();
    }

    /** The REP of the passive side. */
    static Rep answer(
            CmContext context,
            CmOptions options,
            CmConnection connection,
            int startingPsn,
            @Nullable QueuePair qp,
            ConnectionParameters given) {
        Octets user = privateData(given.privateData(), ConnectionParameters.MOST_ACCEPT_BYTES);
        context.decided(Rule.CM_19);
        context.decided(Rule.CM_20);
        Req req = connection.request();
        return new Rep(
                connection.localId(),
                req.localId(),
                0,
                number(qp, given),
                0,
                startingPsn,
                0,
                depth("responder_resources", given.responderResources(), req.initiatorDepth(), context.mostServed()),
                depth("initiator_depth", given.initiatorDepth(), req.responderResources(), context.mostIssued()),
                options.ackDelay(),
                0,
                given.flowControl(),
                given.rnrRetryCount(),
                hasSrq(qp, given),
                context.port().guid(),
                user);
    }

    private static int number(@Nullable QueuePair qp, ConnectionParameters said) {
        int number = qp != null ? qp.number() : said.qpNumber();
        if (number < FIRST_USERS_QP) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_18,
                    "there is no queue pair, and qp_num=%d names none; make one with createQp, or say which one",
                    number);
        }
        return number;
    }

    private static boolean hasSrq(@Nullable QueuePair qp, ConnectionParameters said) {
        return qp != null ? qp.initAttributes().srq() != null : said.srq();
    }

    private static int depth(String name, int said, int asked, int most) {
        if (said == ConnectionParameters.MAX) {
            return Math.min(asked, most);
        }
        if (said > most) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_19,
                    "%s=%d is more than the %d that the device has; use ConnectionParameters.MAX for as many as there are",
                    name,
                    said,
                    most);
        }
        return said;
    }

    /** The parameters of a REQ, from the view of its receiver. */
    static ConnectionParameters shown(Req req) {
        return new ConnectionParameters(
                IpHeader.userData(req.privateData()).toBytes(),
                /* responderResources= */ req.initiatorDepth(),
                /* initiatorDepth= */ req.responderResources(),
                req.flowControl(),
                req.retryCount(),
                req.rnrRetryCount(),
                req.srq(),
                req.localQpn());
    }

    /** The parameters of a REP, from the view of its receiver. */
    static ConnectionParameters shown(Rep rep) {
        return new ConnectionParameters(
                rep.privateData().toBytes(),
                /* responderResources= */ rep.initiatorDepth(),
                /* initiatorDepth= */ rep.responderResources(),
                rep.flowControl(),
                0,
                rep.rnrRetryCount(),
                rep.srq(),
                rep.localQpn());
    }
}
