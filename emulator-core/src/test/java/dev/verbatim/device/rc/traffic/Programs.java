// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.RcConnection;
import dev.verbatim.device.rc.traffic.Operation.Kind;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.verbs.PathMtu;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random programs. */
final class Programs {

    /** About a millisecond. */
    private static final int TIMEOUT_CODE = 8;

    /** 40 microseconds. */
    private static final int RNR_CODE = 4;

    private static final int SEVEN = 7;
    private static final long LONGEST_DELAY_NANOS = 3_000_000;
    private static final int MOST_FAULTS_PER_MILLE = 200;

    private Programs() {}

    /** Over links that lose and duplicate up to a fifth of the packets, with as many retries as it takes. */
    static Arbitrary<Program> overLossyLinks() {
        return of(connections(Arbitraries.just(SEVEN), Arbitraries.just(SEVEN)), lossy(false));
    }

    /** Over links that hold packets back too, even beyond the timeout, and so change their order. */
    static Arbitrary<Program> overReorderingLinks() {
        return of(connections(Arbitraries.just(SEVEN), Arbitraries.just(SEVEN)), lossy(true));
    }

    /** Over lossy links and with so few retries that many do not come through. */
    static Arbitrary<Program> withFewRetries() {
        return of(connections(upTo(1), upTo(2)), lossy(false));
    }

    /** Over links that never fail. */
    static Arbitrary<Program> overPerfectLinks() {
        return of(connections(Arbitraries.just(SEVEN), Arbitraries.just(SEVEN)), Arbitraries.just(LinkFaults.NONE));
    }

    private static Arbitrary<Program> of(Arbitrary<RcConnection> connections, Arbitrary<LinkFaults> faults) {
        Arbitrary<List<List<Operation>>> streams =
                operation().list().ofMaxSize(16).list().ofMinSize(1).ofMaxSize(Ground.MOST_STREAMS);
        Arbitrary<Integer> psns = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 0xffffff),
                Arbitraries.integers().between(0xffffc0, 0xffffff));
        return Combinators.combine(streams, connections, faults, psns, Arbitraries.longs())
                .as(Program::new)
                .withoutEdgeCases();
    }

    private static Arbitrary<RcConnection> connections(Arbitrary<Integer> retries, Arbitrary<Integer> rnrRetries) {
        return Combinators.combine(
                        Arbitraries.of(PathMtu.MTU_256, PathMtu.MTU_512, PathMtu.MTU_1024),
                        Arbitraries.integers().between(1, 4),
                        retries,
                        rnrRetries)
                .as((mtu, depth, retry, rnrRetry) -> RcConnection.USUAL
                        .withPathMtu(mtu)
                        .withDepth(depth)
                        .withRetries(TIMEOUT_CODE, retry, rnrRetry, RNR_CODE));
    }

    private static Arbitrary<LinkFaults> lossy(boolean reordering) {
        return Combinators.combine(
                        upTo(MOST_FAULTS_PER_MILLE),
                        upTo(MOST_FAULTS_PER_MILLE),
                        upTo(reordering ? MOST_FAULTS_PER_MILLE : 0))
                .as((drop, duplicate, delay) ->
                        LinkFaults.NONE.dropping(drop).duplicating(duplicate).delaying(delay, LONGEST_DELAY_NANOS));
    }

    private static Arbitrary<Operation> operation() {
        Arbitrary<Integer> lengths = Arbitraries.frequencyOf(
                Tuple.of(3, upTo(Program.LONGEST_BYTES)), Tuple.of(1, Arbitraries.of(0, 1, 255, 256, 257, 512, 1024)));
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        upTo(1 << 20),
                        lengths,
                        upTo(1000),
                        Arbitraries.of(true, false, false, false),
                        Arbitraries.of(true, false))
                .as(Programs::placed);
    }

    private static Operation placed(
            Kind kind, int anywhere, int lengthBytes, int operand, boolean fenced, boolean signaled) {
        int words = Program.WORDS * Long.BYTES;
        int place = kind == Kind.ADD || kind == Kind.SWAP
                ? anywhere % Program.WORDS * Long.BYTES
                : words + anywhere % (Program.TARGET_BYTES - words - lengthBytes + 1);
        return new Operation(kind, place, lengthBytes, operand, fenced, signaled);
    }

    private static Arbitrary<Integer> upTo(int most) {
        return Arbitraries.integers().between(0, most);
    }
}
