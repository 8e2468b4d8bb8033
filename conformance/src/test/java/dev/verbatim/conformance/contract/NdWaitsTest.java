// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How NetworkDirect's waits end without what they were for: they throw nothing, and give a status, or nothing. */
@Timeout(600)
class NdWaitsTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration GENEROUS = Duration.ofHours(1);
    private static final Duration MEASURED = Duration.ofSeconds(1);

    /** It looks more often at first: a wait of 5 s took 38 ms when this one took 20 ms. */
    private static final long MOST_CPU_NANOS = MEASURED.toNanos() / 25;

    /** The first loads classes, and a busy machine wakes threads into cold caches. */
    private static final int TRIES = 10;

    /** A Notify that is pending, and what a wait for it comes to while something happens. */
    private record Pending(WaitPlace place, NdSide side, NdOverlapped overlapped) {

        static Pending at(WaitPlace place) {
            NdSide side = new NdSide(place.near());
            NdOverlapped overlapped = new NdOverlapped();
            assertThat(side.cq.notify(NdNotifyType.ANY, overlapped)).isEqualTo(NdStatus.PENDING);
            return new Pending(place, side, overlapped);
        }

        NdStatus within(Duration patience) {
            return side.cq.getOverlappedResult(overlapped, patience);
        }

        NdStatus endsWhile(Duration patience, boolean interrupted, Consumer<Thread> meanwhile) {
            AtomicReference<NdStatus> status = new AtomicReference<>();
            WaitPlace.Outcome outcome = place.waiting(() -> status.set(within(patience)), meanwhile);
            assertThat(outcome.thrown()).isNull();
            assertThat(outcome.interrupted()).isEqualTo(interrupted);
            return status.get();
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("NT-06")
    void timeIsOver(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Pending pending = Pending.at(place);
            assertThat(pending.endsWhile(SHORT, false, thread -> {})).isEqualTo(NdStatus.PENDING);
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("NT-06")
    void threadIsInterrupted(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Pending pending = Pending.at(place);
            assertThat(pending.endsWhile(GENEROUS, true, Thread::interrupt)).isEqualTo(NdStatus.PENDING);
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("NT-06")
    void requestIsCancelled(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Pending pending = Pending.at(place);
            assertThat(pending.endsWhile(
                            GENEROUS, false, thread -> pending.side().cq.cancelOverlappedRequests()))
                    .isEqualTo(NdStatus.CANCELED);
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("PD-07")
    void deviceIsClosed(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Pending pending = Pending.at(place);
            assertThat(pending.endsWhile(GENEROUS, false, thread -> place.near().closeAll()))
                    .isEqualTo(NdStatus.DEVICE_REMOVED);
        }
    }

    @ParameterizedTest
    @EnumSource(WaitPlace.Kind.class)
    @Rule("NT-06")
    void completionPortStaysEmpty(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            NdSide side = new NdSide(place.near());
            NdCompletionPort port = new NdCompletionPort();
            port.associate(side.adapter.createOverlappedFile(), 1);
            AtomicReference<Object> entry = new AtomicReference<>();
            WaitPlace.Outcome interrupted = place.waiting(
                    () -> {
                        entry.set(port.get(SHORT));
                        assertThat(entry.get()).isNull();
                        entry.set(port.get(GENEROUS));
                    },
                    Thread::interrupt);
            assertThat(interrupted.thrown()).isNull();
            assertThat(interrupted.interrupted()).isTrue();
            assertThat(entry.get()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WaitPlace.Kind.class,
            names = {"IN_PROCESS", "TCP"})
    @Rule("NT-06")
    @LongTest
    void waitingTakesHardlyAnyOfTheProcessor(WaitPlace.Kind kind) {
        try (WaitPlace place = kind.open()) {
            Pending pending = Pending.at(place);
            long nanos = cpuNanos(pending);
            for (int i = 1; i < TRIES && nanos >= MOST_CPU_NANOS; i++) {
                nanos = cpuNanos(pending);
            }
            assertThat(nanos).as("CPU ns").isLessThan(MOST_CPU_NANOS);
        }
    }

    private static long cpuNanos(Pending pending) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(pending.within(MEASURED)).isEqualTo(NdStatus.PENDING);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }
}
