// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Explored;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.testing.FootprintCheck;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What exploration leaves out of programs that make and end connections are orders that nobody can tell apart. */
class ConnectionOrdersTest {

    private static final int RUNS = Tries.of("connections.footprints", 1, 30, 300);
    private static final int SEEDS = Tries.of("connections.seeds", 10, 100, 2_000);
    private static final int MOST = Tries.of("connections.unreduced", 500, 5_000, 50_000);

    private static final OpenChoices TURNS = ShippedLitmusTest.withAllTurns(OpenChoices.NONE);

    /** What is here is what they need today. */
    private static final long MOST_RUNS_OF_ALL = 129;

    /** Programs, with what nodes do in turn. */
    enum Program {
        ESTABLISHED_AND_WRITTEN("""
                nodes:
                  a:
                    program:
                      - await: ready
                      - {cm_connect: qp, port: 7}
                      - {cm_event: any, into: answer}
                      - cm_establish: qp
                      - write: {x: 1}
                      - completion: SUCCESS
                  b:
                    words: {x: 0}
                    program:
                      - cm_listen: 7
                      - tell: ready
                      - cm_event: CONNECT_REQUEST
                      - cm_accept: qp
                      - {cm_event: any, into: end}
                      - load: {x: seen}
                connections:
                  - {between: [a, b], connected: false}
                """),
        NOBODY_LISTENS_YET("""
                nodes:
                  a:
                    program:
                      - {cm_connect: qp, port: 7}
                      - {cm_event: any, into: answer}
                  b:
                    program:
                      - cm_listen: 7
                connections:
                  - {between: [a, b], connected: false}
                """),
        TWO_ASK_ONE(twoAsk("cm_listen: 7", "cm_accept: second")),
        ONE_REQUEST_MAY_WAIT(twoAsk("{cm_listen: 7, backlog: 1}", "cm_reject: true")),
        BOTH_DISCONNECT("""
                nodes:
                  a:
                    program:
                      - await: ready
                      - {cm_connect: qp, port: 7}
                      - cm_event: CONNECT_RESPONSE
                      - cm_establish: qp
                      - cm_disconnect: qp
                      - {cm_event: any, into: of_a}
                  b:
                    program:
                      - cm_listen: 7
                      - tell: ready
                      - cm_event: CONNECT_REQUEST
                      - cm_accept: qp
                      - {cm_event: any, into: first_of_b}
                      - cm_disconnect: qp
                      - {cm_event: any, into: of_b}
                connections:
                  - {between: [a, b], connected: false}
                """),
        DISCONNECTED_WITH_A_WRITE_UNDER_WAY("""
                nodes:
                  a:
                    program:
                      - await: ready
                      - {cm_connect: qp, port: 7}
                      - cm_event: CONNECT_RESPONSE
                      - cm_establish: qp
                      - write: {x: 1}
                      - cm_disconnect: qp
                      - {completion: any, into: {status: ended}}
                  b:
                    words: {x: 0}
                    program:
                      - cm_listen: 7
                      - tell: ready
                      - cm_event: CONNECT_REQUEST
                      - cm_accept: qp
                      - recv: x
                      - {cm_event: any, into: first_of_b}
                      - {cm_event: any, into: of_b}
                      - load: {x: seen}
                      - cm_disconnect: qp
                      - {completion: any, into: {status: received}}
                connections:
                  - {between: [a, b], connected: false}
                """),
        BESIDE_OTHERS("""
                nodes:
                  a:
                    qps: {made: {}, there: {}}
                    program:
                      - await: ready
                      - {cm_connect: made, port: 7}
                      - {write: {x: 1}, qp: there}
                      - {cm_event: any, into: answer}
                      - {completion: any, into: {status: ended}}
                      - cm_establish: made
                  b:
                    qps: {made: {}, there: {}}
                    words: {x: 0}
                    program:
                      - cm_listen: 7
                      - tell: ready
                      - cm_event: CONNECT_REQUEST
                      - load: {x: before}
                      - cm_accept: made
                      - load: {x: behind}
                connections:
                  - {between: [a.made, b.made], connected: false}
                  - {between: [a.there, b.there]}
                """);

        private final String yaml;

        Program(String yaml) {
            this.yaml = yaml;
        }

        /** Two ask a third, which refuses the first. */
        private static String twoAsk(String listen, String answer) {
            return """
                    nodes:
                      a:
                        program:
                          - await: ready
                          - {cm_connect: qp, port: 7}
                          - {cm_event: any, into: of_a}
                      b:
                        program:
                          - %s
                          - tell: ready
                          - cm_event: CONNECT_REQUEST
                          - cm_reject: true
                          - cm_event: CONNECT_REQUEST
                          - %s
                        qps: {first: {}, second: {}}
                      c:
                        program:
                          - await: ready
                          - {cm_connect: qp, port: 7}
                          - {cm_event: any, into: of_c}
                    connections:
                      - {between: [a, b.first], connected: false}
                      - {between: [c, b.second], connected: false}
                    """.formatted(listen, answer);
        }

        Scenario scenario() {
            return ScenarioReader.read(name(), "title: " + name() + "\n" + yaml).scenario();
        }
    }

    private static Explored explored(Scenario scenario, OpenChoices openChoices, boolean unreduced) {
        return new ScenarioExploration(scenario, null)
                .under(openChoices)
                .explore(all -> unreduced ? all.unreduced().atMostExecutions(MOST) : all.atMostExecutions(MOST))
                .explored();
    }

    @ParameterizedTest
    @EnumSource
    void stepsThatDoNotTouchEachOtherMayChangePlaces(Program program) {
        Scenario scenario = program.scenario();
        for (OpenChoices openChoices :
                new OpenChoices[] {OpenChoices.LEGAL, TURNS, TURNS.without(ChoicePoint.ARRIVAL)}) {
            FootprintCheck check =
                    new FootprintCheck(openChoices, schedule -> LitmusFootprintsTest.outcome(scenario, schedule));
            for (int seed = 0; seed < RUNS; seed++) {
                assertThat(check.difference(seed * 101L, 0, 1)).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CM-06")
    void seedsFindNothingThatTheReducedWalkLeavesOut(Program program) {
        Scenario scenario = program.scenario();
        Set<String> drawn = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            drawn.add(LitmusFootprintsTest.outcome(scenario, Schedule.by(Choices.seeded(seed), TURNS)));
        }

        Explored reduced = explored(scenario, TURNS, false);

        assertThat(reduced.stop()).isNull();
        assertThat(reduced.outcomes().keySet()).containsAll(drawn);
    }

    @ParameterizedTest
    @EnumSource
    void reducedWalkFindsAllThatTheUnreducedOneDoes(Program program) {
        Scenario scenario = program.scenario();
        OpenChoices few = OpenChoices.of(ChoicePoint.PROGRAM_STEP, ChoicePoint.ARRIVAL);

        Explored unreduced = explored(scenario, few, true);
        Explored reduced = explored(scenario, few, false);

        assertThat(reduced.stop()).isNull();
        assertThat(reduced.outcomes().keySet()).containsAll(unreduced.outcomes().keySet());
        if (unreduced.stop() == null) {
            assertThat(unreduced.outcomes().keySet())
                    .containsAll(reduced.outcomes().keySet());
        }
    }

    @Test
    void fewExecutionsShowTheOutcomesOfAllPrograms() {
        long runs = 0;
        for (Program program : Program.values()) {
            Explored explored = explored(program.scenario(), TURNS, false);
            runs += explored.executions() + explored.abandoned();
        }

        assertThat(runs).isLessThanOrEqualTo(MOST_RUNS_OF_ALL);
    }
}
