// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.cq.CompletionQueues;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.device.memory.DeviceMemory;
import dev.verbatim.device.memory.EmulatedDeviceMemory;
import dev.verbatim.device.memory.OnDemandPaging;
import dev.verbatim.device.memory.OnboardMemory;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.QpEnvironment;
import dev.verbatim.device.qp.QueuePairs;
import dev.verbatim.device.receive.SharedQueues;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.DroppedPackets;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.ExtendedDeviceAttributes;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import dev.verbatim.visibility.MemorySystem;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An emulated adapter on a fabric, as programs have it: it makes and holds the parts of the device. */
public final class EmulatedDevice implements Device, ManagedDevice {

    private final DeviceContext context;
    private final DeviceQueries queries;
    private final AsyncEventQueue events;
    private final EmulatedPorts ports;
    private final DeviceMemory memory;
    private final OnboardMemory onboardMemory;
    private final QueuePairs queuePairs;
    private final DeviceClock clock;
    private final SharedQueues sharedQueues;
    private final CompletionQueues completionQueues;
    private final StepFailures stepFailures;
    private final Standstills standstills;
    private final Set<EmulatedProtectionDomain> domains = new LinkedHashSet<>();
    private int domainsMade;
    private volatile @Nullable Map<DeviceCounter, Long> countedAtClose;

    private EmulatedDevice(
            String name,
            long guid,
            DeviceProfile profile,
            Fabric fabric,
            @Nullable Tap tap,
            @Nullable Inspector inspector,
            @Nullable MemorySystem memorySystem) {
        this.queries = new DeviceQueries(guid, profile);
        this.context = new DeviceContext(
                this,
                name,
                profile,
                queries.capabilities(),
                tap == null ? null : WatchedTap.of(tap),
                inspector,
                memorySystem);
        this.events = new AsyncEventQueue(context);
        this.ports = new EmulatedPorts(context, guid, fabric, events, this::stepFailed);
        this.memory = new DeviceMemory(context, EmulatedProtectionDomain::identityOf);
        this.onboardMemory = new OnboardMemory(context);
        this.completionQueues = new CompletionQueues(context, events);
        this.queuePairs = new QueuePairs(
                new QpEnvironment(context, events, memory, new TransportEngines(ports)::of, this::stepFailed),
                fabric.freshQpNumberSeed());
        this.sharedQueues = new SharedQueues(
                context, events, (domain, attributes) -> queuePairs.create(domain.hiddenPd(), domain, attributes));
        this.stepFailures = new StepFailures(context, events, queuePairs, completionQueues, ports);
        ports.attach(fabric, guid, port -> new PacketIntake(context, memory, queuePairs, port, stepFailures));
        this.standstills = new Standstills(name, queuePairs, completionQueues);
        this.clock = new DeviceClock(context.lane());
    }

    private void stepFailed(Throwable thrown) {
        stepFailures.failed(thrown);
    }

    private void stepFailed(QpContext queuePair, Throwable thrown) {
        stepFailures.failed(queuePair, thrown);
    }

    /**
     * Opens a device on a fabric.
     *
     * @param guid its node GUID, from which its GID follows
     * @param tap receives its trace; null for none
     */
    public static EmulatedDevice open(Fabric fabric, String name, long guid, DeviceProfile profile, @Nullable Tap tap) {
        return open(fabric, name, guid, profile, tap, null);
    }

    /**
     * Opens a device that is inspected.
     *
     * @param inspector watches it and its programs; null for none
     */
    public static EmulatedDevice open(
            Fabric fabric,
            String name,
            long guid,
            DeviceProfile profile,
            @Nullable Tap tap,
            @Nullable Inspector inspector) {
        return open(fabric, name, guid, profile, tap, inspector, null);
    }

    /**
     * Opens a device that may be inspected, and be part of a node with other memory than coherent host memory.
     *
     * @param inspector watches it and its programs; null for none
     * @param memorySystem the memory of its node; null for coherent host memory
     */
    public static EmulatedDevice open(
            Fabric fabric,
            String name,
            long guid,
            DeviceProfile profile,
            @Nullable Tap tap,
            @Nullable Inspector inspector,
            @Nullable MemorySystem memorySystem) {
        FailurePathWarmUp.once();
        return new EmulatedDevice(name, guid, profile, fabric, tap, inspector, memorySystem);
    }

    /** What its parts share. */
    public DeviceContext context() {
        return context;
    }

    /** Its regions and windows. */
    public DeviceMemory memory() {
        return memory;
    }

    /** Its shared receive queues and XRC domains. */
    SharedQueues sharedQueues() {
        return sharedQueues;
    }

    QueuePairs queuePairs() {
        return queuePairs;
    }

    StepFailures stepFailures() {
        return stepFailures;
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public DeviceAttributes query() {
        context.requireAlive();
        return queries.attributes();
    }

    @Override
    public ExtendedDeviceAttributes queryExtended() {
        context.requireAlive();
        return queries.extendedAttributes(onboardMemory.sizeBytes(), OnDemandPaging.capabilities(context));
    }

    @Override
    public PortAttributes queryPort(int portNumber) {
        return ports.require(portNumber).query();
    }

    @Override
    public Gid gid() {
        return context.gid();
    }

    @Override
    public List<Gid> gids() {
        return ports.gids();
    }

    @Override
    public ManagementPort managementPort(int portNumber) {
        return ports.require(portNumber).management();
    }

    @Override
    public void waitsFor(CompletionChannel channel) {
        DeviceInspector inspector = context.inspector();
        if (inspector != null) {
            inspector.waitsFor(channel, false);
        }
    }

    @Override
    public Gid queryGid(int portNumber, int index) {
        return ports.require(portNumber).gid(index);
    }

    @Override
    public Gid gidOfLid(int lid) {
        return ports.at(1).gidOfLid(lid);
    }

    @Override
    public int queryPkey(int portNumber, int index) {
        return ports.require(portNumber).pkey(index);
    }

    @Override
    public ProtectionDomain allocatePd() {
        return context.onLane(() -> {
            context.requireOpen();
            GrantedSizes.requireRoom(
                    "max_pd",
                    Rule.MR_16,
                    domains.size(),
                    context.profile().limits().maxPd());
            EmulatedProtectionDomain pd = new EmulatedProtectionDomain(this, ++domainsMade);
            domains.add(pd);
            return context.made(pd);
        });
    }

    void release(EmulatedProtectionDomain pd) {
        domains.remove(pd);
    }

    @Override
    public EmulatedDeviceMemory allocateDeviceMemory(long lengthBytes, int logAlignment) {
        return onboardMemory.allocate(lengthBytes, logAlignment);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return context.onLane(() -> context.made(completionQueues.createChannel()));
    }

    @Override
    public CompletionQueue createCq(
            int entries,
            @Nullable Object cqContext,
            @Nullable CompletionChannel channel,
            int completionVector,
            int fields) {
        return context.onLane(
                () -> context.made(completionQueues.create(entries, cqContext, channel, completionVector, fields)));
    }

    @Override
    public long clockNanos() {
        return clock.nowNanos();
    }

    @Override
    public long wallClockNanos(long clockNanos) {
        return clock.sinceEpoch(clockNanos);
    }

    @Override
    public XrcDomain openXrcDomain() {
        return context.onLane(() -> context.made(sharedQueues.open(null)));
    }

    @Override
    public XrcDomain openXrcDomain(String domainName) {
        VerbsException.requireNonNull(domainName, "name");
        return context.onLane(() -> context.made(sharedQueues.open(domainName)));
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
    public boolean hasAsyncEvent() {
        return events.hasEvent();
    }

    @Override
    public void onAsyncEvent(@Nullable Runnable callback) {
        events.onReady(callback);
    }

    @Override
    public void onAsyncEvent(@Nullable Runnable added, Runnable dropped) {
        events.onReady(added, dropped);
    }

    @Override
    public List<WorkCompletion> unpolledFailures() {
        return context.onLane(completionQueues::unpolledFailures);
    }

    @Override
    public Map<DeviceCounter, Long> counters() {
        Map<DeviceCounter, Long> last = countedAtClose;
        return last == null ? context.onLane(this::countedNow) : last;
    }

    private Map<DeviceCounter, Long> countedNow() {
        Map<DeviceCounter, Long> counters = context.counters().snapshot();
        queuePairs.forEach(queuePair -> queuePair.context().addGauges(counters));
        return Collections.unmodifiableMap(counters);
    }

    @Override
    public List<Standstill> standstills() {
        return context.onLane(standstills::all);
    }

    @Override
    public List<DroppedPackets> droppedPackets() {
        return context.onLane(() -> context.drops().all());
    }

    @Override
    public long progress() {
        return context.onLane(standstills::progress);
    }

    /** Its events go to this observer too, soon, until another is set; with null to none. Never waits. */
    public void observe(@Nullable Tap observer) {
        context.lane().ring(new Doorbell() {
            @Override
            protected void answer() {
                context.observe(observer == null ? null : WatchedTap.of(observer));
            }
        });
    }

    /** Its tap receives no more events. On the lane. */
    public void unwatch() {
        Tap unused = context.unwatch();
    }

    /** Whether it was not closed. From any thread; may be late. */
    public boolean isOpen() {
        return countedAtClose == null;
    }

    @Override
    public void inject(EventType type, int portNumber) {
        VerbsException.requireNonNull(type, "type");
        context.lane().call(() -> {
            context.requireOpen();
            InjectedEvents.inject(context, events, ports.require(portNumber), stepFailures, type);
        });
    }

    @Override
    public void changeLink(int portNumber, PathMtu activeMtu, LinkWidth activeWidth, LinkSpeed activeSpeed) {
        VerbsException.requireNonNull(activeMtu, "activeMtu");
        VerbsException.requireNonNull(activeWidth, "activeWidth");
        VerbsException.requireNonNull(activeSpeed, "activeSpeed");
        context.lane().call(() -> {
            context.requireOpen();
            ports.require(portNumber).linkChanged(activeMtu, activeWidth, activeSpeed);
        });
    }

    @Override
    public void close() {
        context.lane().call(() -> {
            if (!context.isOpen()) {
                throw VerbsException.of(Errno.ENOENT, Rule.PD_07, "device %s was closed before", name());
            }
            new ObjectCounts(
                            domains.size(),
                            completionQueues.count(),
                            completionQueues.channelCount(),
                            onboardMemory.count(),
                            sharedQueues.domainCount(),
                            queuePairs.count(),
                            sharedQueues.count(),
                            memory.keys().regionCount(),
                            memory.keys().windowCount(),
                            context.addressHandles())
                    .requireNone(name());
            tellClosed();
            shut();
        });
        ports.close();
    }

    @Override
    public void closeAll() {
        context.lane().call(() -> {
            if (context.isOpen()) {
                context.decided(0, Rule.PD_07);
                tellClosed();
                queuePairs.destroyAll();
                sharedQueues.destroyAll();
                memory.endAll();
                onboardMemory.endAll();
                completionQueues.abandonAll();
                domains.clear();
                shut();
            }
        });
        ports.close();
    }

    private void tellClosed() {
        DeviceInspector inspector = context.inspector();
        if (inspector != null) {
            inspector.closedAll();
        }
    }

    private void shut() {
        countedAtClose = countedNow();
        context.close();
        ports.end();
        events.close();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
