// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.memory.EmulatedMemoryWindow;
import dev.verbatim.device.receive.ElementChecks;
import dev.verbatim.device.receive.ReceiveQueue;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How requests of programs get into the queues of a queue pair: from any thread, checked and copied under the queue's
 * monitor, a chain in one piece (WR-18). Where somebody watches, it is done on the lane, so that a request is told of
 * before its effects are.
 */
final class Posting {

    /** Some devices bind no more than this, and say so when it is posted; this one does not (MW-15). */
    private static final long LENGTH_LIMIT_OF_SOME = 1L << 31;

    private final QpContext qp;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;

    public Posting(QpContext qp) {
        this.qp = qp;
        this.sendQueue = qp.sendQueue();
        this.receiveQueue = qp.receiveQueue();
    }

    void post(SendWorkRequest request) {
        AddressSpace space = AddressSpace.current();
        if (qp.device().isTraced()) {
            qp.device().lane().callTold(() -> take(request, 0, space));
        } else {
            take(request, 0, space);
        }
    }

    /** Posts the bind of a window of type 1, whose new key programs see from now on (MW-20). */
    void bind(MemoryWindow window, WindowBind bind) {
        AddressSpace space = AddressSpace.current();
        if (qp.device().isTraced()) {
            qp.device().lane().callTold(() -> take(window, bind, space));
        } else {
            take(window, bind, space);
        }
    }

    void postSends(List<SendWorkRequest> chain) {
        AddressSpace space = AddressSpace.current();
        if (qp.device().isTraced()) {
            qp.device().lane().callTold(() -> takeSends(chain, space));
        } else {
            takeSends(chain, space);
        }
    }

    void post(ReceiveWorkRequest request) {
        if (qp.device().isTraced()) {
            qp.device().lane().callTold(() -> take(request, 0));
        } else {
            take(request, 0);
        }
    }

    void postReceives(List<ReceiveWorkRequest> chain) {
        if (qp.device().isTraced()) {
            qp.device().lane().callTold(() -> takeReceives(chain));
        } else {
            takeReceives(chain);
        }
    }

    private void takeSends(List<SendWorkRequest> chain, AddressSpace space) {
        try {
            ElementChecks.requireThere(chain, "the chain", 0);
            synchronized (sendQueue) {
                for (int i = 0; i < chain.size(); i++) {
                    take(chain.get(i), i, space);
                }
            }
        } catch (VerbsException refused) {
            qp.decided(Rule.WR_10);
            throw refused;
        }
    }

    private void takeReceives(List<ReceiveWorkRequest> chain) {
        try {
            ElementChecks.requireThere(chain, "the chain", 0);
            synchronized (receiveQueue) {
                for (int i = 0; i < chain.size(); i++) {
                    take(chain.get(i), i);
                }
            }
        } catch (VerbsException refused) {
            qp.decided(Rule.WR_10);
            throw refused;
        }
    }

    private void take(SendWorkRequest request, int index, AddressSpace space) {
        ElementChecks.requireThere(request, "the request", index);
        synchronized (sendQueue) {
            qp.requireOpen();
            boolean enters = PostChecks.sendEnters(qp, Rule.QP_20, "post_send", index);
            Refusal doom = PostChecks.checkSend(qp, request, index);
            if (!enters) {
                return;
            }
            put(request, doom, index, space);
            if (request.window() != null) {
                qp.decided(Rule.MW_31);
            }
            if (qp.device().profile().windows().bindUpdatesRkey()
                    && request.window() instanceof EmulatedMemoryWindow window) {
                window.rkey(request.boundKey());
            }
        }
    }

    private void put(SendWorkRequest request, @Nullable Refusal doom, int index, AddressSpace space) {
        SendWqe wqe = sendQueue.post(request, doom, index, space);
        if (wqe.inlineData() != null) {
            qp.decided(Rule.WR_22);
        }
        if (request.window() != null && qp.state() == QpState.SQD) {
            qp.decided(Rule.MW_61);
        }
        qp.trace().posted(request, wqe.has(SendFlags.SIGNALED), wqe.inlineData());
    }

    private void take(MemoryWindow named, WindowBind bind, AddressSpace space) {
        ElementChecks.requireThere(bind, "the bind", 0);
        synchronized (sendQueue) {
            qp.requireOpen();
            PostChecks.checkBindable(qp.type());
            EmulatedMemoryWindow window = WindowPosting.checkVerb(qp.device(), named, bind.info());
            synchronized (window) {
                boolean enters = PostChecks.sendEnters(qp, Rule.MW_17, "bind_mw", 0);
                qp.decided(Rule.MW_18);
                int newKey = Rkey.increment(window.rkey());
                int flags = bind.flags() & (SendFlags.FENCE | SendFlags.SIGNALED);
                if (enters) {
                    put(SendWorkRequest.bind(bind.id(), flags, window, newKey, bind.info()), null, 0, space);
                }
                window.rkey(newKey);
            }
            qp.decided(Rule.MW_20);
            qp.decided(Rule.MW_22);
            if (bind.info().lengthBytes() > LENGTH_LIMIT_OF_SOME) {
                qp.decided(Rule.MW_15);
            }
        }
    }

    private void take(ReceiveWorkRequest request, int index) {
        ElementChecks.requireThere(request, "the request", index);
        synchronized (receiveQueue) {
            qp.requireOpen();
            PostChecks.checkReceive(qp, receiveQueue, request, index);
            if (PostChecks.receiveEnters(qp, index)) {
                receiveQueue.post(request, index);
                qp.trace().posted(request);
            }
        }
    }
}
