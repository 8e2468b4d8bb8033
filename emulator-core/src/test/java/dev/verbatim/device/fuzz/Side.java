// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayDeque;
import java.util.Deque;

/** A queue pair of the device, with what its peer remembers of the conversation. */
final class Side {

    private static final int MOST_REMEMBERED = 32;

    final int peerNumber;
    QueuePair qp;

    /** Rights that the queue pair gives. */
    int access = RcConnection.USUAL.access();

    /** The number of its next request. */
    int psn;

    /** Bytes that the peer's unfinished message still has. */
    long leftBytes;

    /** What the device asked and has not been answered. */
    final Deque<PacketRecord> asked = new ArrayDeque<>();

    Side(int peerNumber, QueuePair qp) {
        this.peerNumber = peerNumber;
        this.qp = qp;
    }

    /** Whether what is posted now is taken and lost: on some devices, what is posted too early (QP-20, QP-21). */
    boolean loses(DeviceProfile profile, boolean send) {
        QpState state = qp.state();
        boolean early = state == QpState.RESET || send && (state == QpState.INIT || state == QpState.RTR);
        return early && profile.posting().laxPost() == PostingSwitches.LaxPost.DROP;
    }

    void remember(PacketRecord request) {
        if (asked.size() == MOST_REMEMBERED) {
            asked.removeFirst();
        }
        asked.addLast(request);
    }

    /** A new connection, of which the peer knows nothing yet. */
    void begin(int firstPsn) {
        access = RcConnection.USUAL.access();
        psn = firstPsn;
        leftBytes = 0;
        asked.clear();
    }
}
