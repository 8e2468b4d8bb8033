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
     * Combines the index of one key with the variant of another: the key of a window of type 2 after a bind (MW-30).
     *
     * @param key source of the upper 24 bits, such as a window's key
     * @param variant source of the lower 8 bits, such as the requested key
     */
    public static int withVariant(int key, int variant) {
        return (key & ~VARIANT_MASK) | (variant & VARIANT_MASK);
    }
}
