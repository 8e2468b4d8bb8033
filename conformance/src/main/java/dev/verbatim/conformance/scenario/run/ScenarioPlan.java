// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.visibility.Launch;
import dev.verbatim.profile.DeviceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What follows from a scenario and is the same in each of its runs. */
final class ScenarioPlan {

    /**
     * One node.
     *
     * @param literals numbers that need memory
     * @param launched the domains whose kernels begin only when a step launches them
     */
    record Node(
            String name,
            NodeSpec spec,
            Names names,
            List<Long> literals,
            DeviceProfile profile,
            Set<String> launched) {}

    private final Scenario scenario;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> observed;

    /**
     * Of a scenario.
     *
     * @param profile name of the profile to use instead of those of the scenario; null for those
     */
    ScenarioPlan(Scenario scenario, @Nullable String profile) {
        this.scenario = scenario;
        this.observed = scenario.observed();
        Map<String, Names> names = scenario.names();
        scenario.nodes()
                .forEach((name, spec) -> nodes.add(
                        nodeOf(name, spec, Objects.requireNonNull(names.get(name)), profileOf(spec, profile))));
    }

    private static Node nodeOf(String name, NodeSpec spec, Names names, ProfileSpec profile) {
        List<Step> steps = spec.steps();
        return new Node(
                name,
                spec,
                names,
                steps.stream()
                        .flatMap(step -> step.literals().stream())
                        .distinct()
                        .toList(),
                profile.profile(),
                steps.stream()
                        .filter(Launch.class::isInstance)
                        .map(step -> ((Launch) step).domain())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static ProfileSpec profileOf(NodeSpec node, @Nullable String profile) {
        ProfileSpec own = node.profile();
        return profile == null
                ? own
                : new ProfileSpec(
                        profile,
                        own.switches(),
                        own.keySeed(),
                        own.qpNumbers(),
                        own.windows(),
                        own.posting(),
                        own.completions(),
                        own.limits());
    }

    Scenario scenario() {
        return scenario;
    }

    /** In the order in which their devices are opened. */
    List<Node> nodes() {
        return nodes;
    }

    /** The registers and words whose values distinguish outcomes; empty for all. */
    Set<String> observed() {
        return observed;
    }
}
