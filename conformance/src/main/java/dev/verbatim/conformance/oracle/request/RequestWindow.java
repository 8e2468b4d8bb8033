// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.request;

import org.jspecify.annotations.Nullable;

/** The newest requests of a send queue, by number and by packet sequence number. */
public final class RequestWindow {

    private static final int FIRST_ROOM = 64;

    private Request[] ring = new Request[FIRST_ROOM];
    private long oldest;
    private long end;
    private @Nullable Request lastFound;

    /** Number of the oldest that is remembered. */
    public long oldest() {
        return oldest;
    }

    /** Number that the next one will have. */
    public long end() {
        return end;
    }

    public void add(Request request) {
        if (end - oldest == ring.length) {
            Request[] larger = new Request[ring.length * 2];
            for (long number = oldest; number < end; number++) {
                larger[(int) (number % larger.length)] = ring[(int) (number % ring.length)];
            }
            ring = larger;
        }
        ring[(int) (end % ring.length)] = request;
        end++;
    }

    public Request at(long number) {
        return ring[(int) (number % ring.length)];
    }

    public void forgetBefore(long number) {
        oldest = Math.max(oldest, Math.min(number, end));
    }

    /** The request, among the first {@code started}, that a packet sequence number belongs to; null if it is none. */
    @Nullable
    public Request find(long psn, long started) {
        Request last = lastFound;
        if (last != null && last.number >= oldest && last.covers(psn)) {
            return last;
        }
        long low = oldest;
        long high = Math.min(started, end) - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            Request request = at(middle);
            if (request.covers(psn)) {
                lastFound = request;
                return request;
            }
            // Those without a packet have the number of the next packet.
            if (request.firstPsn > psn) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return null;
    }
}
