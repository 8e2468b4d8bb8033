// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Predicate;

/** Addresses where the fabric knows all devices: the hosts are their GIDs, and nobody has to listen to be found. */
public final class KnownDevices {

    private KnownDevices() {}

    /**
     * As {@link FabricPort#resolve}.
     *
     * @param isThere whether the fabric has a device of that GID
     */
    public static void resolve(InetSocketAddress address, Predicate<Gid> isThere, Resolution outcome) {
        InetAddress host = address.getAddress();
        if (host == null) {
            outcome.failed(unresolved(address));
            return;
        }
        Gid gid = Gid.of(host);
        if (isThere.test(gid)) {
            outcome.found(gid);
        } else {
            outcome.failed(VerbsException.of(
                    Errno.EHOSTUNREACH,
                    Rule.N_06,
                    "no device of this fabric has gid=%s; give the GID of one as host",
                    gid));
        }
    }

    /** As {@link FabricPort#listen}, for the device with that GID. */
    public static InetSocketAddress listen(Gid own, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host == null) {
            throw unresolved(address);
        }
        if (!host.isAnyLocalAddress() && !Gid.of(host).equals(own)) {
            throw VerbsException.of(
                    Errno.EADDRNOTAVAIL,
                    Rule.N_05,
                    "host=%s is not the device's gid=%s; listen there, or at the wildcard address",
                    Gid.of(host),
                    own);
        }
        return address;
    }

    /** Why an address without a number leads nowhere. */
    public static VerbsException unresolved(InetSocketAddress address) {
        return VerbsException.of(
                Errno.EINVAL,
                Rule.N_05,
                "address=%s is no known host; check its spelling, or give it as numbers",
                address);
    }
}
