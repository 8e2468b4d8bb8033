// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.message.MessagePackets;
import dev.verbatim.device.message.SendOpcodes;
import dev.verbatim.device.message.SplitRead;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendQueue;
import dev.verbatim.device.qp.SendStatuses;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Turns posted requests into packets, strictly in post order (ORD-20).
 *
 * <p>Requests are numbered as in {@link SendQueue}: {@code completed <= cursor <= started <= posted}. A request is
 * <em>started</em> when it is given its packet sequence numbers. The cursor stands at the next packet to send; going
 * back to send again is moving the cursor (RT-05), so new packets and repeated ones take the same way.
 */
final class Requester {

    /** A single packet that is sent again, apart from where the cursor stands. */
    private enum Repeat {
        NOTHING,
        OLDEST,
        NEWEST
    }

    /** A longer READ is asked for in several requests, so that outstanding PSNs stay well below 2^23 (PSN-04). */
    static final int MOST_PACKETS_OF_A_READ_REQUEST = 1 << 22;

    private static final int MOST_OUTSTANDING_PSNS = (1 << 23) - 1;

    private final QpContext qp;
    private final RcEngine engine;
    private final SendQueue queue;
    private final MessagePackets messagePackets;
    private final @Nullable SplitRead source;
    private final SinglePackets singlePackets;
    private final RequestFitness fitness;
    private long cursor;
    private int cursorPacket;
    private long started;
    private int nextPsn;
    private int oldestUnacknowledgedPsn;
    private int endOfSentPsns;
    private int outstandingResponses;
    private Repeat repeat = Repeat.NOTHING;
    private boolean alone;

    Requester(QpContext qp, RcEngine engine) {
        this.qp = qp;
        this.engine = engine;
        this.messagePackets = new MessagePackets(qp);
        this.source = messagePackets.source();
        this.singlePackets = new SinglePackets(qp, messagePackets);
        this.queue = qp.sendQueue();
        this.fitness = new RequestFitness(qp);
    }

    /** The queue pair may send from now on, beginning with {@code psn}. */
    void begin(int psn) {
        cursor = queue.completed();
        cursorPacket = 0;
        started = cursor;
        nextPsn = psn;
        oldestUnacknowledgedPsn = psn;
        endOfSentPsns = psn;
        outstandingResponses = 0;
        repeat = Repeat.NOTHING;
        messagePackets.forgetSource();
    }

    /** Nothing more is sent. */
    void stop() {
        messagePackets.forgetSource();
    }

    /** Whether a started request has not completed. */
    boolean isOutstanding() {
        return queue.completed() < started;
    }

    int oldestUnacknowledgedPsn() {
        return oldestUnacknowledgedPsn;
    }

    /** Whether a response with this PSN can be one to what was sent and not yet acknowledged (ACK-07). */
    boolean awaits(int psn) {
        return oldestUnacknowledgedPsn != endOfSentPsns
                && Psn.inRange(psn, oldestUnacknowledgedPsn, Psn.add(endOfSentPsns, -1));
    }

    /** The oldest request that was started and has not completed. */
    @Nullable
    SendWqe oldest() {
        return isOutstanding() ? queue.at(queue.completed()) : null;
    }

    /** Everything before {@code psn} is acknowledged. */
    void acknowledgedBefore(int psn) {
        oldestUnacknowledgedPsn = psn;
        if (source != null && source.isUnderWay() && Psn.compare(source.psn(), psn) < 0) {
            // Nobody waits for what is not sent again.
            source.forget();
        }
    }

    /** The oldest request is about to complete; the cursor never stays behind. */
    void leaving(SendWqe wqe) {
        if (wqe.expectsResponse() && wqe.failure() == null) {
            outstandingResponses--;
        }
        if (cursor == queue.completed()) {
            advance();
        }
    }

    /** To the next request that has packets: what was done here is not done again, and what failed here is not passed. */
    private void advance() {
        cursorPacket = 0;
        do {
            cursor++;
        } while (cursor < started && isDoneHere(queue.at(cursor)));
    }

    private static boolean isDoneHere(SendWqe wqe) {
        return wqe.isLocal() && wqe.failure() == null;
    }

    /** Sends again from the oldest unacknowledged packet on; a READ from its first missing byte (RT-05). */
    void goBack() {
        messagePackets.forgetSource();
        cursor = queue.completed();
        SendWqe wqe = oldest();
        cursorPacket = wqe == null || wqe.expectsResponse() ? 0 : Psn.distance(wqe.firstPsn(), oldestUnacknowledgedPsn);
        for (long number = cursor; number < started; number++) {
            SendWqe again = queue.at(number);
            again.requestedPackets(again.answeredPackets());
        }
    }

    /** Sends the oldest unacknowledged packet once more, unless it is to be sent anyway. */
    void repeatOldest() {
        if (!owesOldest()) {
            repeat = Repeat.OLDEST;
        }
    }

    /** Sends once more what was sent last, if it is not acknowledged. READs are left out: their answers may be long. */
    void repeatNewest() {
        repeat = Repeat.NEWEST;
    }

    /** Whether the oldest unacknowledged packet waits to be handed to the link, for the first time or again. */
    boolean owesOldest() {
        if (repeat == Repeat.OLDEST || oldestUnacknowledgedPsn == endOfSentPsns) {
            return true;
        }
        SendWqe wqe = oldest();
        if (wqe == null || cursor != queue.completed()) {
            return false;
        }
        return wqe.expectsResponse()
                ? wqe.requestedPackets() == wqe.answeredPackets()
                : cursorPacket <= Psn.distance(wqe.firstPsn(), oldestUnacknowledgedPsn);
    }

    /** Whether there may be a packet to send: something to repeat, or a request that nothing keeps from being started. */
    boolean hasMore() {
        if (repeat != Repeat.NOTHING) {
            return true;
        }
        if (source != null && source.isUnderWay()) {
            return false;
        }
        if (cursor != started) {
            return queue.at(cursor).failure() == null;
        }
        return cursor != queue.posted() && qp.state() == QpState.RTS && !waits(queue.at(cursor));
    }

    private boolean waits(SendWqe wqe) {
        return isFenced(wqe) || hasNoRoomFor(wqe) || (isHeldBack(wqe) && !mayBeEarly(wqe));
    }

    /** A LOCAL_INV waits until everything before it has completed, unless it was chosen to be early (ORD-18). */
    private boolean isHeldBack(SendWqe wqe) {
        return wqe.opcode() == WrOpcode.LOCAL_INV && isOutstanding() && !Boolean.TRUE.equals(wqe.early());
    }

    /** Whether that can still be chosen: not with the FENCE, and once (N5). */
    private boolean mayBeEarly(SendWqe wqe) {
        return wqe.early() == null
                && !wqe.has(SendFlags.FENCE)
                && qp.device().isOpen(ChoicePoint.EARLY_LOCAL_INVALIDATE);
    }

    /** FENCE: it waits until the READs and atomics before it have their answers (ORD-19). */
    private boolean isFenced(SendWqe wqe) {
        return wqe.has(SendFlags.FENCE) && outstandingResponses > 0;
    }

    /** As many READs and atomics are outstanding as may be (WR-33). */
    private boolean hasNoRoomFor(SendWqe wqe) {
        return wqe.expectsResponse()
                && outstandingResponses >= Math.max(1, qp.attributes().maxRdAtomic());
    }

    /**
     * Fills the next request packet; false if there is none to send now.
     *
     * @param mayStart whether the state permits to start requests
     */
    boolean pull(Packet packet, boolean mayStart) {
        Repeat what = repeat;
        repeat = Repeat.NOTHING;
        if ((what == Repeat.OLDEST && fillOldest(packet)) || (what == Repeat.NEWEST && fillNewest(packet))) {
            return true;
        }
        // What could not be sent again may have failed the queue pair.
        boolean starts = what == Repeat.NOTHING ? mayStart : qp.state() == QpState.RTS;
        if ((source != null && source.isUnderWay()) || (cursor == started && !(starts && startNext()))) {
            return false;
        }
        SendWqe wqe = queue.at(cursor);
        if (wqe.failure() != null) {
            // It waits for those before it, which may have to be sent again; nothing behind it is sent (WC-06).
            return false;
        }
        skipAcknowledged(wqe);
        return fill(wqe, packet);
    }

    private boolean fill(SendWqe wqe, Packet packet) {
        if (wqe.opcode() == WrOpcode.RDMA_READ) {
            return fillRead(wqe, packet);
        }
        return wqe.expectsResponse() ? fillSingle(wqe, packet) : fillMessagePacket(wqe, packet);
    }

    private boolean fillOldest(Packet packet) {
        SendWqe wqe = oldest();
        if (wqe == null || owesOldest()) {
            return false;
        }
        // Of a READ all is asked for that has not come.
        wqe.requestedPackets(wqe.answeredPackets());
        int index = wqe.expectsResponse() ? 0 : Psn.distance(wqe.firstPsn(), oldestUnacknowledgedPsn);
        return fillAgain(queue.completed(), index, packet);
    }

    private boolean fillNewest(Packet packet) {
        for (long number = cursor; number >= queue.completed(); number--) {
            SendWqe wqe = queue.at(number);
            int sent = number == cursor ? cursorPacket : wqe.packets();
            if (sent > 0 && wqe.failure() == null && wqe.opcode() != WrOpcode.RDMA_READ) {
                return awaits(Psn.add(wqe.firstPsn(), sent - 1)) && fillAgain(number, sent - 1, packet);
            }
        }
        return false;
    }

    /** Fills a packet that was sent before; the peer is asked to answer it, whichever it is. */
    private boolean fillAgain(long number, int index, Packet packet) {
        long cursorBefore = cursor;
        int cursorPacketBefore = cursorPacket;
        cursor = number;
        cursorPacket = index;
        alone = true;
        boolean filled = fill(queue.at(number), packet);
        alone = false;
        if (!filled) {
            return false;
        }
        packet.ackRequest(true);
        cursor = cursorBefore;
        cursorPacket = cursorPacketBefore;
        return true;
    }

    /** An acknowledgement may have come for packets that were about to be sent again. */
    private void skipAcknowledged(SendWqe wqe) {
        if (cursor == queue.completed() && !wqe.expectsResponse()) {
            int acknowledged = Psn.distance(wqe.firstPsn(), oldestUnacknowledgedPsn);
            cursorPacket = Math.max(cursorPacket, acknowledged);
        }
    }

    private boolean startNext() {
        if (cursor == queue.posted()) {
            return false;
        }
        SendWqe wqe = queue.at(cursor);
        if (isFenced(wqe)) {
            qp.decided(Rule.ORD_14);
            qp.decided(Rule.ORD_19);
            qp.decided(Rule.WR_20);
            return false;
        }
        if (hasNoRoomFor(wqe)) {
            qp.decided(Rule.ORD_20);
            qp.decided(Rule.WR_33);
            return false;
        }
        if (outstandingResponses > 0) {
            qp.decided(Rule.ORD_02);
            qp.decided(Rule.ORD_13);
        }
        if (wqe.isLocal()) {
            doLocally(wqe);
            return false;
        }
        started++;
        if (!fitness.isFit(wqe)) {
            engine.completer().completeIfFailed();
            return false;
        }
        boolean isSingle = wqe.expectsResponse() && wqe.opcode() != WrOpcode.RDMA_READ;
        int packets = isSingle ? 1 : Psn.packets(wqe.lengthBytes(), qp.pathMtuBytes());
        wqe.start(nextPsn, packets);
        nextPsn = Psn.add(nextPsn, packets);
        qp.started(wqe);
        if (wqe.expectsResponse()) {
            outstandingResponses++;
        }
        return true;
    }

    /**
     * A bind or an invalidation takes its turn: nothing behind it has begun, and everything before it has been sent (ORD-16,
     * ORD-17). It is a step of its own, after which others may have theirs.
     */
    private void doLocally(SendWqe wqe) {
        if (isHeldBack(wqe)) {
            if (!mayBeEarly(wqe)) {
                qp.decided(Rule.ORD_18);
                return;
            }
            wqe.early(qp.device().choose(ChoicePoint.EARLY_LOCAL_INVALIDATE, 2) == 1);
            if (isHeldBack(wqe)) {
                return;
            }
        }
        started++;
        wqe.start(nextPsn, 0);
        qp.started(wqe);
        qp.decided(Rule.WR_39);
        Refusal refusal = wqe.opcode() == WrOpcode.BIND_MW
                ? qp.windows().bind(wqe)
                : qp.windows().invalidate(wqe.invalidateKey());
        if (refusal != null) {
            wqe.fail(statusOfFailed(wqe), refusal);
        } else {
            advance();
        }
        engine.completer().localDone();
    }

    private WcStatus statusOfFailed(SendWqe wqe) {
        return wqe.opcode() == WrOpcode.BIND_MW
                ? WcStatus.MW_BIND_ERR
                : qp.windows().statusOfFailedInvalidation();
    }

    private boolean fillMessagePacket(SendWqe wqe, Packet packet) {
        int psn = Psn.add(wqe.firstPsn(), cursorPacket);
        if (!isWithinWindow(psn, 1, DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS)) {
            qp.decided(Rule.PSN_04);
            return false;
        }
        int count = packetsOfRun(wqe, psn);
        if (source != null && count == 1 && !alone && messagePackets.waitsForSource(wqe, cursorPacket, psn)) {
            return false;
        }
        boolean last = cursorPacket + count == wqe.packets();
        messagePackets.fillHeaders(wqe, cursorPacket, count, psn, packet);
        packet.ackRequest(last || (cursorPacket + count) % DeviceLimits.ACK_REQUEST_INTERVAL_PACKETS == 0);
        Denial denial = messagePackets.gather(wqe, cursorPacket, packet);
        if (denial != null) {
            return failForItsData(wqe, denial);
        }
        cursorPacket += count;
        sent(psn, count);
        if (last) {
            advance();
        }
        return true;
    }

    /** How many packets of the message cross as one: none that ask for an acknowledgement but the last. */
    private int packetsOfRun(SendWqe wqe, int psn) {
        if (alone) {
            return 1;
        }
        int unasked =
                DeviceLimits.ACK_REQUEST_INTERVAL_PACKETS - cursorPacket % DeviceLimits.ACK_REQUEST_INTERVAL_PACKETS;
        int window = DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS - Psn.distance(oldestUnacknowledgedPsn, psn);
        return Math.min(Math.min(engine.mostPacketsOfRun(), wqe.packets() - cursorPacket), Math.min(unasked, window));
    }

    private boolean fillRead(SendWqe wqe, Packet packet) {
        // A late answer may have come for packets that were about to be asked for again.
        int done = Math.max(wqe.requestedPackets(), wqe.answeredPackets());
        if (done > wqe.answeredPackets() && done < wqe.packets()) {
            return false;
        }
        int count = packetsOfPart(done, wqe.packets());
        int psn = Psn.add(wqe.firstPsn(), done);
        if (!isWithinWindow(psn, count, MOST_OUTSTANDING_PSNS)) {
            return false;
        }
        int mtu = qp.pathMtuBytes();
        long from = (long) done * mtu;
        long lengthBytes = Math.min(wqe.lengthBytes() - from, (long) count * mtu);
        begin(packet, wqe, psn);
        packet.remoteAddress(wqe.remoteAddress() + from)
                .remoteKey(wqe.remoteKey())
                .dmaLengthBytes((int) lengthBytes)
                .ackRequest(true);
        wqe.requestedPackets(done + count);
        sent(psn, count);
        if (done + count == wqe.packets()) {
            advance();
        }
        return true;
    }

    /**
     * How many packets the READ request asks for that goes on behind {@code done}. Parts begin at the same places each
     * time, so a request that is repeated lies within the one that the responder remembers (DUP-02).
     */
    static int packetsOfPart(int done, int packets) {
        return Math.min(packets - done, MOST_PACKETS_OF_A_READ_REQUEST - done % MOST_PACKETS_OF_A_READ_REQUEST);
    }

    /** Whether {@code count} PSNs from {@code psn} on may be on their way with no more than {@code most} in all. */
    private boolean isWithinWindow(int psn, int count, int most) {
        return Psn.distance(oldestUnacknowledgedPsn, psn) + count <= most;
    }

    private boolean fillSingle(SendWqe wqe, Packet packet) {
        if (!isWithinWindow(wqe.firstPsn(), 1, MOST_OUTSTANDING_PSNS)) {
            return false;
        }
        begin(packet, wqe, wqe.firstPsn());
        Denial denial = singlePackets.fill(wqe, packet);
        if (denial != null) {
            return failForItsData(wqe, denial);
        }
        sent(wqe.firstPsn(), 1);
        advance();
        return true;
    }

    /** What it was to send cannot be gathered: nothing is sent. */
    private boolean failForItsData(SendWqe wqe, Denial denial) {
        wqe.fail(SendStatuses.notGathered(qp.device().profile(), denial), denial.refusal());
        engine.completer().completeIfFailed();
        return false;
    }

    private void begin(Packet packet, SendWqe wqe, int psn) {
        packet.begin(SendOpcodes.of(qp.transport(), wqe.opcode(), true, true))
                .destQp(qp.attributes().destinationQp())
                .srqNumber(wqe.remoteSrq())
                .psn(psn);
    }

    private void sent(int psn, int psns) {
        int end = Psn.add(psn, psns);
        if (Psn.distance(oldestUnacknowledgedPsn, end) > Psn.distance(oldestUnacknowledgedPsn, endOfSentPsns)) {
            endOfSentPsns = end;
        }
        engine.retransmission().packetSent();
    }
}
