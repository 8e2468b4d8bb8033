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
 * @param kernel the domain of the GPU that runs it; null for the CPU
 */
record ProgramRef(String node, @Nullable String kernel) {

    /** Every program of a scenario. */
    static List<ProgramRef> all(Scenario scenario) {
        List<ProgramRef> all = new ArrayList<>();
        scenario.nodes().forEach((name, node) -> {
            all.add(new ProgramRef(name, null));
            node.kernels().keySet().forEach(kernel -> all.add(new ProgramRef(name, kernel)));
        });
        return all;
    }

    List<Step> steps(Scenario scenario) {
        NodeSpec spec = scenario.nodes().get(node);
        if (spec == null) {
            return List.of();
        }
        return kernel == null ? spec.program() : spec.kernels().getOrDefault(kernel, List.of());
    }

    /** Where its steps are in the file. */
    String path() {
        return "nodes." + node + (kernel == null ? ".program" : ".kernels." + kernel);
    }
}
