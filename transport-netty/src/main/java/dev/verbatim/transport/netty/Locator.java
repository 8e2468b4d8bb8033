// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.carrier.LocalIdentifiers;
import dev.verbatim.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * GIDs that say where their devices listen, so that nobody has to be told. {@code ::ffff:a.b.c.d} listens at that address, port
 * {@value #PORT}; {@code fe80::AABB:CCDD:PPPP:TTTT} at address a.b.c.d in hexadecimal digits, port PPPP, and TTTT tells it from those
 * that listened there before.
 */
final class Locator {

    /** TCP port of the first device at an address; RoCE has UDP port 4791. */
    static final int PORT = 4791;

    private static final int LOW_8_BITS = 0xff;
    private static final int LOW_16_BITS = 0xffff;
    private static final int LOOPBACK_PREFIX = 0x7f01_0000;
    private static final int MULTICAST = 224;

    /** Where programs of one machine find each other. */
    static final Inet4Address LOOPBACK = addressOf(0x7f00_0001);

    /** The same of IPv6. */
    static final InetAddress LOOPBACK_OF_IPV6 = new Gid(0, 1).toInetAddress();

    private Locator() {}

    /** The GID of the device that listens at the address, port {@value #PORT}. */
    static Gid at(Inet4Address address) {
        return Gid.of(address);
    }

    /** The GID of a device that listens at another port. */
    static Gid at(Inet4Address address, int port, int tag) {
        long bits = Integer.toUnsignedLong(bitsOf(address));
        return Gid.ofGuid(bits << Integer.SIZE | (long) port << Short.SIZE | (tag & LOW_16_BITS));
    }

    /** Where the device with that GID listens; null if the GID does not say it. */
    static @Nullable InetSocketAddress addressOf(Gid gid) {
        InetAddress address = gid.toInetAddress();
        int port = PORT;
        if (gid.equals(Gid.ofGuid(gid.interfaceId()))) {
            address = addressOf((int) (gid.interfaceId() >>> Integer.SIZE));
            port = (int) (gid.interfaceId() >>> Short.SIZE) & LOW_16_BITS;
        }
        return port != 0 && address instanceof Inet4Address && isOfOne(address)
                ? new InetSocketAddress(address, port)
                : null;
    }

    /** Neither a network nor a group. */
    private static boolean isOfOne(InetAddress address) {
        int first = Byte.toUnsignedInt(address.getAddress()[0]);
        return first != 0 && first < MULTICAST;
    }

    /** The loopback address with that LID. */
    static Inet4Address loopback(int lid) {
        return addressOf(LOOPBACK_PREFIX | lid);
    }

    /** The LID with which a process looks for a free loopback address first: those that start together begin apart. */
    static int firstLid(long processId) {
        return nextLid((int) Math.floorMod(processId, (long) LocalIdentifiers.LARGEST));
    }

    /** The LID that is tried after that one. Java without IPv6 binds nothing on Linux to a loopback address that ends in 255. */
    static int nextLid(int lid) {
        int next = lid % LocalIdentifiers.LARGEST + 1;
        return (next & LOW_8_BITS) == LOW_8_BITS ? nextLid(next) : next;
    }

    private static int bitsOf(Inet4Address address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    private static Inet4Address addressOf(int bits) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(bits).array();
        try {
            return (Inet4Address) InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of 4 bytes is refused", impossible);
        }
    }
}
