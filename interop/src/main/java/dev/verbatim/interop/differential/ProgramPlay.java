// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.interop.walk.WalkNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays a program between two nodes. */
final class ProgramPlay {

    private ProgramPlay() {}

    /**
     * Plays it to its end.
     *
     * @param own node that answers where the peer requests
     * @param peer the other node
     * @param patience longest wait for a completion
     * @param receives how many receives of each lane complete; what completes beyond that is not waited for
     * @throws dev.verbatim.interop.InteropException if a verb is refused, or something does not complete
     */
    static List<LaneOutcome> play(
            Program program, WalkNode own, WalkNode peer, Duration patience, List<Integer> receives) {
        List<LanePlay> lanes = new ArrayList<>();
        for (Lane lane : program.lanes()) {
            WalkNode requester = lane.peerRequests() ? peer : own;
            WalkNode responder = lane.peerRequests() ? own : peer;
            lanes.add(new LanePlay(lane, lanes.size(), requester, responder, patience));
        }
        lanes.forEach(LanePlay::begin);
        own.settle();
        peer.settle();
        program.order().forEach(lane -> lanes.get(lane).postNext());
        lanes.forEach(LanePlay::awaitRequests);
        lanes.forEach(LanePlay::end);
        List<LaneOutcome> outcomes = new ArrayList<>();
        for (LanePlay lane : lanes) {
            outcomes.add(lane.outcome(receives.get(outcomes.size())));
        }
        return outcomes;
    }
}
