// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.testing.ManualClock;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lane as one thread sees it; time stands still until the test moves it. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InProcessLaneTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /** The clock stands still, so only the thread's own timeout ends such a wait. */
    private static final long PATIENCE_NANOS = Long.MAX_VALUE;

    private final ManualClock clock = new ManualClock();

    @AutoClose
    private final InProcessLane lane = new InProcessLane(clock);

    private final List<String> log = new ArrayList<>();

    @Test
    void doorbellIsAnsweredOnTheLaneBeforeRingReturns() {
        Doorbell doorbell = answering(() -> log.add("on the lane: " + lane.isCurrent()));
        lane.ring(doorbell);
        assertThat(log).containsExactly("on the lane: true");
        assertThat(lane.isCurrent()).isFalse();
    }

    @Test
    void doorbellRungOnTheLaneIsAnsweredAfterTheWorkThatRangIt() {
        Doorbell doorbell = answering(() -> log.add("answer"));
        lane.call(() -> {
            lane.ring(doorbell);
            log.add("work");
        });
        assertThat(log).containsExactly("work", "answer");
    }

    @Test
    @Rule({"NT-06", "AE-20", "CM-06"})
    void patienceIsForTheWholeWaitHoweverOftenAnotherThreadWasQuicker() {
        Flag place = new Flag();
        place.raise();
        List<Long> looks = new ArrayList<>();
        String taken = lane.awaitTaken(
                place,
                () -> {
                    looks.add(clock.nanoTime());
                    clock.set(clock.nanoTime() + 40);
                    return looks.size() < 100 ? null : "of a patience that began anew each time";
                },
                100);
        assertThat(taken).isNull();
        assertThat(looks).containsExactly(0L, 40L, 80L);
    }

    @Test
    void whatCanBeTakenIsTakenWithoutPatience() {
        Flag place = new Flag();
        assertThat(lane.<String>awaitTaken(place, () -> "too early", 0)).isNull();
        place.raise();
        assertThat(lane.<String>awaitTaken(place, () -> "it", 0)).isEqualTo("it");
    }

    @Test
    void callFromInsideTheLaneRunsAtOnce() {
        lane.call(() -> {
            log.add("before");
            lane.call(() -> log.add("inner"));
            log.add("after");
        });
        assertThat(log).containsExactly("before", "inner", "after");
    }

    @Test
    void progressFromInsideTheLaneDoesNotRecurse() {
        Doorbell doorbell = answering(() -> log.add("answer"));
        lane.call(() -> {
            lane.ring(doorbell);
            lane.progress();
            log.add("work");
        });
        assertThat(log).containsExactly("work", "answer");
    }

    @Test
    void whatACallThrowsReachesTheCallerAndTheLaneLives() {
        assertThatIllegalStateException()
                .isThrownBy(() -> lane.call(() -> {
                    throw new IllegalStateException("refused");
                }))
                .withMessage("refused");
        assertThat(lane.isCurrent()).isFalse();
        lane.call(() -> log.add("next"));
        assertThat(log).containsExactly("next");
    }

    @Test
    void doorbellRungByACallThatThrowsIsAnswered() {
        Doorbell doorbell = answering(() -> log.add("answer"));
        assertThatIllegalStateException()
                .isThrownBy(() -> lane.call(() -> {
                    lane.ring(doorbell);
                    throw new IllegalStateException("refused");
                }));
        assertThat(log).containsExactly("answer");
    }

    @Test
    @Rule("RT-07")
    void pollingThreadExpiresATimerThatIsDueButNoneThatIsNot() {
        LaneTimer timer = new RecordingTimer("timer", log);
        lane.call(() -> lane.arm(timer, HOUR));
        clock.set(HOUR - 1);
        lane.progress();
        assertThat(log).isEmpty();
        clock.set(HOUR);
        lane.progress();
        assertThat(log).containsExactly("timer");
    }

    @Test
    @Rule("RT-07")
    void disarmedOrForgottenTimerDoesNotExpire() {
        LaneTimer disarmed = new RecordingTimer("disarmed", log);
        LaneTimer forgotten = new RecordingTimer("forgotten", log);
        lane.call(() -> {
            lane.arm(disarmed, HOUR);
            lane.arm(forgotten, HOUR);
        });
        lane.call(() -> {
            disarmed.disarm();
            lane.forget(forgotten);
        });
        clock.set(2 * HOUR);
        lane.progress();
        assertThat(log).isEmpty();
    }

    @Test
    void timeStandsStillWithinAStepAndMovesBetweenSteps() {
        clock.set(5);
        lane.call(() -> {
            assertThat(lane.nowNanos()).isEqualTo(5);
            clock.set(6);
            assertThat(lane.nowNanos()).isEqualTo(5);
        });
        lane.call(() -> assertThat(lane.nowNanos()).isEqualTo(6));
        lane.progress();
        clock.set(7);
        lane.call(() -> assertThat(lane.nowNanos()).isEqualTo(7));
    }

    @Test
    void doorbellBehindOneWhoseAnswerThrowsIsAnsweredWithoutAnotherCall() {
        Flag answered = new Flag();
        Doorbell failing = answering(() -> {
            throw new IllegalStateException("a doorbell's own failure");
        });
        Doorbell next = answering(answered::raise);
        assertThatIllegalStateException()
                .isThrownBy(() -> lane.call(() -> {
                    lane.ring(failing);
                    lane.ring(next);
                }));
        assertThat(lane.await(answered, PATIENCE_NANOS)).isTrue();
    }

    @Test
    void workThatIsTooMuchForOneTurnIsFinishedWithoutAnotherCall() {
        Flag finished = new Flag();
        AtomicReference<Thread> finisher = new AtomicReference<>();
        PacketSource source = new PacketSource() {
            private int pulls;

            @Override
            public boolean pull(Packet packet) {
                if (++pulls < 10_000) {
                    return true;
                }
                finisher.set(Thread.currentThread());
                finished.raise();
                return false;
            }

            @Override
            public @Nullable Link link() {
                return null;
            }
        };
        lane.call(() -> lane.enqueue(source));
        assertThat(lane.await(finished, PATIENCE_NANOS)).isTrue();
        assertThat(finisher.get()).isNotSameAs(Thread.currentThread());
    }

    /** A ring that a turn leaves behind is found by the look at the doorbells after the turn, and by nothing else. */
    @Test
    void ringThatATurnOfTheTimekeeperLeavesBehindIsAnsweredWithoutAnotherCall() {
        Flag answered = new Flag();
        Doorbell doorbell = ringingBeyondOneTurn(answered);
        LaneTimer timer = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                lane.ring(doorbell);
            }
        };
        lane.call(() -> lane.arm(timer, clock.nanoTime()));
        assertThat(lane.await(answered, PATIENCE_NANOS)).isTrue();
        assertThat(log).containsOnly("verbatim-timekeeper");
    }

    @Test
    void ringThatATurnOfACallerLeavesBehindIsAnsweredBeforeTheCallReturns() {
        Flag answered = new Flag();
        lane.ring(ringingBeyondOneTurn(answered));
        assertThat(lane.await(answered, 0)).isTrue();
        assertThat(log).containsOnly(Thread.currentThread().getName());
    }

    /** A doorbell that rings itself until more than one turn has answered it; its log says which threads did. */
    private Doorbell ringingBeyondOneTurn(Flag answeredLast) {
        return new Doorbell() {
            private int answers;

            @Override
            protected void answer() {
                log.add(Thread.currentThread().getName());
                if (++answers > 2 * InProcessLane.MOST_ITEMS_OF_A_DRAIN) {
                    answeredLast.raise();
                } else {
                    lane.ring(this);
                }
            }
        };
    }

    @Test
    void waitOnTheLaneItselfIsRefused() {
        WaitPoint place = new Flag();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> lane.call(() -> lane.await(place, Long.MAX_VALUE)))
                .withMessageContaining("this thread runs the lane")
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EDEADLK));
    }

    @Test
    @Rule("NT-06")
    void interruptedWaitEndsWithEintrAndTheThreadStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> lane.await(new Flag(), Long.MAX_VALUE))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void waitForWhatIsReadyReturnsAtOnce() {
        Flag place = new Flag();
        place.raise();
        assertThat(lane.await(place, 0)).isTrue();
    }

    private static Doorbell answering(Runnable answer) {
        return new Doorbell() {
            @Override
            protected void answer() {
                answer.run();
            }
        };
    }
}
