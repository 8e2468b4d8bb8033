// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_ib;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in6;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.verbs.Vectors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Addresses as identifiers have them: of AF_INET, AF_INET6, or AF_IB, where a GID stands for the address. */
final class IdAddresses {

    /** The last two bytes of a {@code sib_sid} are the port. */
    private static final Field.U16 SID_PORT = new Field.U16(sockaddr_ib.sib_sid.offset() + 6);

    private static final int PORT_BITS = 16;
    private static final long PORT_SPACE_MASK = -1L << PORT_BITS;
    private static final int DEFAULT_PKEY = 0xffff;

    private IdAddresses() {}

    /** Size of the address; 0 for NULL and other families. */
    static int length(long address) {
        return address == 0
                ? 0
                : switch (sockaddr.sa_family.get(address)) {
                    case SocketAddresses.AF_INET -> sockaddr_in.SIZE;
                    case SocketAddresses.AF_INET6 -> sockaddr_in6.SIZE;
                    case SocketAddresses.AF_IB -> sockaddr_ib.SIZE;
                    default -> 0;
                };
    }

    /**
     * Reads an address.
     *
     * @throws Refused EINVAL if it is NULL or of another family
     */
    static InetSocketAddress require(long address) {
        if (length(address) == 0) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    address == 0
                            ? "the address is NULL"
                            : "family=" + sockaddr.sa_family.get(address) + " is neither AF_INET, AF_INET6 nor AF_IB");
        }
        InetSocketAddress read = SocketAddresses.read(address);
        return read != null
                ? read
                : new InetSocketAddress(
                        Vectors.gidAt(sockaddr_ib.sib_addr.of(address)).toInetAddress(), port(address));
    }

    /** The same; null if it is none. */
    static @Nullable InetSocketAddress read(long address) {
        return length(address) == 0 ? null : require(address);
    }

    /** Takes over an address of the program's. */
    static void copy(long from, long to) {
        Native.copy(from, to, length(from));
    }

    /** Writes an address; as one of AF_IB if {@code asIb}. */
    static void write(InetSocketAddress from, long to, boolean asIb, int portSpace) {
        if (!asIb) {
            int unused = SocketAddresses.write(from, to);
            return;
        }
        Native.clear(to, sockaddr_ib.SIZE);
        sockaddr_ib.sib_family.set(to, SocketAddresses.AF_IB);
        sockaddr_ib.sib_pkey.setBigEndian(to, DEFAULT_PKEY);
        Vectors.putGid(Gid.of(from.getAddress()), sockaddr_ib.sib_addr.of(to));
        setService(to, portSpace, from.getPort());
    }

    /** Sets the service of an AF_IB address. */
    static void setService(long address, int portSpace, int port) {
        sockaddr_ib.sib_sid.setBigEndian(address, (long) portSpace << PORT_BITS | port);
        sockaddr_ib.sib_sid_mask.setBigEndian(
                address, (portSpace == 0 ? 0 : PORT_SPACE_MASK) | (port == 0 ? 0 : ~PORT_SPACE_MASK));
    }

    static boolean isIb(long address) {
        return sockaddr.sa_family.get(address) == SocketAddresses.AF_IB;
    }

    /** Where an address has its port, of whatever family. */
    private static Field.U16 portOf(long address) {
        return isIb(address) ? SID_PORT : sockaddr_in.sin_port;
    }

    static int port(long address) {
        return portOf(address).getBigEndian(address);
    }

    /** The port as it stands there, in network byte order; 0 if the address is none. */
    static int rawPort(long address) {
        return length(address) == 0 ? 0 : portOf(address).get(address);
    }

    static void setPort(long address, int port) {
        portOf(address).setBigEndian(address, port);
    }

    static boolean isOfSameFamily(long one, long other) {
        return sockaddr.sa_family.get(one) == sockaddr.sa_family.get(other);
    }

    static boolean isOfSameFamily(InetAddress one, InetAddress other) {
        return one instanceof Inet6Address == other instanceof Inet6Address;
    }

    /** The loopback address of the family of another. */
    static InetAddress loopbackLike(InetAddress other) {
        byte[] bytes = new byte[other.getAddress().length];
        bytes[bytes.length - 1] = 1;
        if (!(other instanceof Inet6Address)) {
            bytes[0] = 127;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are addresses", e);
        }
    }
}
