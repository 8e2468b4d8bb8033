// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ports of a device that are taken, in each port space (CM-28). On the lane. */
public final class Ports {

    /** Who takes a port. */
    public interface Owner {

        /** Whether it may share its port with others that may ({@code RDMA_OPTION_ID_REUSEADDR}). */
        boolean mayShare();

        /** Its address, with the port or 0 for any. */
        InetSocketAddress address();

        /** Whether its address stands for its own family alone ({@code RDMA_OPTION_ID_AFONLY}). */
        boolean isOfOneFamily();
    }

    /** Those that are given out unasked, as Linux does. */
    public static final int FIRST_EPHEMERAL = 32_768;

    /** One more than the last of those. */
    public static final int END_EPHEMERAL = 61_000;

    private static final int RANGE = END_EPHEMERAL - FIRST_EPHEMERAL;

    private final Map<String, Map<Integer, List<Owner>>> taken = new TreeMap<>();
    private int lastGiven;

    Ports(UnguessableNumbers numbers) {
        lastGiven = numbers.below(RANGE);
    }

    private Map<Integer, List<Owner>> of(String space) {
        return taken.computeIfAbsent(space, unused -> new TreeMap<>());
    }

    /**
     * Takes the port of an address.
     *
     * @param space name of the port space
     * @return the port
     * @throws VerbsException EADDRINUSE if it is taken by one that does not share it, EADDRNOTAVAIL if none is free
     */
    public int take(String space, Owner owner) {
        int port = owner.address().getPort();
        if (port == 0) {
            return takeAny(space, owner);
        }
        requireFree(space, port, owner, owner.mayShare());
        of(space).computeIfAbsent(port, unused -> new ArrayList<>()).add(owner);
        return port;
    }

    /**
     * Refuses to let an owner of a port have it as if it did not share it, which those who listen need.
     *
     * @throws VerbsException EADDRINUSE if another one has it, too
     */
    public void requireAlone(String space, int port, Owner owner) {
        requireFree(space, port, owner, false);
    }

    private void requireFree(String space, int port, Owner owner, boolean shares) {
        for (Owner other : of(space).getOrDefault(port, List.of())) {
            boolean isAside = owner.isOfOneFamily() && other.isOfOneFamily() && !isOfSameFamily(owner, other);
            if (!other.equals(owner) && !(shares && other.mayShare()) && !isAside) {
                throw VerbsException.of(
                        Errno.EADDRINUSE,
                        Rule.CM_28,
                        "port %d of port space %s is taken on this device; close the identifier that uses it, or use port 0 for any",
                        port,
                        space);
            }
        }
    }

    private static boolean isOfSameFamily(Owner one, Owner other) {
        return one.address().getAddress().getClass()
                == other.address().getAddress().getClass();
    }

    private int takeAny(String space, Owner owner) {
        for (int tried = 0; tried < RANGE; tried++) {
            lastGiven = (lastGiven + 1) % RANGE;
            int port = FIRST_EPHEMERAL + lastGiven;
            if (!of(space).containsKey(port)) {
                of(space).put(port, new ArrayList<>(List.of(owner)));
                return port;
            }
        }
        throw VerbsException.of(
                Errno.EADDRNOTAVAIL,
                Rule.CM_28,
                "all ports from %d to %d of port space %s are taken; close identifiers that are not used any more",
                FIRST_EPHEMERAL,
                END_EPHEMERAL - 1,
                space);
    }

    /** The owner does not use the port any more. */
    public void release(String space, int port, Owner owner) {
        List<Owner> owners = of(space).getOrDefault(port, List.of());
        owners.remove(owner);
        if (owners.isEmpty()) {
            of(space).remove(port);
        }
    }

    /** How many are taken. */
    int count() {
        return taken.values().stream().mapToInt(Map::size).sum();
    }
}
