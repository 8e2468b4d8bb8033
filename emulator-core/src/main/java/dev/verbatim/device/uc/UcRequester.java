// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.uc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.message.MessagePackets;
import dev.verbatim.device.message.UnacknowledgedSends;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendStatuses;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;

/** Turns posted requests into packets, each once. What cannot be done here takes the queue pair to SQE (QS-06). */
final class UcRequester {

    private final QpContext qp;
    private final UnacknowledgedSends sends;
    private final MessagePackets messagePackets;
    private int nextPsn;
    private int packetsSent;

    UcRequester(QpContext qp) {
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

    /** Fills the next packet; false if there is none to send now. */
    boolean pull(Packet packet) {
        sends.completeSent();
        SendWqe wqe = messagePackets.isWaiting() ? null : sends.next();
        if (wqe == null || (!sends.isStarted() && !start(wqe))) {
            return false;
        }
        int index = packetsSent;
        int psn = Psn.add(wqe.firstPsn(), index);
        if (messagePackets.waitsForSource(wqe, index, psn)) {
            return false;
        }
        messagePackets.fillHeaders(wqe, index == 0, index + 1 == wqe.packets(), 1, psn, packet);
        Denial denial = messagePackets.gather(wqe, index, 1, psn, packet);
        if (denial != null) {
            sends.fail(wqe, SendStatuses.notGathered(qp.device().profile(), denial), denial.refusal());
            return false;
        }
        Link link = qp.link();
        if (link != null) {
            qp.sends(link);
        }
        packetsSent++;
        if (packetsSent == wqe.packets()) {
            qp.decided(Rule.UC_01);
            sends.finish();
        }
        return true;
    }

    /** Whether it is a message, which has packets to send from now on. */
    private boolean start(SendWqe wqe) {
        qp.decided(Rule.ORD_20);
        if (sends.failsAsPosted(wqe)) {
            return false;
        }
        if (wqe.isLocal()) {
            doLocally(wqe);
            return false;
        }
        Denial denial =
                wqe.inlineData() == null ? qp.sgeAccess().check(wqe.elements(), AccessOperation.LOCAL_READ) : null;
        if (denial != null) {
            qp.decided(Rule.WC_29);
            qp.decided(Rule.MR_42);
            sends.fail(wqe, SendStatuses.notGathered(qp.device().profile(), denial), denial.refusal());
            return false;
        }
        int packets = Psn.packets(wqe.lengthBytes(), qp.pathMtuBytes());
        sends.start(wqe, nextPsn, packets);
        nextPsn = Psn.add(nextPsn, packets);
        packetsSent = 0;
        return true;
    }

    /** A bind or an invalidation: everything before it has been sent, and nothing behind it has begun (ORD-16, ORD-17). */
    private void doLocally(SendWqe wqe) {
        sends.start(wqe, nextPsn, 0);
        qp.decided(Rule.WR_39);
        Refusal refusal = qp.windows().execute(wqe);
        if (refusal == null) {
            sends.finish();
        } else {
            sends.fail(wqe, qp.windows().statusOfFailed(wqe), refusal);
        }
    }
}
