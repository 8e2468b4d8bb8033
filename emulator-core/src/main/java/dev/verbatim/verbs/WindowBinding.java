// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A current or former binding of a memory window.
 *
 * @param ordinal number of the binding of its window, from 1; 0 for the key of a window that has not been bound
 * @param rkey its key
 * @param qpNumber the queue pair that bound the window; 0 if none
 * @param address the first byte, as an address of the region
 * @param lengthBytes how many bytes
 * @param access {@link AccessFlags} of the window
 * @param end how the binding was revoked; null if it is valid
 */
public record WindowBinding(
        int ordinal,
        int rkey,
        int qpNumber,
        long address,
        long lengthBytes,
        int access,
        @Nullable String end) {

    @Override
    public String toString() {
        String bound = String.format(
                Locale.ROOT,
                "binding %d: key 0x%08x on [0x%x,0x%x) with %s by qp 0x%x",
                ordinal,
                rkey,
                address,
                address + lengthBytes,
                AccessFlags.describe(access),
                qpNumber);
        return end == null ? bound + ", valid" : bound + ", revoked by " + end;
    }
}
