// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

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
     * @param key of the file that the request belongs to
     * @param overlapped the request
     * @param status with which it completed
     */
    public record Entry(long key, NdOverlapped overlapped, NdStatus status) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final CopyOnWriteArrayList<Progress> awaited = new CopyOnWriteArrayList<>();

    /**
     * Delivers the completed requests of a file's objects to this port from now on.
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

    /** Waits for an entry for at most {@code patience} ({@code GetQueuedCompletionStatus}); null if there was none. */
    public @Nullable Entry get(Duration patience) {
        boolean came = Progress.await(List.copyOf(awaited), this::hasEntry, patience);
        return came ? take() : null;
    }

    /** Adds an entry ({@code PostQueuedCompletionStatus}). */
    public void post(long key, NdOverlapped overlapped) {
        awaited.forEach(Progress::touched);
        deliver(new Entry(key, overlapped, overlapped.status()));
        awaited.forEach(Progress::wake);
    }

    synchronized void deliver(Entry entry) {
        entries.addLast(entry);
    }

    private boolean hasEntry() {
        awaited.forEach(Progress::touched);
        synchronized (this) {
            return !entries.isEmpty();
        }
    }

    private @Nullable Entry take() {
        awaited.forEach(Progress::touched);
        synchronized (this) {
            return entries.pollFirst();
        }
    }
}
