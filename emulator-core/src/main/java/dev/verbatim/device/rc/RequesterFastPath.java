// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendQueue;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.Transport;

/**
 * The requester's end of the fast path: a plain request goes from its slot to the link, and often to its completion, without a packet.
 *
 * <p>It is started, judged and completed by the same functions as any other, in the same order. What is not plain is left to
 * {@link Requester#pull} before anything has changed; what was begun and is not taken after all was started, and is sent as a packet.
 */
final class RequesterFastPath {

    private static final int ATOMIC_BYTES = 8;

    private final QpContext qp;
    private final DeviceContext device;
    private final SgeAccess memory;
    private final Requester requester;
    private final Retransmission retransmission;
    private final Completer completer;
    private final boolean isOfPlainType;

    RequesterFastPath(QpContext qp, Requester requester, Retransmission retransmission, Completer completer) {
        this.qp = qp;
        this.device = qp.device();
        this.memory = qp.sgeAccess();
        this.requester = requester;
        this.retransmission = retransmission;
        this.completer = completer;
        this.isOfPlainType = qp.type() == QpType.RC && !memory.holdsPlacements();
    }

    /** Begins the next request; see {@link dev.verbatim.fabric.PacketSource#begin}. */
    boolean begin(PlainRequest out, boolean isAlone) {
        SendQueue queue = requester.queue;
        if (requester.cursor != requester.started || requester.cursor == queue.posted()) {
            return false;
        }
        SendWqe wqe = queue.at(requester.cursor);
        return isPlain(wqe) && isPlainNow() && hasRoom(isAlone) && requester.startNext() != null && fill(wqe, out);
    }

    /** What has to hold of the request. */
    private boolean isPlain(SendWqe wqe) {
        return wqe.isPlain()
                && wqe.failure() == null
                && wqe.lengthBytes() <= qp.pathMtuBytes()
                && (!wqe.isAtomic() || wqe.lengthBytes() == ATOMIC_BYTES);
    }

    /** What has to hold of the queue pair, for requests and for answers. */
    private boolean isPlainNow() {
        return isOfPlainType
                && !device.isObserved()
                && qp.state() == QpState.RTS
                && !retransmission.isWaitingForReceiver()
                && requester.repeat == Requester.Repeat.NOTHING
                && requester.source == null;
    }

    /** What has to hold of the requests before it. */
    private boolean hasRoom(boolean isAlone) {
        return requester.isWithinWindow(requester.nextPsn, 1, requester.window.packets())
                && !(isAlone && requester.isOutstanding());
    }

    private boolean fill(SendWqe wqe, PlainRequest out) {
        out.opcode = wqe.operation().packet(Transport.RC, true, true);
        out.destQp = qp.destinationQp();
        out.psn = wqe.firstPsn();
        out.remoteAddress = wqe.remoteAddress();
        out.remoteKey = wqe.remoteKey();
        out.lengthBytes = (int) wqe.lengthBytes();
        out.isAnswered = false;
        if (!wqe.returnsData()) {
            return memory.show(wqe.elements(), out);
        }
        if (wqe.isAtomic()) {
            out.swapOrAdd = wqe.swapOrAdd();
            out.compare = wqe.compare();
        }
        return true;
    }

    /** The link took what was begun; see {@link dev.verbatim.fabric.PacketSource#handedOver}. */
    void handedOver(PlainRequest request) {
        SendWqe wqe = requester.queue.at(requester.cursor);
        device.countFastPathSent(request.isAnswered);
        wqe.requestedPackets(1);
        requester.endOfSentPsns = requester.nextPsn;
        requester.advance();
        if (!request.isAnswered) {
            retransmission.packetSent();
        } else if (wqe.returnsData()) {
            completer.plainResponse(wqe, request);
        } else {
            completer.acknowledgedUpTo(request.psn);
        }
    }

    /** Takes an answer; see {@link dev.verbatim.fabric.PacketSink#receivePlain(dev.verbatim.fabric.Link, PlainAnswer)}. */
    boolean receive(PlainAnswer in) {
        if (!isPlainNow() || !requester.awaits(in.psn)) {
            return false;
        }
        if (in.opcode == Opcode.ACKNOWLEDGE) {
            completer.acknowledgedUpTo(in.psn);
        } else {
            SendWqe wqe = requester.oldest();
            if (wqe == null || !isAnsweredBy(wqe, in) || !completer.plainResponse(wqe, in)) {
                return false;
            }
        }
        device.countFastPathAnswerTaken();
        return true;
    }

    /** What has to hold of the oldest request: it was started as a plain one, and this is all of its answer. */
    private static boolean isAnsweredBy(SendWqe wqe, PlainAnswer in) {
        return wqe.isPlain()
                && wqe.failure() == null
                && wqe.returnsData()
                && wqe.packets() == 1
                && wqe.firstPsn() == in.psn
                && wqe.lengthBytes() == in.lengthBytes
                && wqe.isAtomic() == (in.opcode == Opcode.ATOMIC_ACKNOWLEDGE);
    }
}
