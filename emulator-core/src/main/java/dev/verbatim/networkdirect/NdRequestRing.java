// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.SendWorkRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outstanding requests of a queue that completes in order. One thread at a time posts, with the monitor of this held; another may take
 * results meanwhile.
 */
final class NdRequestRing extends NdRequests {

    private final int depth;
    private final int mostElements;
    private final @Nullable Object[] contexts;
    private final NdRequestType[] types;
    private final boolean[] silent;
    private final @Nullable NdMemoryWindow[] windows;
    private final SendWorkRequest.@Nullable Refillable[] requests;
    private long posted;
    private volatile long taken;

    NdRequestRing(NdQueuePair owner, int depth, int mostElements) {
        super(owner);
        this.depth = depth;
        this.mostElements = Math.max(1, mostElements);
        int size = Integer.highestOneBit(Math.max(1, depth) * 2 - 1);
        contexts = new Object[size];
        types = new NdRequestType[size];
        silent = new boolean[size];
        windows = new NdMemoryWindow[size];
        requests = new SendWorkRequest.Refillable[size];
    }

    boolean isFull() {
        return posted - taken >= depth;
    }

    /** Takes the next place, which must be free; the number of the request. */
    int put(@Nullable Object context, NdRequestType type, boolean isSilent, @Nullable NdMemoryWindow window) {
        int number = (int) posted;
        int slot = slot(number);
        contexts[slot] = context;
        types[slot] = type;
        silent[slot] = isSilent;
        windows[slot] = window;
        posted++;
        return number;
    }

    /** The request that was put last is not posted after all. */
    void takeBack() {
        posted--;
        contexts[slot((int) posted)] = null;
        windows[slot((int) posted)] = null;
    }

    /** A work request that nobody else has while this number is outstanding. */
    SendWorkRequest.Refillable request(int number) {
        int slot = slot(number);
        SendWorkRequest.Refillable request = requests[slot];
        if (request == null) {
            request = new SendWorkRequest.Refillable(mostElements);
            requests[slot] = request;
        }
        return request;
    }

    private int slot(int number) {
        return number & types.length - 1;
    }

    @Override
    @Nullable
    Object context(int number) {
        return contexts[slot(number)];
    }

    @Override
    NdRequestType type(int number) {
        return Objects.requireNonNull(types[slot(number)]);
    }

    @Override
    boolean isSilent(int number) {
        return silent[slot(number)];
    }

    @Override
    @Nullable
    NdMemoryWindow window(int number) {
        return windows[slot(number)];
    }

    @Override
    void taken(int number) {
        long before = taken;
        int further = number - (int) before + 1;
        if (further > 0) {
            taken = before + further;
        }
    }
}
