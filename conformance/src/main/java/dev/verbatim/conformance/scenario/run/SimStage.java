// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.step.Board;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.util.List;
import java.util.Map;

/** Virtual time: one thread, and choices that say whose turn it is. */
final class SimStage implements Stage {

    private final Choices choices;
    private final LossyFabric fabric;
    private final Verbatim door;

    SimStage(Choices choices, LinkFaults faults, Tap tap) {
        this.choices = choices;
        this.fabric = new LossyFabric(choices, faults);
        this.door = Verbatim.over(fabric).tap(tap);
    }

    @Override
    public Device open(String node, DeviceProfile profile) {
        return door.profile(profile).open(node);
    }

    @Override
    public void join(String a, String b) {
        // All devices of a fabric reach each other.
    }

    @Override
    public Board.Ways ways() {
        return new Board.Ways() {
            @Override
            public void cut(Gid a, Gid b) {
                fabric.cut(a, b);
            }

            @Override
            public void heal(Gid a, Gid b) {
                fabric.heal(a, b);
            }
        };
    }

    @Override
    public void fail(List<PacketFault> faults, Map<String, Device> devices) {
        fabric.decideBy(new NamedFaults(faults, devices, fabric.faults()));
    }

    @Override
    public void play(List<NodeProgram> programs) {
        boolean happens = true;
        while (happens) {
            List<NodeProgram> ready =
                    programs.stream().filter(NodeProgram::canStep).toList();
            int chosen = choices.choose(ChoicePoint.PROGRAM_STEP, ready.size() + 1);
            if (chosen < ready.size()) {
                ready.get(chosen).step();
            } else {
                happens = fabric.step() || !ready.isEmpty();
            }
        }
    }

    @Override
    public void close() {
        door.close();
    }
}
