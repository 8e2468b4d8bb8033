// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.List;
import java.util.Locale;

/**
 * What is there when a program begins: two devices, protection domains with a memory each, queue pairs that are connected,
 * regions, and windows that are bound to nothing.
 */
public final class Ground {

    /** Bytes of the memory of each domain. */
    public static final int MEMORY_BYTES = 768;

    /** Payload bytes of a packet. */
    public static final int PATH_MTU_BYTES = 256;

    /** Windows that a device has at most: one less than there are names on it. */
    public static final int MOST_WINDOWS = 5;

    /** Where each queue pair is: its domain. */
    public static final List<Integer> PD_OF_QP = List.of(1, 1, 1, 2, 3, 1, 2, 3);

    /** The first queue pair of the connection that grants no atomics. */
    public static final int WITHOUT_ATOMICS = 3;

    /** Where each window and region is at first. */
    public static final List<Home> WINDOWS =
            List.of(new Home(1, 2), new Home(1, 2), new Home(1, 6), new Home(2, 4), new Home(3, 8), new Home(3, 5));

    /** The type that each window has at first. */
    public static final List<MemoryWindowType> TYPES = List.of(
            MemoryWindowType.TYPE_1,
            MemoryWindowType.TYPE_2,
            MemoryWindowType.TYPE_2,
            MemoryWindowType.TYPE_2,
            MemoryWindowType.TYPE_2,
            MemoryWindowType.TYPE_1);

    private static final int ALL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;
    private static final int CLOSED = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;

    /** How each region is registered at first. */
    public static final List<Step.Register> REGIONS = List.of(
            new Step.Register(1, 1, 0, MEMORY_BYTES, CLOSED),
            new Step.Register(2, 1, 128, 512, ALL),
            new Step.Register(3, 1, 0, 512, AccessFlags.MW_BIND),
            new Step.Register(4, 2, 0, MEMORY_BYTES, CLOSED),
            new Step.Register(5, 3, 0, MEMORY_BYTES, CLOSED | AccessFlags.REMOTE_READ),
            new Step.Register(6, 3, 64, 512, ALL & ~AccessFlags.MW_BIND));

    /** The ground in words. */
    public static final String DESCRIPTION = describe();

    /** Domains of the device "left" are 1, 2 and 4, of which 4 has no memory of its own and uses that of 1; of "right" 3. */
    public static final int DOMAINS = 4;

    private Ground() {}

    /**
     * Where a thing belongs.
     *
     * @param pd number of its domain
     * @param qp number of the queue pair that usually binds it
     */
    public record Home(int pd, int qp) {}

    /** Whether the domain is on the device "left". */
    public static boolean isLeft(int pd) {
        return pd != 3;
    }

    /** Numbers of the regions that are in that domain at first. */
    public static List<Integer> regionsOf(int pd) {
        return REGIONS.stream()
                .filter(region -> region.pd() == pd)
                .map(Step.Register::region)
                .toList();
    }

    /** The region that a window is bound to mostly. */
    public static int usualRegion(int window) {
        return regionsOf(WINDOWS.get(window - 1).pd()).get(0);
    }

    /** The other end of the connection. */
    public static int peerOf(int qp) {
        return qp % 2 == 0 ? qp - 1 : qp + 1;
    }

    private static String describe() {
        StringBuilder text = new StringBuilder("  left has pd1, pd2, pd4, right has pd3; connected: ");
        for (int qp = 1; qp < PD_OF_QP.size(); qp += 2) {
            text.append(String.format(
                    Locale.ROOT,
                    "qp%d (pd%d) - qp%d (pd%d)%s",
                    qp,
                    PD_OF_QP.get(qp - 1),
                    qp + 1,
                    PD_OF_QP.get(qp),
                    qp < PD_OF_QP.size() - 1 ? ", " : "\n"));
        }
        for (int i = 0; i < WINDOWS.size(); i++) {
            text.append(i == 0 ? "  free: " : ", ")
                    .append(String.format(
                            Locale.ROOT,
                            "w%d (%s, pd%d)",
                            i + 1,
                            TYPES.get(i),
                            WINDOWS.get(i).pd()));
        }
        text.append('\n');
        for (Step.Register region : REGIONS) {
            text.append("  ")
                    .append(region.toString().replaceFirst(", instead.*", ""))
                    .append('\n');
        }
        return text.toString();
    }
}
