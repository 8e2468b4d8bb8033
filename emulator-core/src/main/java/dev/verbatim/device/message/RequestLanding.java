// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Where the payload of a SEND or a WRITE belongs, if all is well with it so far. Looks only: the responder asks the same
 * questions again, and answers them, when the payload is there. What is not all as it should be lands nowhere.
 */
public final class RequestLanding {

    private final QpContext qp;

    /** For what comes to a queue pair. */
    public RequestLanding(QpContext qp) {
        this.qp = qp;
    }

    /** Whether {@code place} was set for a request that comes next, and continues this message. */
    public boolean find(Packet head, int lengthBytes, InboundMessage message, LandingPlace place) {
        boolean fits = RequestLength.ofPacket(head, lengthBytes, qp.pathMtuBytes()) == null
                && RequestLength.ofMessage(head, lengthBytes, message.leftBytes) == null;
        ReceiveSource receives = qp.receives().of(head);
        return fits
                && receives != null
                && switch (head.opcode().kind()) {
                    case RDMA_WRITE -> findForWrite(head, receives, message, place);
                    case SEND -> findForSend(head, receives, lengthBytes, message, place);
                    default -> false;
                };
    }

    private boolean findForWrite(Packet head, ReceiveSource receives, InboundMessage message, LandingPlace place) {
        boolean starts = head.opcode().startsMessage();
        int key = starts ? head.remoteKey() : message.key;
        long address = starts ? head.remoteAddress() : message.address;
        if (head.opcode().hasImmediate() && receives.oldest() == null) {
            // It will be asked to come again.
            return false;
        }
        return denialOfWrite(head, receives.user(), key, address, message) == null
                && qp.sgeAccess().locate(key, address, place);
    }

    private @Nullable Denial denialOfWrite(
            Packet head, QpIdentity user, int key, long address, InboundMessage message) {
        KeyTable keys = qp.keys();
        AccessOperation write = AccessOperation.RDMA_WRITE;
        Denial denial = AccessDecision.queuePairRight(qp.attributes().accessFlags(), write);
        if (denial != null) {
            return denial;
        }
        return head.opcode().startsMessage()
                ? AccessDecision.remoteKey(
                        keys, user, write, address, Integer.toUnsignedLong(head.dmaLengthBytes()), key)
                : AccessDecision.remoteKeyStill(keys, user, write, address, message.leftBytes, key, message.binding);
    }

    private boolean findForSend(
            Packet head, ReceiveSource receives, int lengthBytes, InboundMessage message, LandingPlace place) {
        boolean starts = head.opcode().startsMessage();
        ReceiveWqe receive = starts ? receives.oldest() : message.receive;
        long from = starts ? 0 : message.receivedBytes;
        return receive != null && qp.sgeAccess().locate(receive.elements(), from, lengthBytes, place);
    }
}
