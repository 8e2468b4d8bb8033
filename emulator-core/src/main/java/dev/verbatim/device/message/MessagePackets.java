// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Transport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Fills the packets of SENDs and WRITEs, whatever transport carries them: headers by their place in the message, then payload. */
public final class MessagePackets {

    private final QpContext qp;
    private final Transport transport;
    private final @Nullable SplitRead source;

    /** For the requests of a queue pair. */
    public MessagePackets(QpContext qp) {
        this.qp = qp;
        this.transport = qp.transport();
        this.source = SplitRead.ofSources(qp);
    }

    /**
     * Fills the headers of {@code count} packets of a message, which cross as one if there are more.
     *
     * @param index the first of them, from 0
     */
    public void fillHeaders(SendWqe wqe, int index, int count, int psn, Packet packet) {
        boolean first = index == 0;
        boolean last = index + count == wqe.packets();
        packet.begin(SendOpcodes.of(transport, wqe.opcode(), first, last))
                .destQp(qp.attributes().destinationQp())
                .psn(psn)
                .srqNumber(wqe.remoteSrq())
                .packets(count);
        if (first && packet.opcode().kind() == Opcode.Kind.RDMA_WRITE) {
            packet.remoteAddress(wqe.remoteAddress()).remoteKey(wqe.remoteKey()).dmaLengthBytes((int)
                    wqe.lengthBytes());
        }
        if (last) {
            packet.immediate(wqe.immediate()).invalidateKey(wqe.invalidateKey()).solicited(solicits(wqe));
            if (packet.opcode().has(Header.IETH)) {
                qp.decided(Rule.MW_91);
            }
        }
    }

    private boolean solicits(SendWqe wqe) {
        if (wqe.has(SendFlags.SOLICITED) && wqe.opcode() == WrOpcode.RDMA_WRITE) {
            qp.decided(Rule.NT_08);
            return false;
        }
        return wqe.has(SendFlags.SOLICITED);
    }

    /** The packet whose source is gathered in parts; null where none ever is. */
    public @Nullable SplitRead source() {
        return source;
    }

    /** Whether a packet waits for parts of its source, and nothing can be sent before it. */
    public boolean isWaiting() {
        return source != null && source.isUnderWay();
    }

    /**
     * Whether a packet has to wait until its source is gathered in parts, which now begins if it has not; inline data is not (ORD-14).
     *
     * @param index its place in the message, from 0
     */
    public boolean waitsForSource(SendWqe wqe, int index, int psn) {
        if (source == null || wqe.inlineData() != null) {
            return false;
        }
        if (source.isOf(psn)) {
            return source.isUnderWay();
        }
        long from = (long) index * qp.pathMtuBytes();
        int count = (int) Math.min(qp.pathMtuBytes(), wqe.lengthBytes() - from);
        SgeAccess memory = qp.sgeAccess();
        return source.begin(
                psn,
                memory.partsOf(wqe.elements(), from, count),
                (offset, part, payload) -> memory.gather(wqe.elements(), from + offset, part, psn, offset, payload));
    }

    /** The packet that was to be next is so no longer: nothing more is gathered for it. */
    public void forgetSource() {
        if (source != null) {
            source.forget();
        }
    }

    /**
     * Adds the payload of the packets whose headers were filled.
     *
     * @return null if it could be gathered; otherwise why not
     */
    public @Nullable Denial gather(SendWqe wqe, int index, Packet packet) {
        long from = (long) index * qp.pathMtuBytes();
        int count = (int) Math.min((long) packet.packets() * qp.pathMtuBytes(), wqe.lengthBytes() - from);
        ByteBuffer inline = wqe.inlineData();
        if (inline != null) {
            packet.payload().add(inline, (int) from, count);
            return null;
        }
        // Now and not when it was posted: what earlier requests of the batch brought is sent on.
        if (qp.device().isTraced()) {
            qp.decided(Rule.WR_44);
            qp.decided(Rule.ORD_35);
        }
        if (source != null && source.isOf(packet.psn())) {
            return source.take(packet.payload());
        }
        return qp.sgeAccess().gather(wqe.elements(), from, count, packet.psn(), 0, packet.payload());
    }
}
