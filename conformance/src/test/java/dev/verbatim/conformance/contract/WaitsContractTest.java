// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every wait with a patience, and each way in which it ends without what it waited for. */
@Timeout(600)
class WaitsContractTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration MEASURED = Duration.ofMillis(500);
    private static final int TRIES = 10;

    static Stream<Arguments> cells() {
        return Stream.of(WaitPlace.Kind.values())
                .flatMap(place -> Stream.of(Wait.values()).map(wait -> Arguments.of(place, wait)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule({"WC-04", "NT-06", "AE-20", "CM-06"})
    void timeIsOver(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            assertErrno(place.waiting(at.within(SHORT), thread -> {}), Errno.ETIMEDOUT);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule("PD-03")
    void objectIsClosed(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            Runnable close = at.close();
            assumeThat(close).as("an object of its own").isNotNull();
            assertErrno(place.waiting(at.within(Wait.GENEROUS), thread -> close.run()), Errno.EINVAL);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule("PD-07")
    void deviceIsClosed(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            assertDeviceGone(
                    wait,
                    place.waiting(
                            at.within(Wait.GENEROUS), thread -> place.near().closeAll()));
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule("PD-07")
    void everythingIsClosed(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            assertDeviceGone(
                    wait,
                    place.waiting(
                            at.within(Wait.GENEROUS), thread -> place.door().close()));
        }
    }

    /** Whoever waits for a connection, or its end, has an identifier, which is told; all others have nothing any more. */
    private static void assertDeviceGone(Wait wait, WaitPlace.Outcome outcome) {
        switch (wait) {
            case DISCONNECTION -> assertThat(outcome.thrown()).isNull();
            case REQUEST, CONNECTION -> assertErrno(outcome, Errno.ENODEV);
            default -> assertErrno(outcome, Errno.EINVAL);
        }
        asserted();
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule("NT-06")
    void threadIsInterrupted(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            WaitPlace.Outcome outcome = place.waiting(at.within(Wait.GENEROUS), Thread::interrupt);
            assertErrno(outcome, Errno.EINTR);
            assertThat(outcome.interrupted()).as("stays interrupted").isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    @Rule("NT-06")
    void threadWasInterruptedBefore(WaitPlace.Kind kind, Wait wait) {
        try (WaitPlace place = kind.open()) {
            Wait.Case at = wait.at(place);
            WaitPlace.Outcome outcome = place.waiting(
                    () -> {
                        Thread.currentThread().interrupt();
                        at.within(Wait.GENEROUS).run();
                    },
                    thread -> {});
            assertErrno(outcome, Errno.EINTR);
            assertThat(outcome.interrupted()).as("stays interrupted").isTrue();
        }
    }

    /**
     * In virtual time a wait takes none. A machine that is busy with other things lets a spinning thread have hardly any time,
     * too, so what the thread does counts as well; and it may be late again and again.
     */
    @ParameterizedTest
    @EnumSource(
            value = WaitPlace.Kind.class,
            names = {"IN_PROCESS", "TCP"})
    @Rule("WC-04")
    @LongTest
    void waitingTakesHardlyAnyOfTheProcessor(WaitPlace.Kind kind) {
        for (Wait wait : Wait.values()) {
            try (WaitPlace place = kind.open()) {
                Wait.Case at = wait.at(place);
                // What is only needed once, as classes, is not the wait's.
                place.waiting(at.within(SHORT), thread -> {});
                ParkedWait parked = ParkedWait.of(place, at.within(MEASURED));
                for (int i = 1; i < TRIES && !parked.isIdle(MEASURED); i++) {
                    parked = ParkedWait.of(place, at.within(MEASURED));
                }
                assertThat(parked).as("%s", wait).matches(each -> each.isIdle(MEASURED), "sleeps soon, and goes on to");
            }
        }
        asserted();
    }

    private static void assertErrno(WaitPlace.Outcome outcome, Errno errno) {
        assertThat(outcome.thrown()).isInstanceOf(VerbsException.class);
        assertThat(((VerbsException) outcome.thrown()).errno())
                .as("%s", outcome.thrown().getMessage())
                .isEqualTo(errno);
        asserted();
    }
}
