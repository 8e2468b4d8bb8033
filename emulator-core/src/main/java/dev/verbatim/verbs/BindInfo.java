// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a memory window is bound to ({@code struct ibv_mw_bind_info}).
 *
 * @param region the region underneath; null only where nothing is bound, to unbind a window of type 1 (MW-24)
 * @param address the first byte, as the region has it; also of a ZERO_BASED window (MW-52)
 * @param lengthBytes how many bytes; 0 unbinds a window of type 1 (MW-24)
 * @param access {@link AccessFlags} of the window: remote rights, and ZERO_BASED for type 2 (MW-43)
 */
public record BindInfo(@Nullable MemoryRegion region, long address, long lengthBytes, int access) {

    /** What unbinds a window of type 1. */
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
