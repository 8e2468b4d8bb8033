// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Computes the invariant CRC of RoCEv2 datagrams (rule IC-01): the CRC-32 of Ethernet over eight bytes of ones and the
 * datagram, in which every field that a router may change counts as ones.
 *
 * <p>Those fields are the type of service, time to live and header checksum of IPv4; the traffic class, flow label and hop
 * limit of IPv6; the checksum of UDP; and the byte of the BTH that holds FECN and BECN.
 *
 * <p>An object of this class computes one after another without end and allocates nothing; it belongs to one user at a time.
 */
public final class Icrc {
    /** Bytes that the ICRC takes behind the last pad byte. */
    public static final int SIZE_BYTES = 4;

    private static final int ONES_BYTES = 8;
    private static final byte ONES = (byte) 0xff;
    private static final int SMALL_RUN_BYTES = 128;
    private static final int RUN_BYTES = 2048;

    private final CRC32 crc = new CRC32();

    /** Has room for the headers, and grows when a datagram comes that is longer than it. */
    private byte[] run = new byte[SMALL_RUN_BYTES];

    /** A new instance, which can be used again and again. */
    public Icrc() {}

    /**
     * Returns the ICRC of a datagram: its four bytes as they stand on the wire, read as a big-endian int.
     *
     * @param buffer holds the datagram; neither its position nor its byte order matters
     * @param offset where the header of IPv4 or IPv6 begins
     * @param lengthBytes from there to the last pad byte, without the ICRC
     * @throws IllegalArgumentException if the range is not within the buffer's limit, or begins with no IP header, or ends
     *     before the BTH does
     */
    public int of(ByteBuffer buffer, int offset, int lengthBytes) {
        if (offset < 0 || lengthBytes < 1 || offset > buffer.limit() - lengthBytes) {
            throw new IllegalArgumentException("offset=" + offset + " lengthBytes=" + lengthBytes
                    + " is not within the buffer's limit=" + buffer.limit() + "; name a whole datagram");
        }
        int ipHeaderBytes = ipHeaderBytes(BigEndian.getUnsignedByte(buffer, offset));
        int headerBytes = ipHeaderBytes + RoceLayout.UDP_HEADER_BYTES + Header.BTH.sizeBytes();
        if (lengthBytes < headerBytes) {
            throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " < " + headerBytes
                    + " bytes of IP, UDP and BTH; name a whole datagram");
        }
        if (lengthBytes > run.length) {
            run = new byte[RUN_BYTES];
        }
        Arrays.fill(run, 0, ONES_BYTES, ONES);
        buffer.get(offset, run, ONES_BYTES, headerBytes);
        mask(ONES_BYTES, ipHeaderBytes);
        crc.reset();
        crc.update(run, 0, ONES_BYTES + headerBytes);
        for (int at = headerBytes; at < lengthBytes; at += run.length) {
            int bytes = Math.min(run.length, lengthBytes - at);
            buffer.get(offset + at, run, 0, bytes);
            crc.update(run, 0, bytes);
        }
        return Integer.reverseBytes((int) crc.getValue());
    }

    private static int ipHeaderBytes(int firstByte) {
        int version = firstByte >> RoceLayout.VERSION_SHIFT;
        if (version == 6) {
            return RoceLayout.IPV6_HEADER_BYTES;
        }
        int ipv4HeaderBytes = (firstByte & RoceLayout.IPV4_HEADER_WORDS_MASK) * Integer.BYTES;
        if (version != 4 || ipv4HeaderBytes < RoceLayout.IPV4_MIN_HEADER_BYTES) {
            throw new IllegalArgumentException("firstByte=0x" + Integer.toHexString(firstByte)
                    + " begins no header of IPv4 (0x45 to 0x4f) or IPv6 (0x60 to 0x6f); begin at the IP header");
        }
        return ipv4HeaderBytes;
    }

    private void mask(int ip, int ipHeaderBytes) {
        if (run[ip] >> RoceLayout.VERSION_SHIFT == 4) {
            run[ip + RoceLayout.IPV4_TYPE_OF_SERVICE] = ONES;
            run[ip + RoceLayout.IPV4_TIME_TO_LIVE] = ONES;
            Arrays.fill(run, ip + RoceLayout.IPV4_CHECKSUM, ip + RoceLayout.IPV4_CHECKSUM + Short.BYTES, ONES);
        } else {
            run[ip] |= 0x0f;
            Arrays.fill(run, ip + 1, ip + RoceLayout.IPV6_PAYLOAD_LENGTH, ONES);
            run[ip + RoceLayout.IPV6_HOP_LIMIT] = ONES;
        }
        int udp = ip + ipHeaderBytes;
        Arrays.fill(run, udp + RoceLayout.UDP_CHECKSUM, udp + RoceLayout.UDP_HEADER_BYTES, ONES);
        run[udp + RoceLayout.UDP_HEADER_BYTES + RoceLayout.BTH_CONGESTION] = ONES;
    }
}
