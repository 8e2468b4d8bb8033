// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** When completions were generated, in virtual time. */
class CompletionTimestampTest {

    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final RcPair pair = RcPair.over(Verbatim.over(fabric), QpCapabilities.USUAL);

    private final Device device = pair.left.device;

    /** A queue pair whose requests are flushed at once. */
    private QueuePair failing(CompletionQueue cq) {
        QueuePair queuePair = pair.left.pd.createQp(QpInitAttributes.rc(cq, cq, QpCapabilities.USUAL));
        queuePair.modify(new QpAttributes().state(QpState.ERR));
        return queuePair;
    }

    @Test
    @Rule("CQ-06")
    void completionHasTheTimeAtWhichItWasGeneratedAndNotThatOfThePoll() {
        CompletionQueue cq = device.createCq(8, null, null, 0, CompletionQueue.WITH_TIMESTAMP);
        QueuePair queuePair = failing(cq);
        long first = device.clockNanos();
        queuePair.postSend(SendWorkRequest.send(1));
        fabric.passNanos(700);
        queuePair.postSend(SendWorkRequest.send(2));
        fabric.passNanos(5000);
        List<WorkCompletion> completions = cq.poll(2);
        assertThat(completions).extracting(WorkCompletion::timestampNanos).containsExactly(first, first + 700);
        assertThat(device.clockNanos()).isEqualTo(first + 5700);
        assertThat(device.wallClockNanos(first + 700)).as("simulated time").isEqualTo(first + 700);
    }

    @Test
    @Rule("CQ-06")
    void timestampSurvivesAResize() {
        CompletionQueue cq = device.createCq(8, null, null, 0, CompletionQueue.WITH_TIMESTAMP);
        fabric.passNanos(300);
        failing(cq).postSend(SendWorkRequest.send(1));
        cq.resize(4);
        assertThat(cq.poll(1)).extracting(WorkCompletion::timestampNanos).containsExactly(300L);
    }

    @Test
    @Rule("CQ-06")
    void otherFieldsAreRefused() {
        assertRefused(Errno.EOPNOTSUPP, "CQ-06", () -> device.createCq(8, null, null, 0, 1 << 11), "fields=0x800");
    }

    @Test
    @Rule("CQ-06")
    void queueWithoutTimestampsGivesNone() {
        CompletionQueue cq = device.createCq(8);
        fabric.passNanos(300);
        failing(cq).postSend(SendWorkRequest.send(1));
        WorkCompletion used = new WorkCompletion();
        used.stamp(7);
        assertThat(cq.poll(new WorkCompletion[] {used})).isEqualTo(1);
        assertThat(used.timestampNanos()).isZero();
    }

    @Test
    @Rule("CQ-06")
    void wallClockOfADeviceInRealTimeIsThatOfTheMachine() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Device real = rdma.open("real");
            long before = SystemClock.epochNanos();
            assertThat(real.wallClockNanos(real.clockNanos())).isBetween(before - MINUTE_NANOS, before + MINUTE_NANOS);
            assertThat(real.queryExtended().clockKilohertz()).isEqualTo(1_000_000);
            assertThat(real.queryExtended().timestampMask()).isEqualTo(-1);
        }
    }
}
