// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.footprint.FootprintScenarios;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.sim.Exploration;
import dev.verbatim.sim.Explored;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A request that is refused when it is posted looked at itself and the state of its queue pair: it stands in the way of nothing else. */
class RefusedPostsTest {

    private static final String DATAGRAMS = """
            title: datagrams
            nodes:
              a:
                qps: {qp: {type: UD}}
                program: [await: ready, {send: 5, dest: s}, {send: 6, dest: s}, {write: {x: 7}, dest: s, error: EINVAL}]
              s:
                qps: {qp: {type: UD}}
                words: {x: 0}
                regions: {mail: {size: 96}}
                program: [recv: mail+0:48, recv: mail+48:48, tell: ready, completion: SUCCESS, completion: SUCCESS]
            connections: [{between: [a, s]}]
            choices: {off: [placement-split]}
            """;

    private static final String FULL = """
            title: full
            nodes:
              a:
                qps: {qp: {max_send_wr: 2}}
                program:
                  - chain: [{write: {x: 1}, flags: UNSIGNALED}, {write: {x: 2}}]
                  - {write: {x: 5}, error: ENOMEM}
                  - completion: SUCCESS
              b: {words: {x: 0, y: 0}, program: [{store: {y: 1}}]}
              c: {words: {z: 0}, program: [{store: {z: 1}}]}
            connections: [{between: [a, b]}]
            """;

    private static final String RECEIVE_IN_RESET = """
            title: receive in RESET
            nodes:
              a: {words: {x: 0}, program: [{recv: x, error: EINVAL}, {store: {x: 1}}, {store: {x: 2}}]}
              b: {words: {y: 0}, program: [{store: {y: 1}}, {store: {y: 2}}]}
            connections: [{between: [a, b], connected: false}]
            """;

    private static Explored explored(String yaml, UnaryOperator<Exploration> bounds) {
        return new ScenarioExploration(ScenarioReader.read("refused.yaml", yaml).scenario(), null)
                .explore(bounds)
                .explored();
    }

    /** The program is over soon, and as soon as without the post that is refused. */
    private static void takesNoMore(String refused, String post) {
        assertThat(refused).contains(post);
        Explored with = explored(refused, exploration -> exploration.atMostExecutions(1_000));
        Explored without = explored(refused.replace(post, ""), exploration -> exploration);
        assertThat(with.isComplete()).isTrue();
        assertThat(with.executions() + with.abandoned()).isEqualTo(without.executions() + without.abandoned());
        assertThat(with.outcomes()).hasSize(1);
    }

    private static void hasTwoOutcomes(String yaml) {
        Explored reduced = explored(yaml, exploration -> exploration);
        Explored all = explored(yaml, Exploration::unreduced);
        assertThat(all.isComplete()).isTrue();
        assertThat(reduced.outcomes().keySet())
                .isEqualTo(all.outcomes().keySet())
                .hasSize(2);
    }

    @Test
    void refusedPostTakesNoMoreExecutionsThanNone() {
        takesNoMore(DATAGRAMS, ", {write: {x: 7}, dest: s, error: EINVAL}");
    }

    @Test
    void refusalThatDependsOnWhatAnotherThreadDoesHasBothOutcomes() {
        hasTwoOutcomes(FootprintScenarios.REFUSALS);
    }

    @Test
    void postWithoutRoomTakesNoMoreExecutionsThanNone() {
        takesNoMore(FULL, "      - {write: {x: 5}, error: ENOMEM}\n");
    }

    @Test
    void roomThatAnotherThreadTakesAndFreesIsFoundInEachWay() {
        hasTwoOutcomes(FootprintScenarios.ROOM);
    }

    @Test
    void receiveThatIsRefusedTakesOneExecution() {
        Explored explored = explored(RECEIVE_IN_RESET, exploration -> exploration.atMostExecutions(1_000));
        assertThat(explored.executions() + explored.abandoned()).isEqualTo(1);
    }
}
