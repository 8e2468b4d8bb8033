// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.step.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program of a scenario.
 *
 * @param node whose
 * @param part the domain of the GPU, or the name of the thread, that runs it; null for the first thread of the CPU
 */
record ProgramRef(String node, @Nullable String part, boolean isThread) {

    /** Every program of a scenario. */
    static List<ProgramRef> all(Scenario scenario) {
        List<ProgramRef> all = new ArrayList<>();
        scenario.nodes().forEach((name, node) -> {
            all.add(ofNode(name));
            node.threads().keySet().forEach(thread -> all.add(ofThread(name, thread)));
            node.kernels().keySet().forEach(kernel -> all.add(ofKernel(name, kernel)));
        });
        return all;
    }

    static ProgramRef ofNode(String node) {
        return new ProgramRef(node, null, false);
    }

    static ProgramRef ofThread(String node, String thread) {
        return new ProgramRef(node, thread, true);
    }

    static ProgramRef ofKernel(String node, String domain) {
        return new ProgramRef(node, domain, false);
    }

    boolean isKernel() {
        return part != null && !isThread;
    }

    List<Step> steps(Scenario scenario) {
        NodeSpec spec = scenario.nodes().get(node);
        if (spec == null) {
            return List.of();
        }
        if (part == null) {
            return spec.program();
        }
        return (isThread ? spec.threads() : spec.kernels()).getOrDefault(part, List.of());
    }

    /** Where its steps are in the file. */
    String path() {
        return "nodes." + node + (part == null ? ".program" : (isThread ? ".threads." : ".kernels.") + part);
    }
}
