// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Tries;
import dev.verbatim.trace.Tap;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whatever the device does with random requests is permitted, byte for byte. */
class RandomTrafficTest {

    private static final int RUNS = Tries.of("traffic.runs", 30, 75, 1_500);
    /** Made only where something fails, or a window is given up. */
    private static final Set<Check> OF_ERRORS =
            EnumSet.of(Check.ERROR_STATE, Check.FLUSH, Check.FAILURE_WITHOUT_EFFECT, Check.WINDOW_GONE);

    /** Made only where messages may be lost for good, or receives are shared. */
    private static final Set<Check> OF_OTHER_TRANSPORTS = EnumSet.of(
            Check.WHOLE_MESSAGE,
            Check.DATAGRAM_ONCE,
            Check.SHARED_RECEIVE_ONCE,
            Check.SHARED_RECEIVE_LIMIT,
            Check.LAST_SHARED_RECEIVE,
            Check.ESTABLISHED_ONCE);

    private final Map<Check, Long> checks = new EnumMap<>(Check.class);
    private final Map<WeakBehaviour, Long> weakBehaviours = new EnumMap<>(WeakBehaviour.class);

    @FunctionalInterface
    private interface Traffic {
        void run(long seed, Tap tap, Runnable end);
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-12", "ORD-15", "ORD-19", "ORD-20", "ORD-30", "ORD-31", "ORD-36", "ORD-37"})
    void allThatHappensOverAPerfectLinkIsPermitted() {
        judge(RandomTraffic::overPerfectLink);
        checks.keySet().removeAll(OF_OTHER_TRANSPORTS);
        assertThat(checks)
                .allSatisfy(
                        (check, count) -> assertThat(count > 0).as(check.name()).isEqualTo(!OF_ERRORS.contains(check)));
        assertThat(weakBehaviours)
                .containsKeys(
                        WeakBehaviour.READ_OVERTAKEN,
                        WeakBehaviour.STALE_SOURCE,
                        WeakBehaviour.LATE_COMPLETION,
                        WeakBehaviour.RECEIVER_NOT_READY);
        Outcomes.asserted();
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-15", "ORD-36", "ORD-37", "DUP-01", "DUP-03", "WR-36"})
    void allThatHappensOverALossyLinkIsPermitted() {
        judge(RandomTraffic::overLossyLink);
        assertThat(weakBehaviours)
                .containsKeys(
                        WeakBehaviour.READ_OVERTAKEN,
                        WeakBehaviour.COALESCED_ACK,
                        WeakBehaviour.NEWER_SOURCE,
                        WeakBehaviour.READ_AGAIN);
        Outcomes.asserted();
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-15", "MR-54", "QP-22", "WC-03", "WC-05", "WC-06"})
    void allThatHappensWithErrorsIsPermitted() {
        judge(RandomTraffic::withErrors);
        checks.keySet().removeAll(OF_OTHER_TRANSPORTS);
        assertThat(checks)
                .allSatisfy((check, count) -> assertThat(count).as(check.name()).isPositive());
        assertThat(weakBehaviours)
                .containsKeys(
                        WeakBehaviour.EXECUTED_BUT_FAILED,
                        WeakBehaviour.PREFIX_PLACED,
                        WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR);
        Outcomes.asserted();
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-12", "ORD-15", "ORD-19", "ORD-30", "ORD-31", "ORD-36", "ORD-37"})
    void allThatASimulationDoesIsPermitted() {
        judge(SimulatedTraffic::overPerfectLink);
        assertThat(weakBehaviours)
                .containsKeys(
                        WeakBehaviour.READ_OVERTAKEN,
                        WeakBehaviour.STALE_SOURCE,
                        WeakBehaviour.PLACED_OUT_OF_ORDER,
                        WeakBehaviour.LATE_COMPLETION,
                        WeakBehaviour.COALESCED_ACK,
                        WeakBehaviour.QUEUE_PAIRS_INTERLEAVED);
        Outcomes.asserted();
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-15", "ORD-31", "ORD-36", "ORD-37", "DUP-01", "DUP-03", "WR-36"})
    void allThatASimulationDoesOverLossyLinksIsPermitted() {
        judge(SimulatedTraffic::overLossyLink);
        assertThat(weakBehaviours).containsKeys(WeakBehaviour.NEWER_SOURCE, WeakBehaviour.READ_AGAIN);
        Outcomes.asserted();
    }

    @Test
    @Rule({"ORD-10", "ORD-11", "ORD-15", "ORD-31", "MR-54", "QP-22", "WC-03", "WC-05", "WC-06"})
    void allThatASimulationDoesWithErrorsIsPermitted() {
        judge(SimulatedTraffic::withErrors);
        assertThat(weakBehaviours)
                .containsKeys(WeakBehaviour.EXECUTED_BUT_FAILED, WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR);
        Outcomes.asserted();
    }

    @Test
    @Rule({"UC-01", "UD-01", "SRQ-02"})
    void allThatBecomesOfUnreliableMessagesAndSharedReceivesIsPermitted() {
        // Their source bytes were never written in sight of the oracle.
        Set<Gap> sources = EnumSet.of(Gap.FIRST_SIGHT);
        judge(UnreliableTraffic::overUc, sources);
        judge(UnreliableTraffic::overUd, sources);
        judge(UnreliableTraffic::withSharedReceives, sources);
        assertThat(OF_OTHER_TRANSPORTS)
                .allSatisfy(check -> assertThat(checks.get(check)).isPositive());
        Outcomes.asserted();
    }

    private void judge(Traffic traffic) {
        judge(traffic, EnumSet.noneOf(Gap.class));
    }

    private void judge(Traffic traffic, Set<Gap> gaps) {
        for (long seed = 0; seed < RUNS; seed++) {
            Oracle oracle = Oracle.ofDevicesAndPrograms();
            AtomicReference<Verdict> atEnd = new AtomicReference<>();
            traffic.run(seed, oracle, () -> atEnd.set(oracle.verdictAtEnd()));
            Verdict verdict = atEnd.get();
            assertThat(verdict.violations()).as("seed=%d: %s", seed, verdict).isEmpty();
            assertThat(verdict.notJudged().keySet()).as("seed=%d", seed).isSubsetOf(gaps);
            verdict.checks().forEach((check, count) -> checks.merge(check, count, Long::sum));
            checks.keySet().removeIf(Check::isOfPeer);
            verdict.weakBehaviours().forEach((behaviour, count) -> weakBehaviours.merge(behaviour, count, Long::sum));
        }
    }
}
