// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The ports of a device that are taken, in each port space (CM-28). On the lane. */
public final class Ports {

    /** Those that are given out unasked, as Linux does. */
    public static final int FIRST_EPHEMERAL = 32_768;

    /** One more than the last of those. */
    public static final int END_EPHEMERAL = 61_000;

    private static final int RANGE = END_EPHEMERAL - FIRST_EPHEMERAL;

    private final Map<String, NavigableSet<Integer>> taken = new TreeMap<>();
    private int lastGiven;

    Ports(UnguessableNumbers numbers) {
        lastGiven = numbers.below(RANGE);
    }

    private NavigableSet<Integer> of(String space) {
        return taken.computeIfAbsent(space, unused -> new TreeSet<>());
    }

    /**
     * Takes a port.
     *
     * @param space name of the port space
     * @param port 0 for any that is free
     * @throws VerbsException EADDRINUSE if it is taken, EADDRNOTAVAIL if none is free
     */
    public int take(String space, int port) {
        if (port == 0) {
            return takeAny(space);
        }
        if (!of(space).add(port)) {
            throw VerbsException.of(
                    Errno.EADDRINUSE,
                    Rule.CM_28,
                    "port %d of port space %s is taken on this device; close the identifier that uses it, or use port 0 for any",
                    port,
                    space);
        }
        return port;
    }

    private int takeAny(String space) {
        for (int tried = 0; tried < RANGE; tried++) {
            lastGiven = (lastGiven + 1) % RANGE;
            if (of(space).add(FIRST_EPHEMERAL + lastGiven)) {
                return FIRST_EPHEMERAL + lastGiven;
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

    /** The port is free again. */
    public void release(String space, int port) {
        of(space).remove(port);
    }

    /** How many are taken. */
    int count() {
        return taken.values().stream().mapToInt(Set::size).sum();
    }
}
