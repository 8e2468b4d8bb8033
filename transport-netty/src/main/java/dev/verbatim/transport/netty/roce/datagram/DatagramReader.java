// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.datagram;

import dev.verbatim.wire.Icrc;
import dev.verbatim.wire.IpIdentification;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what arrived at a UDP socket: checks length, ICRC and form, and fills a packet that lies where it was received.
 *
 * <p>The ICRC covers the identification of an IPv4 header, which a socket does not show. It is recovered from the ICRC, or taken
 * for 0 where the receiver is strict. Allocates nothing unless it refuses; for one user at a time.
 */
public final class DatagramReader {

    /** The longest payload of UDP that can be a packet: the longest headers, a payload of the largest path MTU, the ICRC. */
    public static final int MOST_BYTES = 4096 + 64 + Icrc.SIZE_BYTES;

    private static final int LEAST_BYTES = 12 + Icrc.SIZE_BYTES;
    private static final int CONGESTION_NOTIFICATION = 0x81;
    private static final int BYTE_MASK = 0xff;

    private final Icrc icrc = new Icrc();
    private final IpIdentification identifications = new IpIdentification(IpUdpHeader.MOST_BYTES + MOST_BYTES);
    private final PacketView view = new PacketView();
    private final boolean icrcChecked;
    private final boolean strict;
    private int identification;
    private @Nullable String sentence;

    /**
     * A reader.
     *
     * @param icrcChecked false only to measure what the check costs
     * @param strict whether an IPv4 identification other than 0 is a wrong ICRC
     */
    public DatagramReader(boolean icrcChecked, boolean strict) {
        this.icrcChecked = icrcChecked;
        this.strict = strict;
    }

    /**
     * Reads one datagram.
     *
     * @param buffer big-endian; the payload of UDP begins at {@code header.sizeBytes()}, and the bytes before it are overwritten
     * @param header from the sender to the receiver
     * @param sourcePort UDP port of the sender
     * @return null if {@code packet} was filled; otherwise why the datagram is to be dropped
     */
    public @Nullable DropReason read(
            ByteBuffer buffer, int udpPayloadBytes, IpUdpHeader header, int sourcePort, Packet packet) {
        sentence = null;
        if (udpPayloadBytes < LEAST_BYTES) {
            return refuse(DropReason.TOO_SHORT, "lengthBytes=" + udpPayloadBytes + " < " + LEAST_BYTES);
        }
        if (udpPayloadBytes > MOST_BYTES) {
            return refuse(DropReason.TOO_LONG, "lengthBytes > " + MOST_BYTES);
        }
        int packetAt = header.sizeBytes();
        int packetBytes = udpPayloadBytes - Icrc.SIZE_BYTES;
        if (icrcChecked && !isIcrcRight(buffer, packetAt + packetBytes, header, sourcePort)) {
            return DropReason.ICRC;
        }
        if ((buffer.get(packetAt) & BYTE_MASK) == CONGESTION_NOTIFICATION) {
            return refuse(DropReason.CONGESTION_NOTIFICATION, "opcode=0x81");
        }
        String refusal = view.wrap(buffer, packetAt, packetBytes);
        if (refusal != null) {
            return refuse(DropReason.MALFORMED, refusal);
        }
        view.readInto(packet);
        return null;
    }

    private DropReason refuse(DropReason reason, String why) {
        sentence = why;
        return reason;
    }

    private boolean isIcrcRight(ByteBuffer buffer, int coveredBytes, IpUdpHeader header, int sourcePort) {
        header.write(buffer, 0, sourcePort, coveredBytes - header.sizeBytes() + Icrc.SIZE_BYTES);
        int carried = buffer.getInt(coveredBytes);
        int computed = icrc.of(buffer, 0, coveredBytes);
        identification = 0;
        if (carried == computed) {
            return true;
        }
        identification = header.isIpv4() ? identifications.of(carried, computed, coveredBytes) : IpIdentification.NONE;
        boolean right = identification != IpIdentification.NONE && !strict;
        if (!right) {
            sentence = "icrc=0x" + Integer.toHexString(carried) + " but the bytes and addresses give 0x"
                    + Integer.toHexString(computed)
                    + (identification == IpIdentification.NONE
                            ? ""
                            : "; with IPv4 identification " + identification + " it is right, but 0 is demanded");
        }
        return right;
    }

    /** Identification of the IPv4 header of the datagram that was read last; 0 for IPv6. */
    int identification() {
        return identification;
    }

    /** What was wrong with the datagram that was refused last; null if none was. */
    public @Nullable String sentence() {
        return sentence;
    }
}
