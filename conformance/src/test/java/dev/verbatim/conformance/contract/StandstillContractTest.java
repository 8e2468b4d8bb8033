// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Standstill;
import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What does not get on is told by its device, on every fabric. */
@OnEveryFabric
class StandstillContractTest {

    @Parameter
    FabricKind fabric;

    @ParameterizedTest
    @EnumSource
    @Rule({"WC-03", "RT-03", "RT-01", "WR-14", "QP-26", "NT-01"})
    void deviceSaysWhatDoesNotGetOn(Stuck stuck) {
        try (RcPair pair = fabric.openUnwatched(stuck.capabilities()).connect(stuck.connection())) {
            assertThat(pair.left.device.standstills()).isEmpty();
            stuck.prepare(pair);
            long before = pair.left.device.progress();
            Standstill found = Await.value("what waits", () -> of(stuck, pair), each -> each != null);
            assertThat(found.toString()).contains(stuck.words);
            assertThat(found.qpNumber()).isEqualTo(pair.left.qp.number());
            long after = pair.left.device.progress();
            assertThat(pair.left.device.progress()).as("nothing happens").isEqualTo(after);
            assertThat(before).isNotZero();
        }
    }

    /** Completions and packets take their time, so that one looks again. */
    private static Standstill of(Stuck stuck, RcPair pair) {
        pair.left.device.clockNanos();
        if (stuck.kind != Standstill.Kind.COMPLETION && stuck.kind != Standstill.Kind.REQUEST) {
            pair.left.sendCq.poll(1);
        } else if (stuck.kind == Standstill.Kind.REQUEST) {
            assertThat(pair.left.sendCq.poll(1)).isEmpty();
        } else {
            pair.left.recvCq.poll(1);
        }
        List<Standstill> all = pair.left.device.standstills();
        return all.stream()
                .filter(each ->
                        each.kind() == stuck.kind && stuck.words.stream().allMatch(each.toString()::contains))
                .findFirst()
                .orElse(null);
    }
}
