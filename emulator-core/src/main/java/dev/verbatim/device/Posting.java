// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/**
 * How requests of programs get into the queues of a queue pair: from any thread, checked and copied under the queue's
 * monitor, a chain in one piece (WR-18). Where somebody watches, it is done on the lane, so that a request is told of
 * before its effects are.
 */
final class Posting {

    private final EmulatedQueuePair qp;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;

    Posting(EmulatedQueuePair qp, SendQueue sendQueue, ReceiveQueue receiveQueue) {
        this.qp = qp;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
    }

    void post(SendWorkRequest request) {
        AddressSpace space = AddressSpace.current();
        if (qp.device().isTraced()) {
            qp.device().lane().callWithin(() -> take(request, 0, space));
        } else {
            take(request, 0, space);
        }
    }

    void postSends(List<SendWorkRequest> chain) {
        AddressSpace space = AddressSpace.current();
        if (qp.device().isTraced()) {
            qp.device().lane().callWithin(() -> takeSends(chain, space));
        } else {
            takeSends(chain, space);
        }
    }

    void post(ReceiveWorkRequest request) {
        if (qp.device().isTraced()) {
            qp.device().lane().callWithin(() -> take(request, 0));
        } else {
            take(request, 0);
        }
    }

    void postReceives(List<ReceiveWorkRequest> chain) {
        if (qp.device().isTraced()) {
            qp.device().lane().callWithin(() -> takeReceives(chain));
        } else {
            takeReceives(chain);
        }
    }

    private void takeSends(List<SendWorkRequest> chain, AddressSpace space) {
        try {
            synchronized (sendQueue) {
                for (int i = 0; i < chain.size(); i++) {
                    take(chain.get(i), i, space);
                }
            }
        } catch (VerbsException refused) {
            qp.decided("WR-10");
            throw refused;
        }
    }

    private void takeReceives(List<ReceiveWorkRequest> chain) {
        try {
            synchronized (receiveQueue) {
                for (int i = 0; i < chain.size(); i++) {
                    take(chain.get(i), i);
                }
            }
        } catch (VerbsException refused) {
            qp.decided("WR-10");
            throw refused;
        }
    }

    private void take(SendWorkRequest request, int index, AddressSpace space) {
        synchronized (sendQueue) {
            qp.requireOpen();
            PostChecks.checkSend(qp.state(), sendQueue, request, index);
            SendWqe wqe = sendQueue.post(request, index, space);
            if (request.has(SendFlags.INLINE)) {
                qp.decided("WR-22");
            }
            qp.trace().posted(request, wqe);
        }
    }

    private void take(ReceiveWorkRequest request, int index) {
        synchronized (receiveQueue) {
            qp.requireOpen();
            PostChecks.checkReceive(qp.state(), receiveQueue, request, index);
            receiveQueue.post(request, index);
            qp.trace().posted(request);
        }
    }
}
