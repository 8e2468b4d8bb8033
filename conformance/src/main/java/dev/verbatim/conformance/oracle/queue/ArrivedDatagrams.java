// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.request.Request;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The datagrams that came to a queue pair and whose receives have not completed: each completes one, or is lost (UD-01). */
public final class ArrivedDatagrams {

    /** Room for the GRH before what was sent. */
    public static final int GRH_BYTES = 40;

    private static final int MOST_REMEMBERED = 1 << 12;

    /** A datagram that came. */
    public static final class Arrival {

        private final SendQueueModel asking;
        private final @Nullable Request request;
        private long placedBytes;

        Arrival(SendQueueModel asking, @Nullable Request request) {
            this.asking = asking;
            this.request = request;
        }

        /** The send queue that it came from. */
        SendQueueModel asking() {
            return asking;
        }

        /** What was asked; null if that is not known. */
        public @Nullable Request request() {
            return request;
        }

        /** Adds bytes of its receive, those for the GRH too; returns their offset. */
        public long placed(int count) {
            long offset = placedBytes;
            placedBytes += count;
            return offset;
        }

        /** Whether a completion of that length can be of it. */
        boolean fits(int byteLength) {
            Request of = request;
            long placed = GRH_BYTES + (of == null ? byteLength - GRH_BYTES : of.lengthBytes);
            return byteLength == placed && placedBytes == placed;
        }
    }

    private final ArrayDeque<Arrival> waiting = new ArrayDeque<>();
    private @Nullable Arrival newest;
    private boolean ofStrangers;

    /** A packet of a datagram came; from a device that is not in the trace, it cannot be judged, nor what completes from then on. */
    public void arrived(@Nullable SendQueueModel asking, int psn) {
        ofStrangers |= asking == null;
        Arrival arrival = asking == null ? null : new Arrival(asking, asking.find(psn));
        newest = arrival;
        if (arrival != null) {
            waiting.addLast(arrival);
            if (waiting.size() > MOST_REMEMBERED) {
                waiting.removeFirst();
            }
        }
    }

    /** The packet that came last was dropped. */
    public void dropped() {
        Arrival lost = newest;
        if (lost != null) {
            waiting.remove(lost);
            newest = null;
        }
    }

    /** The one that came last, which is what bytes are placed for. */
    @Nullable
    public Arrival newest() {
        return newest;
    }

    /** Takes the oldest that a completion can be of, and forgets those before it, which are lost; null if there is none. */
    @Nullable
    Arrival complete(int byteLength) {
        while (!waiting.isEmpty()) {
            Arrival oldest = waiting.removeFirst();
            if (oldest.fits(byteLength)) {
                return oldest;
            }
        }
        return null;
    }

    /** Whether some came from devices that are not in the trace: which datagram a completion is of is not known then. */
    boolean areOfStrangers() {
        return ofStrangers;
    }

    /** Whether any came that is known. */
    boolean isUsed() {
        return newest != null || !waiting.isEmpty();
    }
}
