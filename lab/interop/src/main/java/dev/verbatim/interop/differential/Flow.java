// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.WrOpcode;
import java.util.List;

/**
 * Two connected queue pairs of a program, of which one side makes requests. No other flow touches their memory.
 *
 * @param type of the queue pairs
 * @param peerRequests whether the other device makes the requests
 * @param mtu path MTU
 * @param windowType 1 or 2 for a window of the responder over all slots; 0 for none
 * @param requests in their order
 * @param ending what comes last
 * @param behind requests that are posted behind the one that fails
 * @param spareReceives receives that no message takes
 */
record Flow(
        FlowType type,
        boolean peerRequests,
        PathMtu mtu,
        int windowType,
        List<FlowRequest> requests,
        Ending ending,
        List<FlowRequest> behind,
        int spareReceives) {

    /** Slots of each side. */
    static final int SLOTS = 8;

    /** Bytes of a slot; no message is longer. */
    static final int SLOT_BYTES = 1024;

    /** Bytes of memory of each side. */
    static final int MEMORY_BYTES = SLOTS * SLOT_BYTES;

    /** Bytes of the responder's region behind the slots and its window. */
    static final int BEHIND_BYTES = 64;

    Flow {
        requests = List.copyOf(requests);
        behind = List.copyOf(behind);
    }

    /** How many receives the responder posts that messages take. */
    int receives() {
        return (int) requests.stream().filter(FlowRequest::takesReceive).count() + (ending.takesReceive() ? 1 : 0);
    }

    /** How many requests before the last one complete. */
    int signaled() {
        return (int) requests.stream().filter(FlowRequest::isSignaled).count();
    }

    /** Whether its last request before the ending invalidates the window. */
    boolean invalidates() {
        return requests.stream().anyMatch(one -> one.opcode() == WrOpcode.SEND_WITH_INV);
    }

    @Override
    public String toString() {
        return type + (peerRequests ? " peer requests, " : " peer answers, ") + mtu + ", window " + windowType + ", "
                + requests + ", then " + ending + " " + behind;
    }
}
