// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.node.RunEnvironment;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.Actor;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Virtual time: one thing at a time, as a schedule has it. */
final class SimRunner implements FabricRunner {

    /** How a simulation says that it goes on for too long. */
    private static final String TOO_MUCH = "more than mostEvents=";

    private final Simulation simulation;
    private final Map<String, MemorySystem> systems = new TreeMap<>();
    private final Map<String, Device> devices = new TreeMap<>();

    SimRunner(Schedule schedule, SimulationOptions options, @Nullable Tap tap) {
        this.simulation = new Simulation(schedule, options);
        if (tap != null) {
            simulation.tap(tap);
        }
    }

    Simulation simulation() {
        return simulation;
    }

    @Override
    public void memory(String node, MemorySpec spec) {
        MemorySystem shared = spec.adapterOf() == null ? null : systems.get(spec.adapterOf());
        if (shared != null) {
            systems.put(node, shared);
        } else if (spec.isMarked()) {
            Platform platform = spec.platform();
            MemorySystem system = simulation.memorySystem(node, platform == null ? Platform.COHERENT_HOST : platform);
            spec.domains().forEach((name, kind) -> {
                MemoryDomain unused = kind == MemoryDomain.Kind.DEVICE ? system.device(name) : system.persistent(name);
            });
            systems.put(node, system);
        }
    }

    @Override
    public Device open(String node, DeviceProfile profile) {
        MemorySystem system = systems.get(node);
        Device device = system == null ? simulation.open(node, profile) : simulation.open(node, profile, system);
        devices.put(node, device);
        return device;
    }

    @Override
    public void join(String a, String b) {
        // All devices of a simulation reach each other.
    }

    @Override
    public AddressSpace addresses() {
        return simulation.addresses();
    }

    @Override
    public RunEnvironment environment() {
        return new RunEnvironment() {
            @Override
            public void cut(Gid a, Gid b) {
                simulation.fabric().cut(a, b);
            }

            @Override
            public void heal(Gid a, Gid b) {
                simulation.fabric().heal(a, b);
            }

            @Override
            public void touched(String node, boolean store, long address, ByteBuffer data) {
                simulation.touched(node, store, address, data);
            }

            @Override
            public void awaited(long address) {
                simulation.awaitedWord(address);
            }

            @Override
            public @Nullable MemorySystem memorySystem(String node) {
                return systems.get(node);
            }

            @Override
            public boolean drainsStores() {
                return true;
            }

            @Override
            public void powerFails(String node) {
                MemorySystem system = systems.get(node);
                if (system == null) {
                    simulation.crash(Objects.requireNonNull(devices.get(node)));
                } else {
                    simulation.powerFails(system);
                }
            }

            @Override
            public void shared(String object, boolean changed) {
                simulation.shared(object, changed);
            }
        };
    }

    @Override
    public void fail(List<PacketFault> faults, Map<String, Device> devices) {
        if (!faults.isEmpty()) {
            NamedFaults named = new NamedFaults(
                    faults, devices, simulation.fabric().faults(), counter -> simulation.shared(counter, true));
            simulation.fabric().decideBy(named);
        }
    }

    @Override
    public @Nullable String play(List<NodeProgram> programs) {
        for (NodeProgram program : programs) {
            // In canonical order a store is in memory before anybody's next step.
            Actor drain = program.drain();
            if (drain != null) {
                simulation.add(drain);
            }
        }
        programs.forEach(simulation::add);
        try {
            simulation.run();
            return null;
        } catch (IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith(TOO_MUCH)) {
                return message;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        simulation.close();
    }
}
