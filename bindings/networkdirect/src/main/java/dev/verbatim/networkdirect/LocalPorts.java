// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.cm.CmId;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Gives identifiers local addresses. The ports are a name space of the adapter, apart from the TCP ports of the host. */
final class LocalPorts {

    /** The first port that is given out for port 0; the last is 65535. */
    private static final int FIRST_EPHEMERAL = 49_152;

    private static final int END = 1 << 16;

    private final InetAddress own;
    private final int first;
    private int next;

    /** The ports of the adapter with this address. */
    public LocalPorts(InetAddress own) {
        this(own, FIRST_EPHEMERAL);
    }

    /** Gives out ports from {@code first} on for port 0. */
    LocalPorts(InetAddress own, int first) {
        this.own = own;
        this.first = first;
        this.next = first;
    }

    /** Whether it is the adapter's address or the wildcard. */
    public boolean isOwn(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return host != null && (host.isAnyLocalAddress() || host.equals(own));
    }

    /**
     * Binds an identifier to an address; to any free port if the port is 0.
     *
     * @return false if no port is free
     * @throws VerbsException as {@link CmId#bindAddress}; EADDRNOTAVAIL if the host name is not resolved
     */
    public boolean bind(CmId id, InetSocketAddress address) {
        if (address.getAddress() == null) {
            throw VerbsException.of(Errno.EADDRNOTAVAIL, Rule.CM_28, "address=%s is not resolved", address);
        }
        if (address.getPort() == 0 && isOwn(address)) {
            return bindAny(id, address.getAddress());
        }
        id.bindAddress(address);
        return true;
    }

    private synchronized boolean bindAny(CmId id, InetAddress host) {
        for (int tried = first; tried < END; tried++) {
            int port = next;
            next = port + 1 < END ? port + 1 : first;
            if (isFree(id, new InetSocketAddress(host, port))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFree(CmId id, InetSocketAddress address) {
        try {
            id.bindAddress(address);
            return true;
        } catch (VerbsException refused) {
            if (refused.errno() != Errno.EADDRINUSE) {
                throw refused;
            }
            return false;
        }
    }
}
