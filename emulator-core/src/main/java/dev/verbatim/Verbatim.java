// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.cm.EventChannel;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.WatchedTap;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.Simulation;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The door: opens emulated devices on a fabric.
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

    /** Opens a device somewhere. */
    private interface Opener {
        Device open(String name, long guid, DeviceProfile profile, @Nullable Tap tap);
    }

    private final LongSupplier freshGuid;
    private final Opener opener;
    private final Runnable closer;
    private final List<Device> devices = new ArrayList<>();
    private DeviceProfile profile = DeviceProfile.STRICT_IBTA;
    private final Set<WatchedTap> taps = new LinkedHashSet<>();
    private @Nullable WatchedTap tap;

    private Verbatim(LongSupplier freshGuid, Opener opener, Runnable closer) {
        this.freshGuid = freshGuid;
        this.opener = opener;
        this.closer = closer;
    }

    /** Devices in this JVM, connected directly. */
    public static Verbatim inProcess() {
        return over(new InProcessFabric());
    }

    /** Devices on any fabric; it is closed with this. */
    public static Verbatim over(Fabric fabric) {
        return new Verbatim(
                fabric::freshGuid,
                (name, guid, profile, tap) -> EmulatedDevice.open(fabric, name, guid, keyed(profile, fabric), tap),
                fabric::close);
    }

    private static DeviceProfile keyed(DeviceProfile profile, Fabric fabric) {
        OptionalLong seed = profile.isKeyOrderChosen() ? OptionalLong.empty() : fabric.freshKeySeed();
        return seed.isPresent()
                ? profile.toBuilder().randomKeys(seed.getAsLong()).build()
                : profile;
    }

    /**
     * Devices of a simulation, for programs that do not care where they run; the simulation goes on when this is closed. What
     * they do, they tell the tap of the simulation; one that is set here is set there.
     */
    public static Verbatim in(Simulation simulation) {
        return new Verbatim(
                () -> simulation.fabric().freshGuid(),
                (name, guid, profile, tap) -> {
                    if (tap != null) {
                        simulation.tap(tap);
                    }
                    return simulation.open(name, guid, profile);
                },
                () -> {});
    }

    /**
     * Devices opened from now on behave like this; {@link DeviceProfile#STRICT_IBTA} otherwise. Where strangers can reach them, as
     * over TCP, and the profile does not say how keys are given out, each gets random keys from a seed of its own (KEY-P6).
     */
    public synchronized Verbatim profile(DeviceProfile chosen) {
        profile = chosen;
        return this;
    }

    /**
     * Devices opened from now on tell this, if it is not null, what they do. A tap that throws harms no device: it is told what comes next all the
     * same, and {@link #close} throws what it threw first.
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
     * Opens a device with a GUID that no other device of the fabric has.
     *
     * @param name for messages and traces; of any length, and not looked at otherwise
     * @throws dev.verbatim.verbs.VerbsException EINVAL if the fabric was closed, EBUSY if it can carry no more devices
     */
    public synchronized Device open(String name) {
        return open(name, freshGuid.getAsLong());
    }

    /**
     * Opens a device.
     *
     * @param name for messages and traces
     * @param guid node GUID, of any value; its GID follows from it, so devices that meet need different ones
     * @throws dev.verbatim.verbs.VerbsException EBUSY if a device of the fabric has that GUID (KEY-07), EINVAL if the fabric was
     *     closed
     */
    public synchronized Device open(String name, long guid) {
        Device device = opener.open(name, guid, profile, tap);
        devices.add(device);
        EventChannel.attend(device);
        return device;
    }

    /** All devices that were opened through this, also those that somebody closed since. */
    public synchronized List<Device> devices() {
        return List.copyOf(devices);
    }

    /** Closes all devices with everything on them, and the fabric; then throws what a tap threw first, if any did. */
    @Override
    public synchronized void close() {
        devices.forEach(Device::closeAll);
        devices.clear();
        closer.run();
        taps.forEach(WatchedTap::rethrow);
    }

    /** Its devices. */
    @Override
    public synchronized String toString() {
        return "Verbatim with " + devices;
    }
}
