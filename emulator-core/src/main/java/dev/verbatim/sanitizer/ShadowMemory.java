// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who touched each byte last: the last write, and the reads since. Neighbouring bytes with the same past are one segment; the number of
 * segments is bounded, and beyond it the past of the lowest addresses is forgotten.
 */
final class ShadowMemory {

    static final int MOST_SEGMENTS = 1 << 18;
    private static final int MOST_READS = 64;

    private static final class Segment {
        long to;

        @Nullable
        Access write;

        List<Access> reads;

        Segment(long to, @Nullable Access write, List<Access> reads) {
            this.to = to;
            this.write = write;
            this.reads = reads;
        }
    }

    private final TreeMap<Long, Segment> segments = new TreeMap<>();

    /** Shows the last writes, with the bytes that nobody has written since. */
    void forEachWrite(BiConsumer<Range, Access> seen) {
        segments.forEach((from, segment) -> {
            if (segment.write != null) {
                seen.accept(new Range(from, segment.to - from), segment.write);
            }
        });
    }

    /** Shows the accesses that the new one may conflict with, and then remembers it. */
    void touch(Access access, Consumer<Access> conflicting) {
        long at = access.range().address();
        long end = access.range().end();
        Segment same = segments.get(at);
        if (same != null && same.to == end) {
            meet(same, access, conflicting);
            return;
        }
        split(at);
        split(end);
        while (at < end) {
            Map.Entry<Long, Segment> entry = segments.ceilingEntry(at);
            long next = entry == null ? end : Math.min(end, entry.getKey());
            if (next > at) {
                segments.put(at, begun(access, next));
                at = next;
            } else {
                Segment segment = entry.getValue();
                meet(segment, access, conflicting);
                at = segment.to;
            }
        }
        while (segments.size() > MOST_SEGMENTS) {
            segments.pollFirstEntry();
        }
    }

    private static Segment begun(Access access, long to) {
        Segment fresh = new Segment(to, null, new ArrayList<>(1));
        if (access.kind().isWrite) {
            fresh.write = access;
        } else {
            fresh.reads.add(access);
        }
        return fresh;
    }

    private static void meet(Segment segment, Access access, Consumer<Access> conflicting) {
        Access write = segment.write;
        if (write != null) {
            conflicting.accept(write);
        }
        if (access.kind().isWrite) {
            segment.reads.forEach(conflicting);
            segment.reads.clear();
            segment.write = access;
        } else {
            forgetBySame(segment.reads, access);
            if (segment.reads.size() == MOST_READS) {
                segment.reads.remove(0);
            }
            segment.reads.add(access);
        }
    }

    private static void forgetBySame(List<Access> reads, Access later) {
        for (int i = reads.size() - 1; i >= 0; i--) {
            if (isBySame(reads.get(i), later)) {
                reads.remove(i);
            }
        }
    }

    private static boolean isBySame(Access read, Access later) {
        return later.isOfProgram()
                ? later.program() == read.program()
                : read.request() != null
                        && later.request() != null
                        && read.kind() == later.kind()
                        && read.request().queuePair == later.request().queuePair;
    }

    private void split(long at) {
        Map.Entry<Long, Segment> entry = segments.lowerEntry(at);
        if (entry != null && entry.getValue().to > at) {
            Segment segment = entry.getValue();
            segments.put(at, new Segment(segment.to, segment.write, new ArrayList<>(segment.reads)));
            segment.to = at;
        }
    }
}
