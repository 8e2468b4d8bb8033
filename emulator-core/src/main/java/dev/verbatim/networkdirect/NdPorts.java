// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmId;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Gives identifiers local addresses. The ports are a name space of the adapter's, apart from those of the host's TCP. */
final class NdPorts {

    /** The first of the ports that are given out unasked; the last is the last of all. */
    static final int FIRST_EPHEMERAL = 49_152;

    private static final int END = 1 << 16;

    private final InetAddress own;
    private final int first;
    private int next;

    NdPorts(InetAddress own) {
        this(own, FIRST_EPHEMERAL);
    }

    /** One that gives out fewer, from another first one on. */
    NdPorts(InetAddress own, int first) {
        this.own = own;
        this.first = first;
        this.next = first;
    }

    /** Whether it is the adapter's address, or that of all of its addresses. */
    boolean isOwn(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return host != null && (host.isAnyLocalAddress() || host.equals(own));
    }

    NdStatus bind(CmId id, InetSocketAddress address) {
        if (address.getAddress() == null) {
            return NdStatus.INVALID_ADDRESS;
        }
        return address.getPort() == 0 && isOwn(address) ? bindAny(id, address.getAddress()) : tryBind(id, address);
    }

    private synchronized NdStatus bindAny(CmId id, InetAddress host) {
        for (int tried = first; tried < END; tried++) {
            int port = next;
            next = port + 1 < END ? port + 1 : first;
            NdStatus status = tryBind(id, new InetSocketAddress(host, port));
            if (!status.equals(NdStatus.SHARING_VIOLATION)) {
                return status;
            }
        }
        return NdStatus.TOO_MANY_ADDRESSES;
    }

    private static NdStatus tryBind(CmId id, InetSocketAddress address) {
        try {
            id.bindAddress(address);
            return NdStatus.SUCCESS;
        } catch (VerbsException refused) {
            return switch (refused.errno()) {
                case EINVAL, EADDRNOTAVAIL, EACCES, EIO -> NdStatus.INVALID_ADDRESS;
                default -> NdStatuses.ofConnection(refused);
            };
        }
    }
}
