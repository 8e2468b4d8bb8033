// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.abi;

import dev.verbatim.ibverbs.abi.Layouts.sockaddr;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in6;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** {@code struct sockaddr_in} and {@code sockaddr_in6} as addresses of Java, and back. */
public final class SocketAddresses {

    public static final int AF_UNSPEC = 0, AF_INET = 2, AF_INET6 = 10, AF_IB = 27;
    private static final int IPV4_BYTES = 4, IPV6_BYTES = 16;

    private SocketAddresses() {}

    /** Reads an address; null if it is of another family. */
    public static @Nullable InetSocketAddress read(long address) {
        try {
            return switch (sockaddr.sa_family.get(address)) {
                case AF_INET ->
                    new InetSocketAddress(
                            InetAddress.getByAddress(Native.bytes(address + sockaddr_in.sin_addr.offset(), IPV4_BYTES)),
                            sockaddr_in.sin_port.getBigEndian(address));
                case AF_INET6 ->
                    new InetSocketAddress(
                            InetAddress.getByAddress(
                                    Native.bytes(address + sockaddr_in6.sin6_addr.offset(), IPV6_BYTES)),
                            sockaddr_in6.sin6_port.getBigEndian(address));
                default -> null;
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are addresses", e);
        }
    }

    /** Writes an address where there is room for its family; returns its length in bytes. */
    public static int write(InetSocketAddress from, long address) {
        if (from.getAddress() instanceof Inet6Address) {
            Native.clear(address, sockaddr_in6.SIZE);
            sockaddr_in6.sin6_family.set(address, AF_INET6);
            sockaddr_in6.sin6_port.setBigEndian(address, from.getPort());
            Native.putBytes(
                    address + sockaddr_in6.sin6_addr.offset(), from.getAddress().getAddress(), IPV6_BYTES);
            return sockaddr_in6.SIZE;
        }
        Native.clear(address, sockaddr_in.SIZE);
        sockaddr_in.sin_family.set(address, AF_INET);
        sockaddr_in.sin_port.setBigEndian(address, from.getPort());
        Native.putBytes(
                address + sockaddr_in.sin_addr.offset(), from.getAddress().getAddress(), IPV4_BYTES);
        return sockaddr_in.SIZE;
    }
}
