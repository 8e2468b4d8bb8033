// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rkey;
import java.util.OptionalLong;
import java.util.function.Consumer;
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

    static final int FIRST_WINDOW_INDEX = 1 << 19;
    private static final int LAST_INDEX = (1 << 24) - 1;

    /** So many more indexes than windows there are, which makes a key hard to guess and slow to come again. */
    private static final int INDEXES_OF_A_WINDOW = 4;

    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
    private static final int USED = 1 << VARIANT_BITS;
    private static final int PAGE_BITS = 12;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

    private final NumberedTable<EmulatedMemoryRegion> regions;
    private final NumberedTable<EmulatedMemoryWindow> windows;
    private final KeyHistory history = new KeyHistory();
    /** Of each index the variant that was used last, with {@link #USED}; 0 if none has been. */
    private final char[] @Nullable [] usedVariants = new char[(LAST_INDEX >> PAGE_BITS) + 1][];

    /**
     * An empty table.
     *
     * @param seed of the order in which indexes are used; upwards if there is none (KEY-P6)
     */
    KeyTable(DeviceLimits limits, OptionalLong seed) {
        this.regions = table(1, Math.min(limits.maxMr(), FIRST_WINDOW_INDEX - 1), seed);
        int windowIndexes = Math.min(limits.maxMw() * INDEXES_OF_A_WINDOW, LAST_INDEX - FIRST_WINDOW_INDEX);
        this.windows = table(FIRST_WINDOW_INDEX, FIRST_WINDOW_INDEX + windowIndexes, seed);
    }

    private static <T> NumberedTable<T> table(int first, int last, OptionalLong seed) {
        return seed.isPresent()
                ? new NumberedTable<>(first, last, new ScatteredOrder(first, last, seed.getAsLong()))
                : new NumberedTable<>(first, last);
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
    EmulatedMemoryWindow windowAt(int key) {
        return windows.get(indexOf(key));
    }

    /** The region that {@code lkey} names in full; null if it names none (KEY-04). */
    public @Nullable EmulatedMemoryRegion byLocalKey(int lkey) {
        EmulatedMemoryRegion region = regionAt(lkey);
        return region != null && region.lkey() == lkey ? region : null;
    }

    /** The region that {@code rkey} names in full; null if it names none (KEY-04). */
    @Nullable
    EmulatedMemoryRegion byRemoteKey(int rkey) {
        EmulatedMemoryRegion region = regionAt(rkey);
        return region != null && region.rkey() == rkey ? region : null;
    }

    /** Whether the index of the key is that of a window. */
    static boolean isOfWindow(int key) {
        return indexOf(key) >= FIRST_WINDOW_INDEX;
    }

    /** The window that {@code rkey} names in full and that is bound; null if it names none (KEY-04, MW-102, MW-105). */
    @Nullable
    EmulatedMemoryWindow boundWindow(int rkey) {
        EmulatedMemoryWindow window = windowAt(rkey);
        return window != null && window.key() == rkey && window.isBound() ? window : null;
    }

    /** What the remote key leads to; null if to nothing. */
    @Nullable
    RemoteTarget target(int rkey) {
        return isOfWindow(rkey) ? boundWindow(rkey) : byRemoteKey(rkey);
    }

    /** The binding that the remote key has now: what a message keeps that was accepted under it; -1 if it has none. */
    public int bindingOf(int rkey) {
        RemoteTarget target = target(rkey);
        return target == null ? -1 : target.binding();
    }

    /** Whether the index of the key was used before. */
    boolean isRecycled(int key) {
        return usedVariants(indexOf(key)) != 0;
    }

    int regionCount() {
        return regions.size();
    }

    int windowCount() {
        return windows.size();
    }

    /** The keys that were revoked last. */
    KeyHistory history() {
        return history;
    }

    /** A fresh key for a region, after so many indexes that are left out for now; -1 if there is none. */
    int nextRegionKey(int leftOut) {
        return fresh(regions.nextFree(leftOut));
    }

    /** A fresh key for a window, after so many indexes that are left out for now; -1 if there is none. */
    int nextWindowKey(int leftOut) {
        return fresh(windows.nextFree(leftOut));
    }

    private int fresh(int index) {
        return index < 0 ? -1 : Rkey.increment(index << VARIANT_BITS | (usedVariants(index) & VARIANT_MASK));
    }

    /** Makes the keys of the region valid. */
    void add(EmulatedMemoryRegion region) {
        regions.put(indexOf(region.lkey()), region);
        used(region.rkey() == 0 ? region.lkey() : region.rkey());
    }

    /** The window can be found by its index. */
    void addWindow(EmulatedMemoryWindow window) {
        windows.put(indexOf(window.rkey()), window);
        used(window.rkey());
    }

    /** Revokes the keys of the region. */
    void remove(EmulatedMemoryRegion region) {
        regions.remove(indexOf(region.lkey()));
        history.add(region, region.lkey());
        if (region.rkey() != 0 && region.rkey() != region.lkey()) {
            history.add(region, region.rkey());
        }
    }

    /** The window cannot be found any more; its index goes on behind the last key that it had. */
    void removeWindow(EmulatedMemoryWindow window) {
        windows.remove(indexOf(window.rkey()));
        used(window.type() == MemoryWindowType.TYPE_1 ? window.rkey() : window.key());
    }

    void forEachRegion(Consumer<EmulatedMemoryRegion> visitor) {
        regions.forEach(visitor);
    }

    void forEachWindow(Consumer<EmulatedMemoryWindow> visitor) {
        windows.forEach(visitor);
    }

    private void used(int key) {
        int index = indexOf(key);
        char[] page = usedVariants[index >> PAGE_BITS];
        if (page == null) {
            page = new char[1 << PAGE_BITS];
            usedVariants[index >> PAGE_BITS] = page;
        }
        page[index & PAGE_MASK] = (char) (USED | key & VARIANT_MASK);
    }

    private int usedVariants(int index) {
        char[] page = usedVariants[index >> PAGE_BITS];
        return page == null ? 0 : page[index & PAGE_MASK];
    }
}
