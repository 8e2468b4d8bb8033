// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

import dev.verbatim.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * Local identifiers (LIDs) where GIDs are IPv4 addresses: the low 16 bits of the address, if they are those of a unicast LID. A LID
 * leads to the address that has them, and otherwise is like the own one.
 */
public final class LocalIdentifiers {

    /** The largest unicast LID. */
    public static final int LARGEST = 0xbfff;

    private static final long LOW_BITS = 0xffff;
    private static final long IPV4_MAPPED = 0xffff;

    private LocalIdentifiers() {}

    /** The LID of the port with that GID; 0 if it has none. */
    public static int of(Gid gid) {
        int low = (int) (gid.interfaceId() & LOW_BITS);
        return isAddress(gid) && low <= LARGEST ? low : 0;
    }

    /** The GID of the port with that LID, as a port with the other GID finds it; null if there is none. */
    public static @Nullable Gid gidOf(int lid, Gid own) {
        boolean leads = of(own) != 0 && lid >= 1 && lid <= LARGEST;
        return leads ? new Gid(own.prefix(), (own.interfaceId() & ~LOW_BITS) | lid) : null;
    }

    private static boolean isAddress(Gid gid) {
        return gid.prefix() == 0 && gid.interfaceId() >>> Integer.SIZE == IPV4_MAPPED;
    }
}
