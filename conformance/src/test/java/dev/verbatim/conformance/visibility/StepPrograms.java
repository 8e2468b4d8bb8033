// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.Weakness;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Small programs that depend on one step by which bytes arrive, leave or are seen. Their right outcome is the allowed one. */
final class StepPrograms {

    private static final Platform ONLY_AT_REFRESH =
            new Platform("ONLY_AT_REFRESH", Set.of(Weakness.GPU_SEES_AT_REFRESH));

    private static final String UNORDERED = """
            nodes:
              a: {program: [%s]}
              b:
                platform: AS_SPECIFIED
                regions:
                  data: {words: {d: 0}, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, RELAXED_ORDERING, UNORDERED]}
                program: [%s, {write: {x: d}, qp: out}]
              c: {words: {x: -1}}
            connections: [{between: [a, b.in]}, {between: [b.out, c]}]
            allowed: [{x: 1}]
            """;

    private static final String TWO_WRITERS = """
            nodes:
              a: {program: [await: ready, {write: {kv: 1}}, {send: []}]}
              b:
                platform: GPU_TWO_PATHS
                domains: {gpu0: device}
                words: {dummy: -1}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
                program: [{recv: [], qp: in}, tell: ready, completion: SUCCESS, %s tell: received]
              b1: {adapter_of: b, regions: {again: {shares: hbm, words: {kv1: 0}}}}
              c: {program: [await: received, {write: {kv1: 2}}]}
            connections: [{between: [a, b.in]}, {between: [b1, c]}, {between: [b.flush, b.flush]}]
            allowed: [{kv: 2}]
            """;

    /** The program of the CPU of a node with a GPU, and its kernel. */
    private static final String KERNEL = """
            nodes:
              a: {program: [%s]}
              b:
                platform: GPU_ONE_PATH
                domains: {gpu0: device}
                words: {d: 0, tail: 0}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
                program: [%s]
                kernels: {gpu0: [%s, {load: {%s: seen}}]}
            connections: [{between: [a, b]}]
            allowed: [{seen: 1}]
            """;

    private static final String STORED_FIRST = """
            nodes:
              a: {program: [await: stored, {write: {kv: 2}}]}
              b:
                platform: GPU_ONE_PATH
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
                program: [{store: {kv: 1}}, tell: stored]
            allowed: [{kv: 2}]
            """;

    private static final String FLUSHED = """
            nodes:
              a:
                program:
                  - write: {d: 1}
                  - write: {f: 1}
                  - {flush: f, type: GLOBAL}
                  - completion: SUCCESS
                  - completion: SUCCESS
                  - completion: SUCCESS
                  - tell: sent
              b:
                platform: GPU_ONE_PATH
                regions: {data: {words: {d: 0, f: 0}, access: [LOCAL_WRITE, REMOTE_WRITE, FLUSH_GLOBAL]}}
                program: [await: sent, {load: {d: seen}}]
            connections: [{between: [a, b], access: [REMOTE_WRITE, FLUSH_GLOBAL]}]
            allowed: [{seen: 1}]
            """;

    private static final String TAG = """
            nodes:
              a:
                regions: {source: {words: {one: 1, tag: 1}}}
                program: [write: {target: source}]
              b:
                platform: GPU_ONE_PATH
                regions: {target: {words: {d: 0, f: 0}}}
                program: [until: {f: 1}, load: {d: seen}]
            allowed: [{seen: 1}]
            """;

    /** A queue pair on which the data is followed by what makes it arrive, and by a message. */
    private static final String MESSAGE = """
            nodes:
              a: {words: {r: -1}, program: [await: ready, {write: {kv: 1}}, %s]}
              b:
                platform: GPU_TWO_PATHS
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {kv: 0, count: 0}}}
                program: [recv: [], tell: ready, completion: {opcode: RECV}, launch: gpu0]
                kernels: {gpu0: [load: {kv: seen}]}
            allowed: [{seen: 1}]
            """;

    private static final String RESULT = """
            nodes:
              a: {words: {x: 1}}
              b:
                platform: GPU_ONE_PATH
                domains: {gpu0: device}
                regions: {hbm: {in: gpu0, words: {kv: 0}}}
                program: [{read: {x: kv}}, completion: SUCCESS, launch: gpu0]
                kernels: {gpu0: [load: {kv: seen}]}
            allowed: [{seen: 1}]
            """;

    private static final String MARK = """
            nodes:
              a: {program: [{write: {record: 7}}, {atomic_write: {mark: 1}}]}
              b:
                platform: PMEM_DIRECT
                domains: {pm: persistent}
                regions: {log: {in: pm, words: {record: 0, mark: 0}}}
                program: [until: {mark: 1}, power_fail: true]
            allowed: [{record: 7}]
            """;

    private StepPrograms() {}

    /** By what they do. */
    static Map<String, Scenario> all() {
        String told = "await: ready, {write: {d: 1}}, {send: []}";
        String polled = "until: {tail: 1}";
        String stores = "{store: {kv: 1}}, {store: {tail: 1}}";
        Map<String, Scenario> all = new LinkedHashMap<>();
        put(
                all,
                "unordered bytes that were received are sent on",
                UNORDERED.formatted(told, "{recv: [], qp: in}, tell: ready, completion: SUCCESS"));
        put(
                all,
                "unordered bytes that may be under way are sent on",
                UNORDERED.formatted("{write: {d: 1}}, completion: SUCCESS, tell: sent", "await: sent"));
        put(all, "a second adapter writes what may be under way", TWO_WRITERS.formatted(""));
        put(
                all,
                "a second adapter writes what has arrived",
                TWO_WRITERS.formatted("{read: {kv: dummy}, qp: flush}, completion: SUCCESS,"));
        put(all, "an adapter writes what the CPU stored", STORED_FIRST);
        put(
                all,
                "the CPU stores behind a launch",
                KERNEL.formatted("", "launch: gpu0, {store: {d: 1}}, {store: {tail: 1}}", polled, "d"));
        put(
                all,
                "the CPU stores into a GPU before a launch",
                KERNEL.formatted("", "{store: {kv: 1}}, launch: gpu0", "fence: DEVICE", "kv"));
        put(all, "the CPU stores behind a fence", KERNEL.formatted("", "fence: SYSTEM, " + stores, polled, "kv"));
        put(
                all,
                "the CPU stores behind a flush",
                KERNEL.formatted("", "flush_gpu: {gpu0: OWNER}, " + stores, polled, "kv"),
                ONLY_AT_REFRESH);
        put(
                all,
                "the CPU stores behind a load from the GPU",
                KERNEL.formatted("", "{load: {kv: early}}, " + stores, polled, "kv"),
                ONLY_AT_REFRESH);
        put(
                all,
                "a kernel loads what it has seen",
                KERNEL.formatted("{write: {kv: 1}}", "tell: nothing", "until: {kv: 1}", "kv"),
                Platform.GPU_UNORDERED);
        put(
                all,
                "a kernel loads host memory behind a fence",
                KERNEL.formatted("", "{store: {d: 1}}, {store: {tail: 1}}", polled + ", fence: SYSTEM", "d"));
        put(all, "a FLUSH of what comes behind the data", FLUSHED);
        put(all, "an atomic behind the data, and a message", MESSAGE.formatted("{faa: {count: r}}, {send: []}"));
        put(
                all,
                "a READ behind the data, and a fenced message",
                MESSAGE.formatted("{read: {kv: r}}, {send: [], flags: FENCE}"));
        put(all, "the result of a READ in a GPU", RESULT);
        put(all, "a mark behind a record that is durable where it arrives", MARK);
        put(all, "a tag in the last bytes where the path keeps the order", TAG);
        return all;
    }

    /** A READ that the message behind it may overtake (N1), which a model that executes requests in order does not have. */
    static Scenario overtakenRead() {
        String yaml = "title: a READ behind the data, and a message\n"
                + MESSAGE.formatted("{read: {kv: r}}, {send: []}")
                + "choices: {on: [program-step, read-fetch, placement, observe]}\n";
        return ScenarioReader.read("overtaken read", yaml).scenario();
    }

    private static void put(Map<String, Scenario> all, String name, String yaml) {
        String choices = "choices: {on: [program-step, placement, observe, writeback, durable]}\n";
        all.put(
                name,
                ScenarioReader.read(name, "title: " + name + "\n" + yaml + choices)
                        .scenario());
    }

    private static void put(Map<String, Scenario> all, String name, String yaml, Platform platform) {
        put(all, name, yaml);
        all.computeIfPresent(name, (key, scenario) -> scenario.on(platform));
    }
}
