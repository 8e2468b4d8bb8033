// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.memory.Bytes;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.visibility.Fence;
import dev.verbatim.conformance.scenario.step.visibility.FlushGpu;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives some random programs a node on a platform: with a GPU whose kernel loads and stores where requests do, or with persistent memory
 * whose power may fail at the end. All other programs are as they are.
 */
final class Domains {

    /** One program of so many. */
    private static final int OF_PROGRAMS = 5;

    private static final List<Platform> OF_GPUS = List.of(
            Platform.GPU_ONE_PATH,
            Platform.GPU_UNORDERED,
            Platform.GPU_TWO_PATHS,
            Platform.GPU_RELAXED_FABRIC,
            Platform.AS_SPECIFIED);

    private static final String GPU = "gpu0";
    private static final String PERSISTENT = "pm";
    private static final int NO_RIGHTS_OF_A_GPU = AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;
    private static final int WORD_BYTES = 8;
    private static final int WORDS = 8;
    private static final int LARGE_NUMBER = 1_000_000_000;

    private final Draw draw;
    private final String name;
    private final boolean hasGpu;

    private Domains(Draw draw, String name) {
        this.draw = draw;
        this.name = name;
        this.hasGpu = draw.percent(75);
    }

    /** The program, or one of five with a node that has a memory domain. */
    static Scenario perhaps(Scenario program, Draw draw) {
        if (draw.below(OF_PROGRAMS) != 0) {
            return program;
        }
        String name = draw.of(List.copyOf(program.nodes().keySet()));
        Map<String, NodeSpec> nodes = new LinkedHashMap<>(program.nodes());
        nodes.computeIfPresent(name, (key, node) -> new Domains(draw, name).given(node));
        return program.with(nodes);
    }

    private NodeSpec given(NodeSpec node) {
        Platform platform = draw.of(hasGpu ? OF_GPUS : Platform.named());
        MemorySpec memory = new MemorySpec(
                platform,
                hasGpu ? Map.of(GPU, MemoryDomain.Kind.DEVICE) : Map.of(PERSISTENT, MemoryDomain.Kind.PERSISTENT),
                null);
        Map<String, RegionSpec> regions = new LinkedHashMap<>(node.regions());
        List<String> inDomain = new ArrayList<>(List.of(NodePlan.SPARE));
        if (draw.percent(60)) {
            inDomain.add(NodePlan.HEAP);
        }
        inDomain.forEach(region -> regions.computeIfPresent(region, (key, spec) -> placed(spec)));
        List<Step> program = program(node.program(), inDomain);
        return node.on(memory).with(regions, program, hasGpu ? Map.of(GPU, kernel()) : Map.of(), node.threads());
    }

    private RegionSpec placed(RegionSpec spec) {
        return in(
                hasGpu ? GPU : PERSISTENT,
                spec,
                hasGpu ? spec.access() & ~NO_RIGHTS_OF_A_GPU : spec.access() | AccessFlags.FLUSH_PERSISTENT);
    }

    private static RegionSpec in(@Nullable String domain, RegionSpec spec, int access) {
        return new RegionSpec(
                spec.sizeBytes(),
                access,
                spec.words(),
                spec.fill(),
                spec.hex(),
                spec.text(),
                spec.pd(),
                spec.iova(),
                spec.registered(),
                domain,
                spec.shares());
    }

    /** What a GPU does meanwhile. */
    private List<Step> kernel() {
        List<Step> steps = new ArrayList<>();
        for (int i = draw.between(10, 24); i > 0; i--) {
            Place word = word(draw.of(List.of(NodePlan.HEAP, NodePlan.SPARE)));
            steps.add(
                    switch (draw.below(6)) {
                        case 0, 1 -> new Store(word, Bytes.of(draw.below(LARGE_NUMBER)));
                        case 2 -> new Fence(draw.of(List.of(Scope.values())));
                        default -> new Load(word, "k_" + name + i, draw.percent(20));
                    });
        }
        return steps;
    }

    private Place word(String region) {
        return Place.of(region, draw.below(WORDS) * WORD_BYTES, WORD_BYTES);
    }

    /** The program of the CPU with some steps more, and perhaps without an end of its own. */
    private List<Step> program(List<Step> steps, List<String> inDomain) {
        List<Step> more = new ArrayList<>(steps);
        for (int i = draw.between(1, 4); i > 0; i--) {
            more.add(draw.below(more.size() + 1), step(inDomain));
        }
        if (draw.percent(hasGpu ? 10 : 60)) {
            more.add(new PowerFail());
        }
        return more;
    }

    private Step step(List<String> inDomain) {
        if (draw.percent(30)) {
            return new Store(word(draw.of(inDomain)), Bytes.of(draw.below(LARGE_NUMBER)));
        }
        if (hasGpu) {
            return draw.percent(50)
                    ? new Fence(Scope.SYSTEM)
                    : new FlushGpu(GPU, draw.of(List.of(FlushScope.values())));
        }
        return new Persist(word(draw.of(inDomain)));
    }

    /** The same node without memory domains, whose program has no {@linkplain #isOfDomains step of theirs}. */
    static NodeSpec without(NodeSpec node) {
        Map<String, RegionSpec> regions = new LinkedHashMap<>(node.regions());
        regions.replaceAll((region, spec) -> in(null, spec, spec.access() & ~AccessFlags.FLUSH_PERSISTENT));
        return new NodeSpec(
                node.profile(),
                regions,
                node.windows(),
                node.cqs(),
                node.qps(),
                node.srqs(),
                node.ahs(),
                node.leftovers(),
                node.program());
    }

    /** Whether a step asks for a memory domain. */
    static boolean isOfDomains(Step step) {
        return step instanceof Fence || step instanceof FlushGpu || step instanceof Persist;
    }
}
