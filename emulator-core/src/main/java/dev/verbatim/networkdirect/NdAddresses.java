// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses of adapters: their GIDs, read as IPv6 addresses. */
final class NdAddresses {

    private NdAddresses() {}

    static InetSocketAddress of(Gid gid, int port) {
        return new InetSocketAddress(gid.toInetAddress(), port);
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
