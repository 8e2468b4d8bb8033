// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.wire.Psn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The READs and atomics that a responder remembers: as many as max_dest_rd_atomic, the oldest overwritten by the newest
 * (DUP-06).
 */
final class ResponderResources {

    /** What a slot holds until its first request comes: most queue pairs are never READ from as deep as they could be. */
    private static final ResponderResource NEVER_TAKEN = new ResponderResource();

    private int capacity;

    /** Of {@code capacity} slots, from the first request on; without any before. */
    private ResponderResource[] ring = {};

    private int next;

    /** So many slots have nothing pending, from the oldest on; others perhaps. */
    private int settled;

    /** Makes room for {@code count}, keeping the newest of what is there. */
    void resize(int count) {
        capacity = count;
        if (ring.length > 0) {
            resizeRing(count);
        }
    }

    private void resizeRing(int count) {
        ResponderResource[] resized = new ResponderResource[count];
        for (int i = 0; i < count; i++) {
            resized[i] = i < ring.length ? ring[Math.floorMod(next - 1 - i, ring.length)] : NEVER_TAKEN;
        }
        // Newest first so far; the ring runs from oldest to newest.
        for (int i = 0; i < count / 2; i++) {
            ResponderResource swapped = resized[i];
            resized[i] = resized[count - 1 - i];
            resized[count - 1 - i] = swapped;
        }
        settled = settled == ring.length ? count : 0;
        ring = resized;
        next = 0;
    }

    int capacity() {
        return capacity;
    }

    void clear() {
        for (ResponderResource resource : ring) {
            resource.forget();
        }
        next = 0;
        settled = ring.length;
    }

    /** The slot for a new request; null if its last one was not answered yet, or if there is none. */
    @Nullable
    ResponderResource free() {
        if (capacity == 0) {
            return null;
        }
        if (ring.length == 0) {
            ring = new ResponderResource[capacity];
            Arrays.fill(ring, NEVER_TAKEN);
            settled = capacity;
        }
        if (!ring[next].isFree()) {
            return null;
        }
        if (ring[next] == NEVER_TAKEN) {
            ring[next] = new ResponderResource();
        }
        return ring[next];
    }

    /** The slot that {@link #free()} gave is taken. */
    void take() {
        next = (next + 1) % ring.length;
        settled = Math.max(0, settled - 1);
    }

    /** It is taken by a request that was answered at once. */
    void takeAnswered() {
        boolean isSettled = settled == ring.length;
        take();
        if (isSettled) {
            settled = ring.length;
        }
    }

    /** The request that this PSN belongs to, the newest if PSNs have come round; null if it is forgotten. */
    @Nullable
    ResponderResource find(int psn) {
        for (int i = 1; i <= ring.length; i++) {
            ResponderResource resource = ring[Math.floorMod(next - i, ring.length)];
            if (resource.answers(psn)) {
                settled = 0;
                return resource;
            }
        }
        return null;
    }

    /** Answers from {@code psn} on are not given any more. */
    void silenceFrom(int psn) {
        if (settled == ring.length) {
            return;
        }
        for (ResponderResource resource : ring) {
            if (resource.isPending() && Psn.compare(resource.nextPsn(), psn) >= 0) {
                resource.forget();
            }
        }
    }

    /** Answers that were not sent are given when they are asked for again. */
    void leavePending() {
        for (ResponderResource resource : ring) {
            resource.leavePending();
        }
        settled = ring.length;
    }

    /** The requests with an answer to send, oldest first, as a list for the caller to change. */
    List<ResponderResource> pending() {
        List<ResponderResource> pending = new ArrayList<>();
        for (int i = settled; i < ring.length; i++) {
            ResponderResource resource = ring[(next + i) % ring.length];
            if (resource.isPending()) {
                pending.add(resource);
            }
        }
        return pending;
    }

    /** The oldest request with an answer to send. */
    @Nullable
    ResponderResource oldestPending() {
        while (settled < ring.length) {
            ResponderResource resource = ring[(next + settled) % ring.length];
            if (resource.isPending()) {
                return resource;
            }
            settled++;
        }
        return null;
    }
}
