// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.PlainAccess;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.operation.Effect;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Takes acknowledgements and responses in, and completes requests in post order (ORD-10). */
final class Completer {

    private static final int ATOMIC_BYTES = 8;

    private final QpContext qp;
    private final QpTrace trace;
    private final Requester requester;
    private final Retransmission retransmission;

    /** One piece of eight bytes; null before the first atomic, since most queue pairs have none. */
    private @Nullable Payload atomicResult;

    Completer(QpContext qp, Requester requester, Retransmission retransmission) {
        this.qp = qp;
        this.trace = qp.trace();
        this.requester = requester;
        this.retransmission = retransmission;
    }

    /** Takes an answer, or a run of its packets; false if the run has to be taken packet by packet. */
    boolean receive(Packet packet, Opcode opcode) {
        int psn = packet.psn();
        if (packet.packets() > 1) {
            return requester.awaits(psn) && readResponse(packet);
        }
        if (!requester.awaits(psn)) {
            qp.passedOver(packet, Rule.ACK_07, "psn=%d is not among those that await a response", psn);
            return true;
        }
        return switch (opcode.kind()) {
            case ACKNOWLEDGE -> {
                acknowledge(psn, packet.syndrome());
                yield true;
            }
            case READ_RESPONSE -> readResponse(packet);
            case ATOMIC_ACKNOWLEDGE -> {
                atomicResponse(packet);
                yield true;
            }
            case SEND, RDMA_WRITE, RDMA_READ, ATOMIC, FLUSH, ATOMIC_WRITE ->
                throw new IllegalStateException(packet + " is no response");
        };
    }

    /** Where the payload of an answer belongs of which only the headers are there; see {@link dev.verbatim.fabric.PacketSink#land}. */
    boolean land(Packet head, int payloadLengthBytes, LandingPlace place) {
        SendWqe wqe = requester.oldest();
        if (wqe == null || wqe.failure() != null || wqe.effect() != Effect.READ || !requester.awaits(head.psn())) {
            return false;
        }
        int index = Psn.distance(wqe.firstPsn(), head.psn());
        long from = (long) index * qp.pathMtuBytes();
        return index == wqe.answeredPackets()
                && index + head.packets() <= wqe.packets()
                && payloadLengthBytes == Math.min((long) head.packets() * qp.pathMtuBytes(), wqe.lengthBytes() - from)
                && qp.sgeAccess().locate(wqe.elements(), from, payloadLengthBytes, place);
    }

    private void acknowledge(int psn, int syndrome) {
        if (Syndrome.isAck(syndrome)) {
            boolean wasPlain = isPlain();
            acknowledgedUpTo(psn);
            if (wasPlain && isPlain()) {
                qp.device().lane().onlyAcknowledged(qp.device().name(), qp.number());
            }
        } else if (Syndrome.isRnr(syndrome)) {
            receiverNotReady(psn, syndrome);
        } else if (Syndrome.isNak(syndrome)) {
            negative(psn, syndrome);
        } else {
            fail(WcStatus.BAD_RESP_ERR, Refusal.of(Rule.ACK_01, "AETH syndrome 0x%02x is reserved", syndrome));
        }
    }

    /** Whether an ACK changes nothing of what is sent next, nor what is sent of what an ACK means. */
    private boolean isPlain() {
        return requester.isPlain() && retransmission.isQuiet();
    }

    /** An ACK: of all requests up to this PSN, but of READs and atomics only if they have their answer (ACK-02). */
    void acknowledgedUpTo(int psn) {
        trace.decided(Rule.ACK_02);
        acknowledgedBefore(Psn.next(psn));
        if (requester.awaits(psn)) {
            impliedNak();
        }
    }

    /** Completes what ends before this PSN, as far as no READ or atomic without its answer is in the way. */
    private void acknowledgedBefore(int psn) {
        boolean progress = false;
        SendWqe wqe = requester.oldest();
        int oldest = requester.oldestUnacknowledgedPsn();
        while (wqe != null && isAcknowledgeable(wqe) && oldest != psn) {
            progress = true;
            int end = wqe.endPsn();
            if (Psn.distance(oldest, psn) < Psn.distance(oldest, end)) {
                qp.decided(Rule.ORD_15);
                requester.acknowledgedBefore(psn);
                oldest = psn;
            } else {
                requester.acknowledgedBefore(end);
                complete(wqe, 0);
                wqe = requester.oldest();
                oldest = wqe == null ? end : requester.oldestUnacknowledgedPsn();
            }
        }
        if (progress) {
            progressed(wqe);
        }
    }

    private static boolean isAcknowledgeable(SendWqe wqe) {
        return wqe.failure() == null && !wqe.expectsResponse();
    }

    /** The oldest request is a READ or atomic whose answer did not come although later ones did (ACK-02). */
    private void impliedNak() {
        SendWqe wqe = requester.oldest();
        if (wqe != null && wqe.failure() == null) {
            qp.decided(Rule.ACK_02);
            retransmission.lostResponse(requester.oldestUnacknowledgedPsn());
        }
    }

    /**
     * The request that an answer with this PSN is for: the oldest, now that all before the PSN are acknowledged (ACK-03).
     * Null if a READ or atomic that was not answered is in the way.
     */
    private @Nullable SendWqe answered(int psn) {
        acknowledgedBefore(psn);
        SendWqe wqe = requester.oldest();
        if (wqe == null || wqe.failure() != null) {
            return null;
        }
        if (Psn.inRange(psn, wqe.firstPsn(), Psn.add(wqe.firstPsn(), wqe.packets() - 1))) {
            return wqe;
        }
        impliedNak();
        return null;
    }

    private boolean readResponse(Packet packet) {
        int psn = packet.psn();
        SendWqe wqe = answered(psn);
        if (wqe == null) {
            return true;
        }
        if (wqe.expectsResponse() && !wqe.returnsData()) {
            return emptyResponse(wqe, packet);
        }
        if (wqe.effect() != Effect.READ || isNegative(packet)) {
            return badResponse(packet, "%s psn=%d answers %s", packet.opcode(), psn, wqe.toString());
        }
        int index = Psn.distance(wqe.firstPsn(), psn);
        if (index > wqe.answeredPackets()) {
            impliedNak();
            return true;
        }
        return placeReadResponse(wqe, index, packet);
    }

    /** The answer to an ATOMIC_WRITE or a FLUSH: that of a READ of nothing (NW-01, NW-02). */
    private boolean emptyResponse(SendWqe wqe, Packet packet) {
        boolean isEmpty = packet.opcode().base() == Opcode.RDMA_READ_RESPONSE_ONLY
                && packet.payload().lengthBytes() == 0
                && packet.packets() == 1;
        if (!isEmpty || isNegative(packet)) {
            return badResponse(packet, "%s psn=%d answers %s", packet.opcode(), packet.psn(), wqe.toString());
        }
        requester.acknowledgedBefore(Psn.next(packet.psn()));
        complete(wqe, 0);
        progressed();
        return true;
    }

    /** Only an ACKNOWLEDGE may say no. */
    private static boolean isNegative(Packet packet) {
        return packet.opcode().has(Header.AETH) && !Syndrome.isAck(packet.syndrome());
    }

    private boolean placeReadResponse(SendWqe wqe, int index, Packet packet) {
        int mtu = qp.pathMtuBytes();
        int end = index + packet.packets();
        long from = (long) index * mtu;
        long expectedBytes = Math.min((long) packet.packets() * mtu, wqe.lengthBytes() - from);
        boolean last = end == wqe.packets();
        if (end > wqe.packets()
                || packet.payload().lengthBytes() != expectedBytes
                || !isInPlace(packet.opcode(), wqe, index, last)) {
            return badResponse(
                    packet,
                    "%s psn=%d has payload=%d, expected %d as packet %d of %d",
                    packet.opcode(),
                    packet.psn(),
                    packet.payload().lengthBytes(),
                    expectedBytes,
                    index + 1,
                    wqe.packets());
        }
        Denial denial =
                qp.sgeAccess().scatter(wqe.elements(), from, packet.payload(), MemoryEffect.RETURNED, packet.psn());
        if (denial != null && packet.packets() > 1) {
            return false;
        }
        if (denial != null) {
            qp.decided(Rule.WC_30);
            qp.decided(Rule.MR_42);
            fail(WcStatus.LOC_PROT_ERR, denial.refusal());
            return true;
        }
        wqe.answered(packet.packets());
        requester.acknowledgedBefore(Psn.add(packet.psn(), packet.packets()));
        if (last) {
            complete(wqe, (int) wqe.lengthBytes());
        }
        progressed();
        return true;
    }

    /** The answer to a READ begins with its first packet, or again where it was resumed, and ends with its last. */
    private boolean isInPlace(Opcode opcode, SendWqe wqe, int index, boolean last) {
        if (index == 0 && !opcode.startsMessage()) {
            return false;
        }
        boolean askedInParts = wqe.packets() > requester.mostPacketsOfReadRequest();
        return last ? opcode.endsMessage() : askedInParts || !opcode.endsMessage();
    }

    private void atomicResponse(Packet packet) {
        int psn = packet.psn();
        SendWqe wqe = answered(psn);
        if (wqe == null) {
            return;
        }
        if (!wqe.isAtomic() || isNegative(packet)) {
            badResponse(packet, "%s psn=%d answers %s", packet.opcode(), psn, wqe.toString());
            return;
        }
        Payload result = atomicResult(packet.originalData());
        returned(wqe, qp.sgeAccess().scatter(wqe.elements(), 0, result, MemoryEffect.RETURNED, psn), psn, ATOMIC_BYTES);
    }

    /** What an atomic returns: on the wire big-endian, in memory as the host has it (WR-36). */
    private Payload atomicResult(long originalData) {
        Payload result = atomicResult;
        if (result == null) {
            result = new Payload(1);
            result.add(ByteBuffer.allocate(ATOMIC_BYTES).order(ByteOrder.nativeOrder()), 0, ATOMIC_BYTES);
            atomicResult = result;
        }
        result.buffer(0).putLong(0, originalData);
        return result;
    }

    /** A READ or an atomic of one packet was answered on the fast path: its bytes are brought, and it completes. */
    void plainResponse(SendWqe wqe, PlainRequest request) {
        Denial denial = bring(wqe, request.originalData, request.buffer, request.index, request.lengthBytes);
        returned(wqe, denial, request.psn, request.lengthBytes);
    }

    /** The same for an answer that came over a link; false if its bytes cannot be brought, which the packet is to find out. */
    boolean plainResponse(SendWqe wqe, PlainAnswer answer) {
        if (bring(wqe, answer.originalData, answer.buffer, answer.index, answer.lengthBytes) != null) {
            return false;
        }
        returned(wqe, null, answer.psn, answer.lengthBytes);
        return true;
    }

    private @Nullable Denial bring(SendWqe wqe, long originalData, ByteBuffer buffer, int index, int lengthBytes) {
        Denial denial = wqe.isAtomic()
                ? PlainAccess.returned(
                        qp.keys(), wqe.elements(), atomicResult(originalData).buffer(0), 0, lengthBytes)
                : PlainAccess.returned(qp.keys(), wqe.elements(), buffer, index, lengthBytes);
        if (denial == null) {
            wqe.answered(1);
        }
        return denial;
    }

    /** The last of a READ or an atomic is in place, or could not be placed. */
    private void returned(SendWqe wqe, @Nullable Denial denial, int psn, int byteLength) {
        if (denial != null) {
            qp.decided(Rule.WC_30);
            qp.decided(Rule.MR_42);
            fail(WcStatus.LOC_PROT_ERR, denial.refusal());
            return;
        }
        requester.acknowledgedBefore(Psn.next(psn));
        complete(wqe, byteLength);
        progressed();
    }

    private void receiverNotReady(int psn, int syndrome) {
        if (answered(psn) != null) {
            qp.decided(Rule.ACK_03);
            qp.decided(Rule.RT_04);
            trace.count(DeviceCounter.RCVD_RNR_ERR);
            retransmission.receiverNotReady(psn, Syndrome.rnrTimer(syndrome));
        }
    }

    private void negative(int psn, int syndrome) {
        qp.decided(Rule.WC_46);
        SendWqe wqe = answered(psn);
        if (wqe == null) {
            return;
        }
        qp.decided(Rule.ACK_03);
        if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            trace.count(DeviceCounter.RCVD_SEQ_ERR);
            retransmission.sequenceError(psn);
            return;
        }
        WcStatus status = switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
            case Syndrome.NAK_REMOTE_ACCESS -> WcStatus.REM_ACCESS_ERR;
            case Syndrome.NAK_REMOTE_OPERATIONAL -> WcStatus.REM_OP_ERR;
            default -> WcStatus.REM_INV_RD_REQ_ERR;
        };
        Link link = qp.link();
        Refusal refusal = Refusal.of(
                Rule.WC_45,
                "the responder answered psn=%d (%s) with %s",
                psn,
                wqe.toString(),
                Syndrome.describe(syndrome));
        Refusal reason = link == null ? null : link.reasonOfNak(qp.number(), qp.destinationQp(), psn);
        int peerQp = qp.destinationQp();
        refusal = refusal.causedBy(reason);
        fail(status, refusal);
        if (link != null && reason == null) {
            qp.port().ask(link.peer(), qp.number(), peerQp, psn, refusal);
        }
    }

    /** The request fails; a run does not, but has to be taken packet by packet. */
    private boolean badResponse(Packet packet, String format, Object... values) {
        if (packet.packets() > 1) {
            return false;
        }
        fail(WcStatus.BAD_RESP_ERR, Refusal.of(Rule.WC_38, format, values));
        return true;
    }

    private void complete(SendWqe wqe, int byteLength) {
        trace.decided(Rule.ORD_10);
        requester.leaving(wqe);
        qp.completeSend(wqe, byteLength);
    }

    /** The oldest request fails now; everything behind it is flushed. */
    void fail(WcStatus status, Refusal refusal) {
        SendWqe wqe = requester.oldest();
        if (wqe != null) {
            wqe.fail(status, refusal);
            completeIfFailed();
        }
    }

    /** A request that failed before it was sent completes when its turn has come (ORD-10). */
    void completeIfFailed() {
        SendWqe wqe = requester.oldest();
        if (wqe == null) {
            return;
        }
        Refusal reason = wqe.reason();
        if (wqe.failure() != null && reason != null) {
            qp.decided(Rule.AE_21);
            qp.decided(Rule.QS_06);
            if (wqe.failure() == WcStatus.LOC_PROT_ERR) {
                qp.decided(Rule.QP_30);
            }
            qp.fail(reason, () -> complete(wqe, 0));
        }
    }

    /** A bind or an invalidation was done, or has failed. */
    void localDone() {
        completeLocal(requester.oldest());
        completeIfFailed();
        qp.sendQueueAdvanced();
    }

    /** Binds and invalidations that are done complete when everything before them has (ORD-10). */
    private void completeLocal(@Nullable SendWqe oldest) {
        SendWqe wqe = oldest;
        while (wqe != null && wqe.isLocal() && wqe.failure() == null) {
            complete(wqe, 0);
            wqe = requester.oldest();
        }
    }

    private void progressed() {
        progressed(requester.oldest());
    }

    /** Something was acknowledged, or answered; {@code oldest} is what is outstanding now, null for nothing. */
    private void progressed(@Nullable SendWqe oldest) {
        if (oldest != null) {
            completeLocal(oldest);
        }
        retransmission.progressed();
        if (oldest != null) {
            completeIfFailed();
        }
        qp.sendQueueAdvanced();
    }
}
