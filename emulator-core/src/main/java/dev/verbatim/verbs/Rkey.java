// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Arithmetic of keys: 24 bits of index, and below them 8 bits of variant (KEY-01). */
public final class Rkey {

    private static final int VARIANT_MASK = 0xff;

    private Rkey() {}

    /**
     * The same index with the next variant, 0 after 255 ({@code ibv_inc_rkey}, MW-72, KEY-02).
     *
     * @param key any key; all 32 bits count
     */
    public static int increment(int key) {
        return (key & ~VARIANT_MASK) | ((key + 1) & VARIANT_MASK);
    }

    /**
     * The index of one key with the variant of another: the key that a window of type 2 has after it was bound (MW-30).
     *
     * @param key what the upper 24 bits are taken from, such as a window's key
     * @param variant what the lower 8 bits are taken from, such as the key that was asked for
     */
    public static int withVariant(int key, int variant) {
        return (key & ~VARIANT_MASK) | (variant & VARIANT_MASK);
    }
}
