// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;
import java.util.Arrays;

/**
 * What the private data of a {@link Req} or {@link SidrReq} for an IP addressed service begins with (A11): who asks whom, as IP
 * addresses.
 *
 * @param majorVersion 4 bits; 0
 * @param minorVersion 4 bits; 0
 * @param ipVersion 4 bits; {@link #IPV4} or {@link #IPV6}
 * @param sourcePort 16 bits
 * @param source the address of who asks, in the form of a GID: of an IPv4 address {@code ::ffff:a.b.c.d}
 * @param destination the address of who is asked, in the same form
 */
public record IpHeader(int majorVersion, int minorVersion, int ipVersion, int sourcePort, Gid source, Gid destination) {

    /** Length of the header. */
    public static final int BYTES = 36;

    /** IP version 4. */
    public static final int IPV4 = 4;

    /** IP version 6. */
    public static final int IPV6 = 6;

    private static final Field MAJOR_VERSION = Field.within(0, 7, 4, "majorVersion");
    private static final Field MINOR_VERSION = Field.within(0, 3, 0, "minorVersion");
    private static final Field IP_VERSION = Field.within(1, 7, 4, "ipVersion");
    private static final Field SOURCE_PORT = Field.at(2, 16, "sourcePort");
    private static final Block SOURCE = Block.gid(4, "source");
    private static final Block DESTINATION = Block.gid(20, "destination");

    private static final long LOW_32_BITS = 0xffff_ffffL;
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    /** Checks that each number fits its field. */
    public IpHeader {
        MAJOR_VERSION.check(majorVersion);
        MINOR_VERSION.check(minorVersion);
        IP_VERSION.check(ipVersion);
        SOURCE_PORT.check(sourcePort);
        source = plain(ipVersion, source);
        destination = plain(ipVersion, destination);
    }

    /** A header of version 0.0; the IP version is that of the addresses. */
    public static IpHeader of(int sourcePort, Gid source, Gid destination) {
        return new IpHeader(0, 0, isIpv4(source) && isIpv4(destination) ? IPV4 : IPV6, sourcePort, source, destination);
    }

    /**
     * Reads the header that private data begins with. Of an IPv4 address only the last four bytes count.
     *
     * @throws MadFormatException if there are less than {@value #BYTES} bytes
     */
    public static IpHeader parse(Octets privateData) {
        if (privateData.lengthBytes() < BYTES) {
            throw new MadFormatException("private data of " + privateData.lengthBytes() + " bytes < " + BYTES
                    + ", the length of the IP header");
        }
        byte[] bytes = privateData.toBytes();
        int ipVersion = IP_VERSION.get(bytes);
        return new IpHeader(
                MAJOR_VERSION.get(bytes),
                MINOR_VERSION.get(bytes),
                ipVersion,
                SOURCE_PORT.get(bytes),
                SOURCE.getGid(bytes),
                DESTINATION.getGid(bytes));
    }

    /** The private data that begins with this header, and goes on with the user's. */
    public Octets emit(Octets userData) {
        byte[] bytes = new byte[BYTES + userData.lengthBytes()];
        MAJOR_VERSION.put(bytes, majorVersion);
        MINOR_VERSION.put(bytes, minorVersion);
        IP_VERSION.put(bytes, ipVersion);
        SOURCE_PORT.put(bytes, sourcePort);
        SOURCE.put(bytes, toWire(source));
        DESTINATION.put(bytes, toWire(destination));
        userData.asByteBuffer().get(0, bytes, BYTES, userData.lengthBytes());
        return Octets.of(bytes);
    }

    /** What follows the header in private data. */
    public static Octets userData(Octets privateData) {
        byte[] bytes = privateData.toBytes();
        return Octets.of(Arrays.copyOfRange(bytes, Math.min(BYTES, bytes.length), bytes.length));
    }

    private static boolean isIpv4(Gid address) {
        return address.prefix() == 0 && address.interfaceId() >>> Integer.SIZE == IPV4_MAPPED >>> Integer.SIZE;
    }

    private static Gid plain(int ipVersion, Gid address) {
        return ipVersion == IPV4 ? new Gid(0, IPV4_MAPPED | (address.interfaceId() & LOW_32_BITS)) : address;
    }

    private Gid toWire(Gid address) {
        return ipVersion == IPV4 ? new Gid(0, address.interfaceId() & LOW_32_BITS) : address;
    }
}
