// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of an armed queue that wait for more completions, in virtual time. */
class CompletionModerationTest {

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final RcPair pair = RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL);

    private final CompletionChannel channel = pair.left.device.createCompletionChannel();
    private final CompletionQueue cq = pair.left.device.createCq(64, null, channel, 0);
    private final QueuePair failing = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));

    @BeforeEach
    void fail() {
        failing.modify(new QpAttributes().state(QpState.ERR));
        cq.requestNotify(false);
    }

    private void complete() {
        failing.postSend(SendWorkRequest.send(1));
    }

    private boolean told() {
        CompletionEvent event = channel.pollEvent();
        if (event != null) {
            event.acknowledge();
        }
        return event != null;
    }

    @Test
    @Rule("CQ-07")
    void eventWaitsForSoManyCompletions() {
        cq.moderate(3, 1000);
        complete();
        complete();
        assertThat(told()).isFalse();
        complete();
        assertThat(told()).isTrue();
        complete();
        assertThat(told()).as("not armed again").isFalse();
        fabric.passNanos(2_000_000);
        assertThat(told()).as("nothing is held").isFalse();
    }

    @Test
    @Rule("CQ-07")
    void eventWaitsForThePeriodAfterTheFirstAndNoLonger() {
        cq.moderate(3, 10);
        complete();
        fabric.passNanos(9_000);
        complete();
        assertThat(told()).isFalse();
        fabric.passNanos(1_000);
        assertThat(told()).isTrue();
        cq.requestNotify(false);
        complete();
        complete();
        assertThat(told()).as("counts anew").isFalse();
    }

    @Test
    @Rule("CQ-07")
    void eventThatWaitsIsRaisedWhenModerationEnds() {
        cq.moderate(3, 10);
        complete();
        cq.moderate(0, 0);
        assertThat(told()).isTrue();
        cq.requestNotify(false);
        complete();
        assertThat(told()).isTrue();
    }

    @Test
    @Rule("CQ-07")
    void queueThatHoldsAnEventCanBeDestroyed() {
        cq.moderate(3, 10);
        complete();
        failing.close();
        cq.close();
        fabric.passNanos(20_000);
        assertThat(channel.pollEvent()).isNull();
    }

    @Rule("CQ-07")
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 50", "50, 0", "0, 50"})
    void nothingWaitsWithoutACountOrAPeriod(int count, int periodMicros) {
        cq.moderate(count, periodMicros);
        complete();
        assertThat(told()).isTrue();
    }

    @Rule("CQ-07")
    @ParameterizedTest
    @CsvSource({"-1, 0", "65536, 1", "1, -1", "1, 65536"})
    void numbersOutOfRangeAreRefused(int count, int periodMicros) {
        assertRefused(Errno.EINVAL, "CQ-07", () -> cq.moderate(count, periodMicros), "0..65535");
    }
}
