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
     * @param receives how many receives of each flow complete; what completes beyond that is not waited for
     * @throws dev.verbatim.interop.InteropException if a verb is refused, or something does not complete
     */
    static List<FlowOutcome> play(
            Program program, WalkNode own, WalkNode peer, Duration patience, List<Integer> receives) {
        List<FlowPlay> flows = new ArrayList<>();
        for (Flow flow : program.flows()) {
            WalkNode requester = flow.peerRequests() ? peer : own;
            WalkNode responder = flow.peerRequests() ? own : peer;
            flows.add(new FlowPlay(flow, flows.size(), requester, responder, patience));
        }
        flows.forEach(FlowPlay::begin);
        own.settle();
        peer.settle();
        program.order().forEach(flow -> flows.get(flow).postNext());
        flows.forEach(FlowPlay::awaitRequests);
        flows.forEach(FlowPlay::end);
        List<FlowOutcome> outcomes = new ArrayList<>();
        for (FlowPlay flow : flows) {
            outcomes.add(flow.outcome(receives.get(outcomes.size())));
        }
        return outcomes;
    }
}
