// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.device.rc.traffic.Operation.Kind;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Whatever a link loses, duplicates and changes the order of: every request is done exactly once and in order. */
class LossPropertiesTest {

    private static final DeviceProfile AS_OFTEN_AS_IT_TAKES = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("as often as it takes")
            .infiniteRetrySeven(true)
            .build();

    private final Ground ground = new Ground();

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"ORD-10", "ORD-11", "ORD-12", "ORD-30", "DUP-01", "DUP-02", "DUP-03", "RT-05", "T-04", "T-05"})
    void everyRequestIsDoneExactlyOnceInOrderOverALossyLink(@ForAll("lossy") Program program) {
        try (Traffic traffic = new Traffic(program, ground.fresh(), AS_OFTEN_AS_IT_TAKES).run()) {
            List<StreamOutcome> outcomes = outcomes(traffic);
            outcomes.forEach(StreamOutcome::isExactlyOnce);
            sharedWordsAreCounted(outcomes);
            outcomes.forEach(LossPropertiesTest::readsNeverGoBack);
            asserted();
        }
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"ORD-10", "ORD-11", "ORD-30", "DUP-01", "DUP-03", "ACK-07", "RT-05", "T-04", "T-05"})
    void everyRequestIsDoneExactlyOnceInOrderOverALinkThatMixesPackets(@ForAll("reordering") Program program) {
        try (Traffic traffic = new Traffic(program, ground.fresh(), AS_OFTEN_AS_IT_TAKES).run()) {
            List<StreamOutcome> outcomes = outcomes(traffic);
            outcomes.forEach(StreamOutcome::isExactlyOnce);
            sharedWordsAreCounted(outcomes);
            asserted();
        }
    }

    @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
    @Rule({"ORD-10", "RT-02", "RT-03", "N-05", "WC-05"})
    void withTooFewRetriesAllSucceedUpToOneAndNothingIsDoneTwice(@ForAll("withFewRetries") Program program) {
        try (Traffic traffic = new Traffic(program, ground.fresh(), DeviceProfile.STRICT_IBTA).run()) {
            outcomes(traffic).forEach(StreamOutcome::isExactlyOnceUpToAFailure);
            asserted();
        }
    }

    @Property(tries = 10, shrinking = ShrinkingMode.BOUNDED)
    @Rule("RT-07")
    void sameSeedGivesTheSameRunToTheNanosecond(@ForAll("reordering") Program program) {
        List<String> first = trace(program);
        assertThat(trace(program)).isEqualTo(first);
        asserted();
    }

    private List<String> trace(Program program) {
        try (Traffic traffic = new Traffic(program, ground.fresh(), AS_OFTEN_AS_IT_TAKES).run()) {
            return traffic.trace();
        }
    }

    private static List<StreamOutcome> outcomes(Traffic traffic) {
        return traffic.streams.stream().map(StreamOutcome::new).toList();
    }

    /** Each FETCH_ADD of a shared word found another value, none was left out, and those of one stream found rising ones. */
    private void sharedWordsAreCounted(List<StreamOutcome> outcomes) {
        for (int side = 0; side < 2; side++) {
            List<Long> found = new ArrayList<>();
            for (StreamOutcome outcome : outcomes) {
                if (outcome.stream().index % 2 != side) {
                    List<Long> ofStream = results(outcome, Kind.ADD_SHARED);
                    assertThat(ofStream).isSorted();
                    found.addAll(ofStream);
                }
            }
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, found.size()).boxed().toList());
            assertThat(ground.shared[side].buffer().getLong(0)).isEqualTo(found.size());
        }
    }

    /** READs of one stream are executed in order, so a word that only grows is never seen to shrink (LT-11). */
    private static void readsNeverGoBack(StreamOutcome outcome) {
        assertThat(results(outcome, Kind.READ_SHARED)).isSorted();
    }

    private static List<Long> results(StreamOutcome outcome, Kind kind) {
        List<Long> results = new ArrayList<>();
        List<Operation> operations = outcome.stream().operations;
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).kind() == kind) {
                results.add(outcome.sharedResult(i));
            }
        }
        return results;
    }

    @Provide
    Arbitrary<Program> lossy() {
        return Programs.overLossyLinks();
    }

    @Provide
    Arbitrary<Program> reordering() {
        return Programs.overReorderingLinks();
    }

    @Provide
    Arbitrary<Program> withFewRetries() {
        return Programs.withFewRetries();
    }
}
