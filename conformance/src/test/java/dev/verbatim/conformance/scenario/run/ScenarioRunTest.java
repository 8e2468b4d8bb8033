// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedScenarios;
import dev.verbatim.conformance.scenario.node.Failure;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What runs notice, and what happens on the way. */
class ScenarioRunTest {

    private static List<String> failures(ScenarioRun run, String yaml) {
        return run.run(ScenarioReader.read("f.yaml", yaml).scenario()).failures().stream()
                .map(Failure::toString)
                .toList();
    }

    private static List<TraceEvent> events(String yaml) {
        List<TraceEvent> events = new ArrayList<>();
        ScenarioRun run = ScenarioRun.on(FabricKind.SIM).tap(events::add);
        assertThat(run.run(ScenarioReader.read("f.yaml", yaml).scenario()).failures())
                .isEmpty();
        return events;
    }

    private static long sent(List<TraceEvent> events, Opcode opcode) {
        return events.stream()
                .filter(event -> event instanceof TraceEvent.PacketSent sent
                        && sent.packet().opcode() == opcode)
                .count();
    }

    private static @Nullable String obstacle(FabricKind fabric, String fault) {
        return ScenarioRun.on(fabric)
                .obstacle(ScenarioReader.read("f.yaml", """
                                title: A packet is lost
                                nodes: {a: {program: [write: {x: 1}]}, b: {words: {x: 0}}}
                                faults: [%s: {packet: RDMA_WRITE_ONLY, from: a, nth: 1}]
                                """.formatted(fault)).scenario());
    }

    @Test
    void faultsNameTheFabricsThatHaveThem() {
        assertThat(obstacle(FabricKind.SIM, "crash")).isNull();
        assertThat(obstacle(FabricKind.ROCE, "drop")).isNull();
        assertThat(obstacle(FabricKind.TCP, "drop")).isEqualTo("its faults need --fabric sim or roce");
        assertThat(obstacle(FabricKind.ROCE, "crash")).isEqualTo("a device crashes in it, which needs --fabric sim");
        assertThat(obstacle(FabricKind.IN_PROCESS, "crash"))
                .isEqualTo("a device crashes in it, which needs --fabric sim");
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void everythingThatIsNotAsSaidIsNoticedWithWhatItIsInstead(FabricKind fabric) {
        assertThat(failures(ScenarioRun.on(fabric), """
                                title: Everything is wrong
                                nodes:
                                  a:
                                    words: {r: 3, told: 0}
                                    regions: {buf: {size: 16, fill: 7}}
                                    qps: {qp: {max_send_wr: 2}}
                                    program:
                                      - {modify: RTR, error: ENOMEM}
                                      - {modify: RTR, error: {errno: EINVAL, rule: QP-01}}
                                      - {write: {x: 1}, error: EINVAL}
                                      - completion: {status: SUCCESS, byte_len: 8, wr_id: 5, opcode: SEND}
                                      - chain: [{write: {x: 2}}, {write: {x: 3}}, {write: {x: 4}}]
                                        error: {errno: ENOMEM, bad: 1}
                                      - completion: SUCCESS
                                      - until: {told: 1}
                                      - no_completion: true
                                      - completion: SUCCESS
                                      - query: {state: ERR, path_mtu: 256, timeout: 14}
                                      - load: {r: seen}
                                      - expect: {r: 4, seen: 5, buf+8:4: {text: four}, buf+4:2: {fill: 7}}
                                      - deregister: buf
                                      - deregister: buf
                                  b:
                                    words: {x: 0}
                                    program:
                                      - until: {x: 3}
                                      - write: {told: 1}
                                      - no_event: true
                                """))
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("node a, step 1 {modify: RTR, error: ENOMEM}: errno=EINVAL, not ENOMEM: "),
                        text -> assertThat(text)
                                .contains("step 2 ")
                                .contains("rule=")
                                .contains(", not QP-01: EINVAL: "),
                        text -> assertThat(text)
                                .contains("step 3 ")
                                .endsWith("the verb succeeded, but should have failed with EINVAL"),
                        text -> assertThat(text)
                                .contains("wr_id=1, not 5, opcode=RDMA_WRITE, not SEND, byte_len=0, not 8"),
                        text -> assertThat(text)
                                .contains("step 5 ")
                                .contains("the first request that was not posted is 2, not 1: ENOMEM: "),
                        text -> assertThat(text).contains("step 8 ").contains("there is a completion: wr_id=3 SUCCESS"),
                        text -> assertThat(text).endsWith("state=RTS, not ERR"),
                        text -> assertThat(text).endsWith("path_mtu=MTU_1024, not MTU_256"),
                        text -> assertThat(text).endsWith("r=3, not 4"),
                        text -> assertThat(text).endsWith("seen=3, not 5"),
                        text -> assertThat(text).endsWith("buf+8:4=byte 0 = 0x07, not text four"),
                        text -> assertThat(text).contains("step 14 {deregister: buf}: the verb failed: ENOENT: "));
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void answersThatAreOtherThanSaidAreNoticed(FabricKind fabric) {
        assertThat(failures(ScenarioRun.on(fabric), """
                                title: Other answers
                                nodes:
                                  a:
                                    program:
                                      - query_device: {max_qp: 3, phys_port_cnt: 1}
                                      - query_port: {state: DOWN, active_mtu: 256}
                                      - {query_gid: 0, node: b}
                                      - {query_pkey: 0, pkey: 1}
                                      - {query_qp_data_in_order: RDMA_WRITE, in_order: false}
                                      - {query_gid: 1}
                                      - {query_pkey: 0, error: EINVAL}
                                  b: {}
                                """))
                .satisfiesExactly(
                        text -> assertThat(text).endsWith("max_qp=262144, not 3"),
                        text -> assertThat(text).endsWith("state=ACTIVE, not DOWN"),
                        text -> assertThat(text).endsWith("active_mtu=4096, not 256"),
                        text -> assertThat(text).contains(": gid=").endsWith(" of node b"),
                        text -> assertThat(text).endsWith("pkey=65535, not 1"),
                        text -> assertThat(text).endsWith("in_order=true, not false"),
                        text -> assertThat(text).contains("the verb failed: EINVAL: port_num=1 index=1;"),
                        text -> assertThat(text).endsWith("should have failed with EINVAL"));
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void deviceWithoutRoomForWhatItsNodeHasIsNoticedBeforeTheProgramsBegin(FabricKind fabric) {
        assertThat(failures(
                        ScenarioRun.on(fabric),
                        "{title: t, nodes: {a: {profile: {limits: {max_cqe: 63}}, program: [write: {x: 1}]},"
                                + " b: {words: {x: 0}}}}"))
                .singleElement()
                .asString()
                .isEqualTo("the setup: EINVAL: cqe=64 is not in 1..63 [CQ-01]");
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void failureThatNoStepTakesIsNoticedUnlessThatIsSaid(FabricKind fabric) {
        String yaml = """
                title: A wrong key
                nodes:
                  a:
                    program:
                      - post: RDMA_WRITE
                        remote: {at: x, key: 0xbad}
                        local: 1
                  b: {words: {x: 0}}
                """;
        ScenarioRun run = ScenarioRun.on(fabric);
        assertThat(failures(run, yaml))
                .singleElement()
                .asString()
                .contains("a completion that no step takes is no success: wr_id=1 REM_ACCESS_ERR");
        assertThat(failures(run, yaml.replace("    program:", "    leftovers: any\n    program:")))
                .isEmpty();
        assertThat(failures(run, yaml.replace("    program:", "    leftovers: leave\n    program:")))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = FabricKind.class, mode = Mode.EXCLUDE, names = "SIM")
    void programThatWaitsForEverIsGivenUpInRealTimeToo(FabricKind fabric) {
        assertThat(failures(
                        ScenarioRun.on(fabric).patience(Duration.ofMillis(200)),
                        "{title: t, nodes: {a: {program: [completion: any]}, b: {program: [event: any]}}}"))
                .containsExactly(
                        "node a, step 1 {completion: any}: it waits here, and nothing happens any more",
                        "node b, step 1 {event: any}: it waits here, and nothing happens any more");
    }

    @Test
    void nthPacketOfItsKindIsLostAndNoOther() {
        String yaml = """
                title: Two atomics, and one answer is lost
                nodes:
                  a:
                    words: {first: -1, second: -1}
                    program:
                      - faa: {x: first}
                      - completion: SUCCESS
                      - faa: {x: second}
                      - completion: SUCCESS
                  b: {words: {x: 0}}
                allowed: [{first: 0, second: 1, x: 2}]
                """;
        assertThat(sent(events(yaml), Opcode.FETCH_ADD)).isEqualTo(2);
        String fault = "faults: [{drop: {packet: ATOMIC_ACKNOWLEDGE, from: b, nth: 2, times: 2}}]\n";
        List<TraceEvent> events = events(yaml + fault);
        assertThat(sent(events, Opcode.FETCH_ADD)).isEqualTo(4);
        assertThat(events.stream().filter(TraceEvent.LinkFaulted.class::isInstance))
                .hasSize(2);
        assertThat(sent(events(yaml + fault.replace("from: b", "from: a")), Opcode.FETCH_ADD))
                .isEqualTo(2);
    }

    @Test
    void canonicalOutcomeIsThatOfTheSimplestRun() {
        String yaml = "{title: t, nodes: {a: {words: {r: -1}, program: [{read: {x: r}}, {write: {x: 1}}]},"
                + " b: {words: {x: 0}}}, canonical: {r: 0}}";
        ScenarioRun run = ScenarioRun.on(FabricKind.SIM);
        assertThat(failures(run, yaml)).isEmpty();
        assertThat(failures(run, yaml.replace("canonical: {r: 0}", "canonical: {r: 1}")))
                .containsExactly("the outcome: r=0 is not the canonical r=1");
    }

    @Test
    @Rule({"RT-03", "N-08"})
    void runInWhichNothingButRetriesHappensHasEnded() {
        assertThat(failures(
                        ScenarioRun.on(FabricKind.SIM),
                        "{title: t, nodes: {a: {program: [send: []]}, b: {}},"
                                + " connections: [{between: [a, b], min_rnr_timer: 1}]}"))
                .singleElement()
                .asString()
                .startsWith("node a, end of the program: it waits for a completion of queue pair")
                .contains("the oldest SEND wr_id=", "rnr_retry=7 asks for ever; post a receive to qp ");
    }

    @Test
    @LongTest
    void runThatNeverEndsIsStopped() {
        assertThat(failures(
                        ScenarioRun.on(FabricKind.SIM),
                        "{title: t, nodes: {a: {profile: {infinite_retry_seven: true}, program: [await: go, {write: {x: 1}}]},"
                                + " b: {words: {x: 0}, program: [modify: ERR, tell: go]}}}"))
                .first()
                .asString()
                .startsWith("the run: more than mostEvents=");
    }

    @Test
    void queuePairTalksToItself() {
        for (FabricKind fabric : List.of(FabricKind.SIM, FabricKind.IN_PROCESS)) {
            assertThat(failures(
                            ScenarioRun.on(fabric),
                            "{title: t, nodes: {a: {words: {x: 0}, program: [{write: {x: 5}}]}},"
                                    + " connections: [{between: [a, a]}], allowed: [{x: 5}]}"))
                    .as(fabric.label())
                    .isEmpty();
        }
    }

    @Test
    void inlineDataIsFoundOnEveryFabric() {
        for (FabricKind fabric : FabricKind.values()) {
            assertThat(failures(
                            ScenarioRun.on(fabric),
                            "{title: t, nodes: {a: {program: [{write: {x: 5}, flags: INLINE}]}, b: {words: {x: 0}}},"
                                    + " allowed: [{x: 5}]}"))
                    .isEmpty();
        }
    }

    @Test
    void severalNodesTalkToEachOther() {
        for (FabricKind fabric : FabricKind.values()) {
            assertThat(failures(ScenarioRun.on(fabric), """
                            title: Three nodes
                            nodes:
                              a:
                                words: {x: 0}
                                program:
                                  - {write: {y: 1}, qp: right}
                                  - await: through
                              b:
                                words: {y: 0}
                                program:
                                  - until: {y: 1}
                                  - {write: {z: 1}, qp: right}
                              c:
                                words: {z: 0}
                                program:
                                  - until: {z: 1}
                                  - {write: {x: 1}, qp: right}
                                  - {completion: {qp: right}}
                                  - tell: through
                            connections:
                              - between: [a.right, b.left]
                              - between: [b.right, c.left]
                              - between: [c.right, a.left]
                            allowed: [{x: 1, y: 1, z: 1}]
                            """)).as(fabric.label()).isEmpty();
        }
    }

    /** How many faults there were with each seed, from 1 on. */
    private static List<Long> faultsDrawn(String yaml, int seeds) {
        Scenario scenario = ScenarioReader.read("f.yaml", yaml).scenario();
        List<Long> drawn = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            List<TraceEvent> events = new ArrayList<>();
            ScenarioRun.on(FabricKind.SIM).seed(seed).tap(events::add).run(scenario);
            drawn.add(events.stream()
                    .filter(TraceEvent.LinkFaulted.class::isInstance)
                    .count());
        }
        return drawn;
    }

    @ParameterizedTest
    @EnumSource(
            value = ChoicePoint.class,
            mode = Mode.MATCH_ANY,
            names = {"LINK_.*", "DEVICE_.*"})
    @Rule("N9")
    void aSeedDrawsEachFaultThatTheChoicesPermitAndNoMoreThanTheyPermit(ChoicePoint fault) {
        String yaml = "{title: t, nodes: {a: {leftovers: leave, program: [{write: {x: 1}}, {write: {x: 2}},"
                + " {write: {x: 3}}]}, b: {words: {x: 0}}}, choices: {on: [" + fault.label() + "], faults: 1}}";

        assertThat(faultsDrawn(yaml, 100)).containsOnly(0L, 1L);
        assertThat(faultsDrawn(yaml.replace("faults: 1", "faults: 0"), 10)).containsOnly(0L);
    }

    @Test
    @Rule("UC-01")
    void aSeedLosesAMessageOfUcWhereTheChoicesPermitIt() {
        Scenario scenario =
                Objects.requireNonNull(ShippedScenarios.find("UC-01")).scenario();
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 1; seed <= 100; seed++) {
            outcomes.add(ScenarioRun.on(FabricKind.SIM)
                    .seed(seed)
                    .run(scenario)
                    .outcome()
                    .toString());
        }

        assertThat(outcomes).containsExactlyInAnyOrder("sent=SUCCESS x=0", "sent=SUCCESS x=1");
    }
}
