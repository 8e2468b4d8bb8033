// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.networkdirect.progress.Progress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An I/O completion port: completed requests of any number of files, in the order in which they completed. */
public final class NdCompletionPort {

    /**
     * A completed request.
     *
     * @param key of the file that it was started by
     * @param overlapped the request
     * @param status how it ended
     */
    public record Entry(long key, NdOverlapped overlapped, NdStatus status) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final CopyOnWriteArrayList<Progress> awaited = new CopyOnWriteArrayList<>();

    /**
     * From now on what objects of that file complete comes here.
     *
     * @throws IllegalStateException if the file has a port already
     */
    public void associate(NdOverlappedFile file, long key) {
        file.associate(this, key);
        awaited.addIfAbsent(file.context().progress());
    }

    /** The oldest entry if there is one; never waits. */
    public @Nullable Entry poll() {
        Entry entry = take();
        if (entry == null) {
            awaited.forEach(Progress::poll);
            entry = take();
        }
        return entry;
    }

    /** Waits for an entry ({@code GetQueuedCompletionStatus}), for so long at most; null if none came. */
    public @Nullable Entry get(Duration patience) {
        boolean came = Progress.await(List.copyOf(awaited), this::hasEntry, patience);
        return came ? take() : null;
    }

    /** Puts an entry in ({@code PostQueuedCompletionStatus}). */
    public void post(long key, NdOverlapped overlapped) {
        deliver(new Entry(key, overlapped, overlapped.status()));
    }

    synchronized void deliver(Entry entry) {
        entries.addLast(entry);
    }

    private synchronized boolean hasEntry() {
        return !entries.isEmpty();
    }

    private synchronized @Nullable Entry take() {
        return entries.pollFirst();
    }
}
