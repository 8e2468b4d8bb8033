// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.conformance.scenario.run.SimulatedRun;
import dev.verbatim.sim.OpenChoices;
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

    /** Two queue pairs read a word that a kernel has not released: who sees the new value sees it for both. */
    private static final String GATHERS = """
            title: gathers
            nodes:
              a:
                platform: GPU_ONE_PATH
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {s: 0}}}
                program: [await: stored, {write: {x: s}, qp: one}, {write: {y: s}, qp: two}]
                kernels: {gpu0: [{store: {s: 1}}, tell: stored]}
              b: {words: {x: -1, y: -1}}
            connections: [{between: [a.one, b.one]}, {between: [a.two, b.two]}]
            """;

    /** A READ has arrive what its adapter accepted before through another queue pair. */
    private static final String PATHS = """
            title: paths
            nodes:
              a: {program: [write: {kv: 1}, write: {kv: 2}, write: {kv: 3}]}
              b:
                platform: GPU_ONE_PATH
                words: {dummy: -1}
                regions: {both: {words: {kv: 0, other: 0}}}
                program: [{read: {other: dummy}, qp: flush}, {read: {other: dummy}, qp: flush}, {load: {kv: seen}}]
            connections: [{between: [a, b]}, {between: [b.flush, b.flush]}]
            """;

    /** So has an atomic. */
    private static final String ATOMIC_PATHS = PATHS.replace("read: {other", "faa: {other");

    /** A kernel sees what has arrived when it is launched. */
    private static final String LAUNCH = """
            title: launch
            nodes:
              a: {program: [write: {kv: 1}, write: {kv: 2}, write: {kv: 3}]}
              b:
                platform: GPU_UNORDERED
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
                program: [launch: gpu0, launch: gpu0, launch: gpu0]
                kernels: {gpu0: [{load: {kv: seen}}, {load: {kv: seen2}}]}
            """;

    /** A second adapter reads what the first has let arrive. */
    private static final String RELAY = """
            title: relay
            nodes:
              a: {program: [write: {kv: 1}]}
              b:
                platform: GPU_TWO_PATHS
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
              b1:
                adapter_of: b
                regions: {again: {shares: hbm, words: {kv1: 0}}}
                program: [write: {x: kv1}]
              c: {words: {x: -1}}
            connections: [{between: [a, b]}, {between: [b1, c]}]
            """;

    /** Whether a request is refused depends on the state to which another thread brings the queue pair. */
    public static final String REFUSALS = """
            title: refusals
            nodes:
              a:
                leftovers: any
                words: {s: 1}
                program: [{write: {x: s}, error: EINVAL}]
                threads: {other: [{connect: qp}]}
              b: {words: {x: 0}, program: [{connect: qp}]}
            connections: [{between: [a, b], connected: false}]
            """;

    /** Whether there is room for a request depends on what another thread has posted and polled. */
    public static final String ROOM = """
            title: room
            nodes:
              a:
                leftovers: any
                qps: {qp: {max_send_wr: 1}}
                words: {s: 1}
                program: [{write: {x: s}}, {completion: SUCCESS}]
                threads: {other: [{write: {x: s}, error: ENOMEM}]}
              b: {words: {x: 0}}
            connections: [{between: [a, b]}]
            """;

    private FootprintScenarios() {}

    /** By name: what is wrong with the footprints of the scenario in the run of a seed; null if nothing is. */
    public static Map<String, LongFunction<@Nullable String>> checks() {
        Map<String, LongFunction<@Nullable String>> checks = new LinkedHashMap<>();
        checks.put("stores", check(STORES));
        checks.put("keys", check(KEYS));
        checks.put("faults", check(FAULTS));
        checks.put("gathers", check(GATHERS));
        checks.put("paths", check(PATHS));
        checks.put("atomic paths", check(ATOMIC_PATHS));
        checks.put("launch", check(LAUNCH));
        checks.put("relay", check(RELAY));
        checks.put("refusals", check(REFUSALS));
        checks.put("room", check(ROOM));
        return checks;
    }

    private static LongFunction<@Nullable String> check(String yaml) {
        Scenario scenario = ScenarioReader.read("footprint.yaml", yaml).scenario();
        FootprintCheck check = new FootprintCheck(OpenChoices.LEGAL, schedule -> {
            try (SimulatedRun run = new SimulatedRun(scenario, schedule, SimulationOptions.TIMELESS, event -> {})) {
                ScenarioRun.Result result = run.play();
                // Who of several nodes fails first is nobody's business.
                return result.outcome() + " " + new HashSet<>(result.failures()).size();
            }
        });
        return seed -> check.difference(seed, 0, 1);
    }
}
