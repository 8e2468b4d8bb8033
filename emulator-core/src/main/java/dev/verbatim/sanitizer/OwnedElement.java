// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import org.jspecify.annotations.Nullable;

/** Bytes of one element of an outstanding request, and what they were when it was posted. */
final class OwnedElement {

    final Request request;
    final Region region;
    final long from;
    final long to;

    /** Whether the device writes to them; otherwise it reads them. */
    final boolean isWritten;

    /** What they were at the post, from index 0 on; null if that is not known, or no longer of interest. */
    byte @Nullable [] before;

    /** The bytes from here to {@link #changedTo} changed in a way that is judged elsewhere. */
    private long changedFrom = Long.MAX_VALUE;

    private long changedTo = Long.MIN_VALUE;

    /** Others that begin at the same byte. */
    @Nullable
    OwnedElement next;

    @Nullable
    OwnedElement previous;

    OwnedElement(Request request, Region region, Range range, boolean isWritten) {
        this.request = request;
        this.region = region;
        this.from = range.address();
        this.to = range.end();
        this.isWritten = isWritten;
    }

    Range range() {
        return new Range(from, lengthBytes());
    }

    int lengthBytes() {
        return (int) (to - from);
    }

    boolean overlaps(long start, long end) {
        return from < end && start < to;
    }

    /** Changes of these bytes are judged elsewhere. */
    void excuse(long start, long end) {
        changedFrom = Math.min(changedFrom, Math.max(start, from));
        changedTo = Math.max(changedTo, Math.min(end, to));
    }

    /** What they are now, where that was judged elsewhere, is what they have to be from now on. */
    void renew() {
        byte[] old = before;
        if (old != null && changedFrom < changedTo) {
            Snapshots.copy(
                    region.bytesAt(changedFrom, (int) (changedTo - changedFrom)),
                    region.indexOf(changedFrom),
                    old,
                    (int) (changedFrom - from),
                    (int) (changedTo - changedFrom));
        }
        changedFrom = Long.MAX_VALUE;
        changedTo = Long.MIN_VALUE;
    }

    /** The first byte from {@code start} on, before {@code end}, that is not what it was; -1 if there is none. */
    long firstChanged(long start, long end) {
        long low = Math.max(start, from);
        long high = Math.min(end, to);
        if (changedFrom >= changedTo) {
            return mismatch(low, high);
        }
        long found = mismatch(low, Math.min(high, changedFrom));
        return found >= 0 ? found : mismatch(Math.max(low, changedTo), high);
    }

    private long mismatch(long start, long end) {
        byte[] old = before;
        if (old == null || start >= end) {
            return -1;
        }
        int at = Snapshots.mismatch(
                region.bytesAt(start, (int) (end - start)), region.indexOf(start), old, (int) (start - from), (int)
                        (end - start));
        return at < 0 ? -1 : start + at;
    }

    /** The changed bytes that begin with this one. */
    Range changedRun(long first, long end) {
        long last = first + 1;
        while (last < end && mismatch(last, last + 1) == last) {
            last++;
        }
        return new Range(first, (int) (last - first));
    }
}
