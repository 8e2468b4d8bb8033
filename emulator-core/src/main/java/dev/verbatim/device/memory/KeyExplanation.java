// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.Denial;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rule;
import org.jspecify.annotations.Nullable;

/** Why a key that names nothing names nothing: what it was, or what it may have been mistaken for. */
public final class KeyExplanation {

    private KeyExplanation() {}

    static Denial unknownRemoteKey(KeyTable keys, AccessOperation operation, int rkey) {
        EmulatedMemoryRegion region = keys.byLocalKey(rkey);
        if (region != null && region.rkey() == 0) {
            return Denial.remoteAccess(
                    Rule.MR_13,
                    "key 0x%08x is the local key of a region registered with %s, which has no remote key; register it"
                            + " with %s",
                    rkey,
                    AccessFlags.describe(region.access()),
                    AccessFlags.describe(operation.right));
        }
        if (region != null) {
            return Denial.remoteAccess(
                    Rule.MR_14,
                    "key 0x%08x is the local key of a region; its remote key is 0x%08x",
                    rkey,
                    region.rkey());
        }
        return unknownKey(keys, rkey);
    }

    static Denial unknownLocalKey(KeyTable keys, int lkey) {
        EmulatedMemoryRegion region = keys.byRemoteKey(lkey);
        if (region != null) {
            return Denial.remoteAccess(
                    Rule.MR_14,
                    "key 0x%08x is the remote key of a region; its local key is 0x%08x",
                    lkey,
                    region.lkey());
        }
        EmulatedMemoryWindow window = keys.boundWindow(lkey);
        if (window != null) {
            return Denial.remoteAccess(
                    Rule.MW_111,
                    "key 0x%08x is the key of %s, which is for peers; use the region's local key 0x%08x",
                    lkey,
                    window,
                    window.region().lkey());
        }
        if (lkey == 0) {
            return Denial.remoteAccess(
                    Rule.MR_44, "local key 0 names no memory for a program; use the local key of a region");
        }
        return KeyTable.isOfWindow(lkey) ? unknownWindowKey(keys, lkey) : unknownKey(keys, lkey);
    }

    /** A key that has the index of a window, and names none that is bound (MW-102, MW-105). */
    public static Denial unknownWindowKey(KeyTable keys, int key) {
        EmulatedMemoryWindow window = keys.windowAt(key);
        if (window != null && window.key() == key && window.binding() == 0) {
            return Denial.remoteAccess(Rule.MW_04, "key 0x%08x is of %s, which has not been bound yet", key, window);
        }
        Denial stale = keys.history().explain(key);
        if (stale != null) {
            return stale;
        }
        if (window != null && window.key() == key) {
            return Denial.remoteAccess(Rule.MW_105, "key 0x%08x is of %s, which is bound to nothing", key, window);
        }
        if (window != null && window.rkey() == key && window.type() == MemoryWindowType.TYPE_2 && window.isBound()) {
            return Denial.remoteAccess(
                    Rule.MW_31,
                    "key 0x%08x is what rkey() of %s says, but it was bound with key 0x%08x; use what boundKey() of the"
                            + " request says",
                    key,
                    window,
                    window.key());
        }
        if (window != null && window.rkey() == key && window.type() == MemoryWindowType.TYPE_1) {
            return Denial.remoteAccess(
                    Rule.MW_20, "key 0x%08x was given to %s by a bind that has not executed, or failed", key, window);
        }
        Denial mistaken = mistaken(keys, key);
        if (mistaken != null) {
            return mistaken;
        }
        if (window != null) {
            return Denial.remoteAccess(
                    Rule.MW_102,
                    "key 0x%08x names no memory; index 0x%06x is in use by %s with key 0x%08x",
                    key,
                    key >>> Byte.SIZE,
                    window,
                    window.key());
        }
        return unused(keys, key);
    }

    private static Denial unknownKey(KeyTable keys, int key) {
        Denial mistaken = mistaken(keys, key);
        if (mistaken != null) {
            return mistaken;
        }
        if (key >>> Byte.SIZE == 0) {
            return Denial.remoteAccess(
                    Rule.KEY_P7,
                    "key 0x%08x names no memory: no key has index 0; take the rkey of a region or window",
                    key);
        }
        Denial stale = keys.history().explain(key);
        if (stale != null) {
            return stale;
        }
        EmulatedMemoryRegion region = keys.regionAt(key);
        if (region != null) {
            return Denial.remoteAccess(
                    Rule.KEY_04,
                    "key 0x%08x names no memory; index 0x%06x is in use with local key 0x%08x and remote key 0x%08x",
                    key,
                    key >>> Byte.SIZE,
                    region.lkey(),
                    region.rkey());
        }
        return unused(keys, key);
    }

    /** A key that lost something on its way: the order of its bytes, or half of them; null for none such. */
    private static @Nullable Denial mistaken(KeyTable keys, int key) {
        int swapped = Integer.reverseBytes(key);
        Object named = named(keys, swapped);
        if (named != null) {
            return Denial.remoteAccess(
                    Rule.KEY_04,
                    "key 0x%08x names no memory, but 0x%08x, its bytes in the other order, is a key of %s; convert it once on"
                            + " each side (htonl, ntohl)",
                    key,
                    swapped,
                    named);
        }
        if (key >>> Short.SIZE == 0 && key != 0) {
            EmulatedMemoryRegion whole = keys.regionWithLowHalf(key);
            if (whole != null) {
                return Denial.remoteAccess(
                        Rule.KEY_04,
                        "key 0x%08x names no memory, but is the lower half of a key of %s; a key has 32 bits",
                        key,
                        whole);
            }
        }
        return null;
    }

    private static @Nullable Object named(KeyTable keys, int key) {
        EmulatedMemoryRegion region = keys.byRemoteKey(key);
        EmulatedMemoryRegion local = region == null ? keys.byLocalKey(key) : region;
        return local != null ? local : keys.boundWindow(key);
    }

    private static Denial unused(KeyTable keys, int key) {
        if (keys.isRecycled(key)) {
            return Denial.remoteAccess(
                    Rule.KEY_04,
                    "key 0x%08x names no memory; its index was in use longer ago than the last %d revocations",
                    key,
                    KeyHistory.MOST);
        }
        return Denial.remoteAccess(Rule.KEY_04, "key 0x%08x names no memory, and its index was never given out", key);
    }
}
