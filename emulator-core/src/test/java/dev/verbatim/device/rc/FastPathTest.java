// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In one JVM plain requests take the fast path, others do not, and no program can tell which of the two its requests took. */
class FastPathTest {

    private static final int FIRST_SEED = Integer.getInteger("verbatim.seed", 1);
    private static final int PROGRAMS = Tries.of("fastpath.programs", 50, 400, 100_000);
    private static final int LENGTH_BYTES = 8;
    private static final int CHAIN = 40;

    private enum Plain {
        WRITE {
            @Override
            SendWorkRequest of(RcPeer from, RcPeer to) {
                return from.write(1, 0, LENGTH_BYTES, to);
            }
        },
        READ {
            @Override
            SendWorkRequest of(RcPeer from, RcPeer to) {
                return from.read(1, 0, LENGTH_BYTES, to);
            }
        },
        SEND {
            @Override
            SendWorkRequest of(RcPeer from, RcPeer to) {
                to.qp().postRecv(to.receive(1, 64, LENGTH_BYTES));
                return from.send(1, 0, LENGTH_BYTES);
            }
        },
        FETCH_AND_ADD {
            @Override
            SendWorkRequest of(RcPeer from, RcPeer to) {
                return SendWorkRequest.fetchAndAdd(1, to.address(0), to.rkey(), 1, from.sge(8, LENGTH_BYTES));
            }
        },
        COMPARE_AND_SWAP {
            @Override
            SendWorkRequest of(RcPeer from, RcPeer to) {
                return SendWorkRequest.compareAndSwap(1, to.address(0), to.rkey(), 0, 1, from.sge(8, LENGTH_BYTES));
            }
        };

        /** A request for which there is a receive, if it needs one. */
        abstract SendWorkRequest of(RcPeer from, RcPeer to);
    }

    /** What keeps a WRITE from the fast path. */
    private enum Special {
        FENCED(write -> write.plus(SendFlags.FENCE)),
        SOLICITED(write -> write.plus(SendFlags.SOLICITED)),
        INLINE(write -> write.plus(SendFlags.INLINE)),
        OF_TWO_ELEMENTS(write -> {
            Sge element = write.element(0);
            return SendWorkRequest.write(1, write.remoteAddress(), write.remoteKey(), element, element);
        }),
        OF_NOTHING(write -> SendWorkRequest.write(1, write.remoteAddress(), write.remoteKey())),
        OF_TWO_PACKETS(write -> {
            Sge element = write.element(0);
            Sge longer = new Sge(element.address(), 4097, element.lkey());
            return SendWorkRequest.write(1, write.remoteAddress(), write.remoteKey(), longer);
        });

        private final UnaryOperator<SendWorkRequest> change;

        Special(UnaryOperator<SendWorkRequest> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("smoke")
    void plainRequestTakesTheFastPathAloneAndInAChain(Plain plain) {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
            DeviceContext left = contextOf(rc.left());
            DeviceContext right = contextOf(rc.right());
            rc.left().qp().postSend(plain.of(rc.left(), rc.right()));
            assertThat(left.fastPathSent()).isEqualTo(1);
            List<SendWorkRequest> chain = new ArrayList<>();
            for (int i = 0; i < CHAIN; i++) {
                chain.add(plain.of(rc.left(), rc.right()).unsignaled());
            }
            chain.set(CHAIN - 1, chain.get(CHAIN - 1).plus(SendFlags.SIGNALED));
            rc.left().qp().postSend(chain);
            assertThat(left.fastPathSent()).isEqualTo(1 + CHAIN);
            assertThat(right.fastPathTaken()).isEqualTo(1 + CHAIN);
            assertThat(left.fastPathTaken() + right.fastPathSent()).isZero();
            assertThat(rc.left().sent().poll(CHAIN)).hasSize(2).allMatch(done -> done.status() == WcStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void responderThatSendsNothingTakesAllButTheFirstRequestOnTheFastPath(Plain plain) {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPeer left = RcPeer.open(rdma.open("left"));
            RcPeer right = RcPeer.open(rdma.open("right"));
            RcConnection.Endpoint leftEnd = RcConnection.Endpoint.of(left.qp(), 5);
            RcConnection.USUAL.readyToReceive(right.qp(), leftEnd);
            RcConnection.USUAL.readyToReceive(left.qp(), RcConnection.Endpoint.of(right.qp(), 7));
            RcConnection.USUAL.readyToSend(left.qp(), leftEnd.psn());
            for (int i = 0; i < CHAIN; i++) {
                left.qp().postSend(plain.of(left, right));
            }
            assertThat(left.sent().poll(CHAIN)).hasSize(CHAIN).allMatch(done -> done.status() == WcStatus.SUCCESS);
            assertThat(contextOf(right).fastPathTaken()).isEqualTo(CHAIN - 1);
            assertThat(right.device().pollAsyncEvent().type()).isEqualTo(EventType.COMM_EST);
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestIsCountedAsOnThePacketPath(Plain plain) {
        assertThat(countedAfterOne(plain, new InProcessFabric()))
                .isEqualTo(countedAfterOne(plain, InProcessFabric.withoutFastPath()));
    }

    private static List<Map<DeviceCounter, Long>> countedAfterOne(Plain plain, InProcessFabric fabric) {
        try (Verbatim rdma = Verbatim.over(fabric)) {
            RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
            rc.left().qp().postSend(plain.of(rc.left(), rc.right()));
            return List.of(rc.left().device().counters(), rc.right().device().counters());
        }
    }

    @ParameterizedTest
    @EnumSource
    void specialWriteTakesTheUsualPath(Special special) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
            rc.left().qp().postSend(special.change.apply(rc.left().write(1, 0, LENGTH_BYTES, rc.right())));
            assertThat(contextOf(rc.left()).fastPathSent()).isZero();
            assertThat(rc.left().sent().poll(2)).hasSize(1).allMatch(done -> done.status() == WcStatus.SUCCESS);
        }
    }

    @Test
    void writeOfAWatchedDeviceOrToOneTakesTheUsualPath() {
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPeer plain = RcPeer.open(rdma.open("plain"));
            RcPeer watched = RcPeer.open(rdma.tap(event -> {}).open("watched"));
            new RcPair(plain, watched).join(RcConnection.USUAL);
            plain.qp().postSend(plain.write(1, 0, LENGTH_BYTES, watched));
            watched.qp().postSend(watched.write(1, 0, LENGTH_BYTES, plain));
            for (RcPeer peer : List.of(plain, watched)) {
                assertThat(peer.sent().poll(2)).hasSize(1).allMatch(done -> done.status() == WcStatus.SUCCESS);
                assertThat(contextOf(peer).fastPathSent() + contextOf(peer).fastPathTaken())
                        .isZero();
            }
        }
    }

    @Test
    void noRequestTakesItOnAFabricWithoutIt() {
        try (Verbatim rdma = Verbatim.over(InProcessFabric.withoutFastPath())) {
            RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
            rc.left().qp().postSend(rc.left().write(1, 0, LENGTH_BYTES, rc.right()));
            assertThat(contextOf(rc.left()).fastPathSent()).isZero();
            assertThat(rc.left().sent().poll(2)).hasSize(1).allMatch(done -> done.status() == WcStatus.SUCCESS);
        }
    }

    @Test
    @Tag("smoke")
    void programsCannotTell() {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        long fast = 0;
        long requests = 0;
        for (int seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
            EitherPath.Seen expected = new EitherPath(seed).run(InProcessFabric.withoutFastPath());
            EitherPath.Seen actual = new EitherPath(seed).run(new InProcessFabric());
            assertThat(actual.lines()).as("seed=%d", seed).isEqualTo(expected.lines());
            assertThat(expected.fastPathSent()).isZero();
            fast += actual.fastPathSent();
            requests += actual.requests();
        }
        assertThat(fast).as("of %d requests", requests).isGreaterThan(requests / 8);
    }

    private static DeviceContext contextOf(RcPeer peer) {
        return ((EmulatedDevice) peer.device()).context();
    }
}
