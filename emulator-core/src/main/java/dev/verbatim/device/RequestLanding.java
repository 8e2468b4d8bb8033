// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Where the payload of a SEND or a WRITE belongs, if all is well with it so far. Looks only: the responder asks the same
 * questions again, and answers them, when the payload is there. What is not all as it should be lands nowhere.
 */
public final class RequestLanding {

    private final EmulatedQueuePair qp;

    /** For what comes to a queue pair. */
    public RequestLanding(EmulatedQueuePair qp) {
        this.qp = qp;
    }

    /** Whether {@code place} was set for a request that comes next, and continues this message. */
    public boolean find(Packet head, int lengthBytes, MessageUnderWay message, LandingPlace place) {
        boolean fits = RequestLength.ofPacket(head, lengthBytes, qp.pathMtuBytes()) == null
                && RequestLength.ofMessage(head, lengthBytes, message.leftBytes) == null;
        return fits
                && (head.opcode().kind() == Opcode.Kind.RDMA_WRITE
                        ? findForWrite(head, message, place)
                        : findForSend(head, lengthBytes, message, place));
    }

    private boolean findForWrite(Packet head, MessageUnderWay message, LandingPlace place) {
        boolean starts = head.opcode().startsMessage();
        int key = starts ? head.remoteKey() : message.key;
        long address = starts ? head.remoteAddress() : message.address;
        if (head.opcode().hasImmediate() && qp.receives().oldest() == null) {
            // It will be asked to come again.
            return false;
        }
        return denialOfWrite(head, starts, key, address, message) == null
                && qp.localMemory().locate(key, address, place);
    }

    private @Nullable Denial denialOfWrite(
            Packet head, boolean starts, int key, long address, MessageUnderWay message) {
        KeyTable keys = qp.device().keys();
        AccessOperation write = AccessOperation.RDMA_WRITE;
        Denial denial = AccessDecision.queuePairRight(qp.attributes().accessFlags(), write);
        if (denial != null) {
            return denial;
        }
        return starts
                ? AccessDecision.remoteKey(
                        keys, qp.identity(), write, address, Integer.toUnsignedLong(head.dmaLengthBytes()), key)
                : AccessDecision.remoteKeyStill(
                        keys, qp.identity(), write, address, message.leftBytes, key, message.binding);
    }

    private boolean findForSend(Packet head, int lengthBytes, MessageUnderWay message, LandingPlace place) {
        boolean starts = head.opcode().startsMessage();
        ReceiveWqe receive = starts ? qp.receives().oldest() : message.receive;
        long from = starts ? 0 : message.receivedBytes;
        return receive != null && qp.localMemory().locate(receive.elements(), from, lengthBytes, place);
    }
}
