// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.ud;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.SgeList;
import dev.verbatim.device.message.ReceiveCompletion;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.ReceiveWqe;
import dev.verbatim.fabric.Link;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.GrhWriter;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketWriter;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Accepts datagrams from any sender with the right Q_Key. One that does not fit is dropped in silence, and leaves the receive to the
 * next (UD-01, WC-50).
 */
final class UdResponder {

    private static final int UDP_HEADER_BYTES = 8;
    private static final int ICRC_BYTES = 4;

    private final QpContext qp;
    private final Runnable badQueueKey;
    private final ByteBuffer headerBytes = ByteBuffer.allocate(Grh.BYTES);
    private final Payload header = new Payload();

    UdResponder(QpContext qp, Runnable badQueueKey) {
        this.qp = qp;
        this.badQueueKey = badQueueKey;
    }

    void receive(Link link, Packet packet) {
        qp.decided(Rule.UD_01);
        ReceiveSource receives = qp.receives();
        ReceiveWqe oldest = receives.oldest();
        Refusal refusal = refuse(packet, oldest);
        if (refusal != null || oldest == null) {
            qp.decided(Rule.WC_47);
            qp.decided(Rule.WC_50);
            qp.dropped(packet, Objects.requireNonNull(refusal));
            return;
        }
        ReceiveWqe receive = receives.take();
        Denial denial = place(link, packet, receive.elements());
        if (denial == null) {
            ReceiveCompletion.add(qp, receives, packet, packet.payload().lengthBytes());
        } else {
            // The receive itself is at fault: that is the program's own error, and ends the queue pair.
            qp.decided(Rule.WC_21);
            qp.decided(Rule.WC_47);
            qp.fail(denial.refusal(), () -> receives.fail(WcStatus.LOC_PROT_ERR, denial.refusal()));
        }
    }

    /** Why the packet is not for this queue pair as it is now; null if it is. */
    private @Nullable Refusal refuse(Packet packet, @Nullable ReceiveWqe receive) {
        int count = packet.payload().lengthBytes();
        if (packet.queueKey() != qp.attributes().queueKey()) {
            badQueueKey.run();
            return Refusal.of(
                    Rule.UD_01,
                    "Q_Key 0x%08x is not the 0x%08x of qp %d; send with that one",
                    packet.queueKey(),
                    qp.attributes().queueKey(),
                    qp.number());
        }
        if (count > qp.pathMtuBytes()) {
            return Refusal.of(Rule.UD_01, "payload=%d > path MTU %d; send less", count, qp.pathMtuBytes());
        }
        if (receive == null) {
            return Refusal.of(
                    Rule.UD_01, "no receive is posted at qp %d; post receives before datagrams come", qp.number());
        }
        return Grh.BYTES + count <= receive.elements().totalBytes()
                ? null
                : Refusal.of(
                        Rule.UD_01,
                        "%d bytes, %d of them for the GRH, do not fit the receive wr_id=%d of %d bytes; post larger ones",
                        Grh.BYTES + count,
                        Grh.BYTES,
                        receive.id(),
                        receive.elements().totalBytes());
    }

    /** What the sender's address handle says of the way, and what only the receiver knows (UD-01). */
    private void writeHeader(Gid source, Packet packet) {
        Gid own = qp.port().gid();
        int lengthBytes = PacketWriter.encodedLengthBytes(packet) + ICRC_BYTES;
        if (GrhWriter.isIpv4(own.prefix(), own.interfaceId())) {
            GrhWriter.writeIpv4(
                    packet,
                    UDP_HEADER_BYTES + lengthBytes,
                    (int) source.interfaceId(),
                    (int) own.interfaceId(),
                    headerBytes,
                    0);
            return;
        }
        GrhWriter.writeFields(packet, lengthBytes, Grh.IBA_TRANSPORT, headerBytes, 0);
        GrhWriter.writeSource(source.prefix(), source.interfaceId(), headerBytes, 0);
        GrhWriter.writeDestination(own.prefix(), own.interfaceId(), headerBytes, 0);
    }

    private @Nullable Denial place(Link link, Packet packet, SgeList elements) {
        Denial unfit = qp.sgeAccess().checkReceive(elements);
        if (unfit != null) {
            return unfit;
        }
        writeHeader(link.peer(), packet);
        header.clear();
        header.add(headerBytes, 0, Grh.BYTES);
        Denial denial = qp.sgeAccess().scatter(elements, 0, header, MemoryEffect.PLACED, packet.psn());
        return denial != null
                ? denial
                : qp.sgeAccess().scatter(elements, Grh.BYTES, packet.payload(), MemoryEffect.PLACED, packet.psn());
    }
}
