// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.SendWqe;
import dev.verbatim.operation.Effect;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import dev.verbatim.wire.Transport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Fills the packets of SENDs and WRITEs, and begins those of other requests, whatever transport carries them: headers by their place in the message, then payload. */
public final class MessagePackets {

    private final QpContext qp;
    private final DeviceContext device;
    private final SgeAccess memory;
    private final Transport transport;
    private final @Nullable SplitRead source;

    /** For the requests of a queue pair. */
    public MessagePackets(QpContext qp) {
        this.qp = qp;
        this.device = qp.device();
        this.memory = qp.sgeAccess();
        this.transport = qp.transport();
        this.source = SplitRead.ofSources(qp);
    }

    /**
     * Fills the headers of {@code count} packets of a message, which cross as one if there are more.
     *
     * @param first whether the message begins with them
     * @param last whether it ends with them
     */
    public void fillHeaders(SendWqe wqe, boolean first, boolean last, int count, int psn, Packet packet) {
        Opcode opcode = begin(wqe, first, last, psn, packet);
        if (count > 1) {
            packet.packets(count);
        }
        boolean isWrite = wqe.effect() == Effect.WRITE;
        if (first && isWrite) {
            packet.remoteRange(wqe.remoteAddress(), wqe.remoteKey(), (int) wqe.lengthBytes());
        }
        if (last) {
            fillEnd(wqe, opcode, isWrite, packet);
        }
    }

    /** Begins a packet of any request; returns its opcode. */
    public Opcode begin(SendWqe wqe, boolean first, boolean last, int psn, Packet packet) {
        Opcode opcode = wqe.operation().packet(transport, first, last);
        packet.begin(opcode, qp.destinationQp(), psn);
        if (transport == Transport.XRC) {
            packet.srqNumber(wqe.remoteSrq());
        }
        return opcode;
    }

    /** What only the last packet says. */
    private void fillEnd(SendWqe wqe, Opcode opcode, boolean isWrite, Packet packet) {
        if (opcode.hasImmediate()) {
            packet.immediate(wqe.immediate());
        }
        if (!isWrite && opcode.has(Header.IETH)) {
            packet.invalidateKey(wqe.invalidateKey());
            qp.decided(Rule.MW_91);
        }
        if (wqe.has(SendFlags.SOLICITED)) {
            boolean solicits = wqe.operation().takesReceive;
            packet.solicited(solicits);
            if (!solicits) {
                qp.decided(Rule.NT_08);
            }
        }
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
     * @param index the first of them, from 0
     * @param count how many they are
     * @param psn of the first
     * @return null if it could be gathered; otherwise why not
     */
    public @Nullable Denial gather(SendWqe wqe, int index, int count, int psn, Packet packet) {
        int mtu = qp.pathMtuBytes();
        long from = (long) index * mtu;
        int lengthBytes = (int) Math.min((long) count * mtu, wqe.lengthBytes() - from);
        Payload payload = packet.payload();
        ByteBuffer inline = wqe.inlineData();
        if (inline != null) {
            payload.add(inline, (int) from, lengthBytes);
            return null;
        }
        // Now and not when it was posted: what earlier requests of the batch brought is sent on.
        if (device.isTraced()) {
            qp.decided(Rule.WR_44);
            qp.decided(Rule.ORD_35);
        }
        if (source != null && source.isOf(psn)) {
            return source.take(payload);
        }
        Denial denial = memory.gather(wqe.elements(), from, lengthBytes, psn, 0, payload);
        if (count > 1 && denial == null) {
            device.counters().sentRun(count);
        }
        return denial;
    }
}
