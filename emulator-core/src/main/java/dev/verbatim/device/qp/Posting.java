// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.EmulatedMemoryWindow;
import dev.verbatim.device.receive.ElementChecks;
import dev.verbatim.device.receive.ReceiveQueue;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.operation.Operation;
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
    private final DeviceContext device;
    private final QpTrace trace;
    private final PostChecks checks;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;

    Posting(QpContext qp) {
        this.qp = qp;
        this.device = qp.device();
        this.trace = qp.trace();
        this.checks = new PostChecks(qp);
        this.sendQueue = qp.sendQueue();
        this.receiveQueue = qp.receiveQueue();
    }

    void post(SendWorkRequest request) {
        if (device.isObserved()) {
            AddressSpace space = AddressSpace.current();
            device.lane().callTold(() -> take(request, 0, space));
        } else {
            take(request, 0, null);
        }
    }

    /** Posts the bind of a window of type 1, whose new key programs see from now on (MW-20). */
    void bind(MemoryWindow window, WindowBind bind) {
        AddressSpace space = AddressSpace.current();
        if (device.isObserved()) {
            device.lane().callTold(() -> take(window, bind, space));
        } else {
            take(window, bind, space);
        }
    }

    void postSends(List<SendWorkRequest> chain) {
        if (device.isObserved()) {
            AddressSpace space = AddressSpace.current();
            device.lane().callTold(() -> takeSends(chain, space));
        } else {
            takeSends(chain, null);
        }
    }

    void postAll(List<SendWorkRequest> batch) {
        if (device.isObserved()) {
            AddressSpace space = AddressSpace.current();
            device.lane().callTold(() -> takeAll(batch, space));
        } else {
            takeAll(batch, null);
        }
    }

    void post(ReceiveWorkRequest request) {
        if (device.isObserved()) {
            device.lane().callTold(() -> take(request, 0));
        } else {
            take(request, 0);
        }
    }

    void postReceives(List<ReceiveWorkRequest> chain) {
        if (device.isObserved()) {
            device.lane().callTold(() -> takeReceives(chain));
        } else {
            takeReceives(chain);
        }
    }

    private void takeSends(List<SendWorkRequest> chain, @Nullable AddressSpace space) {
        try {
            ElementChecks.requireThere(chain, "the chain", 0);
            synchronized (sendQueue) {
                for (int i = 0; i < chain.size(); i++) {
                    takeNext(chain.get(i), i, space);
                }
            }
        } catch (VerbsException refused) {
            qp.decided(Rule.WR_10);
            throw refused;
        }
    }

    /** What the checks would refuse when it is put is refused before anything is. */
    private void takeAll(List<SendWorkRequest> batch, @Nullable AddressSpace space) {
        ElementChecks.requireThere(batch, "the batch", 0);
        synchronized (sendQueue) {
            int count = batch.size();
            int entering = 0;
            for (int i = 0; i < count; i++) {
                SendWorkRequest request = batch.get(i);
                ElementChecks.requireThere(request, "the request", i);
                qp.requireOpen();
                entering += checks.sendEnters(Rule.QP_20, "post_send", i) ? 1 : 0;
                checks.checkSend(request, Operation.of(request.opcode()), i);
            }
            sendQueue.requireRoom(entering);
            for (int i = 0; i < count; i++) {
                takeNext(batch.get(i), i, space);
            }
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

    private void take(SendWorkRequest request, int index, @Nullable AddressSpace space) {
        synchronized (sendQueue) {
            takeNext(request, index, space);
        }
    }

    /**
     * With the queue's monitor.
     *
     * @param space where inline data is found; null for that of the calling thread
     */
    private void takeNext(SendWorkRequest request, int index, @Nullable AddressSpace space) {
        ElementChecks.requireThere(request, "the request", index);
        qp.requireOpen();
        Operation operation = Operation.of(request.opcode());
        boolean enters;
        Refusal doom;
        try {
            enters = checks.sendEnters(Rule.QP_20, "post_send", index);
            doom = checks.checkSend(request, operation, index);
        } catch (VerbsException refused) {
            if (operation != Operation.BIND_MW) {
                // Whether a window can be bound depends on more.
                device.lane().postRefused(device.name(), qp.number());
            }
            throw refused;
        }
        if (!enters) {
            return;
        }
        put(request, operation, doom, index, space);
        if (operation == Operation.BIND_MW) {
            bindPosted(request);
        }
    }

    private void bindPosted(SendWorkRequest request) {
        qp.decided(Rule.MW_31);
        if (device.profile().windows().bindUpdatesRkey() && request.window() instanceof EmulatedMemoryWindow window) {
            window.rkey(request.boundKey());
        }
    }

    /** The request needs the slot of an older one. */
    private void lookForRoom(Operation operation) {
        long place = sendQueue.placeOfNext();
        if (place >= 0) {
            device.lane().touched(device.name(), DevicePart.SEND_ROOM, place, place + 1, false);
        }
        if (sendQueue.isFull() && operation != Operation.BIND_MW) {
            device.lane().postFoundNoRoom(device.name(), qp.number());
        }
    }

    private void put(
            SendWorkRequest request,
            Operation operation,
            @Nullable Refusal doom,
            int index,
            @Nullable AddressSpace space) {
        if (device.isObserved()) {
            lookForRoom(operation);
        }
        SendWqe wqe = sendQueue.post(request, operation, doom, index, space);
        boolean bindsLater = operation == Operation.BIND_MW && qp.state() == QpState.SQD;
        if (!device.isObserved()) {
            return;
        }
        if (wqe.inlineData() != null) {
            qp.decided(Rule.WR_22);
        }
        if (bindsLater) {
            qp.decided(Rule.MW_61);
        }
        device.lane().requestPosted(device.name(), qp.number(), sendQueue.posted() - 1);
        trace.posted(request, wqe.has(SendFlags.SIGNALED), wqe.inlineData());
    }

    private void take(MemoryWindow named, WindowBind bind, AddressSpace space) {
        ElementChecks.requireThere(bind, "the bind", 0);
        synchronized (sendQueue) {
            qp.requireOpen();
            checks.checkBindable();
            EmulatedMemoryWindow window = WindowPosting.checkVerb(device, named, bind.info());
            synchronized (window) {
                boolean enters = checks.sendEnters(Rule.MW_17, "bind_mw", 0);
                qp.decided(Rule.MW_18);
                int newKey = Rkey.increment(window.rkey());
                int flags = bind.flags() & (SendFlags.FENCE | SendFlags.SIGNALED);
                if (enters) {
                    SendWorkRequest request = SendWorkRequest.bind(bind.id(), flags, window, newKey, bind.info());
                    put(request, Operation.BIND_MW, null, 0, space);
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
            boolean enters;
            try {
                checks.checkReceive(receiveQueue, request, index);
                enters = checks.receiveEnters(index);
            } catch (VerbsException refused) {
                device.lane().postRefused(device.name(), qp.number());
                throw refused;
            }
            if (enters) {
                receiveQueue.post(request, index);
                trace.posted(request);
            }
        }
    }
}
