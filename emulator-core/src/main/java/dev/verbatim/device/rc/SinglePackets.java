// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.message.MessagePackets;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import org.jspecify.annotations.Nullable;

/** Fills the one packet of requests that have no more and are answered by one: atomics, ATOMIC_WRITE, FLUSH. */
final class SinglePackets {

    private final QpContext qp;
    private final MessagePackets messagePackets;

    SinglePackets(QpContext qp, MessagePackets messagePackets) {
        this.qp = qp;
        this.messagePackets = messagePackets;
    }

    /** Fills all but opcode, destination and number; null if what is to be sent could be gathered. */
    @Nullable
    Denial fill(SendWqe wqe, Packet packet) {
        packet.remoteAddress(wqe.remoteAddress()).remoteKey(wqe.remoteKey()).ackRequest(true);
        switch (wqe.opcode()) {
            case ATOMIC_CMP_AND_SWP -> packet.swapOrAdd(wqe.swap()).compare(wqe.compareOrAdd());
            case ATOMIC_FETCH_AND_ADD -> packet.swapOrAdd(wqe.compareOrAdd());
            case ATOMIC_WRITE -> {
                qp.decided(Rule.NW_01);
                packet.dmaLengthBytes((int) wqe.lengthBytes());
                return messagePackets.gather(wqe, 0, 1, packet.psn(), packet);
            }
            case FLUSH -> {
                qp.decided(Rule.NW_02);
                FlushTarget target = wqe.flushTarget();
                packet.flushType(target.type()).flushLevel(target.level()).dmaLengthBytes(target.lengthBytes());
            }
            default -> throw new IllegalArgumentException(wqe + " is no request of one packet");
        }
        return null;
    }
}
