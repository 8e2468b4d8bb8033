// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the keys of a device name. A key is a 24-bit index and an 8-bit variant (KEY-01). Index 0 is never given out, so
 * a key of zero names nothing (KEY-P7). Memory regions have the indexes below {@link #FIRST_WINDOW_INDEX}; those from
 * there on are for memory windows, so the index alone tells what a key names (KEY-03).
 */
public final class KeyTable {

    static final int FIRST_WINDOW_INDEX = 1 << 19;
    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
    private static final int PAGE_BITS = 12;

    private final NumberedTable<EmulatedMemoryRegion> regions = new NumberedTable<>(1, FIRST_WINDOW_INDEX - 1);
    private final byte[] @Nullable [] lastVariants = new byte[FIRST_WINDOW_INDEX >> PAGE_BITS][];

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

    /** Whether the key once was one of a region that is gone or has other keys now. */
    boolean wasValid(int key) {
        int index = key >>> VARIANT_BITS;
        if (index == 0 || index >= FIRST_WINDOW_INDEX || lastVariants[index >> PAGE_BITS] == null) {
            return false;
        }
        int variant = key & VARIANT_MASK;
        return variant > 0 && variant <= lastVariant(index);
    }

    int regionCount() {
        return regions.size();
    }

    /** A fresh key of a free index; -1 if there is none. */
    int nextKey() {
        int index = regions.nextFree();
        return index < 0 ? -1 : keyAfter(index << VARIANT_BITS | lastVariant(index));
    }

    /** The key of the same index with the variant that comes next. */
    static int keyAfter(int key) {
        return key & ~VARIANT_MASK | key + 1 & VARIANT_MASK;
    }

    /** Makes the keys of the region valid. */
    void add(EmulatedMemoryRegion region) {
        int index = region.lkey() >>> VARIANT_BITS;
        regions.put(index, region);
        byte[] page = lastVariants[index >> PAGE_BITS];
        if (page == null) {
            page = new byte[1 << PAGE_BITS];
            lastVariants[index >> PAGE_BITS] = page;
        }
        int last = region.rkey() == 0 ? region.lkey() : region.rkey();
        page[index & (1 << PAGE_BITS) - 1] = (byte) last;
    }

    /** Revokes the keys of the region. */
    void remove(EmulatedMemoryRegion region) {
        regions.remove(region.lkey() >>> VARIANT_BITS);
    }

    void forEachRegion(Consumer<EmulatedMemoryRegion> visitor) {
        regions.forEach(visitor);
    }

    private int lastVariant(int index) {
        byte[] page = lastVariants[index >> PAGE_BITS];
        return page == null ? 0 : page[index & (1 << PAGE_BITS) - 1] & VARIANT_MASK;
    }
}
