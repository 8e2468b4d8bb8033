// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import dev.verbatim.visibility.Platform;

/** Programs that show what observers of the memory of a node may see. */
final class VisibilityLitmus {

    private VisibilityLitmus() {}

    /** A node with a GPU in whose memory the word x is, beside the two of the pair. */
    private static final class GpuNode {

        private final MemorySystem system;
        private final MemoryDomain gpu;
        private final Side side;

        GpuNode(LitmusPair pair, Platform platform) {
            system = pair.simulation.memorySystem("node", platform);
            gpu = system.device("gpu0");
            side = new Side(pair.simulation.open("node"), QpCapabilities.USUAL);
            system.put(side.region.memory(), gpu);
        }
    }

    /** A device writes into the memory of a GPU, whose kernel loads the word when the WRITE has completed (VIS-08). */
    static String loadOfARunningKernel(LitmusPair pair) {
        GpuNode node = new GpuNode(pair, Platform.GPU_UNORDERED);
        Side peer = new Side(pair.simulation.open("peer"), QpCapabilities.USUAL);
        RcConnection.USUAL.join(peer.qp, node.side.qp);
        long[] seen = new long[1];
        boolean[] written = new boolean[1];
        peer.region.memory().buffer().putLong(0, 1);
        pair.simulation.node("peer", cpu -> {
            peer.qp.postSend(SendWorkRequest.write(1, node.side.address(0), node.side.rkey(), peer.sge(0, Long.BYTES)));
            peer.sendCq.awaitCompletion(ChoicePointPrograms.LONG);
            written[0] = true;
        });
        pair.simulation.kernel(node.system, node.gpu, kernel -> {
            kernel.await(() -> written[0]);
            seen[0] = kernel.load(node.side.region.memory(), 0);
        });
        return pair.run() + "x=" + seen[0];
    }

    /** A kernel stores into its memory, and a device reads the word as the source of a WRITE (VIS-10). */
    static String sourceThatWasNotReleased(LitmusPair pair) {
        GpuNode node = new GpuNode(pair, Platform.GPU_ONE_PATH);
        Side peer = new Side(pair.simulation.open("peer"), QpCapabilities.USUAL);
        RcConnection.USUAL.join(node.side.qp, peer.qp);
        boolean[] stored = new boolean[1];
        pair.simulation.kernel(node.system, node.gpu, kernel -> {
            kernel.store(node.side.region.memory(), 0, 1);
            stored[0] = true;
        });
        pair.simulation.node("node", cpu -> {
            cpu.await(() -> stored[0]);
            node.side.qp.postSend(SendWorkRequest.write(1, peer.address(0), peer.rkey(), node.side.sge(0, Long.BYTES)));
            node.side.sendCq.awaitCompletion(ChoicePointPrograms.LONG);
        });
        return pair.run() + "x=" + peer.region.memory().buffer().getLong(0);
    }

    /** The CPU stores into persistent memory, and the power fails (VIS-16). */
    static String storeBeforeThePowerFails(LitmusPair pair) {
        MemorySystem system = pair.simulation.memorySystem("node", Platform.PMEM_DDIO);
        MemoryDomain persistent = system.persistent("pm");
        var memory = system.put(pair.simulation.addresses().allocate(Long.BYTES), persistent);
        pair.simulation.node("node", cpu -> {
            cpu.store(memory, 0, 1);
            cpu.powerFails();
        });
        return pair.run() + "x=" + memory.buffer().getLong(0);
    }
}
