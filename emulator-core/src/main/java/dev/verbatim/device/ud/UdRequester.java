// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.ud;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.message.MessagePackets;
import dev.verbatim.device.message.UnacknowledgedSends;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendStatuses;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Datagram;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns posted requests into datagrams, each on its own way. What cannot be sent takes the queue pair to SQE (QS-06). */
final class UdRequester {

    /** A Q_Key with this bit is privileged: programs name it, and their queue pair's own is sent instead (WR-41, QV-11). */
    private static final int PRIVILEGED = 1 << 31;

    private final QpContext qp;
    private final UnacknowledgedSends sends;
    private final MessagePackets messagePackets;
    private int nextPsn;

    UdRequester(QpContext qp) {
        this.qp = qp;
        this.sends = new UnacknowledgedSends(qp);
        this.messagePackets = new MessagePackets(qp);
    }

    void begin() {
        sends.begin();
        messagePackets.forgetSource();
        nextPsn = qp.attributes().sqPsn();
    }

    /** The queue was drained, or failed and was flushed. */
    void resume() {
        sends.begin();
        messagePackets.forgetSource();
    }

    void stop() {
        sends.stop();
        messagePackets.forgetSource();
    }

    boolean isOutstanding() {
        return sends.isOutstanding();
    }

    boolean hasMore() {
        return !messagePackets.isWaiting() && sends.hasNext();
    }

    /**
     * The way of the next datagram, also while it has to wait: where it waits it is asked for again; null if there is none. A
     * request that is no datagram fails when its turn comes, which needs no way to anywhere else.
     */
    @Nullable
    Link link() {
        SendWqe next = sends.oldestUnsent();
        if (next == null) {
            return null;
        }
        return qp.linkTo(next.datagram() == null ? qp.port().gid() : destination(next));
    }

    private static Datagram datagram(SendWqe wqe) {
        return Objects.requireNonNull(wqe.datagram());
    }

    private static Gid destination(SendWqe wqe) {
        return datagram(wqe).addressHandle().addressVector().destination();
    }

    /** Fills the next datagram; false if there is none to send now. */
    boolean pull(Packet packet) {
        sends.completeSent();
        SendWqe wqe = messagePackets.isWaiting() ? null : sends.next();
        if (wqe == null || (!sends.isStarted() && !start(wqe)) || messagePackets.waitsForSource(wqe, 0, nextPsn)) {
            return false;
        }
        fill(wqe, packet);
        Denial denial = messagePackets.gather(wqe, 0, 1, nextPsn, packet);
        if (denial != null) {
            sends.fail(wqe, SendStatuses.notGathered(qp.device().profile(), denial), denial.refusal());
            return false;
        }
        nextPsn = Psn.next(nextPsn);
        qp.sends(qp.linkTo(destination(wqe)));
        qp.decided(Rule.UD_01);
        if (packet.destQp() == qp.number() && destination(wqe).equals(qp.port().gid())) {
            qp.decided(Rule.QV_12);
        }
        sends.finish();
        return true;
    }

    private boolean start(SendWqe wqe) {
        if (sends.failsAsPosted(wqe) || !isFit(wqe)) {
            return false;
        }
        sends.start(wqe, nextPsn, 1);
        return true;
    }

    private void fill(SendWqe wqe, Packet packet) {
        Datagram to = datagram(wqe);
        messagePackets.fillHeaders(wqe, true, true, 1, nextPsn, packet);
        boolean own = (to.remoteQueueKey() & PRIVILEGED) != 0;
        if (own) {
            qp.decided(Rule.WR_41);
        }
        AddressVector way = to.addressHandle().addressVector();
        packet.trafficClass(way.trafficClass()).flowLabel(way.flowLabel()).hopLimit(way.hopLimit());
        packet.destQp(to.remoteQp() & LOW_24_BITS)
                .sourceQp(qp.number())
                .queueKey(own ? qp.attributes().queueKey() : to.remoteQueueKey());
    }

    private static final int LOW_24_BITS = 0xff_ffff;

    private void refuse(SendWqe wqe, Refusal refusal) {
        qp.decided(Rule.WC_31);
        qp.decided(refusal.brokenRule());
        sends.fail(wqe, WcStatus.LOC_QP_OP_ERR, refusal);
    }

    /** Whether the request can be sent; if not, it has failed, or pretends to have been. */
    @SuppressWarnings("ReferenceEquality") // a domain is its identity
    private boolean isFit(SendWqe wqe) {
        if (datagram(wqe).addressHandle().pd() != qp.domain().handle()) {
            refuse(
                    wqe,
                    Refusal.of(
                            Rule.WR_41,
                            "%s belongs to %s but qp %d to %s",
                            datagram(wqe).addressHandle().toString(),
                            datagram(wqe).addressHandle().pd().toString(),
                            qp.number(),
                            qp.domain().toString()));
            return false;
        }
        int port = datagram(wqe).addressHandle().addressVector().portNumber();
        if (port != qp.port().number()) {
            refuse(
                    wqe,
                    Refusal.of(
                            Rule.QV_14,
                            "%s is of port %d but qp %d of port %d",
                            datagram(wqe).addressHandle().toString(),
                            port,
                            qp.number(),
                            qp.port().number()));
            return false;
        }
        if (wqe.lengthBytes() > qp.pathMtuBytes()) {
            tooLong(wqe);
            return false;
        }
        Denial denial =
                wqe.inlineData() == null ? qp.sgeAccess().check(wqe.elements(), AccessOperation.LOCAL_READ) : null;
        if (denial != null) {
            qp.decided(Rule.WC_29);
            qp.decided(Rule.MR_42);
            sends.fail(wqe, SendStatuses.notGathered(qp.device().profile(), denial), denial.refusal());
        }
        return denial == null;
    }

    private void tooLong(SendWqe wqe) {
        qp.decided(Rule.WR_40);
        Refusal reason = Refusal.of(
                Rule.WR_40,
                "length=%d > path MTU %d: a datagram is one packet; send less, or several",
                wqe.lengthBytes(),
                qp.pathMtuBytes());
        if (qp.device().profile().posting().udOversizeSilent()) {
            qp.device().drops().add(qp.number(), true, reason);
            sends.finish();
            return;
        }
        qp.decided(Rule.WC_32);
        sends.fail(wqe, WcStatus.LOC_LEN_ERR, reason);
    }
}
