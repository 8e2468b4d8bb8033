// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.conformance.scenario.node.RunEnvironment;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where scenarios are played: what carries packets between nodes, and who takes the steps of their programs. */
interface FabricRunner extends AutoCloseable {

    /** Gives a node its memory, before its device is opened. Where all bytes appear to all at once it makes no difference. */
    default void memory(String node, MemorySpec spec) {}

    /** Opens the device of a node. */
    Device open(String node, DeviceProfile profile);

    /** Lets two nodes reach each other. */
    void join(String a, String b);

    /** What surrounds the nodes. */
    RunEnvironment environment();

    /** Where memory of the nodes gets its addresses. */
    AddressSpace addresses();

    /** From now on these things happen to packets; the nodes by name. */
    void fail(List<PacketFault> faults, Map<String, Device> devices);

    /**
     * Lets the programs run until all are done, or nothing happens any more.
     *
     * @return why they were stopped before; null if they were not
     */
    @Nullable
    String play(List<NodeProgram> programs);

    @Override
    void close();
}
