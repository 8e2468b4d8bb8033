// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.PacketQueue;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits moves the simulation on until it may go. */
@Rule({"N-08", "RT-07"})
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualWaitTest {
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);
    private final ReadyAfter place = new ReadyAfter(2);
    private final FabricPort a = fabric.attach(Gid.ofGuid(0xa), (link, packet) -> {});
    private final FabricPort b = fabric.attach(Gid.ofGuid(0xb), (link, packet) -> place.count());
    private final PacketQueue toB = TwoDevices.queue(a, b.gid());
    private final Lane lane = a.lane();

    /** Ready when so many packets have come. */
    private static final class ReadyAfter extends WaitPoint {
        private int missing;

        ReadyAfter(int packets) {
            missing = packets;
        }

        @Override
        protected boolean ready() {
            return missing <= 0;
        }

        synchronized void count() {
            missing--;
            signal();
        }
    }

    @Test
    void waitEndsWithTheStepThatMadeThePlaceReady() {
        toB.sendPsns(1, 2, 3);
        assertThat(lane.await(place, FOR_EVER)).isTrue();
        assertThat(fabric).hasToString("LossyFabric[t=1000 ns, packetsUnderWay=1]");
    }

    @Test
    void waitForWhatIsReadyMovesNothing() {
        toB.sendPsns(1, 2, 3);
        lane.await(place, FOR_EVER);
        assertThat(lane.await(place, FOR_EVER)).isTrue();
        assertThat(lane.await(place, 0)).isTrue();
        assertThat(fabric).hasToString("LossyFabric[t=1000 ns, packetsUnderWay=1]");
    }

    @Test
    void packetInTheLastNanosecondOfPatienceEndsTheWait() {
        toB.sendPsns(1, 2);
        assertThat(lane.await(place, 1_000)).isTrue();
    }

    @Test
    void patienceThatEndsBeforeThePacketArrivesEndsTheWaitAndTimeIsThen() {
        toB.sendPsns(1, 2);
        assertThat(lane.await(place, 999)).isFalse();
        assertThat(fabric).hasToString("LossyFabric[t=999 ns, packetsUnderWay=2]");
    }

    @Test
    void patienceWithNothingLeftToHappenPassesAtOnce() {
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(lane.await(place, hour)).isFalse();
        assertThat(fabric.clock().nanoTime()).isEqualTo(hour);
    }

    @Test
    void patienceCountsFromTheWaitAndNotFromTheBeginning() {
        fabric.passNanos(5_000);
        toB.sendPsns(1, 2);
        assertThat(lane.await(place, 1_000)).isTrue();
    }

    @Test
    void patienceBeyondTheEndOfTimeIsPatienceForEver() {
        fabric.passNanos(5_000);
        toB.sendPsns(1, 2);
        assertThat(lane.await(place, FOR_EVER - 1)).isTrue();
    }

    /** Another thread may move time while this one looks whether it may go; here the look itself does. */
    @Test
    void waitWhosePatienceWasOutrunMeanwhileMakesNoMoreSteps() {
        WaitPoint slow = new WaitPoint() {
            private int looks;

            @Override
            protected boolean ready() {
                if (looks++ == 0) {
                    fabric.passNanos(1_000);
                    toB.sendPsns(1);
                }
                return false;
            }
        };
        assertThat(lane.await(slow, 500)).isFalse();
        assertThat(fabric).hasToString("LossyFabric[t=1000 ns, packetsUnderWay=0]");
    }

    @Test
    void waitWithoutPatienceMakesOneStepSoThatALoopOfThemEnds() {
        toB.sendPsns(1, 2);
        int waits = 0;
        while (!lane.await(place, 0)) {
            waits++;
        }
        assertThat(waits)
                .as("two pulls, one that found nothing, the first arrival")
                .isEqualTo(4);
    }

    @Test
    void waitThatCanNeverEndIsRefusedWithASentence() {
        toB.sendPsns(1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> lane.await(place, FOR_EVER))
                .withMessage(
                        "EDEADLK: this wait can never end: no packet is under way and no timer is armed at t=1000 ns;"
                                + " post what it waits for first, or wait with patience [N-08]")
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EDEADLK));
    }

    @Test
    void waitWithATimerArmedIsNotRefusedBeforeItExpired() {
        LaneTimer timer = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                place.count();
                place.count();
            }
        };
        lane.call(() -> lane.arm(timer, 70));
        assertThat(lane.await(place, FOR_EVER)).isTrue();
        assertThat(fabric.clock().nanoTime()).isEqualTo(70);
    }

    @Test
    @Rule("N-10")
    void waitsAndStepsOnTheLaneItselfAreRefused() {
        List<Errno> refusals = new ArrayList<>();
        for (Runnable wait : List.<Runnable>of(
                () -> lane.await(place, FOR_EVER),
                () -> lane.await(place, 0),
                fabric::step,
                () -> fabric.passNanos(1))) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> lane.call(wait))
                    .withMessageContaining("this thread runs the lane")
                    .satisfies(e -> {
                        refusals.add(e.errno());
                        RuleCoverage.assertOutcome(e.refusal());
                    });
        }
        assertThat(refusals).hasSize(4).containsOnly(Errno.EDEADLK);
    }

    @Test
    void spinningThreadMovesTimeAsAWaitingOneDoes() {
        toB.sendPsns(1, 2, 3);
        assertThat(lane.spin(place::isReady, 999)).isFalse();
        assertThat(fabric).hasToString("LossyFabric[t=999 ns, packetsUnderWay=3]");
        assertThat(lane.spin(place::isReady, FOR_EVER)).isTrue();
        assertThat(fabric).hasToString("LossyFabric[t=1000 ns, packetsUnderWay=1]");
    }

    @Test
    void spinThatCanNeverEndIsRefused() {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> lane.spin(place::isReady, FOR_EVER))
                .withMessageContaining("this wait can never end")
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EDEADLK));
    }

    @Test
    void interruptDoesNotEndASpin() {
        toB.sendPsns(1, 2);
        Thread.currentThread().interrupt();
        assertThat(lane.spin(place::isReady, FOR_EVER)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @Rule("NT-06")
    void interruptedWaitEndsWithEintrAndTheThreadStaysInterrupted() {
        toB.sendPsns(1, 2);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> lane.await(place, FOR_EVER))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void manyThreadsMayWaitAtOnce() throws Exception {
        int rounds = 500;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Gid gid = Gid.ofGuid(0x100 + i);
            results.add(threads.submit(() -> {
                for (int round = 0; round < rounds; round++) {
                    ReadyAfter own = new ReadyAfter(1);
                    FabricPort port = fabric.attach(gid, (link, packet) -> own.count());
                    TwoDevices.queue(port, gid).sendPsns(round);
                    assertThat(lane.await(own, FOR_EVER)).isTrue();
                    port.close();
                }
            }));
        }
        for (Future<?> result : results) {
            Await.result("a thread that waits", result);
        }
        threads.shutdown();
    }
}
