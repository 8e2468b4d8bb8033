// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.cm.EventChannel;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.WatchedTap;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.inspect.Inspector;
import dev.verbatim.live.LiveDevices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Simulation;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: opens emulated devices on a fabric.
 *
 * <pre>{@code
 * try (Verbatim rdma = Verbatim.inProcess()) {
 *     Device left = rdma.open("left");
 *     Device right = rdma.open("right");
 *     // protection domains, regions, queue pairs ..., then RcConnection.connect(a, b)
 * }
 * }</pre>
 */
public final class Verbatim implements AutoCloseable {

    /** With this system property at {@code true} everything is {@linkplain #sanitize sanitized}, for whole test suites. */
    private static final String SANITIZE = "verbatim.sanitize";

    /** At {@code false} it is so without the places of requests, which costs less. */
    private static final String SANITIZE_SITES = "verbatim.sanitize.sites";

    private static final System.Logger SANITIZER_LOG = System.getLogger("dev.verbatim.sanitizer");

    /** Opens a device on a fabric, as an adapter of a node whose memory has domains or, with null, of coherent host memory. */
    private interface Opener {
        Device open(
                String name,
                long guid,
                DeviceProfile profile,
                @Nullable Tap tap,
                @Nullable Inspector inspector,
                @Nullable MemorySystem system);
    }

    private final LongSupplier freshGuid;
    private final Opener opener;
    private final BiFunction<String, Platform, MemorySystem> systemMaker;
    private final boolean isSimulated;
    private final Runnable closer;
    private final Map<String, MemorySystem> memorySystems = new LinkedHashMap<>();
    private final IdentityHashMap<MemorySystem, Processor> processors = new IdentityHashMap<>();
    private final List<Device> devices = new ArrayList<>();
    private DeviceProfile profile = DeviceProfile.STRICT_IBTA;
    private final Set<WatchedTap> taps = new LinkedHashSet<>();
    private @Nullable WatchedTap tap;
    private @Nullable Sanitizer sanitizer = Boolean.getBoolean(SANITIZE) ? usualSanitizer() : null;

    private Verbatim(
            LongSupplier freshGuid,
            Opener opener,
            BiFunction<String, Platform, MemorySystem> systemMaker,
            boolean isSimulated,
            Runnable closer) {
        this.freshGuid = freshGuid;
        this.opener = opener;
        this.systemMaker = systemMaker;
        this.isSimulated = isSimulated;
        this.closer = closer;
    }

    private static Sanitizer usualSanitizer() {
        boolean hasSites = !"false".equals(System.getProperty(SANITIZE_SITES));
        return hasSites ? Sanitizer.withSites() : Sanitizer.withoutSites();
    }

    /** Creates an entry point to devices in this JVM that are connected directly. */
    public static Verbatim inProcess() {
        return over(new InProcessFabric());
    }

    /** Creates an entry point to devices on a fabric. Closing it closes the fabric. */
    public static Verbatim over(Fabric fabric) {
        return new Verbatim(
                fabric::freshGuid,
                (name, guid, profile, tap, inspector, system) -> {
                    EmulatedDevice device =
                            EmulatedDevice.open(fabric, name, guid, keyed(profile, fabric), tap, inspector, system);
                    if (!device.context().lane().isSimulated()) {
                        LiveDevices.opened(device);
                    }
                    return device;
                },
                MemorySystem::new,
                false,
                fabric::close);
    }

    private static DeviceProfile keyed(DeviceProfile profile, Fabric fabric) {
        OptionalLong seed = profile.isKeyOrderChosen() ? OptionalLong.empty() : fabric.freshKeySeed();
        return seed.isPresent()
                ? profile.toBuilder().randomKeys(seed.getAsLong()).build()
                : profile;
    }

    /**
     * Creates an entry point to devices of a simulation, for programs that are independent of the fabric. Closing it
     * does not close the simulation. The devices report to the tap of the simulation; a tap that is set here is set
     * there.
     */
    public static Verbatim in(Simulation simulation) {
        return new Verbatim(
                () -> simulation.fabric().freshGuid(),
                (name, guid, profile, tap, inspector, system) -> {
                    if (inspector != null) {
                        simulation.inspect(inspector);
                    }
                    if (tap != null) {
                        simulation.tap(tap);
                    }
                    return system == null
                            ? simulation.open(name, guid, profile)
                            : simulation.open(name, guid, profile, system);
                },
                simulation::memorySystem,
                true,
                () -> {});
    }

    /**
     * Sets the profile of devices that are opened later; the default is {@link DeviceProfile#STRICT_IBTA}. If the
     * fabric uses a network, such as TCP, and the profile does not specify how keys are assigned, each device assigns
     * random keys from its own seed (KEY-P6).
     */
    public synchronized Verbatim profile(DeviceProfile chosen) {
        profile = chosen;
        return this;
    }

    /**
     * Sets the tap to which devices that are opened later report their events; null for none. An exception of the tap
     * does not affect the device: the tap receives further events, and {@link #close} throws the first exception.
     */
    public synchronized Verbatim tap(@Nullable Tap chosen) {
        tap = chosen == null ? null : watched(chosen);
        return this;
    }

    private WatchedTap watched(Tap chosen) {
        for (WatchedTap known : taps) {
            if (known.isOf(chosen)) {
                return known;
            }
        }
        WatchedTap fresh = WatchedTap.of(chosen);
        taps.add(fresh);
        return fresh;
    }

    /**
     * Has devices that are opened later watched for mistakes that the rules permit; {@link #close} then throws a
     * {@link dev.verbatim.sanitizer.SanitizerError} if errors were found. Their requests take the usual way and not the fast path.
     */
    public Verbatim sanitize() {
        return sanitize(Sanitizer.withSites());
    }

    /** The same by a sanitizer of one's own. */
    public synchronized Verbatim sanitize(Sanitizer chosen) {
        sanitizer = chosen;
        processors.values().forEach(this::watch);
        return this;
    }

    private void watch(Processor cpu) {
        if (sanitizer != null) {
            cpu.inspect(sanitizer.inspector());
        }
    }

    /** What watches for mistakes; null for nothing. */
    public synchronized @Nullable Sanitizer sanitizer() {
        return sanitizer;
    }

    /**
     * Opens a device with a GUID that no other device of the fabric has.
     *
     * @param name name for messages and traces, of any length; has no other effect
     * @throws dev.verbatim.verbs.VerbsException EINVAL if the fabric was closed, EBUSY if it can carry no more
     *     devices
     */
    public synchronized Device open(String name) {
        return open(name, freshGuid.getAsLong());
    }

    /**
     * Opens a device.
     *
     * @param name for messages and traces
     * @param guid node GUID, of any value; determines the GID, so it must be unique on the fabric
     * @throws dev.verbatim.verbs.VerbsException EBUSY if a device of the fabric has that GUID (KEY-07), EINVAL if
     *     the fabric was closed
     */
    public synchronized Device open(String name, long guid) {
        return open(name, guid, memorySystems.get(name));
    }

    /**
     * Opens one of several adapters of a node, which share its memory.
     *
     * @throws dev.verbatim.verbs.VerbsException as {@link #open(String)}
     */
    public synchronized Device open(String name, MemorySystem system) {
        return open(name, freshGuid.getAsLong(), system);
    }

    private Device open(String name, long guid, @Nullable MemorySystem system) {
        Inspector inspector = sanitizer == null ? null : sanitizer.inspector();
        Device device = opener.open(name, guid, profile, tap, inspector, system);
        devices.add(device);
        Processor cpu = system == null ? null : processors.get(system);
        if (cpu != null && device instanceof EmulatedDevice emulated) {
            cpu.attach(emulated.context().lane());
        }
        EventChannel.attend(device);
        return device;
    }

    /**
     * Gives a node memory with domains; once, before its device is opened. In real time bytes appear to all observers at once, and the
     * platform says by what a {@linkplain #sanitize sanitizer} judges.
     *
     * @param node name of its device
     * @throws IllegalArgumentException if it has such memory already
     */
    public synchronized MemorySystem memorySystem(String node, Platform platform) {
        if (memorySystems.containsKey(node)) {
            throw new IllegalArgumentException("node=" + node + " has a memory system already; use that one");
        }
        MemorySystem system = systemMaker.apply(node, platform);
        memorySystems.put(node, system);
        if (!isSimulated) {
            Processor cpu = new Processor(system);
            processors.put(system, cpu);
            watch(cpu);
        }
        return system;
    }

    /**
     * The CPU of a node with memory domains, in real time.
     *
     * @throws IllegalArgumentException if the memory is of a simulation, where {@link dev.verbatim.sim.Node} is what programs have, or of
     *     another {@link Verbatim}
     */
    public synchronized Processor processor(MemorySystem system) {
        Processor cpu = processors.get(system);
        if (cpu == null) {
            throw new IllegalArgumentException(system + " was not made by memorySystem() of this object in real time;"
                    + " in a simulation run the program by Simulation.node");
        }
        return cpu;
    }

    /** All devices that were opened by this object, including closed ones. */
    public synchronized List<Device> devices() {
        return List.copyOf(devices);
    }

    /**
     * Ends the connections of connection management, of which peers are told at once, as when a C program ends; closes all devices with all
     * their objects, and the fabric; then throws the first exception of the tap, if any, or else the
     * errors of the sanitizer, whose notes are logged.
     */
    @Override
    public synchronized void close() {
        devices.forEach(Verbatim::endConnections);
        devices.forEach(Device::closeAll);
        devices.clear();
        closer.run();
        taps.forEach(WatchedTap::rethrow);
        Sanitizer watching = sanitizer;
        if (watching != null) {
            watching.end();
        }
        if (watching != null && !watching.isListenedTo()) {
            watching.findings().stream()
                    .filter(finding -> !finding.isError())
                    .forEach(note -> SANITIZER_LOG.log(System.Logger.Level.INFO, note.toString()));
            watching.requireNoErrors();
        }
    }

    private static void endConnections(Device device) {
        if (device instanceof ManagedDevice managed) {
            try {
                for (int port = 1; port <= device.gids().size(); port++) {
                    managed.managementPort(port).programEnds();
                }
            } catch (VerbsException e) {
                if (e.errno() != Errno.EIO) {
                    throw e;
                }
                // A device that met a fatal error tells nobody anything.
            }
        }
    }

    /** Its devices. */
    @Override
    public synchronized String toString() {
        return "Verbatim with " + devices;
    }
}
