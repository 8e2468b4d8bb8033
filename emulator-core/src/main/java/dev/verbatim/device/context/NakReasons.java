// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Gid;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Why responders of a device answered with a NAK that ended their queue pair, for the requester whose request it was. The last
 * {@value #MOST} are kept, also when the queue pair is gone; nothing is made before the first. On the lane.
 */
public final class NakReasons {

    private static final int MOST = 1 << 8;

    private @Nullable ArrayDeque<Entry> entries;

    /** Of no NAK yet. */
    NakReasons() {}

    /**
     * A NAK is going to be sent.
     *
     * @param requester the device that asked
     * @param requesterQp its queue pair
     * @param qp the queue pair here
     * @param psn of the NAK
     */
    public void add(Gid requester, int requesterQp, int qp, int psn, Denial denial) {
        ArrayDeque<Entry> kept = entries;
        if (kept == null) {
            kept = new ArrayDeque<>();
            entries = kept;
        }
        if (kept.size() == MOST) {
            kept.removeFirst();
        }
        kept.addLast(new Entry(requester, requesterQp, qp, psn, denial));
    }

    /** The reason of the newest NAK with these numbers; null if it is not known, or was not for that requester. */
    public @Nullable Denial find(Gid requester, int requesterQp, int qp, int psn) {
        Denial found = null;
        if (entries != null) {
            for (Entry entry : entries) {
                found = entry.isFor(requester, requesterQp, qp, psn) ? entry.denial : found;
            }
        }
        return found;
    }

    private record Entry(Gid requester, int requesterQp, int qp, int psn, Denial denial) {

        boolean isFor(Gid candidate, int candidateQp, int ownQp, int nakPsn) {
            return requesterQp == candidateQp && qp == ownQp && psn == nakPsn && requester.equals(candidate);
        }
    }
}
