// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;

/** What the completion of a receive says of the message that took it. */
public final class ReceiveCompletion {

    private ReceiveCompletion() {}

    /** Completes the oldest receive of the queue pair: its message ended with this packet and is in place. */
    public static void add(QpContext qp, ReceiveSource receives, Packet last, int receivedBytes) {
        Opcode opcode = last.opcode();
        boolean isSend = Operation.of(opcode).effect == Effect.RECEIVE;
        qp.decided(isSend ? Rule.WR_30 : Rule.WR_31);
        if (last.solicited()) {
            qp.decided(Rule.WR_21);
        }
        if (receivedBytes == 0 && isSend) {
            qp.decided(Rule.WR_42);
        }
        int flags = grhFlag(qp, opcode);
        int byteLength = opcode.has(Header.DETH) ? receivedBytes + Grh.BYTES : receivedBytes;
        int immediateOrKey = 0;
        if (opcode.hasImmediate()) {
            qp.decided(Rule.WR_23);
            flags |= WcFlags.WITH_IMM;
            immediateOrKey = last.immediate();
        } else if (opcode.has(Header.IETH)) {
            qp.decided(receivedBytes == 0 ? Rule.MW_88 : Rule.MW_84);
            flags |= WcFlags.WITH_INV;
            immediateOrKey = last.invalidateKey();
        }
        qp.trace().count(DeviceCounter.RDMA_RECVS);
        WcOpcode wcOpcode = isSend ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
        receives.complete(wcOpcode, byteLength, immediateOrKey, flags, last.sourceQp(), last.solicited());
    }

    /** The same for a SEND of RC on the fast path. */
    public static void addPlain(QpContext qp, int receivedBytes) {
        qp.trace().count(DeviceCounter.RDMA_RECVS);
        qp.receives().complete(WcOpcode.RECV, receivedBytes, 0, grhFlag(qp, Opcode.SEND_ONLY), 0, false);
    }

    private static int grhFlag(QpContext qp, Opcode opcode) {
        CompletionSwitches switches = qp.device().profile().completions();
        return opcode.has(Header.DETH) || switches.grhFlagWithoutGrh() ? WcFlags.GRH : 0;
    }
}
