// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.Denial;
import dev.verbatim.device.EmulatedQueuePair;
import dev.verbatim.device.SendWqe;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.Psn;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Takes acknowledgements and responses in, and completes requests in post order (ORD-10). */
final class Completer {

    private static final int ATOMIC_BYTES = 8;

    private final EmulatedQueuePair qp;
    private final Requester requester;
    private final Retransmission retransmission;
    private final ByteBuffer atomicResult = ByteBuffer.allocate(ATOMIC_BYTES).order(ByteOrder.nativeOrder());
    private final Payload atomicPayload = new Payload();

    Completer(EmulatedQueuePair qp, Requester requester, Retransmission retransmission) {
        this.qp = qp;
        this.requester = requester;
        this.retransmission = retransmission;
    }

    void receive(Packet packet) {
        int psn = packet.psn();
        if (!requester.awaits(psn)) {
            qp.dropped(packet, "ACK-07", "psn=%d is not among those that await a response", psn);
            return;
        }
        switch (packet.opcode().kind()) {
            case ACKNOWLEDGE -> acknowledge(packet);
            case READ_RESPONSE -> readResponse(packet);
            case ATOMIC_ACKNOWLEDGE -> atomicResponse(packet);
            default -> throw new IllegalStateException(packet + " is no response");
        }
    }

    private void acknowledge(Packet packet) {
        int syndrome = packet.syndrome();
        if (Syndrome.isAck(syndrome)) {
            acknowledgedUpTo(packet.psn());
        } else if (Syndrome.isRnr(syndrome)) {
            receiverNotReady(packet.psn(), syndrome);
        } else if (Syndrome.isNak(syndrome)) {
            negative(packet.psn(), syndrome);
        } else {
            fail(WcStatus.BAD_RESP_ERR, Refusal.of("ACK-01", "AETH syndrome 0x%02x is reserved", syndrome));
        }
    }

    /**
     * All requests up to this PSN are acknowledged (ACK-02). A READ or atomic among them that has no response yet was
     * answered in vain: an implied NAK.
     */
    private void acknowledgedUpTo(int psn) {
        boolean progress = false;
        SendWqe wqe = requester.oldest();
        while (wqe != null && !isUnanswered(wqe, psn) && isReachedBy(wqe, psn)) {
            progress = true;
            int lastPsn = Psn.add(wqe.firstPsn(), wqe.packets() - 1);
            if (Psn.compare(lastPsn, psn) > 0) {
                requester.acknowledgedBefore(Psn.next(psn));
                break;
            }
            requester.acknowledgedBefore(Psn.next(lastPsn));
            complete(wqe, 0);
            wqe = requester.oldest();
        }
        if (progress) {
            progressed();
        }
        if (wqe != null && isUnanswered(wqe, psn)) {
            qp.decided("ACK-02");
            retransmission.lostResponse(requester.oldestUnacknowledgedPsn());
        }
    }

    private static boolean isReachedBy(SendWqe wqe, int psn) {
        return wqe.failure() == null && Psn.compare(wqe.firstPsn(), psn) <= 0;
    }

    private static boolean isUnanswered(SendWqe wqe, int psn) {
        return wqe.expectsResponse() && isReachedBy(wqe, psn);
    }

    /** Whether the oldest request is the one that this PSN belongs to, after all before it are acknowledged. */
    private boolean isOldestAfterAcknowledging(int psn) {
        if (requester.oldestUnacknowledgedPsn() != psn) {
            acknowledgedUpTo(Psn.add(psn, -1));
        }
        SendWqe wqe = requester.oldest();
        return wqe != null
                && wqe.failure() == null
                && Psn.inRange(psn, wqe.firstPsn(), Psn.add(wqe.firstPsn(), wqe.packets() - 1));
    }

    private void readResponse(Packet packet) {
        int psn = packet.psn();
        if (!isOldestAfterAcknowledging(psn)) {
            return;
        }
        SendWqe wqe = requester.oldest();
        if (wqe == null || wqe.opcode() != WrOpcode.RDMA_READ) {
            fail(WcStatus.BAD_RESP_ERR, Refusal.of("WC-38", "READ response psn=%d answers %s", psn, wqe));
            return;
        }
        int index = Psn.distance(wqe.firstPsn(), psn);
        if (index > wqe.answeredPackets()) {
            qp.decided("ACK-02");
            retransmission.lostResponse(requester.oldestUnacknowledgedPsn());
            return;
        }
        placeReadResponse(wqe, index, packet);
    }

    private void placeReadResponse(SendWqe wqe, int index, Packet packet) {
        int mtu = qp.pathMtuBytes();
        long from = (long) index * mtu;
        long expectedBytes = Math.min(mtu, wqe.lengthBytes() - from);
        boolean last = index == wqe.packets() - 1;
        if (packet.payload().lengthBytes() != expectedBytes
                || last && !packet.opcode().endsMessage()) {
            fail(
                    WcStatus.BAD_RESP_ERR,
                    Refusal.of(
                            "WC-38",
                            "%s psn=%d has payload=%d, expected %d as packet %d of %d",
                            packet.opcode(),
                            packet.psn(),
                            packet.payload().lengthBytes(),
                            expectedBytes,
                            index + 1,
                            wqe.packets()));
            return;
        }
        Denial denial = qp.localMemory().scatter(wqe.elements(), from, packet.payload());
        if (denial != null) {
            qp.decided("WC-30");
            fail(WcStatus.LOC_PROT_ERR, denial.refusal());
            return;
        }
        wqe.answered();
        requester.acknowledgedBefore(Psn.next(packet.psn()));
        if (last) {
            complete(wqe, (int) wqe.lengthBytes());
        }
        progressed();
    }

    private void atomicResponse(Packet packet) {
        int psn = packet.psn();
        if (!isOldestAfterAcknowledging(psn)) {
            return;
        }
        SendWqe wqe = requester.oldest();
        if (wqe == null || !wqe.isAtomic()) {
            fail(WcStatus.BAD_RESP_ERR, Refusal.of("WC-38", "atomic response psn=%d answers %s", psn, wqe));
            return;
        }
        // On the wire big-endian, in memory as the host has it (WR-36).
        atomicResult.putLong(0, packet.originalData());
        atomicPayload.clear();
        atomicPayload.add(atomicResult, 0, ATOMIC_BYTES);
        Denial denial = qp.localMemory().scatter(wqe.elements(), 0, atomicPayload);
        if (denial != null) {
            qp.decided("WC-30");
            fail(WcStatus.LOC_PROT_ERR, denial.refusal());
            return;
        }
        requester.acknowledgedBefore(Psn.next(psn));
        complete(wqe, ATOMIC_BYTES);
        progressed();
    }

    private void receiverNotReady(int psn, int syndrome) {
        if (isOldestAfterAcknowledging(psn)) {
            qp.decided("RT-04");
            retransmission.receiverNotReady(psn, Syndrome.rnrTimer(syndrome));
        }
    }

    private void negative(int psn, int syndrome) {
        qp.decided("WC-46");
        if (!isOldestAfterAcknowledging(psn)) {
            return;
        }
        if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            qp.decided("RT-05");
            retransmission.sequenceError(psn);
            return;
        }
        WcStatus status = switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
            case Syndrome.NAK_REMOTE_ACCESS -> WcStatus.REM_ACCESS_ERR;
            case Syndrome.NAK_REMOTE_OPERATIONAL -> WcStatus.REM_OP_ERR;
            default -> WcStatus.REM_INV_RD_REQ_ERR;
        };
        fail(
                status,
                Refusal.of(
                        "WC-45",
                        "the responder answered psn=%d (%s) with %s",
                        psn,
                        requester.oldest(),
                        Syndrome.describe(syndrome)));
    }

    private void complete(SendWqe wqe, int byteLength) {
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
            qp.decided("AE-21");
            qp.decided("QS-06");
            if (wqe.failure() == WcStatus.LOC_PROT_ERR) {
                qp.decided("QP-30");
            }
            complete(wqe, 0);
            qp.fail(reason);
        }
    }

    private void progressed() {
        retransmission.progressed();
        completeIfFailed();
        qp.sendQueueAdvanced();
    }
}
