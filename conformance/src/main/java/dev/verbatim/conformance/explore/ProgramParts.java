// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.explore.ProgramPart.Extra;
import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes a scenario to parts, and makes scenarios of fewer of them. */
final class ProgramParts {

    private final Scenario whole;
    private final List<ProgramPart> all = new ArrayList<>();

    ProgramParts(Scenario whole) {
        this.whole = whole;
        int chains = 0;
        for (Map.Entry<String, NodeSpec> node : whole.nodes().entrySet()) {
            for (Step step : node.getValue().program()) {
                if (step instanceof Chain chain) {
                    chains++;
                    for (Step post : chain.posts()) {
                        all.add(ProgramPart.of(node.getKey(), post, chains));
                    }
                } else {
                    all.add(ProgramPart.of(node.getKey(), step, 0));
                }
            }
        }
        // Last, for those are tried first: without them there are fewer choices to be made.
        for (Extra extra : Extra.values()) {
            all.add(ProgramPart.of(extra));
        }
    }

    List<ProgramPart> all() {
        return all;
    }

    /** The scenario with no more than these parts. */
    Scenario scenario(List<ProgramPart> parts) {
        boolean profiles = has(parts, Extra.PROFILES);
        boolean domains = has(parts, Extra.DOMAINS);
        Map<String, NodeSpec> nodes = new LinkedHashMap<>();
        whole.nodes().forEach((name, given) -> {
            NodeSpec node = domains ? given : Domains.without(given);
            nodes.put(
                    name,
                    node.on(profiles ? node.profile() : ProfileSpec.STRICT)
                            .with(node.regions(), program(name, parts, domains), node.kernels(), node.threads()));
        });
        ChoiceSpec choices = whole.choices();
        int faults = has(parts, Extra.FAULTS) ? choices.faults() : 0;
        Scenario smaller = new Scenario(
                whole.title(),
                whole.about(),
                whole.rules(),
                nodes,
                whole.connections(),
                whole.faults(),
                new ChoiceSpec(choices.on(), off(parts), faults, choices.steps()),
                List.of(),
                List.of(),
                null);
        return has(parts, Extra.UNUSED) ? smaller : NeededObjects.of(smaller);
    }

    private List<ChoicePoint> off(List<ProgramPart> parts) {
        List<ChoicePoint> off = new ArrayList<>(whole.choices().off());
        for (ChoicePoint point : ChoicePoint.values()) {
            if (point.kind() == ChoicePoint.Kind.NUMBER && !has(parts, Extra.NUMBERS) && !off.contains(point)) {
                off.add(point);
            }
        }
        return off;
    }

    private static boolean has(List<ProgramPart> parts, Extra extra) {
        return parts.stream().anyMatch(part -> part.extra() == extra);
    }

    /** What is left of a chain is one, unless it is a single request. */
    private static List<Step> program(String node, List<ProgramPart> parts, boolean domains) {
        List<Step> program = new ArrayList<>();
        List<Step> chain = new ArrayList<>();
        int open = 0;
        for (ProgramPart part : parts) {
            Step step = part.step();
            if (step == null || !part.node().equals(node) || (!domains && Domains.isOfDomains(step))) {
                continue;
            }
            if (part.chain() != open) {
                close(chain, program);
                open = part.chain();
            }
            (open == 0 ? program : chain).add(step);
        }
        close(chain, program);
        return program;
    }

    private static void close(List<Step> chain, List<Step> program) {
        if (chain.size() == 1) {
            program.add(chain.get(0));
        } else if (!chain.isEmpty()) {
            program.add(new Chain(List.copyOf(chain), null));
        }
        chain.clear();
    }
}
