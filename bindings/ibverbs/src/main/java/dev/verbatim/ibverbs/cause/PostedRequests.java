// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests that wait in a queue were posted. One thread at a time adds, and one at a time takes out, without waiting for each
 * other: requests are added before they are posted.
 */
public final class PostedRequests {

    private static final int LEAST = 16;
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(PostedRequests.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] ids;
    private final @Nullable NativeCallSite[] sites;
    private final int mask;

    /** How many were added. */
    private long tail;

    /** How many of the oldest were taken out. Only of the thread that takes out. */
    private long head;

    /** Of an empty queue that can hold so many. */
    public PostedRequests(int size) {
        int slots = Integer.highestOneBit(Math.max(LEAST, size) * 2 - 1) * 2;
        ids = new long[slots];
        sites = new NativeCallSite[slots];
        mask = slots - 1;
    }

    /** How many were added so far. */
    public long count() {
        return tail;
    }

    /** A request is going to be posted. */
    public void add(long id, NativeCallSite site) {
        int slot = (int) tail & mask;
        ids[slot] = id;
        sites[slot] = site;
        TAIL.setRelease(this, tail + 1);
    }

    /** Those behind the first {@code count} were not posted after all, or are forgotten. */
    public void cutTo(long count) {
        TAIL.setRelease(this, count);
    }

    /**
     * Where a request was posted, by its number, from 1; null if it is not known.
     *
     * @param id of the request
     */
    public @Nullable NativeCallSite find(long number, long id) {
        long end = (long) TAIL.getAcquire(this);
        int slot = (int) (number - 1) & mask;
        return number > 0 && number <= end && number > end - ids.length && ids[slot] == id ? sites[slot] : null;
    }

    /** Where the last request with an id was posted; null if it is not known. */
    public @Nullable NativeCallSite findLast(long id) {
        long end = (long) TAIL.getAcquire(this);
        for (long i = end - 1; i >= Math.max(0, end - ids.length); i--) {
            if (ids[(int) i & mask] == id) {
                return sites[(int) i & mask];
            }
        }
        return null;
    }

    /** Takes out the oldest request with an id, and returns where it was posted; null if it is not known. */
    public @Nullable NativeCallSite take(long id) {
        long end = (long) TAIL.getAcquire(this);
        long from = Math.max(head, end - ids.length);
        for (long i = from; i < end; i++) {
            int slot = (int) i & mask;
            NativeCallSite site = sites[slot];
            if (ids[slot] == id && site != null) {
                sites[slot] = null;
                head = from;
                while (head <= i && sites[(int) head & mask] == null) {
                    head++;
                }
                return site;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "requests " + head + ".." + tail;
    }
}
