// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.inspect.CqInspector;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.visibility.MemorySystem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all parts of a device share: name, profile, capabilities, port, lane, choices, tap, and whether the device is alive. */
public final class DeviceContext {

    private final Device handle;
    private final String name;
    private final DeviceProfile profile;
    private final long capabilities;
    private final StepFailureLog stepFailures;
    final DeviceCounters counters = new DeviceCounters();
    private final Drops drops = new Drops();
    private final NakReasons nakReasons = new NakReasons();

    private final List<DevicePort> ports;

    @SuppressWarnings("NullAway.Init") // set by attach(), before the first step on the lane
    private Lane lane;

    /** What receives events: the device's own tap, an observer, both; null for none. */
    @Nullable
    Tap tap;

    private final @Nullable Tap ownTap;
    private final @Nullable Inspector watcher;
    private final @Nullable MemorySystem memorySystem;
    private @Nullable DeviceInspector inspector;

    private int addressHandles;
    private long fastPathSent;
    private long fastPathTaken;
    private long fastPathAnswersSent;
    private long fastPathAnswersTaken;
    private boolean open = true;
    private volatile @Nullable Refusal fatal;

    /**
     * The context of a device that is not attached yet.
     *
     * @param handle the device as programs have it
     * @param capabilities {@link dev.verbatim.verbs.DeviceCapabilities}
     * @param tap receives its trace; null for none
     * @param watcher inspects it; null for none
     * @param memorySystem the memory of its node; null for coherent host memory
     */
    public DeviceContext(
            Device handle,
            String name,
            DeviceProfile profile,
            long capabilities,
            @Nullable Tap tap,
            @Nullable Inspector watcher,
            @Nullable MemorySystem memorySystem) {
        this.handle = handle;
        this.name = name;
        this.profile = profile;
        this.capabilities = capabilities;
        this.stepFailures = new StepFailureLog(name);
        this.tap = tap;
        this.ownTap = tap;
        this.watcher = watcher;
        this.memorySystem = memorySystem;
        DevicePort[] made = new DevicePort[profile.limits().physicalPorts()];
        for (int i = 0; i < made.length; i++) {
            made[i] = new DevicePort(this, i + 1);
        }
        this.ports = List.of(made);
    }

    /** Sets the places of the device's ports on their fabric, all on one lane; once, before anything else runs. */
    public void attach(List<FabricPort> attached) {
        for (DevicePort port : ports) {
            port.attach(attached.get(port.number() - 1));
        }
        lane = attached.get(0).lane();
        inspector = watcher == null ? null : watcher.opened(handle);
    }

    /** The device as programs have it. */
    public Device handle() {
        return handle;
    }

    public String name() {
        return name;
    }

    public DeviceProfile profile() {
        return profile;
    }

    /** The memory of its node; null where all of it is coherent host memory. */
    public @Nullable MemorySystem memorySystem() {
        return memorySystem;
    }

    /** Whether the device has all of these {@link dev.verbatim.verbs.DeviceCapabilities}. */
    public boolean can(long wanted) {
        return (capabilities & wanted) == wanted;
    }

    /** That of port 1. */
    public Gid gid() {
        return port(1).gid();
    }

    /** Its ports, in the order of their numbers. */
    public List<DevicePort> ports() {
        return ports;
    }

    /** The port with that number, which must be in 1 to the number of ports. */
    public DevicePort port(int number) {
        return ports.get(number - 1);
    }

    public Lane lane() {
        return lane;
    }

    /** Whether another behaviour than the canonical one is possible at this point. On the lane. */
    public boolean isOpen(ChoicePoint point) {
        return lane.choices().isOpen(point);
    }

    /** Picks among legal behaviours, as the lane decides. On the lane. */
    public int choose(ChoicePoint point, int alternatives) {
        return lane.choices().choose(point, alternatives);
    }

    /** Runs a verb on the lane that reports all that it touches, and lets other programs take their turn. */
    public void callTold(Runnable work) {
        lane.callTold(work);
        lane.giveWay();
    }

    /** A program looked, and found so many: others may have their turn if there were some. Where there were none they had it before. */
    public int giveWayAfter(int found) {
        if (found > 0) {
            lane.giveWay();
        }
        return found;
    }

    /** Runs a verb on the lane and returns its result. */
    public <T> T onLane(Supplier<T> work) {
        List<T> result = new ArrayList<>(1);
        lane.call(() -> result.add(work.get()));
        return result.get(0);
    }

    /** A request of a queue pair of this device was sent on the fast path, and its answer came if it is answered. On the lane. */
    public void countFastPathSent(boolean isAnswered) {
        fastPathSent++;
        counters.sentPackets++;
        counters.receivedPackets += isAnswered ? 1 : 0;
    }

    /** A queue pair of this device took a request on the fast path, and answered it if it is answered. On the lane. */
    public void countFastPathTaken(boolean isAnswered) {
        fastPathTaken++;
        counters.receivedPackets++;
        counters.sentPackets += isAnswered ? 1 : 0;
    }

    /** A queue pair of this device answered a request on the fast path, by an answer of its own. On the lane. */
    public void countFastPathAnswerSent() {
        fastPathAnswersSent++;
        counters.sentPackets++;
    }

    /** A queue pair of this device took such an answer. On the lane. */
    public void countFastPathAnswerTaken() {
        fastPathAnswersTaken++;
        counters.receivedPackets++;
    }

    /** How many requests were sent on the fast path. On the lane. */
    public long fastPathSent() {
        return fastPathSent;
    }

    /** How many requests were taken on the fast path. On the lane. */
    public long fastPathTaken() {
        return fastPathTaken;
    }

    /** How many answers were sent on the fast path; those that requests bring back in the same step are not among them. On the lane. */
    public long fastPathAnswersSent() {
        return fastPathAnswersSent;
    }

    /** How many of them were taken. On the lane. */
    public long fastPathAnswersTaken() {
        return fastPathAnswersTaken;
    }

    /** Whether a tap receives events now; ask before making an event. */
    public boolean isTraced() {
        Tap listener = tap;
        return listener != null && listener.isListening();
    }

    /** What inspects the device; null for nothing. */
    public @Nullable DeviceInspector inspector() {
        return inspector;
    }

    /** What inspects a completion queue that is being made; null for nothing. */
    public @Nullable CqInspector inspector(CompletionQueue cq) {
        return inspector == null ? null : inspector.completionQueue(cq);
    }

    /** Whether a tap or an inspector is told what happens: then nothing takes a shorter way than the usual one. */
    public boolean isObserved() {
        return tap != null || inspector != null;
    }

    /** A program made an object; returns it. */
    public <T> T made(T object) {
        if (inspector != null) {
            inspector.made(object);
        }
        return object;
    }

    /** A program closed an object. */
    public void closed(Object object) {
        if (inspector != null) {
            inspector.closed(object);
        }
    }

    /** Passes an event to the tap, if there is one. */
    public void trace(TraceEvent event) {
        Tap listener = tap;
        if (listener != null) {
            listener.on(event);
        }
    }

    /** Events go to this observer too from now on; with null, to none but the device's own tap. On the lane. */
    public void observe(@Nullable Tap observer) {
        if (observer == null) {
            tap = ownTap;
        } else {
            tap = ownTap == null ? observer : ownTap.and(observer);
        }
    }

    /** A program took so many completions of a completion queue, and left so many. Not with a monitor that the lane may want. */
    public void polled(int cq, WorkCompletion[] completions, int count, long left) {
        if (isTraced()) {
            lane.tell(() -> tracePolled(cq, completions, count, left));
        }
    }

    private void tracePolled(int cq, WorkCompletion[] completions, int count, long left) {
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions[i];
            trace(new TraceEvent.Polled(
                    lane.nowNanos(), name, completion.qpNumber(), cq, completion.id(), left + count - 1 - i));
        }
    }

    /** Removes the tap until {@link #watch}, and returns it. On the lane. */
    @Nullable
    public Tap unwatch() {
        Tap before = tap;
        tap = null;
        return before;
    }

    /** Puts back a tap that {@link #unwatch} removed. On the lane. */
    public void watch(@Nullable Tap watching) {
        if (watching != null) {
            tap = watching;
        }
    }

    /** Traces that a rule decided something, about a queue pair or, with 0, about none. On the lane. */
    public void decided(int qp, Rule rule) {
        if (isTraced()) {
            trace(new TraceEvent.Decided(lane.nowNanos(), name, qp, rule.id()));
        }
    }

    /** The same for threads that are not on the lane, and hold no monitor that the lane may want. */
    public void decidedOutside(Rule rule) {
        if (isTraced()) {
            lane.call(() -> decided(0, rule));
        }
    }

    /** What it dropped. On the lane. */
    public Drops drops() {
        return drops;
    }

    /** What it has counted. On the lane. */
    public DeviceCounters counters() {
        return counters;
    }

    /** Why steps failed. On the lane. */
    public StepFailureLog stepFailures() {
        return stepFailures;
    }

    /** Why requests of peers were answered with a NAK. On the lane. */
    public NakReasons nakReasons() {
        return nakReasons;
    }

    /** So many address handles more, or fewer; throws ENOMEM if there are {@code max_ah}. On the lane. */
    void countAddressHandles(int change) {
        if (change > 0) {
            GrantedSizes.requireRoom(
                    "max_ah", Rule.MR_16, addressHandles, profile.limits().maxAh());
        }
        addressHandles += change;
    }

    public int addressHandles() {
        return addressHandles;
    }

    /** The device has met a fatal error for that reason (AE-12). On the lane. */
    public void die(Refusal reason) {
        fatal = reason;
    }

    /** Whether a fatal error makes a difference: not if there was one before, or the device is closed. On the lane. */
    public boolean canDie() {
        return fatal == null && open;
    }

    /** Refuses everything but to read events and to be closed, once the device has met a fatal error (AE-12). */
    public void requireAlive() {
        Refusal reason = fatal;
        if (reason != null) {
            throw new VerbsException(Errno.EIO, reason);
        }
    }

    public void requireOpen() {
        if (!open) {
            throw VerbsException.of(Errno.EINVAL, Rule.PD_07, "device %s was closed", name);
        }
        requireAlive();
    }

    public boolean isOpen() {
        return open;
    }

    /** The device is closed. On the lane. */
    public void close() {
        open = false;
    }

    @Override
    public String toString() {
        return "device " + name + " " + gid();
    }
}
