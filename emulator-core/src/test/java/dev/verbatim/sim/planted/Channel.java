// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.planted;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;

/** One more connection between two peers: a queue pair at each, and completion queues of their own. */
record Channel(End near, End far) {

    private static final int ENTRIES = 256;
    private static final Duration PATIENCE = Duration.ofNanos(Long.MAX_VALUE);

    /** One end of it. */
    record End(RcPeer peer, QueuePair qp, CompletionQueue sent, CompletionQueue received) {

        static End of(RcPeer peer) {
            return of(peer, peer.device().createCq(ENTRIES), peer.device().createCq(ENTRIES));
        }

        static End of(RcPeer peer, CompletionQueue sent, CompletionQueue received) {
            return new End(
                    peer,
                    peer.pd().createQp(QpInitAttributes.rc(sent, received, QpCapabilities.USUAL)),
                    sent,
                    received);
        }

        void awaitSent() {
            await(sent);
        }

        void awaitReceived() {
            await(received);
        }

        /** Sends a message without bytes, and waits until it is there. */
        void answer(long id) {
            qp.postSend(peer.send(id, 0, 0));
            awaitSent();
        }

        void receiveNothing(int times) {
            for (int i = 0; i < times; i++) {
                qp.postRecv(peer.receive(i, 0, 0));
            }
        }
    }

    static Channel between(RcPeer near, RcPeer far) {
        return between(End.of(near), End.of(far));
    }

    static Channel between(End near, End far) {
        RcConnection.connect(near.qp(), far.qp());
        return new Channel(near, far);
    }

    static void await(CompletionQueue queue) {
        check(queue.awaitCompletion(PATIENCE));
    }

    static void check(WorkCompletion completion) {
        if (completion.status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(completion.toString());
        }
    }
}
