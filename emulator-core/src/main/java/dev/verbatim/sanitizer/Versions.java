// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Words that queue pairs look at before and behind other READs, by a READ of the word alone or a CMP_SWP. If the word was changed between
 * the two looks, the reader sees that, and what it READ in between is out of date: it does not race with what was written behind that
 * change.
 */
final class Versions {

    private static final int MOST_WORDS = 1 << 16;
    private static final int MOST_CHANGES = 16;
    private static final int MOST_GAPS = 64;

    private record Look(long number, long changes) {}

    private record LookOf(QpWatch queuePair, long address) {}

    /** The last changes of a word, the newest last, and how many there were. */
    private static final class Changes {
        final Deque<Access> last = new ArrayDeque<>(2);
        long count;

        /** The first of those behind the first {@code seen}, or the oldest that is still known. */
        Access firstBehind(long seen) {
            long skipped = Math.max(0, last.size() - (count - seen));
            return last.stream().skip(skipped).findFirst().orElseThrow();
        }
    }

    /** READs between two looks, of these numbers, and the first change of the word behind the earlier look. */
    private record Gap(long from, long to, Access change) {}

    private final TreeMap<Long, Changes> words = new TreeMap<>();
    private final Map<LookOf, Look> looks = new HashMap<>();
    private final Map<QpWatch, Deque<Gap>> gaps = new HashMap<>();

    /** A request looks at a word; true if others changed it since the last look of its queue pair. */
    boolean looked(Request request, QpWatch queuePair, long address) {
        Changes changes = words.get(address);
        if (changes == null) {
            if (words.size() >= MOST_WORDS) {
                return false;
            }
            changes = new Changes();
            words.put(address, changes);
        }
        Look before = looks.put(new LookOf(queuePair, address), new Look(request.number, changes.count));
        if (before == null || before.changes == changes.count || before.number >= request.number) {
            return false;
        }
        Deque<Gap> all = gaps.computeIfAbsent(queuePair, first -> new ArrayDeque<>());
        if (all.size() == MOST_GAPS) {
            all.removeFirst();
        }
        all.addLast(new Gap(before.number, request.number, changes.firstBehind(before.changes)));
        return true;
    }

    /** Bytes are written; what a queue pair writes itself is no news to it. */
    void changed(Access write) {
        Range range = write.range();
        Request request = write.request();
        QpWatch own = request == null ? null : request.queuePair;
        for (Map.Entry<Long, Changes> each :
                words.subMap(range.address() - Long.BYTES + 1, range.end()).entrySet()) {
            Changes changes = each.getValue();
            changes.count++;
            if (changes.last.size() == MOST_CHANGES) {
                changes.last.removeFirst();
            }
            changes.last.addLast(write);
            if (own != null) {
                looks.computeIfPresent(
                        new LookOf(own, each.getKey()), (of, look) -> new Look(look.number, look.changes + 1));
            }
        }
    }

    /** Whether what the READ fetched is out of date, since a word was changed before the write and the reader has seen that. */
    boolean isOutdated(Request read, Access write) {
        Deque<Gap> all = read.queuePair == null ? null : gaps.get(read.queuePair);
        if (all == null) {
            return false;
        }
        for (Gap gap : all) {
            if (gap.from < read.number && read.number < gap.to && isBefore(gap.change, write)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBefore(Access change, Access write) {
        ProgramClock program = write.program();
        Request request = write.request();
        if (program != null) {
            return change.program() == program
                    ? change.epoch() < write.epoch()
                    : Races.isKnown(change, program.clock, false);
        }
        return request != null && (isBehind(request, change) || Races.isKnown(change, request.clock, false));
    }

    private static boolean isBehind(Request request, Access change) {
        Request earlier = change.request();
        return earlier != null && earlier.queuePair == request.queuePair && earlier.number < request.number;
    }

    /** The queue pair looks at nothing any more. */
    void end(QpWatch queuePair) {
        gaps.remove(queuePair);
        List<LookOf> own = new ArrayList<>();
        for (LookOf each : looks.keySet()) {
            if (each.queuePair == queuePair) {
                own.add(each);
            }
        }
        own.forEach(looks::remove);
    }
}
