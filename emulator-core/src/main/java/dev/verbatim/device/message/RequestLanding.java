// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.RemoteTarget;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.LandingPlace;

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
    public boolean find(InboundPacket head, InboundMessage message, LandingPlace place) {
        boolean fits = RequestLength.ofPacket(head, qp.pathMtuBytes()) == null
                && RequestLength.ofMessage(head, message.leftBytes) == null;
        ReceiveSource receives = qp.receives().of(head.packet);
        return fits
                && receives != null
                && switch (head.effect) {
                    case WRITE -> findForWrite(head, receives, message, place);
                    case RECEIVE -> findForSend(head, receives, message, place);
                    case READ, ATOMIC, ATOMIC_WRITE, FLUSH, BIND, INVALIDATE, NOTHING -> false;
                };
    }

    private boolean findForWrite(
            InboundPacket head, ReceiveSource receives, InboundMessage message, LandingPlace place) {
        int key = head.startsMessage ? head.packet.remoteKey() : message.key;
        long address = head.startsMessage ? head.packet.remoteAddress() : message.address;
        if (head.opcode.hasImmediate() && receives.oldest() == null) {
            // It will be asked to come again.
            return false;
        }
        RemoteTarget target = qp.keys().target(key);
        if (target == null || !mayWrite(head, receives.user(), target, key, address, message)) {
            return false;
        }
        return target.locate(address, place);
    }

    private boolean mayWrite(
            InboundPacket head, QpIdentity user, RemoteTarget target, int key, long address, InboundMessage message) {
        KeyTable keys = qp.keys();
        AccessOperation write = AccessOperation.RDMA_WRITE;
        if (AccessDecision.queuePairRight(qp.accessFlags(), write) != null) {
            return false;
        }
        Decision decision = head.startsMessage
                ? AccessDecision.remoteKey(
                        keys, target, user, write, address, Integer.toUnsignedLong(head.packet.dmaLengthBytes()), key)
                : AccessDecision.remoteKeyStill(
                        keys, target, user, write, address, message.leftBytes, key, message.binding);
        return !(decision instanceof Denial);
    }

    private boolean findForSend(
            InboundPacket head, ReceiveSource receives, InboundMessage message, LandingPlace place) {
        ReceiveWqe receive = head.startsMessage ? receives.oldest() : message.receive;
        long from = head.startsMessage ? 0 : message.receivedBytes;
        return receive != null && qp.sgeAccess().locate(receive.elements(), from, head.payloadBytes, place);
    }
}
