// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Transport;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair: its queues, its attributes, and the one place that changes its state. Programs post from any thread;
 * everything else happens on the lane. What the packets mean is the business of its {@link TransportEngine}.
 */
public final class EmulatedQueuePair implements QueuePair, EventElement {

    private final EmulatedDevice device;
    private final EmulatedProtectionDomain pd;
    private final @Nullable EmulatedXrcDomain xrcDomain;
    private final int number;
    private final QpInitAttributes initAttributes;
    private final Transport transport;
    private final @Nullable EmulatedCompletionQueue sendCq;
    private final @Nullable EmulatedCompletionQueue recvCq;
    private final SendQueue sendQueue;
    private final ReceiveSource receives;
    private final Posting posting;
    private final LocalMemory localMemory;
    private final QpTrace trace;
    private final WindowOperations windows;
    private final QpLifecycle lifecycle;
    private final TransportEngine engine;
    private final PacketOutput requests;
    private final PacketOutput responses;
    private final @Nullable CompletionOutput sendCompletions;
    private final EventDebt eventDebt = new EventDebt();
    private final Doorbell doorbell;
    private volatile boolean open = true;
    private volatile boolean destroyed;

    EmulatedQueuePair(
            EmulatedProtectionDomain pd,
            @Nullable EmulatedXrcDomain xrcDomain,
            int number,
            QpInitAttributes initAttributes,
            @Nullable EmulatedCompletionQueue sendCq,
            @Nullable EmulatedCompletionQueue recvCq) {
        this.device = pd.device();
        this.pd = pd;
        this.xrcDomain = xrcDomain;
        this.number = number;
        this.initAttributes = initAttributes;
        this.transport = Transports.of(initAttributes.type());
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.sendQueue = new SendQueue(pd, initAttributes);
        this.trace = new QpTrace(device, number);
        this.localMemory = new LocalMemory(this);
        QpCapabilities sizes = initAttributes.capabilities();
        ReceiveQueue receiveQueue = new ReceiveQueue(pd, "max_recv_wr", sizes.maxRecvWr(), sizes.maxRecvSge());
        this.receives = receives(receiveQueue);
        this.posting = new Posting(this, sendQueue, receiveQueue);
        this.windows = new WindowOperations(this);
        this.lifecycle = new QpLifecycle(this);
        this.doorbell = new WorkDoorbell(this, lifecycle);
        this.engine = Transports.engineOf(this);
        this.requests = new PacketOutput(
                this,
                "request",
                engine::requestLink,
                engine::pullRequest,
                engine::hasRequest,
                () -> ChoicePoint.REQUEST);
        this.responses = new PacketOutput(
                this, "response", lifecycle::link, engine::pullResponse, engine::hasResponse, engine::responsePoint);
        this.sendCompletions = sendCq == null ? null : new CompletionOutput(this, sendCq, true);
    }

    private ReceiveSource receives(ReceiveQueue ownQueue) {
        if (xrcDomain != null) {
            return new XrcReceives(this, xrcDomain);
        }
        if (recvCq == null) {
            return new NoReceives(this);
        }
        CompletionOutput completions = new CompletionOutput(this, recvCq, false);
        return initAttributes.srq() instanceof EmulatedSharedReceiveQueue srq
                ? new SharedReceives(this, srq, completions)
                : new OwnReceives(this, ownQueue, completions);
    }

    // What programs call.

    @Override
    public EmulatedDevice device() {
        return device;
    }

    @Override
    public @Nullable EmulatedProtectionDomain pd() {
        return type() == QpType.XRC_RECV ? null : pd;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        device.lane().stateLookedAt(device.name(), number);
        return lifecycle.state();
    }

    @Override
    public QpInitAttributes initAttributes() {
        return initAttributes;
    }

    @Override
    public QpAttributes query() {
        return device.onLane(() -> {
            requireOpen();
            return lifecycle.query();
        });
    }

    @Override
    public void modify(QpAttributes values, int mask) {
        device.callTold(() -> {
            requireOpen();
            lifecycle.modify(values, mask);
        });
    }

    @Override
    public void postSend(SendWorkRequest request) {
        try {
            posting.post(request);
        } finally {
            sendPosted();
        }
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
        try {
            posting.bind(window, bind);
        } finally {
            sendPosted();
        }
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
        if (state() == QpState.ERR) {
            device.lane().ring(doorbell);
        }
        device.lane().giveWay();
    }

    @Override
    public boolean queryDataInOrder(WrOpcode opcode) {
        device.decidedOutside("QP-09");
        return !device.placements().holds();
    }

    @Override
    public void close() {
        Destruction.of(
                device,
                this,
                "QP-06",
                () -> {
                    requireNotDestroyed();
                    windows.requireDestroyable();
                },
                this::destroy);
    }

    /** Ends it, in whatever state. On the lane. */
    void destroy() {
        destroyed = true;
        open = false;
        decided("QP-06");
        lifecycle.end();
        windows.endLife();
        if (sendCq != null) {
            sendCq.removeUser(this);
        }
        if (recvCq != null) {
            recvCq.removeUser(this);
        }
        if (xrcDomain != null) {
            xrcDomain.release(this);
        }
        receives.end();
        pd.countQueuePairs(-1);
        device.release(this);
    }

    void requireOpen() {
        if (!open) {
            requireNotDestroyed();
            device.requireAlive();
        }
    }

    private void requireNotDestroyed() {
        if (destroyed) {
            throw VerbsException.of(Errno.ENOENT, "QP-05", "qp %d was destroyed before", number);
        }
    }

    /** The device dies: the oldest request tells why (WC-42), the others are flushed, and nothing can be posted any more. */
    void die(Refusal reason) {
        fail(reason, () -> {
            if (sendQueue.completed() < sendQueue.posted()) {
                decided("WC-42");
                SendWqe oldest = sendQueue.at(sendQueue.completed());
                oldest.fail(WcStatus.FATAL_ERR, reason);
                completeSend(oldest, 0);
            }
        });
        lifecycle.showCompletions();
        open = false;
    }

    /** To ERR: see {@link QpLifecycle#fail}. */
    public void fail(@Nullable Refusal reason, Runnable tell) {
        lifecycle.fail(reason, tell);
    }

    @Nullable
    CompletionOutput sendCompletions() {
        return sendCompletions;
    }

    /** To SQE: see {@link QpLifecycle#failSending}. */
    public void failSending(Refusal reason, Runnable tell) {
        lifecycle.failSending(reason, tell);
    }

    /** To ERR for a reason that no completion can tell (AE-02). */
    void failFatally(Refusal reason) {
        fail(reason, () -> {});
        raise(EventType.QP_FATAL, reason);
    }

    /** A step for this queue pair threw something, and so the queue pair fails. On the lane. */
    public void stepFailed(Throwable thrown) {
        device.stepFailures().failed(this, thrown);
    }

    /** To ERR in the middle of something: see {@link QpLifecycle#endAfter}. */
    void endAfter(Refusal reason, boolean withDevice) {
        if (!destroyed) {
            open &= !withDevice;
            lifecycle.endAfter(reason, withDevice);
        }
    }

    /** What is queued, and what has completed, is forgotten (QP-24). */
    void forgetWork() {
        localMemory.showAll();
        if (sendCompletions != null) {
            sendCompletions.forget();
        }
        sendQueue.clear();
        receives.forget();
    }

    /** The queue pair has another link, or none. */
    void outputsMoved() {
        requests.moved();
        responses.moved();
    }

    // What the engine asks of its queue pair; on the lane.

    /** The domain that its keys belong to; for XRC_RECV one that nobody sees. */
    public EmulatedProtectionDomain domain() {
        return pd;
    }

    public QpAttributes attributes() {
        return lifecycle.attributes();
    }

    public int pathMtuBytes() {
        return attributes().pathMtu().bytes();
    }

    public SendQueue sendQueue() {
        return sendQueue;
    }

    /** Where its receive requests come from. */
    public ReceiveSource receives() {
        return receives;
    }

    public QpType type() {
        return initAttributes.type();
    }

    /** The transport that its packets belong to. */
    public Transport transport() {
        return transport;
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

    public TransportEngine engine() {
        return engine;
    }

    /** The way to its peer; null if it is not connected. */
    public @Nullable Link link() {
        return lifecycle.link();
    }

    /** The way to any device; only datagrams take another than {@link #link()}. */
    public Link linkTo(Gid gid) {
        return device.port().linkTo(gid);
    }

    QpTrace trace() {
        return trace;
    }

    /** Whether packets that come over this link may be for this queue pair. */
    boolean isReachedBy(Link candidate) {
        return lifecycle.isReachedBy(candidate);
    }

    /** What sends requests, or else what sends answers. */
    PacketOutput output(boolean asks) {
        return asks ? requests : responses;
    }

    /** The requester may have something to send. */
    public void announceRequests() {
        requests.announce();
    }

    /** The responder may have something to send. */
    public void announceResponses() {
        responses.announce();
    }

    /** A packet that is for this queue pair and came over its link; false if it is a run that has to be taken packet by packet. */
    boolean receive(Link from, Packet packet) {
        trace.received(packet, from);
        lifecycle.heard(packet);
        return engine.receive(from, packet);
    }

    /** The oldest send request is done, or has failed; first it leaves, for a full completion queue flushes what is left. */
    public void completeSend(SendWqe wqe, int byteLength) {
        SendCompletion.of(this, wqe, byteLength);
    }

    /** Requests have completed: others may start now, and a drain may have ended. */
    public void sendQueueAdvanced() {
        lifecycle.requestFinished();
        announceRequests();
    }

    /** A receive request took a message: the one that was taken, or else the oldest. */
    public void completeReceive(
            ReceiveSource source,
            WcOpcode opcode,
            int byteLength,
            int immediate,
            int flags,
            int sourceQp,
            boolean solicited) {
        decided("WR-15");
        long id = source.completeOldest();
        source.completions()
                .complete(id, WcStatus.SUCCESS, opcode, byteLength, immediate, flags, sourceQp, null, 0, solicited);
    }

    /** A receive request failed: the one that was taken, or else the oldest. */
    public void failReceive(ReceiveSource source, WcStatus status, Refusal refusal) {
        WcStatus shown = ReceiveStatuses.shown(device.profile().completions(), status);
        long id = source.completeOldest();
        source.completions().complete(id, shown, WcOpcode.RECV, 0, 0, 0, 0, refusal, 0, true);
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

    @Override
    public EventDebt eventDebt() {
        return eventDebt;
    }

    @Override
    public int tracedQp() {
        return number;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "qp 0x%06x of %s in %s", number, device.name(), state());
    }
}
