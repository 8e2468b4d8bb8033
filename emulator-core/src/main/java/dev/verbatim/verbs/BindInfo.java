// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The range and rights of a bind of a memory window ({@code struct ibv_mw_bind_info}).
 *
 * @param region the region; null only to unbind a window of type 1 (MW-24)
 * @param address the first byte, as an address of the region; also for a ZERO_BASED window (MW-52)
 * @param lengthBytes length in bytes; 0 unbinds a window of type 1 (MW-24)
 * @param access {@link AccessFlags} of the window: remote rights, and ZERO_BASED for type 2 (MW-43)
 */
public record BindInfo(@Nullable MemoryRegion region, long address, long lengthBytes, int access) {

    /** A range of length 0, which unbinds a window of type 1. */
    public static final BindInfo NOTHING = new BindInfo(null, 0, 0, 0);

    /** A whole region. */
    public static BindInfo of(MemoryRegion region, int access) {
        return new BindInfo(region, region.address(), region.lengthBytes(), access);
    }

    @Override
    public String toString() {
        MemoryRegion under = region;
        return String.format(
                Locale.ROOT,
                "[0x%x,0x%x) of lkey=%s access=%s",
                address,
                address + lengthBytes,
                under == null ? "none" : String.format(Locale.ROOT, "0x%08x", under.lkey()),
                AccessFlags.describe(access));
    }
}
