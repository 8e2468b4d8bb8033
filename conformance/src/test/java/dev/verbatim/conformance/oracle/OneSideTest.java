// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.conformance.explore.Explorer;
import dev.verbatim.conformance.explore.PairType;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.Violation;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.testing.Tries;
import dev.verbatim.trace.Tap;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An oracle that sees one side finds nothing in what honest devices do. */
class OneSideTest {

    private static final int RUNS = Tries.of("oneside.runs", 3, 40, 1_000);

    private static final int MOST_RUNS = 40;
    private static final int PROGRAMS = Tries.of("oneside.programs", 8, 60, 2_000);

    @FunctionalInterface
    interface Traffic {
        void run(long seed, Tap tap, Runnable end);
    }

    static Stream<Named<Traffic>> traffic() {
        return Stream.of(
                Named.of("perfect link", RandomTraffic::overPerfectLink),
                Named.of("lossy link", RandomTraffic::overLossyLink),
                Named.of("errors", RandomTraffic::withErrors),
                Named.of("simulated", SimulatedTraffic::overPerfectLink),
                Named.of("simulated, lossy", SimulatedTraffic::overLossyLink),
                Named.of("simulated, errors", SimulatedTraffic::withErrors));
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void honestPeerIsPermitted(Traffic traffic) {
        Map<Check, Long> checks = new EnumMap<>(Check.class);
        for (long seed = 0; seed < RUNS; seed++) {
            for (String own : new String[] {"left", "right"}) {
                OneSide side = new OneSide(own);
                traffic.run(seed, side, () -> {});
                Verdict verdict = side.verdict();
                assertThat(verdict.violations())
                        .as("seed=%d own=%s: %s", seed, own, verdict)
                        .isEmpty();
                verdict.checks().forEach((check, count) -> checks.merge(check, count, Long::sum));
            }
        }
        assertThat(checks.entrySet().stream()
                        .filter(entry -> entry.getKey().isOfPeer() && entry.getValue() == 0)
                        .map(Map.Entry::getKey))
                .isSubsetOf(Check.PEER_REPEATS);
    }

    /** Programs of all types of queue pairs, with faults and errors, each with every node as the peer. */
    @Test
    void honestPeerOfAnExploredProgramIsPermitted() {
        Explorer explorer = new Explorer(7, PairType.ALL);
        long judged = 0;
        for (int number = 0; number < PROGRAMS; number++) {
            List<String> nodes = List.copyOf(explorer.program(number).nodes().keySet());
            for (String peer : nodes) {
                if (losesWhatItKnows(explorer.program(number), peer)) {
                    continue;
                }
                String[] own = nodes.stream().filter(node -> !node.equals(peer)).toArray(String[]::new);
                OneSide side = new OneSide(own);
                explorer.run(number, side);
                Verdict verdict = side.verdict();
                assertThat(verdict.violations())
                        .as("program %d, peer=%s: %s", number, peer, verdict)
                        .isEmpty();
                judged += verdict.count(Check.PEER_COMPLETION) + verdict.count(Check.PEER_MEMORY);
            }
        }
        assertThat(judged).isGreaterThan(1_000);
    }

    /** A peer whose power fails says not all of what happened to it. */
    private static boolean losesWhatItKnows(Scenario program, String peer) {
        return Objects.requireNonNull(program.nodes().get(peer)).steps().stream()
                .anyMatch(PowerFail.class::isInstance);
    }

    static Stream<PeerLies.Lie> lies() {
        return PeerLies.TABLE.stream();
    }

    /** In some run of traffic that is honest but for it. */
    @ParameterizedTest
    @MethodSource("lies")
    void lieIsFound(PeerLies.Lie lie) {
        for (long seed = 0; seed < MOST_RUNS; seed++) {
            OneSide side = new OneSide("left");
            RandomTraffic.overPerfectLink(seed, side, () -> {});
            if (lie.telling().tell(side, new SplittableRandom(seed))
                    && side.verdict().count(lie.expected()) > 0
                    && side.verdict().violations().stream()
                            .map(Violation::check)
                            .anyMatch(lie.expected()::equals)) {
                return;
            }
        }
        throw new AssertionError(lie + ": not found in " + MOST_RUNS + " runs");
    }

    @Test
    void everyCheckOfAPeerHasALieThatItFinds() {
        assertThat(PeerLies.TABLE)
                .extracting(PeerLies.Lie::expected)
                .containsAll(Stream.of(Check.values()).filter(Check::isOfPeer).toList());
    }

    @Test
    void oracleOfOneSideNamesItsDevices() {
        assertThatIllegalArgumentException()
                .isThrownBy(Oracle::ofOneSide)
                .withMessage("no device is named; name those that are traced");
        assertThatIllegalStateException()
                .isThrownBy(() -> Oracle.ofDevices().peerMemoryAtEnd(0, ByteBuffer.allocate(1)))
                .withMessageContaining("all devices are in the trace");
    }
}
