// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbatim.testing.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Rule("RT-07")
class TimerQueueTest {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<String> expired = new ArrayList<>();
    private final TimerQueue timers = new TimerQueue();
    private final LaneTimer a = new RecordingTimer("a", expired);
    private final LaneTimer b = new RecordingTimer("b", expired);
    private final LaneTimer c = new RecordingTimer("c", expired);

    @Test
    void emptyQueueHasNoDeadlineAndExpiresNothing() {
        assertThat(timers.nextDeadlineNanos()).isEqualTo(NEVER);
        assertThat(timers.expireDue(NEVER - 1)).isFalse();
    }

    @Test
    void timersExpireInTheOrderOfTheirDeadlines() {
        timers.arm(c, 30);
        timers.arm(a, 10);
        timers.arm(b, 20);
        assertThat(timers.expireDue(30)).isTrue();
        assertThat(expired).containsExactly("a", "b", "c");
    }

    @Test
    void timersOfOneDeadlineExpireInTheOrderOfArming() {
        timers.arm(b, 10);
        timers.arm(a, 10);
        timers.arm(c, 10);
        timers.expireDue(10);
        assertThat(expired).containsExactly("b", "a", "c");
    }

    @Test
    void timersOfOneDeadlineExpireInTheOrderInWhichTheyWereMadeWhereThatIsAsked() {
        TimerQueue byAge = TimerQueue.byAge();
        byAge.arm(c, 5);
        byAge.arm(b, 10);
        byAge.arm(a, 10);
        byAge.arm(c, 10);
        byAge.expireDue(5);
        assertThat(expired).isEmpty();
        byAge.expireDue(10);
        assertThat(expired).containsExactly("a", "b", "c");
    }

    @Test
    void timerMovedToADeadlineExpiresBehindThoseArmedForItBefore() {
        timers.arm(a, 10);
        timers.arm(b, 20);
        timers.arm(a, 20);
        timers.expireDue(20);
        assertThat(expired).containsExactly("b", "a");
    }

    @Test
    void timerMovedEarlierToADeadlineExpiresBehindThoseArmedForItBefore() {
        timers.arm(a, 30);
        timers.arm(b, 20);
        timers.arm(a, 20);
        timers.expireDue(20);
        assertThat(expired).containsExactly("b", "a");
    }

    @Test
    void timerArmedAgainForItsDeadlineExpiresBehindOthersOfThatDeadline() {
        timers.arm(a, 20);
        timers.arm(b, 20);
        timers.arm(a, 20);
        timers.expireDue(20);
        assertThat(expired).containsExactly("b", "a");
    }

    @Test
    void timerMovedLaterDoesNotOvertakeAnEarlierOneWhenBothAreOverdue() {
        timers.arm(a, 10);
        timers.arm(b, 15);
        timers.arm(a, 20);
        timers.expireDue(25);
        assertThat(expired).containsExactly("b", "a");
    }

    @Test
    void timerDoesNotExpireBeforeItsDeadline() {
        timers.arm(a, 10);
        assertThat(timers.expireDue(9)).isFalse();
        assertThat(a.isArmed()).isTrue();
        assertThat(timers.expireDue(10)).isTrue();
        assertThat(a.isArmed()).isFalse();
    }

    @Test
    void expiredTimerDoesNotExpireAgain() {
        timers.arm(a, 10);
        timers.expireDue(10);
        assertThat(timers.expireDue(1_000)).isFalse();
        assertThat(expired).containsExactly("a");
    }

    @Test
    void timerMovedLaterWaitsForItsNewDeadline() {
        timers.arm(a, 10);
        timers.arm(a, 40);
        assertThat(timers.expireDue(39)).isFalse();
        assertThat(timers.nextDeadlineNanos()).isEqualTo(40);
        assertThat(timers.expireDue(40)).isTrue();
        assertThat(expired).containsExactly("a");
    }

    @Test
    void timerMovedEarlierExpiresEarlier() {
        timers.arm(b, 20);
        timers.arm(a, 40);
        timers.arm(a, 10);
        timers.expireDue(10);
        assertThat(expired).containsExactly("a");
    }

    @Test
    void disarmedTimerDoesNotExpireAndLeavesNoDeadline() {
        timers.arm(a, 10);
        timers.arm(b, 20);
        a.disarm();
        assertThat(timers.nextDeadlineNanos()).isEqualTo(20);
        timers.expireDue(20);
        assertThat(expired).containsExactly("b");
    }

    @Test
    void timerArmedAfterItWasDisarmedExpiresOnce() {
        timers.arm(a, 10);
        a.disarm();
        timers.arm(a, 20);
        timers.expireDue(100);
        assertThat(expired).containsExactly("a");
    }

    @Test
    void forgottenTimerDoesNotExpireAndIsNotReferredTo() {
        timers.arm(a, 10);
        timers.arm(b, 20);
        timers.arm(c, 30);
        timers.forget(b);
        assertThat(b.slot).isEqualTo(LaneTimer.NOT_QUEUED);
        timers.expireDue(30);
        assertThat(expired).containsExactly("a", "c");
    }

    @Test
    void forgettingATimerThatWasNeverArmedDoesNothing() {
        timers.forget(a);
        assertThat(timers.nextDeadlineNanos()).isEqualTo(NEVER);
    }

    @Test
    void armingSaysWhetherTheTimerIsQueuedFirst() {
        assertThat(timers.arm(b, 20)).isTrue();
        assertThat(timers.arm(c, 30)).isFalse();
        assertThat(timers.arm(a, 10)).isTrue();
    }

    @Test
    void timerThatArmsItselfForNowExpiresAgainOnlyAtTheNextCall() {
        LaneTimer restless = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                expired.add("restless");
                assertThat(expired).as("turns within one call").hasSizeLessThan(10);
                timers.arm(this, nowNanos);
            }
        };
        timers.arm(restless, 10);
        timers.expireDue(10);
        assertThat(expired).containsExactly("restless");
        assertThat(timers.expireDue(10)).isTrue();
        assertThat(expired).containsExactly("restless", "restless");
    }

    @Test
    void timerDisarmedByOneThatExpiresBeforeItDoesNotExpire() {
        LaneTimer first = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                expired.add("first");
                b.disarm();
                timers.forget(c);
            }
        };
        timers.arm(first, 10);
        timers.arm(b, 10);
        timers.arm(c, 10);
        timers.expireDue(10);
        assertThat(expired).containsExactly("first");
    }

    @Test
    void timersBehindOneThatFailedExpireAtTheNextCall() {
        LaneTimer failing = new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                throw new IllegalStateException("a timer's own failure");
            }
        };
        timers.arm(failing, 10);
        timers.arm(b, 10);
        assertThatIllegalStateException().isThrownBy(() -> timers.expireDue(10));
        timers.expireDue(10);
        assertThat(expired).containsExactly("b");
    }
}
