// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.rc.RcEngine;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its queues, its attributes, and the one place that changes its state. Programs post from any thread;
 * everything else happens on the lane. What the packets mean is the business of its {@link RcEngine}.
 */
public final class EmulatedQueuePair implements QueuePair {

    private final EmulatedDevice device;
    private final EmulatedProtectionDomain pd;
    private final int number;
    private final QpInitAttributes initAttributes;
    private final EmulatedCompletionQueue sendCq;
    private final EmulatedCompletionQueue recvCq;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    private final Posting posting;
    private final LocalMemory localMemory;
    private final QpTrace trace;
    private final WindowOperations windows;
    private final Drain drain = new Drain(this);
    private final RcEngine engine;
    private final PacketOutput requests;
    private final PacketOutput responses;
    private final CompletionOutput sendCompletions;
    private final CompletionOutput receiveCompletions;
    private final AtomicInteger eventsUnacknowledged = new AtomicInteger();
    private final Doorbell doorbell = new Doorbell() {
        @Override
        protected void answer() {
            workPosted();
        }
    };
    private QpAttributes attributes = new QpAttributes();
    private volatile QpState state = QpState.RESET;
    private @Nullable Link link;
    private boolean communicationEstablished;
    private volatile boolean open = true;

    EmulatedQueuePair(
            EmulatedProtectionDomain pd,
            int number,
            QpInitAttributes initAttributes,
            EmulatedCompletionQueue sendCq,
            EmulatedCompletionQueue recvCq) {
        this.device = pd.device();
        this.pd = pd;
        this.number = number;
        this.initAttributes = initAttributes;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.sendQueue = new SendQueue(initAttributes);
        this.receiveQueue = new ReceiveQueue(initAttributes);
        this.posting = new Posting(this, sendQueue, receiveQueue);
        this.trace = new QpTrace(device, number);
        this.localMemory = new LocalMemory(device, pd, trace);
        this.windows = new WindowOperations(this);
        this.engine = new RcEngine(this);
        this.requests =
                new PacketOutput(this, "request", engine::pullRequest, engine::hasRequest, () -> ChoicePoint.REQUEST);
        this.responses =
                new PacketOutput(this, "response", engine::pullResponse, engine::hasResponse, engine::responsePoint);
        this.sendCompletions = new CompletionOutput(this, sendCq, true);
        this.receiveCompletions = new CompletionOutput(this, recvCq, false);
    }

    // What programs call.

    @Override
    public EmulatedDevice device() {
        return device;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        return state;
    }

    @Override
    public QpInitAttributes initAttributes() {
        return initAttributes;
    }

    @Override
    public QpAttributes query() {
        return device.onLane(() -> {
            requireOpen();
            return new QpAttributes(attributes).state(state).currentState(state).draining(drain.isUnderWay());
        });
    }

    @Override
    public void modify(QpAttributes values, int mask) {
        QpAttributes copy = new QpAttributes(values);
        copy.rqPsn(values.rqPsn() & Psn.MASK).sqPsn(values.sqPsn() & Psn.MASK);
        device.lane().call(() -> {
            requireOpen();
            QpState to = (mask & QpAttributeMask.STATE) != 0 ? copy.state() : state;
            // All checks first, all changes after them.
            decided("QS-04");
            QpTransitions.check(device.profile(), state, drain.isUnderWay(), to, mask);
            QpAttributeChecks.check(device.profile().limits(), state, copy, mask);
            attributes.assign(copy, mask & ~(QpAttributeMask.STATE | QpAttributeMask.CUR_STATE));
            if ((mask & (QpAttributeMask.RQ_PSN | QpAttributeMask.SQ_PSN)) != 0) {
                decided("QV-05");
            }
            if ((mask & QpAttributeMask.ACCESS_FLAGS) != 0) {
                decided("QV-08");
            }
            enter(to, mask);
        });
    }

    @Override
    public void postSend(SendWorkRequest request) {
        posting.post(request);
        sendPosted();
    }

    @Override
    public void postSend(List<SendWorkRequest> chain) {
        try {
            posting.postSends(chain);
        } finally {
            sendPosted();
        }
    }

    @Override
    public void bindWindow(MemoryWindow window, WindowBind bind) {
        posting.bind(window, bind);
        sendPosted();
    }

    private void sendPosted() {
        device.lane().ring(doorbell);
        device.lane().giveWay();
    }

    @Override
    public void postRecv(ReceiveWorkRequest request) {
        posting.post(request);
        receivePosted();
    }

    @Override
    public void postRecv(List<ReceiveWorkRequest> chain) {
        try {
            posting.postReceives(chain);
        } finally {
            receivePosted();
        }
    }

    /** A receive is found when a message needs it; only a queue pair in ERR has to be told, to flush it (QP-23). */
    private void receivePosted() {
        if (state == QpState.ERR) {
            device.lane().ring(doorbell);
        }
        device.lane().giveWay();
    }

    @Override
    public boolean queryDataInOrder(WrOpcode opcode) {
        return !device.placements().holds();
    }

    @Override
    public void close() {
        device.lane().call(() -> {
            requireOpen();
            int owed = eventsUnacknowledged.get();
            if (owed > 0) {
                throw VerbsException.of(
                        Errno.EBUSY,
                        "QP-06",
                        "qp %d has %d unacknowledged events; acknowledge them first",
                        number,
                        owed);
            }
            windows.requireDestroyable();
            destroy();
        });
    }

    /** Ends it, in whatever state. On the lane. */
    void destroy() {
        open = false;
        decided("QP-06");
        changeState(QpState.RESET, null);
        forgetConnection();
        windows.endLife();
        sendCq.removeUser(this);
        recvCq.removeUser(this);
        pd.queuePairGone();
        device.release(this);
    }

    void requireOpen() {
        if (!open) {
            throw VerbsException.of(Errno.ENOENT, "QP-05", "qp %d was destroyed before", number);
        }
    }

    // State: changed here and nowhere else, on the lane.

    private void enter(QpState to, int mask) {
        QpState from = state;
        if (to == QpState.ERR) {
            if (from == QpState.RESET) {
                decided("QS-07");
            }
            fail(null, () -> {});
            return;
        }
        changeState(to, null);
        switch (to) {
            case RESET -> {
                decided("QP-24");
                forgetConnection();
                windows.beginNewLife();
            }
            case RTR -> {
                connect();
                engine.beginReceiving();
            }
            case RTS -> {
                if (from == QpState.RTR) {
                    engine.beginSending();
                } else if (from == QpState.SQD) {
                    engine.resumeSending();
                }
                announceRequests();
            }
            case SQD -> drain(from, mask);
            default -> {}
        }
    }

    private void drain(QpState from, int mask) {
        if (from == QpState.SQD) {
            if ((mask & QpAttributeMask.AV) != 0) {
                connect();
            }
            if ((mask & QpAttributeMask.MAX_DEST_RD_ATOMIC) != 0) {
                engine.resizeResponderResources();
            }
            return;
        }
        if ((mask & QpAttributeMask.EN_SQD_ASYNC_NOTIFY) == 0) {
            attributes.notifyDrained(false);
        }
        drain.begin();
    }

    private void connect() {
        AddressVector vector = attributes.addressVector();
        link = vector == null ? null : device.port().linkTo(vector.destination());
        requests.moved();
        responses.moved();
        announceRequests();
        announceResponses();
        if (vector != null) {
            trace.connected(vector, attributes.destinationQp());
            if (vector.destination().equals(device.gid()) && attributes.destinationQp() == number) {
                decided("QV-12");
            }
        }
    }

    /** RESET: queues, counters and attributes are as new, and completions of this queue pair are gone (QP-24). */
    private void forgetConnection() {
        engine.stop();
        localMemory.showAll();
        sendCompletions.forget();
        receiveCompletions.forget();
        sendQueue.clear();
        receiveQueue.clear();
        attributes = new QpAttributes();
        link = null;
        requests.moved();
        responses.moved();
        drain.stop();
        communicationEstablished = false;
    }

    private void changeState(QpState to, @Nullable Refusal reason) {
        QpState from = state;
        state = to;
        trace.stateChanged(from, to, reason);
    }

    /**
     * To ERR: {@code tell} brings the completion or event that says why, then whatever is queued is flushed, in order
     * (QP-22). In between another thread may look: whoever knows of the failure finds the queue pair in ERR. On the lane.
     */
    public void fail(@Nullable Refusal reason, Runnable tell) {
        if (state == QpState.ERR) {
            return;
        }
        if (reason != null) {
            decided("WC-05");
        }
        changeState(QpState.ERR, reason);
        drain.stop();
        engine.stopAfterError();
        tell.run();
        Flush.of(this);
    }

    /** To ERR for a reason that no completion can tell (AE-02). */
    void failFatally(Refusal reason) {
        fail(reason, () -> {});
        raise(EventType.QP_FATAL, reason);
    }

    // What the engine asks of its queue pair; on the lane.

    public EmulatedProtectionDomain pd() {
        return pd;
    }

    public QpAttributes attributes() {
        return attributes;
    }

    public int pathMtuBytes() {
        return attributes.pathMtu().bytes();
    }

    public SendQueue sendQueue() {
        return sendQueue;
    }

    public ReceiveQueue receiveQueue() {
        return receiveQueue;
    }

    /** Who it is in this life. */
    public QpIdentity identity() {
        return windows.identity();
    }

    /** What its requests do to windows. */
    public WindowOperations windows() {
        return windows;
    }

    public LocalMemory localMemory() {
        return localMemory;
    }

    public RcEngine engine() {
        return engine;
    }

    /** The way to its peer; null if it is not connected. */
    public @Nullable Link link() {
        return link;
    }

    QpTrace trace() {
        return trace;
    }

    /** Whether packets that come over this link may be for this queue pair: it has the peer, in the peer's life. */
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    boolean isReachedBy(Link candidate) {
        return link == candidate;
    }

    /** The requester may have something to send. */
    public void announceRequests() {
        requests.announce();
    }

    /** The responder may have something to send. */
    public void announceResponses() {
        responses.announce();
    }

    private void workPosted() {
        if (state == QpState.ERR) {
            decided("QP-23");
            Flush.of(this);
        } else {
            announceRequests();
        }
    }

    /** A packet that is for this queue pair and came over its link; false if it is a run that has to be taken packet by packet. */
    boolean receive(Packet packet) {
        trace.received(packet, link);
        if (state == QpState.RTR && !communicationEstablished && engine.expects(packet)) {
            communicationEstablished = true;
            decided("QP-27");
            raise(EventType.COMM_EST, null);
        }
        return engine.receive(packet);
    }

    /** The oldest send request is done, or has failed; first it leaves, for a full completion queue flushes what is left. */
    public void completeSend(SendWqe wqe, int byteLength) {
        sendQueue.completeOldest();
        WcStatus failure = wqe.failure();
        decided("WR-16");
        if (!wqe.has(SendFlags.SIGNALED) && (failure == null || windows.leaveUntold(wqe))) {
            return;
        }
        decided("WC-03");
        WcStatus status = failure == null ? WcStatus.SUCCESS : failure;
        long freed = sendQueue.completed();
        sendCompletions.complete(
                wqe.id(), status, wqe.wcOpcode(), byteLength, 0, 0, wqe.reason(), freed, failure != null);
    }

    /** Requests have completed: others may start now, and a drain may have ended. */
    public void sendQueueAdvanced() {
        drain.progressed();
        announceRequests();
    }

    /** The oldest receive request took a message. */
    public void completeReceive(WcOpcode opcode, int byteLength, int immediate, int flags, boolean solicited) {
        long id = receiveQueue.completeOldest();
        decided("WR-15");
        receiveCompletions.complete(id, WcStatus.SUCCESS, opcode, byteLength, immediate, flags, null, 0, solicited);
    }

    /** The oldest receive request failed. */
    public void failReceive(WcStatus status, Refusal refusal) {
        long id = receiveQueue.completeOldest();
        receiveCompletions.complete(id, status, WcOpcode.RECV, 0, 0, 0, refusal, 0, true);
    }

    /** Raises an asynchronous event about this queue pair. */
    public void raise(EventType type, @Nullable Refusal refusal) {
        device.raise(type, this, refusal);
    }

    /** A rule decided something; for those who watch. */
    public void decided(String rule) {
        device.decided(number, rule);
    }

    /** A request was given its packet sequence numbers. */
    public void started(SendWqe wqe) {
        trace.started(wqe);
    }

    /** A packet was dropped silently. */
    public void dropped(Packet packet, String rule, String format, Object... values) {
        trace.dropped(packet, rule, format, values);
    }

    void asyncEventTaken(int change) {
        eventsUnacknowledged.addAndGet(change);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "qp 0x%06x of %s in %s", number, device.name(), state);
    }
}
