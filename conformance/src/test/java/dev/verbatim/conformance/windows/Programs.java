// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import dev.verbatim.conformance.windows.Ground.Home;
import dev.verbatim.conformance.windows.KeyWord.Twist;
import dev.verbatim.conformance.windows.Spot.Edge;
import dev.verbatim.conformance.windows.Step.Ending;
import dev.verbatim.conformance.windows.Step.Receiving;
import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/**
 * Random programs. Nothing in them depends on what came before, so that any part of a program is a program; that most of it
 * is to the point comes of things having {@linkplain Ground homes}: a window is mostly bound over its usual queue pair to a
 * region of its domain, and mostly used by the peer of that queue pair.
 */
public final class Programs {

    private static final int MOST_STEPS = 160;
    private static final int RIGHT_REMOTE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
    private static final int ALL_REMOTE = RIGHT_REMOTE | AccessFlags.REMOTE_ATOMIC;
    private static final int NEEDS_LOCAL_WRITE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private Programs() {}

    /** Up to 160 steps. */
    public static Arbitrary<Program> any() {
        return step().list()
                .ofMaxSize(MOST_STEPS)
                .withSizeDistribution(RandomDistribution.uniform())
                .map(Program::new);
    }

    private static Arbitrary<Step> step() {
        return Arbitraries.frequencyOf(
                Tuple.of(40, accesses()),
                Tuple.of(18, binds()),
                Tuple.of(5, invalidations()),
                Tuple.of(6, remoteInvalidations()),
                Tuple.of(5, allocations()),
                Tuple.of(2, window().map(Step.Deallocate::new)),
                Tuple.of(4, registrations()),
                Tuple.of(4, region().map(Step.Deregister::new)),
                Tuple.of(4, ends()),
                Tuple.of(14, mendings()),
                Tuple.of(1, Arbitraries.integers().between(1, Ground.DOMAINS).map(Step.FreePd::new)));
    }

    private static Arbitrary<Step> accesses() {
        Arbitrary<Operation> operations = Arbitraries.of(Operation.class);
        Arbitrary<Integer> lengths = Arbitraries.of(8, 1, 0, 16, 64, 300, 512);
        return Combinators.combine(
                        things(), mostly(), anyQp(), operations, key(), edges(), lengths, signalsAndReceives())
                .as((thing, isUsual, qp, operation, word, edge, length, flags) -> new Step.Access(
                        isUsual ? usualPeer(thing) : qp,
                        operation,
                        word.of(thing),
                        new Spot(thing, edge),
                        length,
                        flags.receiving(),
                        flags.signaled()));
    }

    private static Arbitrary<Step> binds() {
        Arbitrary<Integer> offsets = Arbitraries.of(128, 0, 8, 200, 512, 3, -1);
        Arbitrary<Integer> lengths = Arbitraries.of(64, 8, 16, 128, 300, 512, 768, 0, 1);
        return Combinators.combine(window(), mostly(), anyQp(), homeRegions(), offsets, lengths, rights(), oddities())
                .as((window, isUsual, qp, region, offset, length, rights, oddity) -> new Step.Bind(
                        isUsual ? home(window).qp() : qp,
                        window,
                        oddity.byOther(),
                        region.in(home(window).pd()),
                        oddity.fromNowhere() ? 0 : offset,
                        length,
                        rights,
                        oddity.variant(),
                        oddity.signaled()));
    }

    private static Arbitrary<Step> invalidations() {
        return Combinators.combine(things(), mostly(), anyQp(), key(), mostly())
                .as((thing, isUsual, qp, word, signaled) ->
                        new Step.Invalidate(isUsual ? usual(thing) : qp, word.of(thing), signaled));
    }

    private static Arbitrary<Step> remoteInvalidations() {
        Arbitrary<Integer> lengths = Arbitraries.of(0, 8, 16, 64, 65);
        return Combinators.combine(things(), mostly(), anyQp(), key(), lengths, signalsAndReceives())
                .as((thing, isUsual, qp, word, length, flags) -> new Step.SendInvalidate(
                        isUsual ? usualPeer(thing) : qp, word.of(thing), length, flags.receiving(), flags.signaled()));
    }

    private static Arbitrary<Step> allocations() {
        Arbitrary<MemoryWindowType> types = Arbitraries.of(MemoryWindowType.class);
        return Combinators.combine(window(), mostly(), mostly(), anyPd(), types)
                .as((window, isAtHome, isAsUsual, pd, type) -> new Step.Allocate(
                        window, isAtHome ? home(window).pd() : pd, isAsUsual ? Ground.TYPES.get(window - 1) : type));
    }

    private static Arbitrary<Step> registrations() {
        int local = AccessFlags.LOCAL_WRITE;
        Arbitrary<Integer> rights = Arbitraries.of(
                local | AccessFlags.MW_BIND,
                local | AccessFlags.MW_BIND | ALL_REMOTE,
                AccessFlags.MW_BIND,
                local | RIGHT_REMOTE,
                local | AccessFlags.MW_BIND | AccessFlags.ZERO_BASED,
                AccessFlags.MW_BIND | AccessFlags.REMOTE_READ,
                AccessFlags.MW_BIND | AccessFlags.REMOTE_WRITE);
        return Combinators.combine(
                        region(), mostly(), anyPd(), Arbitraries.of(0, 64, 200), Arbitraries.of(512, 300, 8, 0), rights)
                .as((region, isAtHome, pd, offset, length, access) -> new Step.Register(
                        region, isAtHome ? Ground.REGIONS.get(region - 1).pd() : pd, offset, length, access));
    }

    private static Arbitrary<Step> ends() {
        return Combinators.combine(anyQp(), Arbitraries.of(Ending.class)).as(Step.End::new);
    }

    private static Arbitrary<Step> mendings() {
        Arbitrary<Integer> pairs = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(0)),
                Tuple.of(1, Arbitraries.integers().between(1, Ground.PD_OF_QP.size() / 2)));
        return Combinators.combine(pairs, Arbitraries.of(false, false, true)).as(Step.Mend::new);
    }

    /** The end that mostly binds it, or that is in the domain of a region. */
    private static int usual(Thing thing) {
        return thing.isWindow()
                ? home(thing.number()).qp()
                : Ground.PD_OF_QP.indexOf(Ground.REGIONS.get(thing.number() - 1).pd()) + 1;
    }

    private static int usualPeer(Thing thing) {
        return Ground.peerOf(usual(thing));
    }

    private static Home home(int window) {
        return Ground.WINDOWS.get(window - 1);
    }

    private static Arbitrary<Integer> window() {
        return Arbitraries.integers().between(1, Ground.WINDOWS.size());
    }

    private static Arbitrary<Integer> region() {
        return Arbitraries.integers().between(1, Ground.REGIONS.size());
    }

    private static Arbitrary<Integer> anyQp() {
        return Arbitraries.integers().between(1, Ground.PD_OF_QP.size());
    }

    private static Arbitrary<Integer> anyPd() {
        return Arbitraries.integers().between(1, Ground.DOMAINS);
    }

    private static Arbitrary<Boolean> mostly() {
        return Arbitraries.of(true, true, true, true, false);
    }

    private static Arbitrary<Thing> things() {
        return Combinators.combine(mostly(), window(), region())
                .as((isWindow, window, region) -> new Thing(isWindow, isWindow ? window : region));
    }

    private static Arbitrary<Edge> edges() {
        return Arbitraries.frequency(
                Tuple.of(10, Edge.START),
                Tuple.of(8, Edge.END),
                Tuple.of(2, Edge.BEFORE_START),
                Tuple.of(3, Edge.BEYOND_END),
                Tuple.of(1, Edge.ODD),
                Tuple.of(1, Edge.OFFSET),
                Tuple.of(1, Edge.LAST_ADDRESSES));
    }

    private static Arbitrary<Integer> rights() {
        return Arbitraries.frequency(
                Tuple.of(4, RIGHT_REMOTE),
                Tuple.of(6, ALL_REMOTE),
                Tuple.of(2, AccessFlags.REMOTE_READ),
                Tuple.of(2, AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE),
                Tuple.of(1, AccessFlags.REMOTE_ATOMIC),
                Tuple.of(1, 0),
                Tuple.of(2, NEEDS_LOCAL_WRITE | AccessFlags.ZERO_BASED),
                Tuple.of(1, AccessFlags.MW_BIND | RIGHT_REMOTE));
    }

    /** What is done to a key, whatever it is of. */
    private record Twisting(Twist twist, int bindsAgo) {
        KeyWord of(Thing thing) {
            return new KeyWord(thing, twist, twist == Twist.FORMER ? bindsAgo : 0);
        }
    }

    private static Arbitrary<Twisting> key() {
        Arbitrary<Twist> twists = Arbitraries.frequency(
                Tuple.of(24, Twist.NONE),
                Tuple.of(1, Twist.RKEY),
                Tuple.of(4, Twist.FORMER),
                Tuple.of(2, Twist.NEXT_VARIANT),
                Tuple.of(1, Twist.NEXT_INDEX),
                Tuple.of(1, Twist.LOCAL),
                Tuple.of(1, Twist.ZERO));
        return Combinators.combine(twists, Arbitraries.of(1, 2, 3)).as(Twisting::new);
    }

    private record Signals(boolean signaled, Receiving receiving) {}

    private static Arbitrary<Signals> signalsAndReceives() {
        Arbitrary<Receiving> receiving = Arbitraries.frequency(
                Tuple.of(8, Receiving.ROOM), Tuple.of(1, Receiving.LITTLE_ROOM), Tuple.of(2, Receiving.NOTHING));
        return Combinators.combine(mostly(), receiving).as(Signals::new);
    }

    /**
     * The region of a bind.
     *
     * @param inHome the first, second or third of the window's domain
     * @param anywhere whatever it is; 0 for none
     */
    private record RegionWord(boolean isAtHome, int inHome, int anywhere) {
        int in(int pd) {
            List<Integer> ofPd = Ground.regionsOf(pd);
            return isAtHome ? ofPd.get(inHome % ofPd.size()) : anywhere;
        }
    }

    private static Arbitrary<RegionWord> homeRegions() {
        Arbitrary<Integer> anywhere = Arbitraries.integers().between(0, Ground.REGIONS.size());
        return Combinators.combine(mostly(), Arbitraries.of(0, 0, 1, 2), anywhere)
                .as(RegionWord::new);
    }

    private record Oddity(boolean byOther, boolean fromNowhere, int variant, boolean signaled) {}

    private static Arbitrary<Oddity> oddities() {
        Arbitrary<Boolean> seldom = Arbitraries.frequency(Tuple.of(15, false), Tuple.of(1, true));
        return Combinators.combine(seldom, seldom, Arbitraries.of(0x41, 0x42, 0, 0xff), mostly())
                .as(Oddity::new);
    }
}
