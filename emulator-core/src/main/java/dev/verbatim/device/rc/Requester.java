// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.message.MessagePackets;
import dev.verbatim.device.message.SplitRead;
import dev.verbatim.device.qp.AtomicSize;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendQueue;
import dev.verbatim.device.qp.SendStatuses;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Link;
import dev.verbatim.operation.Effect;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
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
    enum Repeat {
        NOTHING,
        OLDEST,
        NEWEST
    }

    private static final int MOST_OUTSTANDING_PSNS = (1 << 23) - 1;

    private final QpContext qp;
    private final DeviceContext device;
    private final RcEngine engine;
    final SendQueue queue;
    private final MessagePackets messagePackets;
    final @Nullable SplitRead source;
    private final SgeAccess memory;
    long cursor;
    private int cursorPacket;
    long started;
    int nextPsn;
    private int oldestUnacknowledgedPsn;
    int endOfSentPsns;
    private int outstandingResponses;

    /** How many requests that have a response were started. */
    private long responses;

    Repeat repeat = Repeat.NOTHING;
    private boolean alone;
    final SendWindow window = new SendWindow();

    Requester(QpContext qp, RcEngine engine) {
        this.qp = qp;
        this.device = qp.device();
        this.engine = engine;
        this.messagePackets = new MessagePackets(qp);
        this.source = messagePackets.source();
        this.queue = qp.sendQueue();
        this.memory = qp.sgeAccess();
    }

    /** The queue pair may send from now on, beginning with {@code psn}. */
    void begin(int psn) {
        Link link = qp.link();
        window.begin(link == null ? 0 : link.sendWindowPackets());
        cursor = queue.completed();
        cursorPacket = 0;
        started = cursor;
        nextPsn = psn;
        oldestUnacknowledgedPsn = psn;
        endOfSentPsns = psn;
        outstandingResponses = 0;
        responses = 0;
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
                && Psn.distance(oldestUnacknowledgedPsn, psn) < Psn.distance(oldestUnacknowledgedPsn, endOfSentPsns);
    }

    /** The oldest request that was started and has not completed. */
    @Nullable
    SendWqe oldest() {
        long oldest = queue.completed();
        return oldest < started ? queue.at(oldest) : null;
    }

    /** Everything before {@code psn} is acknowledged. */
    void acknowledgedBefore(int psn) {
        window.acknowledged(Psn.distance(oldestUnacknowledgedPsn, psn));
        oldestUnacknowledgedPsn = psn;
        if (source != null && source.isUnderWay() && Psn.compare(source.psn(), psn) < 0) {
            // Nobody waits for what is not sent again.
            source.forget();
        }
    }

    /** The oldest request is about to complete; the cursor never stays behind. */
    void leaving(SendWqe wqe) {
        if (outstandingResponses > 0 && wqe.expectsResponse() && wqe.failure() == null) {
            if (device.isObserved()) {
                long place = place(responses - outstandingResponses);
                device.lane().enables(device.name(), DevicePart.RESPONSES, place, place + 1);
            }
            outstandingResponses--;
        }
        if (cursor == queue.completed()) {
            advance();
        }
    }

    /** To the next request that has packets: what was done here is not done again, and what failed here is not passed. */
    void advance() {
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

    /** Packets were lost on the way: fewer of them are sent at a time. */
    void backOff() {
        window.lost();
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

    /** Whether all that is outstanding was sent once and only has to be acknowledged, and far less than may be. */
    boolean isPlain() {
        return device.lane().weighsFootprints()
                && repeat == Repeat.NOTHING
                && (source == null || !source.isUnderWay())
                && cursor == started
                && outstandingResponses == 0
                && qp.state() == QpState.RTS
                && !device.isOpen(ChoicePoint.ACK_TIMER_SLOP)
                && Psn.distance(oldestUnacknowledgedPsn, endOfSentPsns) < window.packets() / 2;
    }

    /** Whether that is so, and the next request is one packet that only has to be acknowledged. */
    boolean startsPlain() {
        if (!isPlain() || cursor == queue.posted()) {
            return false;
        }
        SendWqe wqe = queue.at(cursor);
        return !wqe.isLocal() && !wqe.expectsResponse() && wqe.lengthBytes() <= qp.pathMtuBytes();
    }

    /** Whether everything that was posted has been sent, and nothing is to be sent again. */
    boolean isDone() {
        return repeat == Repeat.NOTHING && cursor == queue.posted();
    }

    private boolean waits(SendWqe wqe) {
        return isFenced(wqe) || hasNoRoomFor(wqe) || (isHeldBack(wqe) && !mayBeEarly(wqe));
    }

    /** A LOCAL_INV waits until everything before it has completed, unless it was chosen to be early (ORD-18). */
    private boolean isHeldBack(SendWqe wqe) {
        return wqe.effect() == Effect.INVALIDATE && isOutstanding() && !Boolean.TRUE.equals(wqe.early());
    }

    /** Whether that can still be chosen: not with the FENCE, and once (N5). */
    private boolean mayBeEarly(SendWqe wqe) {
        return wqe.early() == null && !wqe.has(SendFlags.FENCE) && device.isOpen(ChoicePoint.EARLY_LOCAL_INVALIDATE);
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

    /** A fenced request has started for which alone there was a turn: the READs and atomics before it have their responses. */
    private void tellFence(SendWqe wqe) {
        long before = wqe.expectsResponse() ? responses - 1 : responses;
        if (before > 0 && device.isObserved()) {
            device.lane().waited(device.name(), DevicePart.RESPONSES, place(before - 1), place(before));
        }
    }

    private long place(long response) {
        return ((long) qp.number() << Integer.SIZE) + response;
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
        if (source != null && source.isUnderWay()) {
            return false;
        }
        if (cursor == started) {
            SendWqe next = starts ? startNext() : null;
            if (next != null && what == Repeat.NOTHING && next.has(SendFlags.FENCE)) {
                tellFence(next);
            }
            return next != null && fill(next, packet);
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
        return switch (wqe.effect()) {
            case RECEIVE, WRITE -> fillMessagePacket(wqe, packet);
            case READ -> fillRead(wqe, packet);
            case ATOMIC, ATOMIC_WRITE, FLUSH -> fillSingle(wqe, packet);
            case BIND, INVALIDATE, NOTHING -> throw new IllegalStateException(wqe + " has no packets");
        };
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
            if (sent > 0 && wqe.failure() == null && wqe.effect() != Effect.READ) {
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

    /** Starts the next request; null if none may be started now, or none that has packets. */
    @Nullable
    SendWqe startNext() {
        if (cursor == queue.posted()) {
            return null;
        }
        SendWqe wqe = queue.at(cursor);
        if (outstandingResponses > 0) {
            if (isKeptByResponses(wqe)) {
                return null;
            }
            qp.decided(Rule.ORD_02);
            qp.decided(Rule.ORD_13);
        }
        if (wqe.isLocal()) {
            doLocally(wqe);
            return null;
        }
        qp.takesUp(started++);
        boolean isAnswered = wqe.expectsResponse();
        if (!isFit(wqe, isAnswered)) {
            engine.completer().completeIfFailed();
            return null;
        }
        boolean isSingle = isAnswered && wqe.effect() != Effect.READ;
        int packets = isSingle ? 1 : Psn.packets(wqe.lengthBytes(), qp.pathMtuBytes());
        wqe.start(nextPsn, packets);
        nextPsn = Psn.add(nextPsn, packets);
        boolean observed = device.isObserved();
        if (observed) {
            qp.started(wqe);
        }
        if (isAnswered) {
            responses++;
            outstandingResponses++;
        }
        // A tap may have failed the queue pair.
        return observed && wqe.failure() != null ? null : wqe;
    }

    /** Whether it waits for answers that are outstanding: by its FENCE, or since there are as many as may be. */
    private boolean isKeptByResponses(SendWqe wqe) {
        if (isFenced(wqe)) {
            qp.decided(Rule.ORD_14);
            qp.decided(Rule.ORD_19);
            qp.decided(Rule.WR_20);
            return true;
        }
        if (hasNoRoomFor(wqe)) {
            qp.decided(Rule.ORD_20);
            qp.decided(Rule.WR_33);
            return true;
        }
        return false;
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
            wqe.early(device.choose(ChoicePoint.EARLY_LOCAL_INVALIDATE, 2) == 1);
            if (isHeldBack(wqe)) {
                return;
            }
        }
        qp.takesUp(started++);
        wqe.start(nextPsn, 0);
        qp.started(wqe);
        qp.decided(Rule.WR_39);
        Refusal refusal = qp.windows().execute(wqe);
        if (refusal != null) {
            wqe.fail(qp.windows().statusOfFailed(wqe), refusal);
        } else {
            advance();
        }
        engine.completer().localDone();
    }

    private boolean fillMessagePacket(SendWqe wqe, Packet packet) {
        int psn = Psn.add(wqe.firstPsn(), cursorPacket);
        if (!isWithinWindow(psn, 1, window.packets())) {
            qp.decided(Rule.PSN_04);
            return false;
        }
        int left = wqe.packets() - cursorPacket;
        int count = alone || left == 1 ? 1 : packetsOfRun(left, psn);
        if (source != null && count == 1 && !alone && messagePackets.waitsForSource(wqe, cursorPacket, psn)) {
            return false;
        }
        boolean last = count == left;
        boolean asks = last || (cursorPacket + count) % window.ackRequestInterval() == 0;
        messagePackets.fillHeaders(wqe, cursorPacket == 0, last, count, psn, packet);
        packet.ackRequest(asks);
        Denial denial = messagePackets.gather(wqe, cursorPacket, count, psn, packet);
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
    private int packetsOfRun(int left, int psn) {
        int unasked = window.ackRequestInterval() - cursorPacket % window.ackRequestInterval();
        int room = window.packets() - Psn.distance(oldestUnacknowledgedPsn, psn);
        return Math.min(Math.min(engine.mostPacketsOfRun(), left), Math.min(unasked, room));
    }

    private boolean fillRead(SendWqe wqe, Packet packet) {
        // A late answer may have come for packets that were about to be asked for again.
        int done = Math.max(wqe.requestedPackets(), wqe.answeredPackets());
        if (done > wqe.answeredPackets() && done < wqe.packets()) {
            return false;
        }
        int count = SendWindow.packetsOfPart(done, wqe.packets(), mostPacketsOfReadRequest());
        int psn = Psn.add(wqe.firstPsn(), done);
        if (!isWithinWindow(psn, count, MOST_OUTSTANDING_PSNS)) {
            return false;
        }
        int mtu = qp.pathMtuBytes();
        long from = (long) done * mtu;
        long lengthBytes = Math.min(wqe.lengthBytes() - from, (long) count * mtu);
        messagePackets.begin(wqe, true, true, psn, packet);
        packet.remoteRange(wqe.remoteAddress() + from, wqe.remoteKey(), (int) lengthBytes)
                .ackRequest(true);
        wqe.requestedPackets(done + count);
        sent(psn, count);
        if (done + count == wqe.packets()) {
            advance();
        }
        return true;
    }

    /** Packets that one READ request asks for at most. */
    int mostPacketsOfReadRequest() {
        return window.mostPacketsOfReadRequest();
    }

    /** Whether {@code count} PSNs from {@code psn} on may be on their way with no more than {@code most} in all. */
    boolean isWithinWindow(int psn, int count, int most) {
        return Psn.distance(oldestUnacknowledgedPsn, psn) + count <= most;
    }

    /**
     * Whether nothing is wrong with the request before its first packet (MR-42, WR-33, WR-34); if not, it has failed.
     *
     * @param isAnswered whether it expects a response
     */
    private boolean isFit(SendWqe wqe, boolean isAnswered) {
        if (wqe.failure() != null) {
            // It was doomed when it was posted (WR-01).
            qp.decided(Rule.WC_31);
            return false;
        }
        if (isAnswered) {
            if (!mayBeAnswered(wqe)) {
                return false;
            }
            if (wqe.returnsData()) {
                return resultFits(wqe);
            }
        }
        return wqe.inlineData() != null || passes(wqe, memory.check(wqe.elements(), AccessOperation.LOCAL_READ));
    }

    private boolean mayBeAnswered(SendWqe wqe) {
        if (qp.attributes().maxRdAtomic() == 0) {
            qp.decided(Rule.WC_31);
            wqe.fail(
                    WcStatus.LOC_QP_OP_ERR,
                    Refusal.of(
                            Rule.WR_33,
                            "%s with max_rd_atomic=0 can never start; set it on the way to RTS",
                            wqe.toString()));
            return false;
        }
        if (wqe.isAtomic() && !AtomicSize.isLegal(qp.device().profile(), wqe.lengthBytes())) {
            qp.decided(Rule.WC_32);
            wqe.fail(
                    WcStatus.LOC_LEN_ERR,
                    Refusal.of(Rule.WR_34, "%s: an atomic needs elements of 8 bytes in all", wqe.toString()));
            return false;
        }
        return true;
    }

    /** What a request cannot place when it is answered may be found out before it is sent (MR-42, N10). */
    private boolean resultFits(SendWqe wqe) {
        boolean early = qp.device().profile().earlyReadLkey();
        if (!early && !qp.device().isOpen(ChoicePoint.EARLY_LOCAL_CHECK)) {
            return true;
        }
        Denial denial = memory.check(wqe.elements(), AccessOperation.LOCAL_WRITE);
        boolean counts = early || (denial != null && qp.device().choose(ChoicePoint.EARLY_LOCAL_CHECK, 2) == 1);
        return !counts || passes(wqe, denial);
    }

    private boolean passes(SendWqe wqe, @Nullable Denial denial) {
        if (denial == null) {
            return true;
        }
        qp.decided(wqe.returnsData() ? Rule.WC_30 : Rule.WC_29);
        qp.decided(Rule.MR_42);
        WcStatus status = wqe.returnsData()
                ? WcStatus.LOC_PROT_ERR
                : SendStatuses.notGathered(qp.device().profile(), denial);
        wqe.fail(status, denial.refusal());
        return false;
    }

    private boolean fillSingle(SendWqe wqe, Packet packet) {
        if (!isWithinWindow(wqe.firstPsn(), 1, MOST_OUTSTANDING_PSNS)) {
            return false;
        }
        messagePackets.begin(wqe, true, true, wqe.firstPsn(), packet);
        Denial denial = fillSinglePacket(wqe, packet);
        if (denial != null) {
            return failForItsData(wqe, denial);
        }
        sent(wqe.firstPsn(), 1);
        advance();
        return true;
    }

    /**
     * Fills the one packet of an atomic, an ATOMIC_WRITE or a FLUSH, all but opcode, destination and number; null if what is
     * to be sent could be gathered.
     */
    private @Nullable Denial fillSinglePacket(SendWqe wqe, Packet packet) {
        packet.remoteAddress(wqe.remoteAddress()).remoteKey(wqe.remoteKey()).ackRequest(true);
        return switch (wqe.effect()) {
            case ATOMIC -> {
                packet.swapOrAdd(wqe.swapOrAdd()).compare(wqe.compare());
                yield null;
            }
            case ATOMIC_WRITE -> {
                qp.decided(Rule.NW_01);
                packet.dmaLengthBytes((int) wqe.lengthBytes());
                yield messagePackets.gather(wqe, 0, 1, packet.psn(), packet);
            }
            case FLUSH -> {
                qp.decided(Rule.NW_02);
                FlushTarget target = wqe.flushTarget();
                packet.flushType(target.type()).flushLevel(target.level()).dmaLengthBytes(target.lengthBytes());
                yield null;
            }
            case RECEIVE, WRITE, READ, BIND, INVALIDATE, NOTHING ->
                throw new IllegalArgumentException(wqe + " is no request of one packet");
        };
    }

    /** What it was to send cannot be gathered: nothing is sent. */
    private boolean failForItsData(SendWqe wqe, Denial denial) {
        wqe.fail(SendStatuses.notGathered(device.profile(), denial), denial.refusal());
        engine.completer().completeIfFailed();
        return false;
    }

    private void sent(int psn, int psns) {
        int end = Psn.add(psn, psns);
        if (psn == endOfSentPsns
                || Psn.distance(oldestUnacknowledgedPsn, end) > Psn.distance(oldestUnacknowledgedPsn, endOfSentPsns)) {
            endOfSentPsns = end;
        }
        engine.retransmission().packetSent();
    }
}
