// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.Denial;
import dev.verbatim.verbs.WindowBinding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that were revoked last, so that a refusal can say what a stale key was. A ring of numbers: remembering costs no
 * object, and the oldest is forgotten when there is no more room.
 */
final class KeyHistory {

    /** How many keys are remembered. */
    static final int MOST = 1 << 14;

    private static final int FIRST_ROOM = 1 << 4;
    private static final int LONGS = 2;
    private static final int INTS = 7;

    // Of each entry, one after the other.
    private static final int ADDRESS = 0;
    private static final int LENGTH = 1;
    private static final int KEY = 0;
    private static final int WINDOW = 1;
    private static final int BINDING = 2;
    private static final int BOUND_BY = 3;
    private static final int ACCESS = 4;
    private static final int REVOCATION = 5;
    private static final int REVOKED_BY = 6;

    private long[] longs = {};
    private int[] ints = {};
    private long remembered;

    /** A region's key is revoked. */
    void add(EmulatedMemoryRegion region, int key, Revocation revocation) {
        int entry = next(key, region.address(), region.lengthBytes(), region.access());
        put(entry, WINDOW, 0);
        put(entry, REVOCATION, revocation.ordinal());
    }

    /** A window's key is revoked, by a request on or from a queue pair, or 0. */
    void add(EmulatedMemoryWindow window, Revocation revocation, int qpNumber) {
        int entry = next(window.key(), window.address(), window.boundBytes(), window.access());
        put(entry, WINDOW, window.handle());
        put(entry, BINDING, window.binding());
        put(entry, BOUND_BY, window.boundBy());
        put(entry, REVOCATION, revocation.ordinal());
        put(entry, REVOKED_BY, qpNumber);
    }

    private int next(int key, long address, long lengthBytes, int access) {
        int entry = (int) (remembered++ % MOST);
        if (entry * INTS >= ints.length) {
            int room = Math.min(MOST, Math.max(FIRST_ROOM, 2 * entry));
            ints = Arrays.copyOf(ints, room * INTS);
            longs = Arrays.copyOf(longs, room * LONGS);
        }
        longs[entry * LONGS + ADDRESS] = address;
        longs[entry * LONGS + LENGTH] = lengthBytes;
        put(entry, KEY, key);
        put(entry, ACCESS, access);
        return entry;
    }

    private void put(int entry, int field, int value) {
        ints[entry * INTS + field] = value;
    }

    private int at(int entry, int field) {
        return ints[entry * INTS + field];
    }

    /** Why a key that was revoked is refused; null if it is not remembered. */
    @Nullable
    Denial explain(int key) {
        for (long number = remembered - 1; number >= Math.max(0, remembered - MOST); number--) {
            int entry = (int) (number % MOST);
            if (at(entry, KEY) == key) {
                return explainEntry(entry);
            }
        }
        return null;
    }

    private Denial explainEntry(int entry) {
        Revocation revocation = Revocation.numbered(at(entry, REVOCATION));
        long address = longs[entry * LONGS + ADDRESS];
        long end = address + longs[entry * LONGS + LENGTH];
        int window = at(entry, WINDOW);
        if (window == 0) {
            return Denial.remoteAccess(
                    revocation.rule(),
                    "key 0x%08x was of a region [0x%x,0x%x) %s",
                    at(entry, KEY),
                    address,
                    end,
                    revocation.describe(0));
        }
        if (address == end) {
            return Denial.remoteAccess(
                    revocation.rule(),
                    "key 0x%08x was of window %d, which was bound to nothing until its %s",
                    at(entry, KEY),
                    window,
                    revocation.describe(at(entry, REVOKED_BY)));
        }
        return Denial.remoteAccess(
                revocation.rule(),
                "key 0x%08x was window %d's %s binding, [0x%x,0x%x) by qp 0x%x, revoked by %s",
                at(entry, KEY),
                window,
                Ordinal.of(at(entry, BINDING)),
                address,
                end,
                at(entry, BOUND_BY),
                revocation.describe(at(entry, REVOKED_BY)));
    }

    /** What is remembered of a window, oldest first. */
    List<WindowBinding> of(int window) {
        List<WindowBinding> life = new ArrayList<>();
        for (long number = Math.max(0, remembered - MOST); number < remembered; number++) {
            int entry = (int) (number % MOST);
            if (at(entry, WINDOW) == window) {
                life.add(new WindowBinding(
                        at(entry, BINDING),
                        at(entry, KEY),
                        at(entry, BOUND_BY),
                        longs[entry * LONGS + ADDRESS],
                        longs[entry * LONGS + LENGTH],
                        at(entry, ACCESS),
                        Revocation.numbered(at(entry, REVOCATION)).describe(at(entry, REVOKED_BY))));
            }
        }
        return life;
    }
}
