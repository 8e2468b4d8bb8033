// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One packet as an immutable value, for traces and tests; it holds exactly what its opcode carries.
 *
 * <p>Packets that are the same on the wire are equal, and every record can be emitted. A record is most easily made from a
 * holder: {@code PacketRecord.of(new Packet().begin(Opcode.SEND_ONLY).destQp(0x11).psn(5))}.
 *
 * @param extensions the headers behind the BTH, in wire order
 * @param payload without pad; empty where the opcode carries none
 * @param grh what the header before the BTH says of the way; the bytes of the packet do not have it
 */
public record PacketRecord(Bth bth, List<ExtensionHeader> extensions, Octets payload, GrhFields grh) {

    /** Checks that headers and payload are those of the opcode. */
    public PacketRecord {
        extensions = List.copyOf(extensions);
        requireThoseOf(bth.opcode(), extensions);
        if (payload.lengthBytes() > 0 && !bth.opcode().carriesPayload()) {
            throw new IllegalArgumentException("payload of lengthBytes=" + payload.lengthBytes() + " but "
                    + bth.opcode() + " carries none; use Octets.EMPTY");
        }
    }

    /** A packet on the usual way. */
    public PacketRecord(Bth bth, List<ExtensionHeader> extensions, Octets payload) {
        this(bth, extensions, payload, GrhFields.USUAL);
    }

    /** Returns the packet that a holder holds now, with a copy of its payload. */
    public static PacketRecord of(Packet packet) {
        List<Header> carried = packet.opcode().extensions();
        ExtensionHeader[] extensions = new ExtensionHeader[carried.size()];
        for (int i = 0; i < extensions.length; i++) {
            extensions[i] = ExtensionHeader.of(carried.get(i), packet);
        }
        return new PacketRecord(Bth.of(packet), List.of(extensions), Octets.of(packet.payload()), GrhFields.of(packet));
    }

    /**
     * Returns the packet that bytes hold, from BTH to pad.
     *
     * @throws WireFormatException if they hold none; its message says why
     */
    public static PacketRecord parse(byte[] bytes) {
        return parse(ByteBuffer.wrap(bytes));
    }

    /** Does the same with the bytes between a buffer's position and its limit, neither of which moves. */
    public static PacketRecord parse(ByteBuffer bytes) {
        PacketView view = new PacketView();
        @Nullable String refusal = view.wrap(bytes, bytes.position(), bytes.remaining());
        if (refusal != null) {
            throw new WireFormatException(refusal);
        }
        Packet packet = new Packet();
        view.readInto(packet);
        return of(packet);
    }

    /** Returns the bytes of the packet, from BTH to pad. */
    public byte[] emit() {
        Packet packet = toPacket();
        byte[] bytes = new byte[PacketWriter.encodedLengthBytes(packet)];
        PacketWriter.write(packet, ByteBuffer.wrap(bytes), 0);
        return bytes;
    }

    /** Returns a new holder filled with this packet. */
    public Packet toPacket() {
        Packet packet = new Packet();
        bth.putInto(packet);
        for (ExtensionHeader extension : extensions) {
            extension.putInto(packet);
        }
        grh.putInto(packet);
        packet.payload().add(payload.asByteBuffer(), 0, payload.lengthBytes());
        return packet;
    }

    public Opcode opcode() {
        return bth.opcode();
    }

    public int psn() {
        return bth.psn();
    }

    /** What it is in one or two words: its opcode, or of an acknowledgement what that says, such as {@code RNR NAK}. */
    public String name() {
        if (opcode().kind() != Opcode.Kind.ACKNOWLEDGE) {
            return opcode().toString();
        }
        return isRnrNak() ? "RNR NAK" : Syndrome.describe(toPacket().syndrome());
    }

    /** Whether it says that the receiver is not ready. */
    public boolean isRnrNak() {
        return opcode().kind() == Opcode.Kind.ACKNOWLEDGE
                && Syndrome.isRnr(extension(ExtensionHeader.Aeth.class).syndrome());
    }

    /**
     * Returns an extension header.
     *
     * @throws IllegalArgumentException if such a packet does not carry it
     */
    public <T extends ExtensionHeader> T extension(Class<T> type) {
        for (ExtensionHeader extension : extensions) {
            if (type.isInstance(extension)) {
                return type.cast(extension);
            }
        }
        throw new IllegalArgumentException(opcode() + " carries no " + type.getSimpleName() + " but "
                + opcode().extensions() + "; ask opcode() first");
    }

    /**
     * Returns one line such as {@code RDMA_WRITE_ONLY psn=5 dqp=0x11 va=0x7f0000001000 rkey=0x00012305 len=100 payload=100B
     * ackreq}. What is usual, such as a P_Key of 0xffff, a set MigReq and a hop limit
     * of 64, is not printed.
     */
    @Override
    public String toString() {
        return PacketLine.of(toPacket());
    }

    private static void requireThoseOf(Opcode opcode, List<ExtensionHeader> extensions) {
        List<Header> wanted = opcode.extensions();
        boolean areThose = extensions.size() == wanted.size();
        for (int i = 0; areThose && i < wanted.size(); i++) {
            areThose = extensions.get(i).header() == wanted.get(i);
        }
        if (!areThose) {
            throw new IllegalArgumentException("extensions="
                    + extensions.stream().map(ExtensionHeader::header).toList() + " but " + opcode + " carries "
                    + wanted
                    + ", in that order");
        }
    }
}
