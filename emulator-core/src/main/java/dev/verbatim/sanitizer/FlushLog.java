// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Observer;
import dev.verbatim.visibility.Weakness;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What may have been meant to have writes of adapters arrive, or be seen: READs, and flushes of the CPU. The last ones. */
final class FlushLog {

    private static final int MOST = 64;

    private final MemoryWatch memory;
    private final Deque<Flush> last = new ArrayDeque<>();

    /**
     * A READ, or a flush for GPUs.
     *
     * @param text what it is, with its place
     * @param reader the adapter of the READ; null for a flush
     * @param queuePair of the READ; null for a flush
     * @param writes those before it are known to this clock
     * @param isKnown whether who knows that much knows that it is over
     * @param scope null for a READ
     */
    private record Flush(
            String text,
            @Nullable Observer reader,
            @Nullable QpWatch queuePair,
            MemoryDomain domain,
            VectorClock writes,
            Predicate<VectorClock> isKnown,
            @Nullable FlushScope scope) {}

    FlushLog(MemoryWatch memory) {
        this.memory = memory;
    }

    private void add(Flush flush) {
        if (last.size() == MOST) {
            last.removeFirst();
        }
        last.addLast(flush);
    }

    void read(Access fetch, MemoryDomain domain, VectorClock before) {
        Request request = fetch.request();
        if (request != null) {
            add(new Flush(
                    request.posted(),
                    memory.observerOf(fetch),
                    request.queuePair,
                    domain,
                    before,
                    request::isKnownToBeExecuted,
                    null));
        }
    }

    void ofGpu(ProgramClock program, CallSite site, MemoryDomain domain, FlushScope scope) {
        VectorClock before = program.clock.copy();
        add(new Flush(
                "the flush of " + domain + " for " + scope + (site.isEmpty() ? "" : " at " + site),
                null,
                null,
                domain,
                before,
                program.newMoment()::isKnownTo,
                scope));
    }

    /** Why the last flush behind the write, of which it is known that it is over, does not help; null if there is none. */
    @Nullable
    String missed(Access write, Range bytes, boolean isAtHome, VectorClock known) {
        for (Iterator<Flush> each = last.descendingIterator(); each.hasNext(); ) {
            Flush flush = each.next();
            if (flush.isKnown.test(known) && memory.hasHappened(write, flush.writes)) {
                return flush.text + why(flush, write, bytes, isAtHome);
            }
        }
        return null;
    }

    private String why(Flush flush, Access write, Range bytes, boolean isAtHome) {
        Observer writer = memory.observerOf(write);
        MemoryDomain domain = memory.domainOf(bytes);
        if (!flush.domain.equals(domain)) {
            return " is of " + flush.domain + ", and these bytes are in " + domain;
        }
        if (flush.scope != null) {
            if (memory.platform.has(Weakness.FLUSH_GPU_DOES_NOTHING)) {
                return " does nothing on " + memory.platform;
            }
            return isAtHome
                    ? " is for other GPUs than the one that looks"
                    : " is of what has arrived, and these bytes need not have";
        }
        if (flush.reader != null && !flush.reader.equals(writer)) {
            return " is by adapter " + flush.reader + ", and " + writer + " wrote these bytes";
        }
        if (isAtHome) {
            return " has the owner of " + domain + " see them, not other GPUs";
        }
        Request request = write.request();
        if (flush.queuePair != null
                && request != null
                && flush.queuePair != request.queuePair
                && !memory.platform.readsCoverAllQueuePairs(domain)) {
            return " is on another queue pair than these bytes, and waits for those of its own only on "
                    + memory.platform + " (ORD-31, VIS-05); READ on the queue pair of these bytes";
        }
        return memory.isPassedByReads(write.ordering())
                ? " does not wait for bytes in regions with relaxed ordering on " + memory.platform
                : " may be executed behind a message that was posted after it (ORD-13); post that with FENCE";
    }
}
