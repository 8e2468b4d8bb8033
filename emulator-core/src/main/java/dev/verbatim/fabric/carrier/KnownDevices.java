// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Addresses where the fabric knows all devices: the hosts are their GIDs, and devices are found without listening. */
public final class KnownDevices {

    private KnownDevices() {}

    /**
     * Finds the device at an address.
     *
     * @param isThere whether the fabric has a device of that GID
     * @param found is told its GID
     * @param failed is told why there is none: EINVAL for an address without a number, EHOSTUNREACH for one of no device
     */
    public static void resolve(
            InetSocketAddress address, Predicate<Gid> isThere, Consumer<Gid> found, Consumer<VerbsException> failed) {
        InetAddress host = address.getAddress();
        if (host == null) {
            failed.accept(unresolved(address));
            return;
        }
        Gid gid = Gid.of(host);
        if (isThere.test(gid)) {
            found.accept(gid);
        } else {
            failed.accept(VerbsException.of(
                    Errno.EHOSTUNREACH,
                    Rule.N_06,
                    "no device of this fabric has gid=%s; give the GID of one as host",
                    gid));
        }
    }

    /**
     * Listens for the device with that GID, which needs nothing but an address that is the device's.
     *
     * @return the address
     * @throws VerbsException EADDRNOTAVAIL if it is another's, EINVAL if it has no number
     */
    public static InetSocketAddress bind(Gid own, InetSocketAddress address) {
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

    /** Why the device with that GID cannot resolve an address, wherever it leads: it was closed, or there is no number; else null. */
    public static @Nullable VerbsException unresolvable(Gid own, boolean isOpen, InetSocketAddress address) {
        if (!isOpen) {
            return VerbsException.of(Errno.EINVAL, Rule.PD_07, "the device of gid=%s was closed", own);
        }
        return address.getAddress() == null ? unresolved(address) : null;
    }

    /** Why a device whose port has no carrier answers nothing. */
    public static Refusal withoutCarrier(Gid gid) {
        return Refusal.of(Rule.QP_29, "the port of %s is down", gid);
    }

    /** Why an address without a number leads nowhere. */
    public static VerbsException unresolved(InetSocketAddress address) {
        return VerbsException.of(
                Errno.EINVAL,
                Rule.N_05,
                "address=%s is no known host; check its spelling, or give it as numbers",
                address);
    }

    /** Why the device with that GID answers nothing: it left, or was never there. */
    public static Refusal absent(Gid gid, boolean wasThere) {
        return Refusal.of(Rule.QP_29, wasThere ? "the device with GID %s was closed" : "no device has GID %s", gid);
    }
}
