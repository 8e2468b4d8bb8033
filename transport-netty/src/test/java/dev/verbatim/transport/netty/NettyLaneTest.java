// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static dev.verbatim.transport.netty.NettyFabricTest.expected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.ThreadLoop;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class NettyLaneTest {

    private static final long MILLI_NANOS = 1_000_000L;

    private LogLines log;
    private Node node;
    private Lane lane;

    @BeforeEach
    void open() {
        log = LogLines.open();
        node = Node.open(1);
        lane = node.port.lane();
    }

    @AfterEach
    void close() {
        node.close();
        log.close();
    }

    @Test
    void callRunsOnTheLaneAndReturnsWhenDone() {
        AtomicInteger done = new AtomicInteger();
        lane.call(() -> {
            assertThat(lane.isCurrent()).isTrue();
            lane.call(done::incrementAndGet);
            assertThat(done).hasValue(1);
            done.incrementAndGet();
        });
        assertThat(done).hasValue(2);
        assertThat(lane.isCurrent()).isFalse();
    }

    /** Being woken costs the loop many times what a control verb does. */
    @Test
    void callRunsOnTheCallingThreadAndAsksNothingOfTheLoop() {
        AtomicInteger here = new AtomicInteger();
        Thread caller = Thread.currentThread();
        for (int i = 0; i < 10_000; i++) {
            lane.call(() -> here.addAndGet(Thread.currentThread().equals(caller) ? 1 : 0));
        }
        assertThat(here).hasValue(10_000);
        assertThat(((ThreadLoop) ((NettyLane) lane).loop()).hasStarted()).isFalse();
    }

    @Test
    void callThrowsWhatTheWorkThrew() {
        assertThatThrownBy(() -> lane.call(() -> {
                    throw new IllegalStateException("mine");
                }))
                .hasMessage("mine");
        assertThatThrownBy(() -> lane.call(() -> {
                    throw new AssertionError("also mine");
                }))
                .hasMessage("also mine");
        assertThat(log.texts()).isEmpty();
    }

    @Test
    void interruptedCallerStillWaitsForItsCallAndStaysInterrupted() {
        AtomicInteger done = new AtomicInteger();
        Thread.currentThread().interrupt();
        lane.call(done::incrementAndGet);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).hasValue(1);
    }

    @Test
    void doorbellRungTwiceBeforeItsAnswerIsAnsweredOnce() {
        AtomicInteger answers = new AtomicInteger();
        Doorbell doorbell = doorbell(answers::incrementAndGet);
        lane.call(() -> {
            lane.ring(doorbell);
            lane.ring(doorbell);
            assertThat(answers).hasValue(0);
        });
        lane.call(() -> assertThat(answers).hasValue(1));
    }

    @Test
    void doorbellRungByAnotherThreadIsAnsweredOnTheLane() throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(1);
        lane.ring(doorbell(() -> {
            assertThat(lane.isCurrent()).isTrue();
            answered.countDown();
        }));
        Await.latch("the answer", answered);
    }

    @Test
    void doorbellThatRingsItselfForEverStarvesNeitherCallsNorSocketsNorTimers() throws InterruptedException {
        AtomicBoolean tireless = new AtomicBoolean(true);
        Doorbell[] self = new Doorbell[1];
        self[0] = doorbell(() -> {
            if (tireless.get()) {
                lane.ring(self[0]);
            }
        });
        try (Node peer = Node.open(2)) {
            lane.ring(self[0]);
            peer.fabric.dial(node.listen());
            peer.send(node, 0, 1);
            assertThat(node.inbox.await(1)).isEqualTo(expected(0, 1, 8));
            CountDownLatch expired = new CountDownLatch(1);
            lane.call(() -> lane.arm(timer(expired::countDown), lane.nowNanos() + MILLI_NANOS));
            Await.latch("the timer", expired);
        } finally {
            tireless.set(false);
        }
    }

    @Test
    void timersExpireInTheOrderOfTheirDeadlinesAndNeverBefore() throws InterruptedException {
        BlockingQueue<Integer> expired = new LinkedBlockingQueue<>();
        lane.call(() -> {
            long nowNanos = lane.nowNanos();
            for (int millis : new int[] {30, 10, 20}) {
                long deadlineNanos = nowNanos + millis * MILLI_NANOS;
                lane.arm(
                        timer(() -> expired.add(System.nanoTime() >= deadlineNanos ? millis : -millis)), deadlineNanos);
            }
        });
        assertThat(expired.take()).isEqualTo(10);
        assertThat(expired.take()).isEqualTo(20);
        assertThat(expired.take()).isEqualTo(30);
    }

    @Test
    void timerThatWasMovedOrDisarmedKeepsToThat() throws InterruptedException {
        BlockingQueue<String> expired = new LinkedBlockingQueue<>();
        LaneTimer moved = timer(() -> expired.add("moved"));
        LaneTimer disarmed = timer(() -> expired.add("disarmed"));
        LaneTimer last = timer(() -> expired.add("last"));
        lane.call(() -> {
            long nowNanos = lane.nowNanos();
            lane.arm(moved, nowNanos + 5 * MILLI_NANOS);
            lane.arm(disarmed, nowNanos + 5 * MILLI_NANOS);
            lane.arm(moved, nowNanos + 40 * MILLI_NANOS);
            lane.arm(last, nowNanos + 60 * MILLI_NANOS);
            disarmed.disarm();
        });
        assertThat(expired.take()).isEqualTo("moved");
        assertThat(expired.take()).isEqualTo("last");
        assertThat(expired).isEmpty();
    }

    @Test
    void timeStandsStillWithinAStep() {
        AtomicLong first = new AtomicLong();
        lane.call(() -> {
            first.set(lane.nowNanos());
            long laterNanos = System.nanoTime() + MILLI_NANOS;
            while (System.nanoTime() < laterNanos) {
                Thread.onSpinWait();
            }
            assertThat(lane.nowNanos()).isEqualTo(first.get());
        });
        lane.call(() -> assertThat(lane.nowNanos()).isGreaterThan(first.get()));
    }

    @Test
    void whatThrowsOnTheLaneIsLoggedAndTheLaneGoesOn() throws InterruptedException {
        lane.ring(doorbell(() -> {
            throw new IllegalStateException("in a doorbell");
        }));
        log.await("a doorbell's answer failed");
        lane.call(() -> lane.arm(
                timer(() -> {
                    throw new IllegalStateException("in a timer");
                }),
                lane.nowNanos()));
        log.await("a timer's expiry failed");
        CountDownLatch alive = new CountDownLatch(2);
        lane.ring(doorbell(alive::countDown));
        lane.call(() -> lane.arm(timer(alive::countDown), lane.nowNanos()));
        Await.latch("a doorbell and a timer", alive);
        assertThat(log.records())
                .allSatisfy(record -> assertThat(record.getThrown()).hasMessageStartingWith("in a "));
    }

    @Test
    void deviceThatThrowsLosesThePacketAndNothingElse() throws InterruptedException {
        Inbox kept = new Inbox();
        try (NettyFabric fabric = NettyFabric.open()) {
            FabricPort clumsy = fabric.attach(Gid.ofGuid(2), (link, packet) -> {
                if (packet.psn() == 1) {
                    throw new IllegalStateException("at psn 1");
                }
                kept.receive(link, packet);
            });
            node.fabric.dial(fabric.listen(Node.loopback(0)));
            node.send(node.linkTo(clumsy.gid()), 0, 1, 8);
            node.send(node.linkTo(clumsy.gid()), 1, 2, 8);
            assertThat(kept.await(2).get(1)).isEqualTo(expected(2, 1, 8).get(0));
            log.await("the packet is lost");
        }
    }

    @Test
    void sourceThatThrowsIsDroppedAndOthersAreServed() throws InterruptedException {
        try (Node peer = Node.open(2)) {
            node.fabric.dial(peer.listen());
            NettyLink link = node.linkTo(peer.gid);
            lane.call(() -> link.ready(new PacketSource() {
                @Override
                public boolean pull(Packet packet) {
                    throw new IllegalStateException("empty-handed");
                }

                @Override
                public Link link() {
                    return link;
                }
            }));
            node.send(peer, 0, 1);
            assertThat(peer.inbox.await(1)).isEqualTo(expected(0, 1, 8));
            log.await("pulling a packet for gid=" + peer.gid + " failed");
        }
    }

    @Test
    void packetLongerThanAPathMtuAllowsIsLostAlone() throws InterruptedException {
        try (Node peer = Node.open(2)) {
            node.fabric.dial(peer.listen());
            node.send(node.linkTo(peer.gid), 0, 1, 5000);
            log.await("the packet is lost");
            node.send(peer, 1, 1);
            assertThat(peer.inbox.await(1)).isEqualTo(expected(1, 1, 8));
            assertThat(log.records().get(0).getThrown()).hasMessageContaining("packetBytes=5012 > 4160");
        }
    }

    @Test
    void waitingOnTheLaneForTheLaneIsRefused() {
        WaitPoint never = waitPoint(() -> false);
        assertRefused(Errno.EDEADLK, "await waits", () -> lane.call(() -> lane.await(never, MILLI_NANOS)));
        assertRefused(Errno.EDEADLK, "listen waits", () -> lane.call(() -> node.fabric.listen(Node.loopback(0))));
        assertRefused(Errno.EDEADLK, "dial waits", () -> lane.call(() -> node.fabric.dial(Node.loopback(1))));
    }

    @Test
    void awaitEndsWhenThePlaceIsReadyOrPatienceEnds() {
        AtomicInteger ready = new AtomicInteger();
        WaitPoint place = waitPoint(() -> ready.get() > 0);
        assertThat(lane.await(place, MILLI_NANOS)).isFalse();
        lane.ring(doorbell(() -> {
            ready.set(1);
            place.signal();
        }));
        assertThat(lane.await(place, Long.MAX_VALUE)).isTrue();
    }

    @Test
    void interruptEndsAnAwait() {
        WaitPoint never = waitPoint(() -> false);
        Thread.currentThread().interrupt();
        assertRefused(Errno.EINTR, "interrupted", () -> lane.await(never, Long.MAX_VALUE));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void afterTheLoopsEndCallersServeTheLaneThemselves() {
        AtomicInteger done = new AtomicInteger();
        node.fabric.close();
        lane.call(() -> {
            assertThat(lane.isCurrent()).isTrue();
            lane.arm(timer(() -> {}), lane.nowNanos());
            lane.ring(doorbell(done::incrementAndGet));
        });
        assertThat(done).hasValue(1);
        lane.ring(doorbell(done::incrementAndGet));
        assertThat(done).hasValue(2);
        node.send(node.linkTo(Gid.ofGuid(9)), 0, 10, 8);
    }

    @Test
    void callsDuringTheLoopsEndAreAllDone() throws InterruptedException {
        int callers = 4;
        CountDownLatch finished = new CountDownLatch(callers);
        AtomicInteger running = new AtomicInteger();
        for (int i = 0; i < callers; i++) {
            new Thread(() -> {
                        for (int calls = 0; calls < 2000; calls++) {
                            lane.call(() -> {
                                assertThat(running.incrementAndGet()).isEqualTo(1);
                                running.decrementAndGet();
                            });
                        }
                        finished.countDown();
                    })
                    .start();
        }
        node.fabric.close();
        Await.latch("all callers", finished);
    }

    @Test
    void fabricCanBeClosedFromItsOwnLane() throws InterruptedException {
        lane.call(node.fabric::close);
        Await.until(
                "the end of the lane's thread",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("verbatim-tcp")));
    }

    private static Doorbell doorbell(Runnable answer) {
        return new Doorbell() {
            @Override
            protected void answer() {
                answer.run();
            }
        };
    }

    private static LaneTimer timer(Runnable expiry) {
        return new LaneTimer() {
            @Override
            protected void expire(long nowNanos) {
                expiry.run();
            }
        };
    }

    private static WaitPoint waitPoint(BooleanSupplier condition) {
        return new WaitPoint() {
            @Override
            protected boolean ready() {
                return condition.getAsBoolean();
            }
        };
    }
}
