// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.conformance.scenario.run.SimulatedRun;
import dev.verbatim.sim.Freedom;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.FootprintCheck;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Scenarios in which the order counts of what their programs share, besides the network. */
public final class FootprintScenarios {

    private static final String STORES = """
            title: stores
            nodes:
              a: {words: {y: 0}, program: [{store: {y: 1}}]}
              b: {words: {r: -1}, program: [{read: {y: r}}]}
            """;

    private static final String KEYS = """
            title: keys
            nodes:
              a: {leftovers: any, program: [{post: RDMA_WRITE, remote: {at: x, key: w}, local: 1}]}
              b:
                leftovers: any
                regions: {shared: {words: {x: 0}, access: [LOCAL_WRITE, MW_BIND]}}
                windows: {w: 2}
                program: [{post: BIND_MW, mw: w, to: x}]
            """;

    private static final String FAULTS = """
            title: faults
            nodes:
              a: {words: {x: 0}, program: [{write: {y: 1}}]}
              b: {words: {y: 0}, program: [{write: {x: 1}}]}
            faults:
              - {delay: {packet: RDMA_WRITE_ONLY, nth: 2, by: 1ms}}
            """;

    private FootprintScenarios() {}

    /** By name: what is wrong with the footprints of the scenario in the run of a seed; null if nothing is. */
    public static Map<String, LongFunction<@Nullable String>> checks() {
        Map<String, LongFunction<@Nullable String>> checks = new LinkedHashMap<>();
        checks.put("stores", check(STORES));
        checks.put("keys", check(KEYS));
        checks.put("faults", check(FAULTS));
        return checks;
    }

    private static LongFunction<@Nullable String> check(String yaml) {
        Scenario scenario = ScenarioReader.read("footprint.yaml", yaml).scenario();
        FootprintCheck check = new FootprintCheck(Freedom.LEGAL, schedule -> {
            try (SimulatedRun run = new SimulatedRun(scenario, schedule, SimulationOptions.TIMELESS, event -> {})) {
                ScenarioRun.Result result = run.play();
                // Who of several nodes fails first is nobody's business.
                return result.outcome() + " " + new HashSet<>(result.failures()).size();
            }
        });
        return seed -> check.difference(seed, 0, 1);
    }
}
