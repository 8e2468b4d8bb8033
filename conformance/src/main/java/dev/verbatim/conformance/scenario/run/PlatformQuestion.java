// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.OutcomePattern;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.fabric.Clock;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Weakness;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** On which platforms an outcome of a scenario is possible, and what of a platform makes it so. */
public final class PlatformQuestion {

    private static final Set<Weakness> OF_GPUS = EnumSet.of(
            Weakness.COMPLETION_COVERS_HOST_ONLY,
            Weakness.GPU_SEES_AT_REFRESH,
            Weakness.PEER_GPU_SEES_AT_REFRESH,
            Weakness.FLUSH_GPU_DOES_NOTHING,
            Weakness.GPU_CACHES_HOST,
            Weakness.STORES_AWAIT_RELEASE,
            Weakness.DEVICE_FENCE_STAYS,
            Weakness.BAR_READ_PASSES);

    private static final Set<Weakness> OF_PERSISTENCE =
            EnumSet.of(Weakness.ADAPTER_WRITES_VOLATILE, Weakness.CPU_STORES_VOLATILE);

    private final Scenario scenario;
    private final OutcomePattern outcome;
    private final Clock clock;
    private final long mostNanos;
    private final Map<Set<Weakness>, Answer> answers = new HashMap<>();

    /** What is known of an outcome. */
    public enum Answer {
        /** It was seen. */
        PERMITTED,
        /** All runs were seen, and it was not among them. */
        FORBIDDEN,
        /** It was not seen in the runs for which there was time. */
        UNKNOWN
    }

    /**
     * Asks of an outcome.
     *
     * @param mostNanos how long one answer may take
     */
    public PlatformQuestion(Scenario scenario, OutcomePattern outcome, Clock clock, long mostNanos) {
        this.scenario = scenario;
        this.outcome = outcome;
        this.clock = clock;
        this.mostNanos = mostNanos;
    }

    /** Whether it is possible on that platform. */
    public Answer on(Platform platform) {
        EnumSet<Weakness> relevant = EnumSet.noneOf(Weakness.class);
        relevant.addAll(platform.weaknesses());
        if (!has(MemoryDomain.Kind.DEVICE)) {
            relevant.removeAll(OF_GPUS);
        }
        if (!has(MemoryDomain.Kind.PERSISTENT)) {
            relevant.removeAll(OF_PERSISTENCE);
        }
        return answers.computeIfAbsent(relevant, key -> ask(new Platform(platform.name(), relevant)));
    }

    private boolean has(MemoryDomain.Kind kind) {
        return scenario.nodes().values().stream()
                .anyMatch(node -> node.memory().domains().containsValue(kind));
    }

    private Answer ask(Platform platform) {
        Boolean permits = new ScenarioExploration(scenario.on(platform), null).permits(outcome, clock, mostNanos);
        if (permits == null) {
            return Answer.UNKNOWN;
        }
        return permits ? Answer.PERMITTED : Answer.FORBIDDEN;
    }

    /** Whether all answers so far are certain: then {@link #needs()} names nothing that is not needed. */
    public boolean isCertain() {
        return !answers.containsValue(Answer.UNKNOWN);
    }

    /**
     * Weaknesses of the weakest platform of which each is needed: without it, the others do not permit the outcome. They suffice
     * together; there may be others that do, too. A weakness is kept where it is {@linkplain Answer#UNKNOWN unknown} whether it is needed.
     */
    public List<Weakness> needs() {
        Platform platform = Platform.AS_SPECIFIED;
        for (Weakness weakness : Weakness.values()) {
            Platform stronger = platform.without("without " + weakness.label(), weakness);
            if (on(stronger) == Answer.PERMITTED) {
                platform = stronger;
            }
        }
        return new ArrayList<>(platform.weaknesses());
    }
}
