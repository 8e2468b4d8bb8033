// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** WRITE, READ and atomics: the responder's steps in the order of H.3, and what both sides see of them (G.2). */
final class Requests {

    private Requests() {}

    static void execute(Qp qp, Request request, int pathMtuBytes) {
        WcOpcode opcode = request.operation().completedAs;
        if (qp.state() == QpState.ERR) {
            qp.completeSend(request.id(), WcStatus.WR_FLUSH_ERR, opcode, "QP-23");
            return;
        }
        Qp responder = qp.responder();
        if (responder == null) {
            qp.failSend(request.id(), WcStatus.RETRY_EXC_ERR, opcode, "WC-36");
            return;
        }
        boolean takesReceive = request.operation() == Operation.WRITE_WITH_IMM;
        boolean inOnePacket = request.lengthBytes() <= pathMtuBytes;
        Verdict verdict =
                Access.decide(responder, request.operation(), request.address(), request.lengthBytes(), request.key());
        // A right that the queue pair does not grant comes before the receive, the key after it, unless the key comes
        // in
        // an earlier packet than the immediate data (PR-02, WC-24).
        boolean isGranted = responder.grants(request.operation());
        if (isGranted && takesReceive && responder.nextReceive() == null && (inOnePacket || verdict.isOk())) {
            place(request, verdict, (request.lengthBytes() - 1) / pathMtuBytes * pathMtuBytes);
            qp.failSend(request.id(), WcStatus.RNR_RETRY_EXC_ERR, opcode, "WC-22");
        } else if (verdict.isOk()) {
            succeed(qp, responder, request, verdict);
        } else {
            refuse(responder, verdict, takesReceive && isGranted && inOnePacket);
            qp.failSend(request.id(), statusOf(verdict), opcode, verdict.rule());
        }
    }

    private static void refuse(Qp responder, Verdict verdict, boolean tellsReceive) {
        if (tellsReceive) {
            responder.completeReceive(WcStatus.LOC_ACCESS_ERR, 0, 0, 0, WcOpcode.RECV_RDMA_WITH_IMM, verdict.rule());
            responder.fail();
        } else {
            responder.failWithEvent(verdict.rule());
        }
    }

    private static WcStatus statusOf(Verdict verdict) {
        return verdict.kind() == Verdict.Kind.INVALID_REQUEST ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_ACCESS_ERR;
    }

    private static void succeed(Qp qp, Qp responder, Request request, Verdict verdict) {
        Operation operation = request.operation();
        if (operation.isWrite()) {
            place(request, verdict, request.lengthBytes());
        } else if (operation == Operation.READ) {
            fetch(request, verdict);
        } else {
            change(request, verdict);
        }
        if (operation == Operation.WRITE_WITH_IMM) {
            responder.completeReceive(
                    WcStatus.SUCCESS,
                    request.lengthBytes(),
                    WcFlags.WITH_IMM,
                    request.immediate(),
                    WcOpcode.RECV_RDMA_WITH_IMM,
                    "WR-31");
        }
        if (request.signaled()) {
            int returned = operation.isWrite() ? 0 : request.lengthBytes();
            qp.completeSend(request.id(), WcStatus.SUCCESS, operation.completedAs, returned, verdict.rule());
        }
    }

    private static void place(Request request, Verdict verdict, int count) {
        if (verdict.space() != null) {
            verdict.space().write(verdict.offset(), request.local().read(request.localOffset(), count), count);
        }
    }

    private static void fetch(Request request, Verdict verdict) {
        if (verdict.space() != null) {
            int count = request.lengthBytes();
            request.local().write(request.localOffset(), verdict.space().read(verdict.offset(), count), count);
        }
    }

    /** WR-36: the word as it was comes back, in any case. */
    private static void change(Request request, Verdict verdict) {
        if (verdict.space() == null) {
            throw new IllegalArgumentException("an atomic always touches 8 bytes: " + request);
        }
        ByteBuffer target = ByteBuffer.wrap(verdict.space().bytes()).order(ByteOrder.nativeOrder());
        long before = target.getLong((int) verdict.offset());
        if (request.operation() == Operation.FETCH_ADD) {
            target.putLong((int) verdict.offset(), before + request.compareOrAdd());
        } else if (before == request.compareOrAdd()) {
            target.putLong((int) verdict.offset(), request.swap());
        }
        ByteBuffer.wrap(request.local().bytes()).order(ByteOrder.nativeOrder()).putLong(request.localOffset(), before);
    }
}
