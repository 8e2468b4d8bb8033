// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.conformance.scenario.ScenarioReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names, cycles and conditions of litmus tests. */
class LitmusTestTest {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The conditions that the literature has for these shapes. */
    @ParameterizedTest
    @CsvSource({
        "MP+put-put+get-get, r0=1 r1=0",
        "SB+put-get+put-get, r0=0 r1=0",
        "LB+get-put+get-put, r0=1 r1=1",
        "S+put-put+get-put, x=2 r0=1",
        "R+put-put+put-get, y=2 r0=0",
        "2+2W+put-put+put-put, x=2 y=2",
        "WRC+put+get-put+get-get, r0=1 r1=1 r2=0",
        "ISA2+put-put+get-put+get-get, r0=1 r1=1 r2=0",
        "IRIW+put+get-get+put+get-get, r0=1 r1=0 r2=1 r3=0",
        "CoRR+put+get-get, r0=1 r1=0",
        "CoWW+put-put, x=2",
        "CoRW1+get-put, r0=1",
        "CoRW2+put+get-put, x=2 r0=2",
        "CoWR+put-get, r0=0",
        "2+2W+rmw-rmw+rmw-rmw, old0=1 old2=1",
        "PodWR.Fre.PodWR.Fre+rmw-get+store-get, r0=0 r1=0"
    })
    void conditionIsTheOneThatNoOrderExplains(String name, String condition) {
        LitmusTest test = LitmusTest.parse(name);

        assertThat(test.conditionText()).isEqualTo(condition);
        assertThat(test.name()).isEqualTo(name);
    }

    /** What programs of rules LT-05, LT-11 and LT-18 say, in other words. */
    @ParameterizedTest
    @CsvSource({
        "MP+put-put+load-load, permitted",
        "MP+put-poll-put+load-load, permitted",
        "MP+put-flush-put+load-load, 'forbidden by NW-02, ORD-11'",
        "MP+put-put+get-get, 'forbidden by ORD-11, ORD-12'",
        "MP+put-put+get-get+qps, permitted",
        "MP+put-poll-put+get-poll-get+qps, forbidden by ORD-15",
        "LB+get-put+get-put, permitted",
        "LB+get-fence-put+get-fence-put, 'forbidden by ORD-15, ORD-19'",
        "CoWR+put-get, forbidden by ORD-11",
        "CoRW1+get-put, permitted",
        "CoRW2+put+get-poll-store, permitted"
    })
    void rulesPermitOrForbid(String name, String verdict) {
        GeneratedTest explored = GeneratedTest.of(LitmusTest.parse(name), System::nanoTime, PATIENCE_NANOS);

        assertThat(explored.verdict()).isEqualTo(verdict);
        assertThat(ScenarioReader.read(name, explored.yaml()).scenario().title())
                .startsWith(name + (explored.isPermitted() ? " is permitted" : " is forbidden"));
    }

    @Test
    void explorationThatIsStoppedIsNoTest() {
        assertThatThrownBy(() -> GeneratedTest.of(LitmusTest.parse("MP+put-put+get-get"), System::nanoTime, 1))
                .hasMessageContaining("MP+put-put+get-get has more executions than could be run")
                .hasMessageContaining("--seconds");
    }

    @Test
    void variantsOfAShapeAreThoseThatAreTests() {
        assertThat(TestVariants.of(
                        "SB",
                        List.of(Access.PUT, Access.LOAD),
                        List.of(Between.NOTHING, Between.parse("poll"), Between.parse("fence")),
                        false))
                .extracting(LitmusTest::name)
                .containsExactly(
                        "SB+put-load+put-load",
                        "SB+put-load+put-poll-load",
                        "SB+put-poll-load+put-load",
                        "SB+put-poll-load+put-poll-load");
        assertThat(TestVariants.of("Rfe PosRR Fre", List.of(Access.RMW), List.of(Between.NOTHING), true))
                .extracting(LitmusTest::name)
                .containsExactly("Rfe.PosRR.Fre+rmw+rmw-rmw+qps");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "MQ+put-put+get-get; shape \"MQ\" is unknown; did you mean MP?",
                "MP+put-put; has 1 programs, and MP has 2",
                "MP+put-put+get; has less than 2 accesses",
                "MP+put-put-put+get-get; has more than 2 accesses",
                "MP+put-poll-fence-flush-put+get-get; \"flush\" is nothing that can be between accesses",
                "MP+put-pol-put+get-get; did you mean poll?",
                "MP+puts-put+get-get; access \"puts\" is unknown; did you mean put?",
                "MP+put-get+get-get; get does not write, as access 2 of the cycle",
                "MP+store-poll-store+get-get; poll needs a put, get or rmw before it, not store",
                "MP+put-put+get-fence-load; fence needs a put, get or rmw behind it, not load",
                "MP+put-put+get-flush-get; flush needs a put or an rmw that writes before it, not get",
                "WRC+put+load-put+load-load; CPUs of two nodes access location x",
                "PodWW.Rfe.PodRR+put; PodRR ends with a read, and PodWW behind it begins with a write",
                "PosWW.PosWW+put-put; needs a communication and an order of a program",
                "PodWW.Rfe.PosRR.Fri+put; has one external edge",
                "Rfe.PodRR.Fre+put; has 1 Pod edges",
                "PosWW.Coe.Coe+put; has more than two writes of one location",
                "PodWX.Fre+put; edge \"PodWX\" is unknown; did you mean PodWW?"
            })
    void mistakeIsToldWithARemedy(String name, String message) {
        assertThatThrownBy(() -> LitmusTest.parse(name)).hasMessageContaining(message);
    }

    @Test
    void impossibleVariantsAreRefused() {
        assertThatThrownBy(() -> TestVariants.of("MP", List.of(Access.GET), List.of(Between.NOTHING), false))
                .hasMessageContaining("no test of MP has only [get] with [nothing] between");
        List<Between> many = Stream.of(
                        "nothing",
                        "flush",
                        "poll",
                        "fence",
                        "flush-poll",
                        "poll-fence",
                        "flush-fence",
                        "flush-poll-fence")
                .map(Between::parse)
                .toList();
        assertThatThrownBy(() -> TestVariants.of("ISA2", List.of(Access.values()), many, false))
                .hasMessageContaining("there are more than 10000 tests of ISA2");
    }
}
