// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.NumberedTable;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.Rule;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the keys of a device name. A key is a 24-bit index and an 8-bit variant (KEY-01). Index 0 is never given out, so
 * a key of zero names nothing (KEY-P7). Memory regions have the indexes below {@link #FIRST_WINDOW_INDEX}; those from
 * there on are for memory windows, so the index alone tells what a key names (KEY-03).
 *
 * <p>An index that was freed waits until all others have been used, and then goes on with the variant after its last
 * one (KEY-P3, KEY-P5).
 */
public final class KeyTable {

    /** What is never a key, since no key has index 0; any other number may be one, a negative one too (N-04). */
    static final int NO_KEY = 0;

    static final int FIRST_WINDOW_INDEX = 1 << 19;
    private static final int LAST_INDEX = (1 << 24) - 1;

    /** So many more indexes than windows there are, which makes a key hard to guess and slow to come again. */
    private static final int INDEXES_OF_A_WINDOW = 4;

    /** Random keys are spread over no fewer indexes, however small the device is. */
    private static final int LEAST_TO_SPREAD_OVER = FIRST_WINDOW_INDEX - 1;

    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
    private static final int USED = 1 << VARIANT_BITS;
    private static final int LOW_HALF = 0xffff;
    private static final int PAGE_BITS = 12;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

    private final DeviceContext device;
    private final NumberedTable<EmulatedMemoryRegion> regions;
    private final NumberedTable<EmulatedMemoryWindow> windows;
    private final KeyHistory history = new KeyHistory();
    private final IntUnaryOperator variantBeforeFirst;

    /** Of each index the variant that was used last, with {@link #USED}; 0 if none has been. Grows with the largest index. */
    private char[] @Nullable [] usedVariants = {};

    /**
     * An empty table. The key seed of the profile determines the order in which indexes are used, and the first variant of
     * each; both count upwards from 1 if there is none (KEY-P6).
     */
    KeyTable(DeviceContext device) {
        DeviceLimits limits = device.profile().limits();
        OptionalLong seed = device.profile().keySeed();
        this.device = device;
        this.regions = table(1, limits.maxMr(), FIRST_WINDOW_INDEX - 1, seed);
        this.windows = table(FIRST_WINDOW_INDEX, limits.maxMw() * INDEXES_OF_A_WINDOW, LAST_INDEX, seed);
        SipHash hash = new SipHash(seed.orElse(0), 0);
        this.variantBeforeFirst = seed.isPresent() ? index -> (int) hash.of(index) : index -> 0;
    }

    private static <T> NumberedTable<T> table(int first, int wanted, int last, OptionalLong seed) {
        if (seed.isEmpty()) {
            return new NumberedTable<>(first, Math.min(first + wanted - 1, last));
        }
        int lastUsed = Math.min(first + Math.max(wanted, LEAST_TO_SPREAD_OVER) - 1, last);
        return new NumberedTable<>(first, lastUsed, new SeededPermutation(first, lastUsed, seed.getAsLong()));
    }

    private static int indexOf(int key) {
        return key >>> VARIANT_BITS;
    }

    /** The region whose index the key has, whatever its variant; null if there is none. */
    @Nullable
    EmulatedMemoryRegion regionAt(int key) {
        return regions.get(indexOf(key));
    }

    /** The window whose index the key has, whatever its variant; null if there is none. */
    @Nullable
    public EmulatedMemoryWindow windowAt(int key) {
        return windows.get(indexOf(key));
    }

    /** The region that {@code lkey} names in full; null if it names none (KEY-04). */
    public @Nullable EmulatedMemoryRegion byLocalKey(int lkey) {
        EmulatedMemoryRegion region = regions.get(lkey >>> VARIANT_BITS);
        return region != null && region.lkey == lkey ? region : null;
    }

    /** The region that {@code rkey} names in full; null if it names none (KEY-04). */
    @Nullable
    public EmulatedMemoryRegion byRemoteKey(int rkey) {
        EmulatedMemoryRegion region = regions.get(rkey >>> VARIANT_BITS);
        return region != null && region.rkey == rkey ? region : null;
    }

    /** A region of which a key has this lower half; null if there is none. */
    @Nullable
    EmulatedMemoryRegion regionWithLowHalf(int key) {
        EmulatedMemoryRegion[] found = new EmulatedMemoryRegion[1];
        forEachRegion(region -> {
            if ((region.rkey & LOW_HALF) == key || (region.lkey & LOW_HALF) == key) {
                found[0] = region;
            }
        });
        return found[0];
    }

    /** Whether the index of the key is that of a window. */
    public static boolean isOfWindow(int key) {
        return key >>> VARIANT_BITS >= FIRST_WINDOW_INDEX;
    }

    /** The window that {@code rkey} names in full, bound or not; null if it names none (KEY-04, MW-102). */
    @Nullable
    EmulatedMemoryWindow byWindowKey(int rkey) {
        EmulatedMemoryWindow window = windowAt(rkey);
        return window != null && window.key() == rkey ? window : null;
    }

    /** The window that {@code rkey} names in full and that is bound; null if it names none (MW-105). */
    @Nullable
    public EmulatedMemoryWindow boundWindow(int rkey) {
        EmulatedMemoryWindow window = byWindowKey(rkey);
        return window != null && window.isBound() ? window : null;
    }

    /** What the remote key leads to; null if to nothing. */
    public @Nullable RemoteTarget target(int rkey) {
        return isOfWindow(rkey) ? boundWindow(rkey) : byRemoteKey(rkey);
    }

    /** Whether the index of the key was used before. */
    boolean isRecycled(int key) {
        return usedVariants(indexOf(key)) != 0;
    }

    public int regionCount() {
        return regions.size();
    }

    public int windowCount() {
        return windows.size();
    }

    /** The keys that were revoked last. */
    KeyHistory history() {
        return history;
    }

    /** A fresh key for a region, after so many indexes that are left out for now; {@link #NO_KEY} if there is none. */
    int nextRegionKey(int leftOut) {
        return firstKey(regions.nextFree(leftOut));
    }

    /** A fresh key for a window, after so many indexes that are left out for now; {@link #NO_KEY} if there is none. */
    int nextWindowKey(int leftOut) {
        device.decided(0, Rule.KEY_03);
        return firstKey(windows.nextFree(leftOut));
    }

    /** The key for the object that takes a free index, of which there may be none. */
    private int firstKey(int index) {
        if (index < 0) {
            return NO_KEY;
        }
        device.decided(0, Rule.KEY_P7);
        if (device.profile().keySeed().isPresent()) {
            device.decided(0, Rule.KEY_P6);
        }
        if (usedVariants(index) != 0) {
            device.decided(0, Rule.KEY_P3);
            device.decided(0, Rule.KEY_P5);
        }
        return fresh(index);
    }

    private int fresh(int index) {
        int used = usedVariants(index);
        int variant = used == 0 ? variantBeforeFirst.applyAsInt(index) : used;
        return Rkey.increment((index << VARIANT_BITS) | (variant & VARIANT_MASK));
    }

    /** Makes the keys of the region valid. */
    void add(EmulatedMemoryRegion region) {
        regions.put(indexOf(region.lkey()), region);
        markUsed(region);
        madeValid();
    }

    /** The keys of the region are valid in place of those of another with the same index. */
    void replace(EmulatedMemoryRegion region) {
        regions.replace(indexOf(region.lkey()), region);
        markUsed(region);
    }

    /** A key that no other object of the device has is valid, on this device alone. */
    private void madeValid() {
        device.decided(0, Rule.KEY_01);
        device.decided(0, Rule.KEY_P1);
        device.decided(0, Rule.KEY_05);
        device.decided(0, Rule.KEY_07);
    }

    private void markUsed(EmulatedMemoryRegion region) {
        used(region.rkey() == 0 ? region.lkey() : region.rkey());
    }

    /** The window can be found by its index. */
    void addWindow(EmulatedMemoryWindow window) {
        windows.put(indexOf(window.shownKey()), window);
        used(window.shownKey());
        madeValid();
    }

    /** Remembers what the keys of the region were, which are not valid any more; another region takes its place, or {@link #remove} follows. */
    void revoke(EmulatedMemoryRegion region, Revocation revocation) {
        history.add(region, region.lkey(), revocation);
        if (region.rkey() != 0 && region.rkey() != region.lkey()) {
            history.add(region, region.rkey(), revocation);
        }
    }

    /** The place of the region is another's. */
    void remove(EmulatedMemoryRegion region) {
        regions.remove(indexOf(region.lkey()));
    }

    /** Another key for the region that has this one. */
    int renewedRegionKey(int lkey) {
        return fresh(indexOf(lkey));
    }

    /**
     * The window cannot be found any more; its index goes on behind the last key that the device gave it, and passes over the
     * one that its program chose last (KEY-P3, KEY-P5).
     */
    void removeWindow(EmulatedMemoryWindow window) {
        int index = indexOf(window.shownKey());
        windows.remove(index);
        if (window.type() == MemoryWindowType.TYPE_1) {
            used(window.shownKey());
        } else if (fresh(index) == window.key()) {
            used(window.key());
        }
    }

    void forEachRegion(Consumer<EmulatedMemoryRegion> visitor) {
        regions.forEach(visitor);
    }

    void forEachWindow(Consumer<EmulatedMemoryWindow> visitor) {
        windows.forEach(visitor);
    }

    private void used(int key) {
        int index = indexOf(key);
        int number = index >> PAGE_BITS;
        if (number >= usedVariants.length) {
            usedVariants = Arrays.copyOf(usedVariants, Math.max(number + 1, 2 * usedVariants.length));
        }
        int slot = index & PAGE_MASK;
        char[] page = usedVariants[number];
        if (page == null || slot >= page.length) {
            int room = NumberedTable.roomFor(slot);
            page = page == null ? new char[room] : Arrays.copyOf(page, room);
            usedVariants[number] = page;
        }
        page[slot] = (char) (USED | (key & VARIANT_MASK));
    }

    private int usedVariants(int index) {
        int number = index >> PAGE_BITS;
        int slot = index & PAGE_MASK;
        char[] page = number < usedVariants.length ? usedVariants[number] : null;
        return page == null || slot >= page.length ? 0 : page[slot];
    }
}
