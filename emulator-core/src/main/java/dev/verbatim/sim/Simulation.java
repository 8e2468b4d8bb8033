// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.WatchedTap;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Devices and programs in virtual time. Exactly one of them acts at any moment; a {@link Schedule} decides which, and everything
 * else that the rules leave open. So a run can be repeated byte for byte, and every legal run can be reached.
 *
 * <pre>{@code
 * try (Simulation simulation = new Simulation(Schedule.by(Choices.seeded(42), OpenChoices.LEGAL), SimulationOptions.USUAL)) {
 *     Device left = simulation.open("left");
 *     Device right = simulation.open("right");
 *     // register memory, connect queue pairs ...
 *     simulation.node("left", node -> {
 *         // post, poll, wait ...
 *     });
 *     simulation.node("right", node -> {
 *         // ...
 *     });
 *     simulation.run();
 * }
 * }</pre>
 *
 * <p>A program is ordinary code. Whenever it calls a verb, other programs and devices may act first; between two verbs it runs
 * alone. It must wait for other programs by verbs and {@link Node#await} only. The thread that opens a simulation may call verbs
 * too, before, after and instead of {@link #run}; calls of other threads are refused.
 *
 * <p>Memory that these threads allocate has addresses of the simulation, which start at the same address in each one.
 */
public final class Simulation implements AutoCloseable {

    /** What the thread that opened the simulation is called as a program. */
    private static final String MAIN = "main";

    private final LossyFabric fabric;
    private final ScheduledLane lane;
    private final SimulationOptions options;
    private final AddressSpace addresses = AddressSpace.forSimulation();
    private final List<EmulatedDevice> devices = new ArrayList<>();
    private final Map<String, MemorySystem> memorySystems = new TreeMap<>();
    private final List<Adapter> adapters = new ArrayList<>();
    private @Nullable WatchedTap tap;
    private @Nullable Inspector inspector;
    private final boolean weighed;
    private final List<Device> gone = new ArrayList<>();
    private final Set<Gid> crashed = new TreeSet<>();
    private final Doorbell burial = new Doorbell() {
        @Override
        protected void answer() {
            bury();
        }
    };

    /** A device of a node whose observers need not see the same. */
    private record Adapter(Device device, MemorySystem system) {}

    /** Opens a simulation without devices and programs. It belongs to the calling thread until it is closed. */
    public Simulation(Schedule decisions, SimulationOptions options) {
        Schedule schedule = decisions.reporting((point, what) -> chosen(point));
        this.options = options;
        this.weighed = schedule.weighsFootprints();
        ScheduledLane[] made = new ScheduledLane[1];
        this.fabric = new LossyFabric(
                inFlight -> {
                    made[0] = new ScheduledLane(inFlight, schedule, options);
                    return made[0];
                },
                schedule,
                options.faults(),
                this::faulted);
        this.lane = made[0];
        addresses.enter();
    }

    /** The fabric of its devices; use it to cut links and to decide about single packets. */
    public LossyFabric fabric() {
        return fabric;
    }

    /** The address space of memory of this simulation. */
    public AddressSpace addresses() {
        return addresses;
    }

    ScheduledLane lane() {
        return lane;
    }

    /**
     * Reports events of devices that are opened from now on, and loads and stores of programs. An exception of the tap does not change
     * the run; {@link #run} throws the first one at its end.
     */
    public Simulation tap(@Nullable Tap chosen) {
        tap = chosen == null ? null : WatchedTap.of(chosen);
        return this;
    }

    /** Has devices that are opened from now on, and all programs, watched; once, before the first device is opened. */
    public Simulation inspect(Inspector watcher) {
        inspector = watcher;
        memorySystems.values().forEach(this::watch);
        watcher.turn(MAIN, () -> "");
        lane.enabledEvents().tellTurns(actor -> {
            if (actor == null) {
                watcher.turn(MAIN, () -> "");
            } else {
                watcher.turn(actor.name(), actor::source);
            }
        });
        return this;
    }

    @Nullable
    Inspector inspector() {
        return inspector;
    }

    /** Opens a device with the profile of the options. */
    public Device open(String name) {
        return open(name, options.profile());
    }

    /** Opens a device with a profile. */
    public Device open(String name, DeviceProfile profile) {
        return open(name, fabric.freshGuid(), profile);
    }

    /**
     * Gives a node memory whose observers need not see the same; once, before its device is opened.
     *
     * @param node name of its device and of the program of its CPU
     * @throws IllegalArgumentException if it has such memory already
     */
    public MemorySystem memorySystem(String node, Platform platform) {
        MemorySystem system = new MemorySystem(node, platform, lane, rule -> decided(node, rule));
        if (memorySystems.putIfAbsent(node, system) != null) {
            throw new IllegalArgumentException("node=" + node + " has a memory system already; use that one");
        }
        system.tell(() -> tap, fabric.clock());
        watch(system);
        return system;
    }

    private void watch(MemorySystem system) {
        Inspector watcher = inspector;
        if (watcher != null) {
            system.inspect(watcher.memory(system));
        }
    }

    private void decided(String node, Rule rule) {
        Tap listener = tap;
        if (listener != null) {
            listener.on(new TraceEvent.Decided(fabric.clock().nanoTime(), node, 0, rule.id()));
        }
    }

    /** Opens a device with the GUID of a device that was closed: the same device, in another incarnation. */
    public Device open(String name, long guid, DeviceProfile profile) {
        return open(name, guid, profile, memorySystems.get(name));
    }

    /** Opens one of several adapters of a node; they share its memory. */
    public Device open(String name, DeviceProfile profile, MemorySystem system) {
        return open(name, fabric.freshGuid(), profile, system);
    }

    /** The same with a GUID; null for coherent host memory. */
    public Device open(String name, long guid, DeviceProfile profile, @Nullable MemorySystem system) {
        Tap watched = weighed || tap != null ? new DeviceTap() : null;
        EmulatedDevice device = EmulatedDevice.open(fabric, name, guid, profile, watched, inspector, system);
        lane.enabledEvents().addDevice(device.gids(), name);
        devices.add(device);
        if (system != null) {
            adapters.add(new Adapter(device, system));
        }
        return device;
    }

    /** All devices that were opened, including closed ones. */
    public List<Device> devices() {
        return List.copyOf(devices);
    }

    /** Adds a program. It begins in {@link #run}, or earlier if the schedule picks it while this thread waits or polls. */
    public void node(String name, Consumer<Node> program) {
        MemorySystem system = memorySystems.get(name);
        add(name, new Node(this, name, system, system == null ? null : system.cpu()), program);
    }

    /**
     * Adds a program that runs on a GPU, and sees memory as that does. Its name is that of the observer.
     *
     * @param system the memory of its node
     * @param gpu the memory of the GPU
     */
    public void kernel(MemorySystem system, MemoryDomain gpu, Consumer<Node> program) {
        String name = system.gpu(gpu).name();
        add(name, new Node(this, name, system, system.gpu(gpu)), program);
    }

    private void add(String name, Node node, Consumer<Node> program) {
        add(new Program(name, lane, () -> {
            addresses.enter();
            program.accept(node);
        }));
    }

    /** Adds a program that the simulation runs step by step. */
    public void add(Actor actor) {
        for (Actor other : lane.enabledEvents().actors()) {
            if (other.name().equals(actor.name())) {
                throw new IllegalArgumentException(
                        "name=" + actor.name() + " is that of another program of this simulation; choose another");
            }
        }
        lane.enabledEvents().add(actor);
    }

    /**
     * Runs until all programs have ended and only timers are left, or until nothing can happen. An exception of a program ends the run:
     * the other programs do not continue. The first exception of a tap is thrown at the end.
     *
     * @return whether all programs have ended
     * @throws RunTooLongException if there are more events than the options allow
     */
    public boolean run() {
        lane.runPrograms(() -> failed() != null);
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.awaited();
        }
        Program failed = failed();
        if (failed != null) {
            throw Blocked.withOthers(failed, programs());
        }
        rethrowOfTap();
        return lane.enabledEvents().actors().stream().allMatch(Actor::isDone);
    }

    /**
     * What can still happen without a program, as text: packets in flight, deferred effects, queue pairs with something to send,
     * timers.
     */
    public List<String> underWay() {
        return lane.enabledEvents().underWay();
    }

    /**
     * How many waits that have a time limit ended before that. In a simulation whose events take no time each does so that can: that the
     * time ends first is not tried.
     */
    public int waitsInTime() {
        return lane.waitsInTime();
    }

    /** Those of {@link #node}, in the order in which they were added. */
    private List<Program> programs() {
        List<Program> programs = new ArrayList<>();
        for (Actor actor : lane.enabledEvents().actors()) {
            if (actor instanceof Program program) {
                programs.add(program);
            }
        }
        return programs;
    }

    private @Nullable Program failed() {
        List<Actor> actors = lane.enabledEvents().actors();
        for (int i = 0; i < actors.size(); i++) {
            if (actors.get(i) instanceof Program program && program.failure() != null) {
                return program;
            }
        }
        return null;
    }

    /**
     * Reports that an {@link Actor} loaded or stored bytes in this step, as {@link Node#load} and {@link Node#store} do for programs.
     *
     * @param program name of its node
     * @param address address in memory, not an offset into a region
     * @param data the bytes; they must not change any more
     */
    public void touched(String program, boolean store, long address, ByteBuffer data) {
        Inspector watcher = inspector;
        if (watcher != null && store) {
            watcher.stores(address, data.remaining());
        } else if (watcher != null) {
            watcher.loaded(address, data.remaining());
        }
        tell(new TraceEvent.ProgramTouched(fabric.clock().nanoTime(), program, store, address, data));
    }

    /** Reports that an {@link Actor} waited until a word had the value that it has; next it reports that it loads it. */
    public void awaitedWord(long address) {
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.loadedUntil(address, Long.BYTES);
        }
    }

    /** Reports that an {@link Actor} read or changed state in this step that programs share and no device knows. */
    public void shared(String object, boolean changed) {
        Inspector watcher = inspector;
        if (watcher != null && changed) {
            watcher.released(object);
        } else if (watcher != null) {
            watcher.acquired(object);
        }
        boolean isTelling = lane.enabledEvents().isTelling();
        if (isTelling && changed) {
            lane.enabledEvents().footprints().changes(object);
        } else if (isTelling) {
            lane.enabledEvents().footprints().looksAt(object);
        }
    }

    /** The rules of the point are what permits the behaviour that was chosen. */
    private void chosen(ChoicePoint point) {
        Tap listener = tap;
        if (listener != null) {
            long nowNanos = fabric.clock().nanoTime();
            point.rules().forEach(rule -> listener.on(new TraceEvent.Decided(nowNanos, "simulation", 0, rule)));
        }
    }

    /** What devices tell, while somebody wants it. */
    private final class DeviceTap implements Tap {

        @Override
        public void on(TraceEvent event) {
            tell(event);
        }

        @Override
        public boolean isListening() {
            Tap listener = tap;
            return (listener != null && listener.isListening())
                    || lane.enabledEvents().isTelling();
        }

        @Override
        public String toString() {
            return "tap of devices in " + Simulation.this;
        }
    }

    void tell(TraceEvent event) {
        if (lane.enabledEvents().isTelling()) {
            lane.enabledEvents().footprints().on(event);
        }
        Tap listener = tap;
        if (listener != null) {
            listener.on(event);
        }
    }

    /** Ends a device as by a power failure: peers are not told, and calls of its programs fail. */
    public void crash(Device device) {
        lane.callWithin(() -> {
            if (isLatestLife(device)) {
                device.gids().forEach(fabric::kill);
            }
            bury(device);
        });
        gone.add(device);
        lane.giveWay();
    }

    /**
     * The power of a node fails: all its adapters {@linkplain #crash crash}; of each word in persistent memory is left what was durable,
     * or in part what was written since, and other memory that was put into a domain of it holds 0 (VIS-16).
     */
    @SuppressWarnings("ReferenceEquality") // a memory system is its identity
    public void powerFails(MemorySystem system) {
        Runnable afterwards = system.powerFails();
        for (Adapter adapter : List.copyOf(adapters)) {
            if (adapter.system() == system && !isGone(adapter.device())) {
                crash(adapter.device());
            }
        }
        afterwards.run();
    }

    @SuppressWarnings("ReferenceEquality") // the same device
    private boolean isLatestLife(Device device) {
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (devices.get(i).gid().equals(device.gid())) {
                return devices.get(i) == device;
            }
        }
        return false;
    }

    /** The device that has a port with that GID loses all its ports. */
    private void killAllPorts(Gid gid) {
        for (Device device : devices) {
            if (device.gids().contains(gid)) {
                device.gids().forEach(fabric::kill);
            }
        }
    }

    private void bury() {
        // The latest life of each.
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (crashed.removeAll(devices.get(i).gids())) {
                bury(devices.get(i));
                gone.add(devices.get(i));
            }
        }
    }

    private void bury(Device device) {
        Inspector watcher = inspector;
        if (watcher != null) {
            watcher.crashes(device);
        }
        device.closeAll();
    }

    /** Whether the device has crashed. */
    public boolean isGone(Device device) {
        return gone.contains(device);
    }

    private void faulted(Gid from, Gid to, Packet packet, Fate fate) {
        if (fate.outage() != Outage.NONE && lane.enabledEvents().isTelling()) {
            // It is unknown which queue pairs an outage concerns.
            lane.enabledEvents().footprints().everything();
        }
        if (fate.outage() == Outage.CRASH) {
            killAllPorts(from);
            crashed.add(from);
            lane.ring(burial);
        }
        if (tap != null) {
            String sender = lane.enabledEvents().names().of(from);
            tell(new TraceEvent.LinkFaulted(
                    fabric.clock().nanoTime(), sender, from, to, fate.inWords(), PacketRecord.of(packet)));
        }
    }

    /** Ends programs that still run, and closes all devices. */
    @Override
    public void close() {
        programs().forEach(Program::abandon);
        lane.end();
        if (weighed && tap == null) {
            // What becomes of devices now belongs to no event.
            devices.forEach(EmulatedDevice::unwatch);
        }
        devices.forEach(Device::closeAll);
        fabric.close();
        AddressSpace.leave();
        rethrowOfTap();
    }

    private void rethrowOfTap() {
        WatchedTap watched = tap;
        if (watched != null) {
            watched.rethrow();
        }
    }

    @Override
    public String toString() {
        return "simulation of " + devices + " at t=" + fabric.clock().nanoTime() + " ns";
    }
}
