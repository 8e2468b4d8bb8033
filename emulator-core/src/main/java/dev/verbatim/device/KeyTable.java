// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

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
    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
    private static final int ALL_VARIANTS_USED = 1 << VARIANT_BITS;
    private static final int PAGE_BITS = 12;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

    private final NumberedTable<EmulatedMemoryRegion> regions;
    /** Of each index the variant that was used last, and whether all variants have been used; 0 if none has. */
    private final char[] @Nullable [] usedVariants = new char[FIRST_WINDOW_INDEX >> PAGE_BITS][];

    /**
     * An empty table.
     *
     * @param maxRegions how many indexes regions have
     * @param seed of the order in which they are used; upwards if there is none (KEY-P6)
     */
    KeyTable(int maxRegions, OptionalLong seed) {
        int last = Math.min(maxRegions, FIRST_WINDOW_INDEX - 1);
        this.regions = seed.isPresent()
                ? new NumberedTable<>(1, last, new ScatteredOrder(1, last, seed.getAsLong()))
                : new NumberedTable<>(1, last);
    }

    /** The region whose index the key has, whatever its variant; null if there is none. */
    @Nullable
    EmulatedMemoryRegion regionAt(int key) {
        return regions.get(key >>> VARIANT_BITS);
    }

    /** The region that {@code lkey} names in full; null if it names none (KEY-04). */
    public @Nullable EmulatedMemoryRegion byLocalKey(int lkey) {
        EmulatedMemoryRegion region = regionAt(lkey);
        return region != null && region.lkey() == lkey ? region : null;
    }

    /** The region that {@code rkey} names in full; null if it names none (KEY-04). */
    public @Nullable EmulatedMemoryRegion byRemoteKey(int rkey) {
        EmulatedMemoryRegion region = regionAt(rkey);
        return region != null && region.rkey() == rkey ? region : null;
    }

    /** Whether the key, which names nothing now, was one of a region once. */
    boolean wasValid(int key) {
        int used = usedVariants(key >>> VARIANT_BITS);
        int variant = key & VARIANT_MASK;
        return used >= ALL_VARIANTS_USED || (variant > 0 && variant <= used);
    }

    /** Whether the index of the key was used before. */
    boolean isRecycled(int key) {
        return usedVariants(key >>> VARIANT_BITS) != 0;
    }

    int regionCount() {
        return regions.size();
    }

    /** A fresh key of a free index, after so many that are left out for now; -1 if there is none. */
    int nextKey(int leftOut) {
        int index = regions.nextFree(leftOut);
        return index < 0 ? -1 : Rkey.increment(index << VARIANT_BITS | (usedVariants(index) & VARIANT_MASK));
    }

    /** Makes the keys of the region valid. */
    void add(EmulatedMemoryRegion region) {
        int index = region.lkey() >>> VARIANT_BITS;
        regions.put(index, region);
        char[] page = usedVariants[index >> PAGE_BITS];
        if (page == null) {
            page = new char[1 << PAGE_BITS];
            usedVariants[index >> PAGE_BITS] = page;
        }
        int before = page[index & PAGE_MASK];
        int last = (region.rkey() == 0 ? region.lkey() : region.rkey()) & VARIANT_MASK;
        boolean all = before >= ALL_VARIANTS_USED || last < before;
        page[index & PAGE_MASK] = (char) (all ? last | ALL_VARIANTS_USED : last);
    }

    /** Revokes the keys of the region. */
    void remove(EmulatedMemoryRegion region) {
        regions.remove(region.lkey() >>> VARIANT_BITS);
    }

    void forEachRegion(Consumer<EmulatedMemoryRegion> visitor) {
        regions.forEach(visitor);
    }

    private int usedVariants(int index) {
        if (index >= FIRST_WINDOW_INDEX) {
            return 0;
        }
        char[] page = usedVariants[index >> PAGE_BITS];
        return page == null ? 0 : page[index & PAGE_MASK];
    }
}
