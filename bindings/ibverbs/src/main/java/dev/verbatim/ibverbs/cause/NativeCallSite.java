// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Library;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a program called from: the return addresses of its frames, innermost first. There is one object for each place, so that requests
 * keep it at no cost; what it is in the source is found out when it is printed.
 */
public final class NativeCallSite {

    /** As many as verbatim.c leaves. */
    static final int MOST_FRAMES = 32;

    /** Places of a program; further ones are kept apart by their innermost frame alone, and then not at all. */
    private static final int MOST_SITES = 1 << 13;

    private static final int LONGEST_SEARCH = 32;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private static final AtomicReferenceArray<@Nullable NativeCallSite> ALL = new AtomicReferenceArray<>(MOST_SITES);

    /** Where this thread's frames are left; in an array, which needs no object for each look. */
    private static final ThreadLocal<long[]> FRAMES = ThreadLocal.withInitial(() -> new long[] {Library.callers()});

    private final long[] frames;
    private @Nullable List<SourceLine> lines;

    private NativeCallSite(long[] frames) {
        this.frames = frames;
    }

    /** The same; null on a thread that no program called from. */
    public static @Nullable NativeCallSite ofCall() {
        return !Library.isThere() || Native.getLong(FRAMES.get()[0]) == 0 ? null : here();
    }

    /** That of the call which this thread answers. */
    public static NativeCallSite here() {
        return at(FRAMES.get()[0]);
    }

    /** That of the return addresses at an address. */
    static NativeCallSite at(long at) {
        long hash = 0;
        int count = 0;
        while (count < MOST_FRAMES) {
            long frame = Native.getLong(at + (long) count * Long.BYTES);
            if (frame == 0) {
                break;
            }
            hash = (hash ^ frame) * SPREAD;
            count++;
        }
        NativeCallSite found = find(at, count, hash);
        return found != null ? found : innermost(at);
    }

    private static NativeCallSite innermost(long at) {
        NativeCallSite found = find(at, 1, Native.getLong(at) * SPREAD);
        return found != null ? found : new NativeCallSite(new long[] {Native.getLong(at)});
    }

    /** Null if there is no room near its place. */
    private static @Nullable NativeCallSite find(long at, int count, long hash) {
        int index = (int) (hash >>> (Long.SIZE - Integer.numberOfTrailingZeros(MOST_SITES)));
        for (int tried = 0; tried < LONGEST_SEARCH; tried++) {
            NativeCallSite there = ALL.get(index);
            if (there == null) {
                NativeCallSite fresh = new NativeCallSite(copy(at, count));
                there = ALL.compareAndSet(index, null, fresh) ? fresh : ALL.get(index);
            }
            if (there != null && there.isOf(at, count)) {
                return there;
            }
            index = (index + 1) & (MOST_SITES - 1);
        }
        return null;
    }

    private static long[] copy(long at, int count) {
        long[] copy = new long[count];
        for (int i = 0; i < count; i++) {
            copy[i] = Native.getLong(at + (long) i * Long.BYTES);
        }
        return copy;
    }

    private boolean isOf(long at, int count) {
        if (frames.length != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (frames[i] != Native.getLong(at + (long) i * Long.BYTES)) {
                return false;
            }
        }
        return true;
    }

    /** What it is in the source, and behind it the calls of its function if that is inlined; found out by the first call. */
    synchronized List<SourceLine> lines() {
        List<SourceLine> known = lines;
        if (known == null) {
            known = SourceLine.of(frames);
            lines = known;
        }
        return known;
    }

    /** The file of a place that was told in these words; null if there is none. */
    static @Nullable String binaryOf(String place) {
        for (int i = 0; i < MOST_SITES; i++) {
            NativeCallSite site = ALL.get(i);
            List<SourceLine> known = site == null ? null : site.told();
            if (known != null && inWords(known).equals(place)) {
                return known.get(0).binary();
            }
        }
        return null;
    }

    private synchronized @Nullable List<SourceLine> told() {
        return lines;
    }

    @Override
    public String toString() {
        return inWords(lines());
    }

    private static String inWords(List<SourceLine> lines) {
        return lines.stream().map(SourceLine::toString).collect(Collectors.joining(", called at "));
    }
}
