// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricProvider;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The doors of one test, opened when they are asked for; in the end it is said what was left behind. */
final class TestDoors {

    private final OnFabric settings;
    private final DeviceProfile profile;

    /** Null where one fabric carries everything. */
    private final @Nullable FabricProvider provider;

    private final List<Verbatim> doors = new ArrayList<>();
    private @Nullable Fabric last;

    /**
     * None is open yet.
     *
     * @throws IllegalArgumentException naming what is wrong with the annotation
     */
    TestDoors(OnFabric settings, ClassLoader loader) {
        this.settings = settings;
        this.profile = DeviceProfile.named(settings.profile());
        this.provider = settings.value().equals(Settings.IN_PROCESS) ? null : provider(settings.value(), loader);
    }

    private static FabricProvider provider(String name, ClassLoader loader) {
        TreeMap<String, FabricProvider> providers = new TreeMap<>();
        for (FabricProvider provider : ServiceLoader.load(FabricProvider.class, loader)) {
            providers.putIfAbsent(provider.name(), provider);
        }
        FabricProvider found = providers.get(name);
        if (found == null) {
            throw new IllegalArgumentException("fabric=" + name + " is neither " + Settings.IN_PROCESS
                    + " nor one of those that were found, " + providers.keySet() + "; tcp needs transport-netty, and "
                    + Settings.SIMULATED + " is for @SimulatedTest");
        }
        return found;
    }

    /** The door of that number, from 0. */
    Verbatim get(int position) {
        FabricProvider others = provider;
        int index = others == null ? 0 : position;
        while (doors.size() <= index) {
            last = others == null ? new InProcessFabric() : others.open(last);
            doors.add(Verbatim.over(last).profile(profile));
        }
        return doors.get(index);
    }

    /** Closes them; throws an {@link AssertionError} that says what was left behind, or what could not be closed. */
    void close() {
        List<String> left = new ArrayList<>();
        if (settings.failureCheck()) {
            doors.forEach(door -> door.devices().forEach(device -> addFailures(device, left)));
        }
        if (settings.leakCheck()) {
            doors.forEach(door -> LeakCheck.onDevices(door.devices()).forEach(open -> left.add("left open: " + open)));
        }
        AssertionError failure = left.isEmpty() ? null : new AssertionError(String.join("\n", left));
        for (Verbatim door : doors) {
            try {
                door.close();
            } catch (RuntimeException | Error e) {
                failure = failure == null ? new AssertionError("closing failed: " + e) : failure;
                failure.addSuppressed(e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void addFailures(Device device, List<String> left) {
        for (WorkCompletion completion : device.unpolledFailures()) {
            left.add("failed completion was not polled: device " + device.name() + ": " + completion);
        }
    }
}
