// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Addresses of adapters: their GIDs, read as IPv6 addresses. */
final class NdAddresses {

    private static final int BYTES = 16;

    private NdAddresses() {}

    static InetSocketAddress of(Gid gid, int port) {
        byte[] bytes = ByteBuffer.allocate(BYTES)
                .putLong(gid.prefix())
                .putLong(gid.interfaceId())
                .array();
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("16 bytes are an address", impossible);
        }
    }

    /** As the two calls of a program that asks for the size first. */
    static NdStatus copy(InetSocketAddress[] all, InetSocketAddress @Nullable [] list, NdSize count) {
        count.value(all.length);
        if (list == null || list.length < all.length) {
            return NdStatus.BUFFER_OVERFLOW;
        }
        System.arraycopy(all, 0, list, 0, all.length);
        return NdStatus.SUCCESS;
    }
}
