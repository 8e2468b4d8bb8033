// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Finds an outstanding request of a queue with the wr_id of a new one. Identifiers mostly ascend, or ascend and begin again, as indexes of
 * a ring do: then nothing is searched.
 */
final class Identifiers {

    private long last = Long.MIN_VALUE;

    /** The first request of the present ascent. */
    private long turned;

    /** While older ones are outstanding, there are three ascents or more. */
    private long unclearUntil;

    private boolean isTold;

    private static boolean isCounted(Request request) {
        return request.isReceive() || request.isSignaled;
    }

    /**
     * The one with the same wr_id; null if there is none, or if one was found before.
     *
     * @param queue the outstanding ones in order, with the new one
     */
    @Nullable
    Request sameAs(Request posted, Collection<Request> queue) {
        if (isTold || !isCounted(posted)) {
            return null;
        }
        Request oldest = null;
        for (Request request : queue) {
            if (isCounted(request)) {
                oldest = request;
                break;
            }
        }
        boolean ascends = posted.id > last;
        long ascentFrom = turned;
        last = posted.id;
        boolean isOneAscent = oldest == null || oldest.number >= ascentFrom;
        if (!ascends) {
            turned = posted.number;
            unclearUntil = isOneAscent ? unclearUntil : posted.number;
        }
        if (oldest == null || oldest == posted) {
            return null;
        }
        boolean isClear = oldest.number >= unclearUntil;
        boolean isBelow = posted.id < oldest.id && (ascends || isOneAscent);
        return isClear && (isBelow || (ascends && isOneAscent)) ? null : search(posted, queue);
    }

    private @Nullable Request search(Request posted, Collection<Request> queue) {
        for (Request request : queue) {
            if (request != posted && request.id == posted.id && isCounted(request)) {
                isTold = true;
                return request;
            }
        }
        return null;
    }
}
