// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Weakness;
import org.jspecify.annotations.Nullable;

/**
 * A write that has happened before a look at its bytes, and need not be seen by it.
 *
 * @param mistake null for one that programs in coherent host memory make as well
 * @param why what is between both, and what would order them
 */
record Unseen(@Nullable Mistake mistake, Access write, Access look, String why) {

    /** What the pair tells. */
    String sentence() {
        return write + ", which happened before " + look + " and need not be seen by it: " + why;
    }

    /**
     * Of a write that was not seen.
     *
     * @param isAtHome whether it has arrived, or was released
     * @param flush why a flush that was tried does not help; null for none
     */
    static Unseen of(
            MemoryWatch memory, Access write, Access look, Range bytes, boolean isAtHome, @Nullable String flush) {
        Mistake mistake = mistake(memory, write, look, bytes, isAtHome, flush);
        String missed = flush == null || mistake != Mistake.S24 ? "" : flush + "; ";
        return new Unseen(mistake, write, look, missed + why(memory, write, look, bytes, isAtHome));
    }

    /** Of two accesses by one adapter through a region that gives up their order. */
    static Unseen overtaken(MemoryWatch memory, Access early, Access late, Range bytes) {
        return new Unseen(
                Mistake.S28,
                early,
                late,
                "a region with " + (late.kind().isWrite ? "RELAXED_ORDERING" : "UNORDERED")
                        + " keeps no order of accesses to " + bytes + " by " + memory.observerOf(early));
    }

    private static @Nullable Mistake mistake(
            MemoryWatch memory, Access write, Access look, Range bytes, boolean isAtHome, @Nullable String flush) {
        MemoryDomain domain = memory.domainOf(bytes);
        boolean isDevice = domain.kind() == MemoryDomain.Kind.DEVICE;
        if (write.isOfProgram() && !isAtHome) {
            return Mistake.S26;
        }
        if (flush != null && isDevice) {
            return Mistake.S24;
        }
        if (isAtHome) {
            return isDevice ? Mistake.S23 : Mistake.S30;
        }
        if (write.ordering() != Ordering.STRICT) {
            return Mistake.S27;
        }
        if (memory.platform.isCoveredByCompletions(domain)) {
            return null;
        }
        return look.isOfProgram() ? Mistake.S23 : Mistake.S25;
    }

    private static String why(MemoryWatch memory, Access write, Access look, Range bytes, boolean isAtHome) {
        Observer writer = memory.observerOf(write);
        Observer reader = memory.observerOf(look);
        MemoryDomain domain = memory.domainOf(bytes);
        String where = bytes + " is in " + domain + " on " + memory.platform;
        if (!isAtHome && write.isOfProgram()) {
            return where + ", where stores of " + writer
                    + " stay with it until a fence of scope SYSTEM, or until the CPU has waited for the end of its kernel";
        }
        if (!isAtHome) {
            boolean isPassed = write.ordering() != Ordering.STRICT && memory.platform.has(Weakness.READ_PASSES_RELAXED);
            boolean isByAny = memory.platform.readsCoverAllQueuePairs(domain);
            return where + " and may be under way from adapter " + writer + "; a READ of " + domain
                    + (isByAny ? " by that adapter" : " on the same queue pair")
                    + (isPassed ? " behind a WRITE to a region without RELAXED_ORDERING" : "")
                    + ", whose completion was polled, has it arrive";
        }
        if (domain.kind() == MemoryDomain.Kind.DEVICE) {
            return where + "; " + reader + " sees what has arrived there when its kernel is launched"
                    + (memory.platform.has(Weakness.FLUSH_GPU_DOES_NOTHING) ? "" : " or the CPU flushes for it");
        }
        return where + "; " + reader + " may have an older copy until an acquire of scope SYSTEM";
    }
}
