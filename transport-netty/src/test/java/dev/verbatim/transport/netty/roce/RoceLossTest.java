// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.transport.netty.roce.RoceEnd.usual;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is lost is sent again, and not much more than that: go-back-N with a window that shrinks. {@code verbatim.roce.seeds} and
 * {@code verbatim.roce.mebibytes} make more of it.
 */
@Timeout(600)
@LongTest
class RoceLossTest {

    private static final InetAddress ONE = LoopbackAddress.of(41);
    private static final InetAddress OTHER = LoopbackAddress.of(42);
    private static final int SEEDS = Integer.getInteger("verbatim.roce.seeds", 3);
    private static final int MEBIBYTES = Integer.getInteger("verbatim.roce.mebibytes", 8);
    private static final int MTU = 1024;
    private static final int MESSAGE_BYTES = 65_536;
    private static final int DEPTH = 16;
    private static final int ONE_PERCENT = 10;
    private static final RcConnection PATIENT = RcConnection.USUAL.withPathMtu(PathMtu.MTU_1024);

    private static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onePercentOfLossEachWayCostsLessThanHalfAsMuchAgain(long seed) {
        FaultPolicy loss = FaultPolicy.drawn(LinkFaults.NONE.dropping(ONE_PERCENT), Choices.seeded(seed));
        double factor = sentToNeeded(options -> options, loss);
        System.out.printf("seed=%d: %.3f times the packets that are needed%n", seed, factor);
        assertThat(factor).isLessThan(1.5);
    }

    @Test
    void receiveBufferOf64KibibytesCostsLessThanAFifthMore() {
        double factor =
                sentToNeeded(options -> options.withSocketBufferBytes(64 * 1024), (from, to, packet) -> Fate.DELIVER);
        System.out.printf("receive buffer 64 KiB: %.3f times the packets that are needed%n", factor);
        assertThat(factor).isLessThan(1.2);
    }

    /** Writes many messages and counts the packets of requests. */
    private static double sentToNeeded(UnaryOperator<RoceOptions> change, FaultPolicy policy) {
        Gid own = Gid.of(ONE);
        AtomicLong sent = new AtomicLong();
        FaultPolicy counting = (from, to, packet) -> {
            if (from.equals(own)) {
                sent.incrementAndGet();
            }
            return policy.decide(from, to, packet);
        };
        try (RoceEnd a = RoceEnd.open(change.apply(usual(ONE)).withFaults(counting));
                RoceEnd b = RoceEnd.open(change.apply(usual(OTHER)))) {
            Side left = a.side(new QpCapabilities(DEPTH, DEPTH, 1, 1, 0), QpType.RC);
            Side right = b.side(new QpCapabilities(DEPTH, DEPTH, 1, 1, 0), QpType.RC);
            PATIENT.join(left.qp, right.qp);
            int messages = MEBIBYTES * 16;
            int posted = 0;
            for (int completed = 0; completed < messages; completed++) {
                for (; posted < messages && posted - completed < DEPTH; posted++) {
                    left.qp.postSend(
                            SendWorkRequest.write(posted, right.address(0), right.rkey(), left.sge(0, MESSAGE_BYTES)));
                }
                assertThat(left.sent()).isSuccess().hasId(completed);
            }
            return (double) sent.get() / ((long) messages * MESSAGE_BYTES / MTU);
        }
    }
}
