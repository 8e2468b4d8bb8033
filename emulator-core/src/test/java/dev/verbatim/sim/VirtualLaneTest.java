// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.testing.PacketQueue;
import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one step is, and how time passes. */
@Rule({"N-08", "RT-07"})
class VirtualLaneTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final TwoDevices devices = new TwoDevices(new LossyFabric(1, LinkFaults.NONE));
    private final LossyFabric fabric = devices.fabric;
    private final Lane lane = devices.a.lane();
    private final List<String> log = new ArrayList<>();

    @Test
    void timeStartsAtZeroAndNothingHappensByItself() {
        assertThat(fabric.clock().nanoTime()).isZero();
        assertThat(fabric.step()).isFalse();
        assertThat(fabric.clock().nanoTime()).isZero();
    }

    @Test
    void ringAndReadyOnlyQueueAndEachProgressIsOneStep() {
        PacketQueue queue = devices.toB.add(PacketQueue.send(1), PacketQueue.send(2));
        lane.ring(doorbell("doorbell", queue::ready));
        assertThat(log).isEmpty();
        lane.progress();
        assertThat(log).containsExactly("doorbell");
        lane.progress();
        lane.progress();
        lane.progress();
        assertThat(fabric.clock().nanoTime())
                .as("time of two pulls and one that found nothing")
                .isZero();
        lane.progress();
        assertThat(devices.atB.log()).containsExactly("1@1000");
        lane.progress();
        assertThat(devices.atB.log()).containsExactly("1@1000", "2@1000");
        assertThat(fabric.step()).isFalse();
    }

    @Test
    void packetWhoseTimeHasComeArrivesBeforeASourceHasItsTurn() {
        devices.toB.sendPsns(1, 2);
        while (devices.atB.log().isEmpty()) {
            fabric.step();
        }
        devices.toA.sendPsns(3);
        fabric.step();
        assertThat(devices.atB.log()).containsExactly("1@1000", "2@1000");
        devices.settle();
        assertThat(devices.atA.log()).containsExactly("3@2000");
    }

    @Test
    void timeJumpsToTheTimerWhenNothingElseIsLeft() {
        LaneTimer timer = timer("timer");
        lane.call(() -> lane.arm(timer, HOUR));
        assertThat(fabric.step()).isTrue();
        assertThat(log).containsExactly("timer@" + HOUR);
        assertThat(fabric.step()).isFalse();
    }

    @Test
    void packetThatArrivesEarlierThanTheTimerComesFirst() {
        arm("timer", 1_001);
        devices.toB.sendPsns(1);
        assertThat(order()).containsExactly("packet@1000", "timer@1001");
    }

    @Test
    void timerThatIsEarlierThanThePacketComesFirst() {
        arm("timer", 999);
        devices.toB.sendPsns(1);
        assertThat(order()).containsExactly("timer@999", "packet@1000");
    }

    @Test
    void packetThatArrivesInTheLastNanosecondOfATimerIsInTime() {
        arm("timer", 1_000);
        devices.toB.sendPsns(1);
        assertThat(order()).containsExactly("packet@1000", "timer@1000");
    }

    @Test
    void timersOfOneTimeExpireInOneStepAsTheyWereArmed() {
        arm("b", 5);
        arm("a", 5);
        arm("later", 6);
        fabric.step();
        assertThat(log).containsExactly("b@5", "a@5");
    }

    @Test
    void timerArmedForThePastExpiresAtPresent() {
        fabric.passNanos(100);
        arm("late", 50);
        assertThat(fabric.step()).isTrue();
        assertThat(log).containsExactly("late@100");
    }

    @Test
    void forgottenAndDisarmedTimersDoNotMoveTime() {
        LaneTimer forgotten = timer("forgotten");
        LaneTimer disarmed = timer("disarmed");
        lane.call(() -> {
            lane.arm(forgotten, 10);
            lane.arm(disarmed, 20);
            lane.forget(forgotten);
            disarmed.disarm();
        });
        assertThat(fabric.step()).isFalse();
        assertThat(fabric.clock().nanoTime()).isZero();
    }

    @Test
    void passingTimeLetsHappenWhatIsDueInItAndNoMore() {
        arm("within", 1_000);
        arm("at the end", 2_000);
        arm("after", 2_001);
        fabric.passNanos(2_000);
        assertThat(log).containsExactly("within@1000", "at the end@2000");
        assertThat(fabric.clock().nanoTime()).isEqualTo(2_000);
        fabric.passNanos(500);
        assertThat(log).hasSize(3).last().isEqualTo("after@2001");
        assertThat(fabric.clock().nanoTime()).isEqualTo(2_500);
    }

    @Test
    void callRunsAtOnceAlsoFromInsideAndWithoutAStep() {
        devices.toB.sendPsns(1);
        lane.call(() -> {
            assertThat(lane.isCurrent()).isTrue();
            assertThat(lane.nowNanos()).isZero();
            lane.call(() -> log.add("inner"));
            lane.progress();
            log.add("outer");
        });
        assertThat(log).containsExactly("inner", "outer");
        assertThat(lane.isCurrent()).isFalse();
        assertThat(fabric).hasToString("LossyFabric[t=0 ns, packetsUnderWay=0]");
    }

    @Test
    void whatACallThrowsReachesTheCallerAndTheLaneLives() {
        assertThatIllegalStateException()
                .isThrownBy(() -> lane.call(() -> {
                    throw new IllegalStateException("refused");
                }))
                .withMessage("refused");
        assertThat(lane.isCurrent()).isFalse();
        devices.toB.sendPsns(1);
        devices.settle();
        assertThat(devices.atB.psns()).containsExactly(1);
    }

    @Test
    void whatAStepThrowsReachesItsCallerAndTheRestGoesOn() {
        lane.ring(doorbell("failing", () -> {
            throw new IllegalStateException("a doorbell's own failure");
        }));
        lane.ring(doorbell("next", () -> {}));
        assertThatIllegalStateException().isThrownBy(fabric::step);
        devices.settle();
        assertThat(log).containsExactly("failing", "next");
    }

    private List<String> order() {
        boolean happened;
        do {
            int arrived = devices.atB.log().size();
            happened = fabric.step();
            if (devices.atB.log().size() > arrived) {
                log.add("packet@" + fabric.clock().nanoTime());
            }
        } while (happened);
        return log;
    }

    private void arm(String name, long deadlineNanos) {
        LaneTimer timer = timer(name);
        lane.call(() -> lane.arm(timer, deadlineNanos));
    }

    private LaneTimer timer(String name) {
        return new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                assertThat(nowNanos).isEqualTo(lane.nowNanos());
                log.add(name + "@" + nowNanos);
            }
        };
    }

    private Doorbell doorbell(String name, Runnable answer) {
        return new Doorbell() {
            @Override
            protected void answer() {
                log.add(name);
                answer.run();
            }
        };
    }
}
