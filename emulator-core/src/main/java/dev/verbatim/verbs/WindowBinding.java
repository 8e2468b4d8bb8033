// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One binding in the life of a memory window.
 *
 * @param ordinal the how manieth of its window, from 1; 0 for the key of a window that was not bound yet
 * @param rkey its key
 * @param qpNumber the queue pair that made it; 0 if none did
 * @param address the first byte, as the region has it
 * @param lengthBytes how many bytes
 * @param access {@link AccessFlags} of the window
 * @param end what revoked it; null if it is valid
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
