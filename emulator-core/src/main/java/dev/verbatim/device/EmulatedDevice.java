// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An emulated adapter on a fabric: what it holds, and where packets and events find their way. */
public final class EmulatedDevice implements Device, ManagedDevice {

    /** How many numbers may be left out, less one, where numbers are left to choice (N14). */
    private static final int MOST_NUMBERS_LEFT_OUT = 4;

    private final String name;
    private final DeviceProfile profile;
    private final DeviceQueries queries;
    private final FabricPort port;
    private final Lane lane;
    private final AsyncEventQueue events;
    private final EmulatedPort physicalPort = new EmulatedPort(this);
    private final ManagementQueuePair management;
    private final DeviceMemory memory;
    private final NumberedTable<EmulatedQueuePair> queuePairs;
    private final Set<EmulatedProtectionDomain> domains = new LinkedHashSet<>();
    private final SharedQueues sharedQueues;
    private final Set<EmulatedCompletionQueue> completionQueues = new LinkedHashSet<>();
    private final Set<EmulatedCompletionChannel> channels = new LinkedHashSet<>();
    private final DroppedFailures droppedFailures = new DroppedFailures();
    private final StepFailures stepFailures;
    private @Nullable Tap tap;
    private int domainsMade;
    private int addressHandles;
    private boolean open = true;
    private volatile @Nullable Refusal fatal;

    private EmulatedDevice(String name, long guid, DeviceProfile profile, Fabric fabric, @Nullable Tap tap) {
        this.name = name;
        this.profile = profile;
        this.queries = new DeviceQueries(guid, profile);
        this.memory = new DeviceMemory(this);
        this.queuePairs = new NumberedTable<>(
                DeviceProfile.FIRST_QP_NUMBER, DeviceProfile.FIRST_QP_NUMBER + profile.qpNumbers() - 1);
        this.sharedQueues = new SharedQueues(this);
        this.management = new ManagementQueuePair(this, guid, fabric.freshKeySeed());
        this.stepFailures = new StepFailures(this, queuePairs, completionQueues, management);
        this.tap = tap == null ? null : WatchedTap.of(tap);
        this.port = fabric.attach(Gid.ofGuid(guid), new PacketIntake(this, queuePairs, management, physicalPort));
        this.lane = port.lane();
        this.events = new AsyncEventQueue(this);
    }

    /**
     * Opens a device on a fabric.
     *
     * @param guid its node GUID, from which its GID follows
     * @param tap sees what it does; null for nobody
     */
    public static EmulatedDevice open(Fabric fabric, String name, long guid, DeviceProfile profile, @Nullable Tap tap) {
        Rehearsal.once();
        return new EmulatedDevice(name, guid, profile, fabric, tap);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes query() {
        requireAlive();
        return queries.attributes();
    }

    /** Whether the device can do all of that: {@link dev.verbatim.verbs.DeviceCapabilities}. */
    public boolean can(long capabilities) {
        return queries.can(capabilities);
    }

    @Override
    public PortAttributes queryPort(int portNumber) {
        return physicalPort.query(portNumber);
    }

    /** A datagram came with another Q_Key than that of its queue pair. On the lane. */
    public void countBadQueueKey() {
        physicalPort.badQueueKey();
    }

    @Override
    public Gid gid() {
        return port.gid();
    }

    @Override
    public ManagementPort managementPort() {
        return management;
    }

    @Override
    public Gid queryGid(int portNumber, int index) {
        physicalPort.check(portNumber, index);
        return gid();
    }

    @Override
    public int queryPkey(int portNumber, int index) {
        return physicalPort.pkey(portNumber, index);
    }

    @Override
    public ProtectionDomain allocatePd() {
        return onLane(() -> {
            requireOpen();
            requireRoom("max_pd", domains.size(), profile.limits().maxPd());
            EmulatedProtectionDomain pd = new EmulatedProtectionDomain(this, ++domainsMade);
            domains.add(pd);
            return pd;
        });
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return onLane(() -> {
            requireOpen();
            EmulatedCompletionChannel channel = new EmulatedCompletionChannel(this);
            channels.add(channel);
            return channel;
        });
    }

    @Override
    public CompletionQueue createCq(
            int entries, @Nullable Object context, @Nullable CompletionChannel channel, int completionVector) {
        return onLane(() -> {
            requireOpen();
            CqCreation.checkEntries(profile.limits(), "CQ-01", entries);
            CqCreation.checkVector(profile.limits(), completionVector);
            requireRoom("max_cq", completionQueues.size(), profile.limits().maxCq());
            EmulatedCompletionChannel own = CqCreation.own(this, channel);
            if (own != null) {
                own.addUser();
            }
            EmulatedCompletionQueue cq =
                    new EmulatedCompletionQueue(this, CqCreation.granted(profile, entries), context, own);
            completionQueues.add(cq);
            return cq;
        });
    }

    EmulatedQueuePair createQueuePair(
            EmulatedProtectionDomain pd, @Nullable EmulatedXrcDomain xrcDomain, QpInitAttributes asked) {
        EmulatedCompletionQueue sendCq = QpCreation.sendCq(this, asked);
        EmulatedCompletionQueue recvCq = QpCreation.recvCq(this, asked);
        QpInitAttributes attributes = QpCreation.granted(this, asked);
        requireRoom("max_qp", queuePairs.size(), profile.limits().maxQp());
        requireRoom("qp_numbers", queuePairs.size(), profile.qpNumbers());
        QpCreation.reserve(attributes, sendCq, recvCq);
        int number = queuePairs.nextFree(choose(ChoicePoint.QP_NUMBER, MOST_NUMBERS_LEFT_OUT));
        decided(number, "QP-01");
        decided(number, "QP-08");
        EmulatedQueuePair queuePair = new EmulatedQueuePair(pd, xrcDomain, number, attributes, sendCq, recvCq);
        queuePairs.put(number, queuePair);
        pd.countQueuePairs(1);
        if (sendCq != null) {
            sendCq.addUser(queuePair);
        }
        if (recvCq != null) {
            recvCq.addUser(queuePair);
        }
        queuePair.receives().begin();
        return queuePair;
    }

    void countAddressHandles(int change) {
        if (change > 0) {
            requireRoom("max_ah", addressHandles, profile.limits().maxAh());
        }
        addressHandles += change;
    }

    private void requireRoom(String limit, int used, int most) {
        requireRoom(limit, "MR-16", used, most);
    }

    void requireRoom(String limit, String rule, int used, int most) {
        if (used >= most) {
            throw VerbsException.of(
                    Errno.ENOMEM, rule, "%s=%d are in use; free some or choose larger limits", limit, most);
        }
    }

    void release(EmulatedProtectionDomain pd) {
        domains.remove(pd);
    }

    void release(EmulatedCompletionQueue cq) {
        completionQueues.remove(cq);
        events.forget(cq);
    }

    /** Its shared receive queues and XRC domains. */
    SharedQueues sharedQueues() {
        return sharedQueues;
    }

    void forgetEventsAbout(EventElement element) {
        events.forget(element);
    }

    void release(EmulatedCompletionChannel channel) {
        channels.remove(channel);
    }

    void release(EmulatedQueuePair queuePair) {
        queuePairs.remove(queuePair.number());
        events.forget(queuePair);
    }

    PacketUnderWay packetUnderWay() {
        return memory.packetUnderWay();
    }

    PlacementBuffer placements() {
        return memory.placements();
    }

    /** Its regions and windows. */
    DeviceMemory memory() {
        return memory;
    }

    /** Whether another behaviour than the canonical one is possible at this point. On the lane. */
    public boolean isOpen(ChoicePoint point) {
        return lane.choices().isOpen(point);
    }

    /** Picks among legal behaviours, as the lane decides. On the lane. */
    public int choose(ChoicePoint point, int alternatives) {
        return lane.choices().choose(point, alternatives);
    }

    /** What the keys of this device name. */
    public KeyTable keys() {
        return memory.keys();
    }

    public DeviceProfile profile() {
        return profile;
    }

    public Lane lane() {
        return lane;
    }

    FabricPort port() {
        return port;
    }

    /** Runs a verb on the lane that tells of all that it touches, and gives others their turn. */
    void callTold(Runnable work) {
        lane.callTold(work);
        lane.giveWay();
    }

    <T> T onLane(Supplier<T> work) {
        List<T> result = new ArrayList<>(1);
        lane.call(() -> result.add(work.get()));
        return result.get(0);
    }

    /** Raises an asynchronous event about one of its elements. On the lane. */
    void raise(EventType type, EventElement element, @Nullable Refusal refusal) {
        events.raise(type, element, refusal);
    }

    /** Raises an event that was made before. On the lane. */
    void raise(EmulatedAsyncEvent event) {
        events.occurred(event);
    }

    /** Raises an asynchronous event about a port, or with port 0 about the whole device. On the lane. */
    void raise(EventType type, int portNumber, @Nullable Refusal refusal) {
        events.raise(type, portNumber, refusal);
    }

    /** Whether somebody watches; ask before making an event. */
    public boolean isTraced() {
        return tap != null;
    }

    /** Tells the tap. */
    void trace(TraceEvent event) {
        Tap listener = tap;
        if (listener != null) {
            listener.on(event);
        }
    }

    /** Nobody watches until {@link #watch}; who did. On the lane. */
    @Nullable
    Tap unwatch() {
        Tap before = tap;
        tap = null;
        return before;
    }

    /** Who stopped watching goes on. On the lane. */
    void watch(@Nullable Tap watching) {
        if (watching != null) {
            tap = watching;
        }
    }

    StepFailures stepFailures() {
        return stepFailures;
    }

    void decided(int qp, String rule) {
        if (isTraced()) {
            trace(new TraceEvent.Decided(lane.nowNanos(), name, qp, rule));
        }
    }

    /** The same for threads that are not on the lane, and hold no monitor that the lane may want. */
    void decidedOutside(String rule) {
        if (isTraced()) {
            lane.call(() -> decided(0, rule));
        }
    }

    @Override
    public XrcDomain openXrcDomain() {
        return onLane(() -> sharedQueues.open(null));
    }

    @Override
    public XrcDomain openXrcDomain(String domainName) {
        Objects.requireNonNull(domainName, "domainName");
        return onLane(() -> sharedQueues.open(domainName));
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() {
        return events.poll();
    }

    @Override
    public AsyncEvent getAsyncEvent(Duration patience) {
        return events.await(patience);
    }

    @Override
    public List<WorkCompletion> unpolledFailures() {
        return onLane(() -> {
            List<WorkCompletion> failures = new ArrayList<>(droppedFailures.kept());
            completionQueues.forEach(cq -> cq.forEachFailure(failures::add));
            return failures;
        });
    }

    /** Completions that nobody polled and nobody can poll any more. On the lane. */
    DroppedFailures droppedFailures() {
        return droppedFailures;
    }

    @Override
    public void inject(EventType type) {
        lane.call(() -> {
            requireOpen();
            InjectedEvents.inject(this, physicalPort, type);
        });
    }

    /** A fatal error: whatever is queued fails, and there is nothing more to be had of the device (AE-12, WC-42). On the lane. */
    void die(Refusal reason) {
        fatal = reason;
        stepFailures.endDeviceFor(reason);
    }

    /** It has failed for that reason, unless it had before or is closed; whether it has. On the lane. */
    boolean failsFor(Refusal reason) {
        if (fatal != null || !open) {
            return false;
        }
        fatal = reason;
        return true;
    }

    /** Refuses everything but to read events and to be closed, once the device has met a fatal error (AE-12). */
    void requireAlive() {
        Refusal reason = fatal;
        if (reason != null) {
            throw new VerbsException(Errno.EIO, reason);
        }
    }

    void requireOpen() {
        requireNotClosed();
        requireAlive();
    }

    boolean isOpen() {
        return open;
    }

    void requireNotClosed() {
        if (!open) {
            throw VerbsException.of(Errno.EINVAL, "PD-07", "device %s was closed", name);
        }
    }

    @Override
    public void close() {
        lane.call(() -> {
            if (!open) {
                throw VerbsException.of(Errno.ENOENT, "PD-07", "device %s was closed before", name);
            }
            new Children(
                            domains.size(),
                            completionQueues.size(),
                            channels.size(),
                            sharedQueues.domainCount(),
                            queuePairs.size(),
                            sharedQueues.count(),
                            keys().regionCount(),
                            keys().windowCount(),
                            addressHandles)
                    .requireNone(name);
            shut();
        });
        port.close();
    }

    @Override
    public void closeAll() {
        lane.call(() -> {
            if (open) {
                decided(0, "PD-07");
                queuePairs.forEach(EmulatedQueuePair::destroy);
                sharedQueues.destroyAll();
                keys().forEachWindow(EmulatedMemoryWindow::end);
                keys().forEachRegion(memory::deregister);
                completionQueues.forEach(EmulatedCompletionQueue::abandon);
                completionQueues.clear();
                channels.forEach(EmulatedCompletionChannel::abandon);
                channels.clear();
                domains.clear();
                shut();
            }
        });
        port.close();
    }

    private void shut() {
        open = false;
        management.end();
        events.close();
    }

    @Override
    public String toString() {
        return "device " + name + " " + gid();
    }
}
