// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.cq.UnfinishedWork;
import dev.verbatim.device.event.EventElement;
import dev.verbatim.device.memory.CurrentPacket;
import dev.verbatim.device.memory.KeyTable;
import dev.verbatim.device.memory.SgeAccess;
import dev.verbatim.device.receive.EmulatedSharedReceiveQueue;
import dev.verbatim.device.receive.EmulatedXrcDomain;
import dev.verbatim.device.receive.NoReceives;
import dev.verbatim.device.receive.OwnReceives;
import dev.verbatim.device.receive.ReceiveQueue;
import dev.verbatim.device.receive.ReceiveSource;
import dev.verbatim.device.receive.SharedReceives;
import dev.verbatim.device.receive.XrcReceives;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.Link;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Transport;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair as the device has it: number, state, queues, link, outputs, trace. What programs hold is an {@link EmulatedQueuePair}.
 * All on the lane, unless it says otherwise. What packets mean is up to the {@link TransportEngine}.
 */
public final class QpContext {

    /** What packets ask of the attributes. */
    static final int ALL_ATTRIBUTES = QpAttributeMask.PATH_MTU
            | QpAttributeMask.DEST_QPN
            | QpAttributeMask.ACCESS_FLAGS
            | QpAttributeMask.TIMEOUT;

    private final QpEnvironment environment;
    private final DeviceContext device;
    private final Lane lane;
    private final String deviceName;
    private final int number;
    private final KeyTable keys;
    private final EventElement element;
    private final PdIdentity domain;
    private final QpType type;
    private final Transport transport;
    private final QpTrace trace;
    private final CqUser cqUser;
    private final @Nullable EmulatedCompletionQueue sendCq;
    private final @Nullable EmulatedCompletionQueue recvCq;
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    private final ReceiveSource receives;
    private final SgeAccess sgeAccess;
    private final WindowOperations windows;
    private final @Nullable QpInspector inspector;

    /** Whether completions of requests have their length. */
    private final boolean tellsLength;

    private final QpLifecycle lifecycle;
    private final TransportEngine engine;
    private final PacketOutput requests;
    private final PacketOutput responses;
    private final @Nullable CompletionOutput sendCompletions;
    private final boolean simulated;

    // Changed by its lifecycle alone.
    volatile QpState state = QpState.RESET;
    QpAttributes attributes = new QpAttributes();

    // What packets ask of the attributes, as they ask it.
    private int pathMtuBytes;
    private int destinationQp;
    private int accessFlags;
    private long ackTimeoutNanos;

    /** Whether it is in SQD and waits for the end of what was started. */
    boolean draining;

    @Nullable
    Link link;

    private volatile boolean open = true;
    private volatile boolean destroyed;

    /**
     * A queue pair in RESET.
     *
     * @param element what its asynchronous events are about
     * @param xrcDomain of type XRC_RECV only
     */
    QpContext(
            QpEnvironment environment,
            EventElement element,
            PdIdentity domain,
            @Nullable EmulatedXrcDomain xrcDomain,
            int number,
            QpInitAttributes initAttributes,
            @Nullable EmulatedCompletionQueue sendCq,
            @Nullable EmulatedCompletionQueue recvCq) {
        this.environment = environment;
        this.device = environment.device();
        this.lane = device.lane();
        this.simulated = lane.isSimulated();
        this.deviceName = device.name();
        this.number = number;
        this.trace =
                QpTrace.of(device, number, initAttributes, EmulatedSharedReceiveQueue.numberOf(initAttributes.srq()));
        attributesChanged(ALL_ATTRIBUTES);
        this.keys = environment.memory().keys();
        this.element = element;
        this.domain = domain;
        this.type = initAttributes.type();
        this.transport = Transports.of(type);
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.sgeAccess = new SgeAccess(environment.memory(), trace, this::stepFailed);
        this.cqUser = new CqUser(trace, type, sgeAccess, this::failFatally, this::stepFailed, this::unfinished);
        this.windows = new WindowOperations(trace, type, domain, environment.memory());
        QpCapabilities sizes = initAttributes.capabilities();
        this.sendQueue = new SendQueue(domain, initAttributes, cqUser, trace.inspector());
        this.inspector = trace.inspector();
        this.tellsLength = device.profile().completions().senderByteLength();
        this.receiveQueue = new ReceiveQueue(domain, "max_recv_wr", sizes.maxRecvWr(), sizes.maxRecvSge());
        this.receives = receives(initAttributes, xrcDomain);
        this.lifecycle = new QpLifecycle(this, element, environment.events());
        this.engine = environment.engines().apply(this);
        CurrentPacket currentPacket = environment.memory().currentPacket();
        this.requests = new PacketOutput(this, engine, currentPacket, true);
        this.responses = new PacketOutput(this, engine, currentPacket, false);
        this.sendCompletions = sendCq == null ? null : new CompletionOutput(cqUser, sendCq, true);
    }

    private ReceiveSource receives(QpInitAttributes attributes, @Nullable EmulatedXrcDomain xrcDomain) {
        if (xrcDomain != null) {
            return new XrcReceives(cqUser, windows::identity, xrcDomain);
        }
        if (recvCq == null) {
            return new NoReceives(cqUser, windows::identity);
        }
        CompletionOutput completions = new CompletionOutput(cqUser, recvCq, false);
        return attributes.srq() instanceof EmulatedSharedReceiveQueue srq
                ? new SharedReceives(cqUser, windows::identity, srq, completions)
                : new OwnReceives(cqUser, windows::identity, receiveQueue, completions);
    }

    // Life.

    /** The objects that it is made of count it as a user from now on. */
    void begin() {
        domain.countQueuePairs(1);
        if (sendCq != null) {
            sendCq.addUser(cqUser);
        }
        if (recvCq != null) {
            recvCq.addUser(cqUser);
        }
        receives.begin();
    }

    /** Ends it, in whatever state. */
    void destroy() {
        destroyed = true;
        open = false;
        decided(Rule.QP_06);
        trace.destroyed();
        lifecycle.end();
        windows.endLife();
        if (sendCq != null) {
            sendCq.removeUser(cqUser);
        }
        if (recvCq != null) {
            recvCq.removeUser(cqUser);
        }
        receives.end();
        domain.countQueuePairs(-1);
    }

    /** Throws if it was destroyed, or failed with its device. From any thread. */
    void requireOpen() {
        if (!open) {
            requireNotDestroyed();
            device.requireAlive();
        }
    }

    void requireNotDestroyed() {
        if (destroyed) {
            throw VerbsException.of(Errno.ENOENT, Rule.QP_05, "qp %d was destroyed before", number);
        }
    }

    /** The device dies: the oldest request tells why (WC-42), the others are flushed, and nothing can be posted any more. */
    public void die(Refusal reason) {
        fail(reason, () -> {
            if (sendQueue.completed() < sendQueue.posted()) {
                decided(Rule.WC_42);
                SendWqe oldest = sendQueue.at(sendQueue.completed());
                oldest.fail(WcStatus.FATAL_ERR, reason);
                completeSend(oldest, 0);
            }
        });
        lifecycle.showCompletions();
        open = false;
    }

    /** To ERR: see {@link QpLifecycle#fail}. */
    public void fail(Refusal reason, Runnable tell) {
        lifecycle.fail(reason, tell);
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

    /** A step for this queue pair threw something, and so the queue pair fails. */
    public void stepFailed(Throwable thrown) {
        environment.stepFailed().accept(this, thrown);
    }

    /** What it has not done. */
    public UnfinishedWork unfinished() {
        return UnfinishedRequests.of(this);
    }

    /** What took it to ERR or SQE: see {@link QpLifecycle#root}. */
    public @Nullable Refusal root() {
        return lifecycle.root();
    }

    /** To ERR in the middle of something: see {@link QpLifecycle#endAfter}. */
    public void endAfter(Refusal reason, boolean withDevice) {
        if (!destroyed) {
            open &= !withDevice;
            lifecycle.endAfter(reason, withDevice);
        }
    }

    /** What is queued, and what has completed, is forgotten (QP-24). */
    void forgetWork() {
        sgeAccess.showAll();
        if (sendCompletions != null) {
            sendCompletions.forget();
        }
        sendQueue.clear();
        receives.forget();
    }

    // What it is.

    public DeviceContext device() {
        return device;
    }

    /** What the keys of its device name. */
    public KeyTable keys() {
        return keys;
    }

    /** The domain that its keys belong to; for XRC_RECV one that no program has. */
    public PdIdentity domain() {
        return domain;
    }

    public int number() {
        return number;
    }

    public QpType type() {
        return type;
    }

    /** The transport that its packets belong to. */
    public Transport transport() {
        return transport;
    }

    /** Its state, which a program or the device looked at. From any thread. */
    public QpState state() {
        if (simulated) {
            lane.stateLookedAt(deviceName, number);
        }
        return state;
    }

    QpLifecycle lifecycle() {
        return lifecycle;
    }

    public QpAttributes attributes() {
        return attributes;
    }

    /**
     * Attributes were changed.
     *
     * @param mask {@link QpAttributeMask} of those that may be others than before
     */
    void attributesChanged(int mask) {
        if ((mask & QpAttributeMask.PATH_MTU) != 0) {
            pathMtuBytes = attributes.pathMtu().bytes();
        }
        if ((mask & QpAttributeMask.DEST_QPN) != 0) {
            destinationQp = attributes.destinationQp();
        }
        if ((mask & QpAttributeMask.ACCESS_FLAGS) != 0) {
            accessFlags = attributes.accessFlags();
            trace.rightsChanged(accessFlags);
        }
        if ((mask & QpAttributeMask.TIMEOUT) != 0) {
            ackTimeoutNanos = AckTimeout.nanos(attributes.timeout());
        }
        if ((mask & QpAttributeMask.PORT) != 0) {
            trace.use(device.port(Math.max(1, attributes.portNumber())));
        }
    }

    /** The port that it uses; port 1 as long as its attributes name none. */
    public DevicePort port() {
        return trace.port();
    }

    /** The queue pair of the peer. */
    public int destinationQp() {
        return destinationQp;
    }

    /** What peers may do. */
    public int accessFlags() {
        return accessFlags;
    }

    /** How long it waits for an acknowledgement; {@link AckTimeout#NEVER} for ever. */
    public long ackTimeoutNanos() {
        return ackTimeoutNanos;
    }

    public int pathMtuBytes() {
        return pathMtuBytes;
    }

    /** The queue pair in its present life. */
    public QpIdentity identity() {
        return windows.identity();
    }

    public TransportEngine engine() {
        return engine;
    }

    // Work.

    public SendQueue sendQueue() {
        return sendQueue;
    }

    /** Its own receive queue; without room if it has none. */
    ReceiveQueue receiveQueue() {
        return receiveQueue;
    }

    /** Where its receive requests come from. */
    public ReceiveSource receives() {
        return receives;
    }

    /** Adds what it has outstanding to gauges of the device. */
    public void addGauges(Map<DeviceCounter, Long> gauges) {
        gauges.merge(DeviceCounter.OUTSTANDING, sendQueue.posted() - sendQueue.completed(), Long::sum);
        gauges.merge(DeviceCounter.TIMERS, engine.isTimed() ? 1L : 0, Long::sum);
    }

    public SgeAccess sgeAccess() {
        return sgeAccess;
    }

    /** What its requests do to windows. */
    public WindowOperations windows() {
        return windows;
    }

    @Nullable
    CompletionOutput sendCompletions() {
        return sendCompletions;
    }

    /**
     * The oldest send request is done, or has failed: it leaves the queue, and has a completion if it is to have one. First it leaves, for a
     * full completion queue flushes what is left.
     *
     * @param byteLength bytes that came back: those that are defined (WC-02)
     */
    public void completeSend(SendWqe wqe, int byteLength) {
        CompletionOutput completions = Objects.requireNonNull(sendCompletions);
        WcStatus failure = wqe.failure();
        boolean isTold = wqe.has(SendFlags.SIGNALED) || (failure != null && !windows.leaveUntold(wqe));
        int shownLength = failure == null && tellsLength ? (int) wqe.lengthBytes() : byteLength;
        if (trace.isTraced()) {
            trace.decided(Rule.WR_16);
            if (isTold) {
                trace.decided(Rule.WC_03);
            }
        }
        if (inspector != null) {
            inspector.sendCompleted(failure == null ? WcStatus.SUCCESS : failure);
        }
        long freed = sendQueue.completeOldest();
        if (isTold) {
            WcStatus status = failure == null ? WcStatus.SUCCESS : failure;
            WcOpcode opcode = wqe.wcOpcode();
            completions.complete(wqe.id(), status, opcode, shownLength, 0, 0, 0, wqe.reason(), freed, failure != null);
            if (opcode == WcOpcode.SEND && failure == null) {
                trace.count(DeviceCounter.RDMA_SENDS);
            }
        } else if (failure == null) {
            WcOpcode opcode = wqe.wcOpcode();
            completions.executed(wqe.id(), opcode, freed);
            if (opcode == WcOpcode.SEND) {
                trace.count(DeviceCounter.RDMA_SENDS);
            }
        }
    }

    /** Requests have completed: others may start now, and a drain may have ended. */
    public void sendQueueAdvanced() {
        if (draining) {
            lifecycle.requestFinished();
        }
        if (simulated || !engine.hasNoRequest()) {
            // A simulation gives a turn without a packet its place among the others.
            requests.announce();
        }
    }

    // Packets.

    /** The link to its peer; null if it is not connected. */
    public @Nullable Link link() {
        return link;
    }

    /** The link from its port to any device; only datagrams take another than {@link #link()}. */
    public Link linkTo(Gid gid) {
        return port().attachment().linkTo(gid);
    }

    /**
     * Whether packets that come over this link to this port may be for it: it has the peer, in the peer's life; datagrams come from all,
     * to its port.
     */
    @SuppressWarnings("ReferenceEquality") // a link and a port are their identities
    public boolean isReachedBy(Link candidate, DevicePort at) {
        return link == candidate || (type == QpType.UD && port() == at);
    }

    /** The queue pair has another link, or none. */
    void moved(@Nullable Link link, @Nullable AddressVector vector) {
        requests.moved(link, vector);
        responses.moved(link, vector);
    }

    /** What sends requests, or else what sends answers. */
    public PacketOutput output(boolean asks) {
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

    /** Whether the next request is taken and answered like those after it: in RTS, and in RTR after the first one. */
    public boolean answersAsUsual() {
        return lifecycle.answersAsUsual();
    }

    /** A packet that is for this queue pair and came over its link; false if it is a run that has to be taken packet by packet. */
    public boolean receive(Link from, Packet packet) {
        trace.received(packet, from);
        if (state == QpState.RTR) {
            lifecycle.heard(packet);
        }
        return engine.receive(from, packet);
    }

    // Trace and events.

    /** Where its engines tell what they do. */
    public QpTrace trace() {
        return trace;
    }

    /** Traces that a rule decided something. */
    public void decided(Rule rule) {
        if (device.isTraced()) {
            trace.decided(rule);
        }
    }

    /** A request was given its packet sequence numbers. */
    public void started(SendWqe wqe) {
        if (device.isObserved()) {
            trace.started(wqe.id(), wqe.firstPsn(), wqe.packets());
        }
    }

    /** The turn of a request of that number has come: it is started, or it fails. */
    public void takesUp(long request) {
        if (device.isObserved()) {
            device.lane().requestTakenUp(device.name(), number, request);
        }
    }

    /** A packet was dropped silently. */
    public void dropped(Packet packet, Rule rule, String format, Object... values) {
        trace.dropped(packet, Refusal.of(rule, format, values));
    }

    /** The same, for a reason that is known. */
    public void dropped(Packet packet, Refusal reason) {
        trace.dropped(packet, reason);
    }

    /** A packet was not needed, as it repeats another or answers what was answered; or its sender is told that it was not taken. */
    public void passedOver(Packet packet, Rule rule, String format, Object... values) {
        if (device.isTraced()) {
            trace.passedOver(packet, Refusal.of(rule, format, values));
        }
    }

    /** A packet of its own goes over a link that loses it: that is counted. */
    public void sends(Link over) {
        Refusal loss = over.reasonOfLoss();
        if (loss != null) {
            device.drops().add(number, true, loss);
        }
    }

    /** Raises an asynchronous event about this queue pair. */
    public void raise(EventType event, @Nullable Refusal refusal) {
        environment.events().raise(event, element, refusal);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "qp 0x%06x of %s in %s", number, deviceName, state());
    }
}
