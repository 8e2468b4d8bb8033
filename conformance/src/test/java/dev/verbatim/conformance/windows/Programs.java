// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import dev.verbatim.conformance.windows.Ground.Home;
import dev.verbatim.conformance.windows.KeyWord.Twist;
import dev.verbatim.conformance.windows.Spot.Edge;
import dev.verbatim.conformance.windows.Step.Ending;
import dev.verbatim.conformance.windows.Step.Posting;
import dev.verbatim.conformance.windows.Step.Receiving;
import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Tuple;
import net.jqwik.api.sessions.JqwikSession;

/**
 * Random programs. Nothing in them depends on what came before, so that any part of a program is a program; that most of it
 * is to the point comes of things having {@linkplain Ground homes}: a window is mostly bound over its usual queue pair to a
 * region of its domain, and mostly used by the peer of that queue pair.
 */
public final class Programs {

    private static final int MOST_STEPS = 300;
    private static final int GENERATION_SIZE = 1000;
    private static final long SEED = 4;
    private static final int RIGHT_REMOTE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
    private static final int ALL_REMOTE = RIGHT_REMOTE | AccessFlags.REMOTE_ATOMIC;

    private Programs() {}

    /** Up to 300 steps. */
    public static Arbitrary<Program> any() {
        return step().list()
                .ofMaxSize(MOST_STEPS)
                .withSizeDistribution(RandomDistribution.uniform())
                .map(Program::new);
    }

    /** So many of them, always the same, for tests that are no properties. */
    public static List<Program> first(int count) {
        List<Program> programs = new ArrayList<>();
        JqwikSession.run(() -> {
            RandomGenerator<Program> generator = any().generator(GENERATION_SIZE);
            Random random = new Random(SEED);
            for (int i = 0; i < count; i++) {
                programs.add(generator.next(random).value());
            }
        });
        return programs;
    }

    private static Arbitrary<Step> step() {
        return Arbitraries.frequencyOf(
                Tuple.of(44, requests()),
                Tuple.of(15, localRequests()),
                Tuple.of(6, togethers()),
                Tuple.of(3, allocations()),
                Tuple.of(1, window().map(Step.Deallocate::new)),
                Tuple.of(3, registrations()),
                Tuple.of(3, region().map(Step.Deregister::new)),
                Tuple.of(3, ends()),
                Tuple.of(4, mendings()),
                Tuple.of(24, preparations()),
                Tuple.of(1, Arbitraries.integers().between(1, Ground.DOMAINS).map(Step.FreePd::new)));
    }

    private static Arbitrary<Posting> localRequests() {
        return Arbitraries.frequencyOf(Tuple.of(3, binds()), Tuple.of(1, invalidations()));
    }

    private static Arbitrary<Posting> requests() {
        return Arbitraries.frequencyOf(Tuple.of(7, accesses()), Tuple.of(1, remoteInvalidations()));
    }

    private static Arbitrary<Step> togethers() {
        return Combinators.combine(localRequests(), Arbitraries.oneOf(requests(), localRequests()))
                .as((first, second) -> new Step.Together(first, second.over(first.qp())));
    }

    /** What is unusual about a step. */
    private enum Unusual {
        NOTHING,
        QP,
        KEY,
        RANGE,
        THING,
        ALL;

        boolean is(Unusual what) {
            return this == what || this == ALL;
        }
    }

    private static Arbitrary<Unusual> unusual() {
        return Arbitraries.frequency(
                Tuple.of(12, Unusual.NOTHING),
                Tuple.of(2, Unusual.QP),
                Tuple.of(3, Unusual.KEY),
                Tuple.of(3, Unusual.RANGE),
                Tuple.of(3, Unusual.THING),
                Tuple.of(1, Unusual.ALL));
    }

    private static Arbitrary<Posting> accesses() {
        Arbitrary<Operation> operations = Arbitraries.of(Operation.class);
        return Combinators.combine(
                        unusual(), window(), region(), anyQp(), operations, keys(), ranges(), signalsAndReceives())
                .as((unusual, window, region, qp, operation, key, range, flags) -> {
                    Thing thing = unusual.is(Unusual.THING) ? new Thing(false, region) : new Thing(true, window);
                    boolean isOdd = unusual.is(Unusual.RANGE);
                    return new Step.Access(
                            unusual.is(Unusual.QP) ? qp : usualPeer(thing),
                            operation,
                            (unusual.is(Unusual.KEY) ? key : Twisting.NONE).of(thing),
                            new Spot(thing, isOdd ? range.odd() : range.edge()),
                            isOdd ? range.oddLength() : range.length(),
                            flags.receiving(),
                            flags.signaled());
                });
    }

    private static Arbitrary<Posting> binds() {
        Arbitrary<Integer> oddOffsets = Arbitraries.of(3, -1, 704, 0);
        Arbitrary<Integer> oddLengths = Arbitraries.of(768, 0, 1, 65, -1);
        return Combinators.combine(
                        unusual(), window(), anyQp(), regionWords(), parts(), oddOffsets, oddLengths, oddities())
                .as((unusual, window, qp, region, part, offset, length, oddity) -> new Step.Bind(
                        unusual.is(Unusual.QP) ? qp : home(window).qp(),
                        window,
                        oddity.freshly(),
                        unusual == Unusual.KEY && oddity.byOther(),
                        unusual.is(Unusual.THING) ? region.of(home(window).pd()) : Ground.usualRegion(window),
                        unusual.is(Unusual.RANGE) ? offset : part.offset(),
                        unusual.is(Unusual.RANGE) ? length : part.length(),
                        unusual.is(Unusual.KEY) ? oddity.access() : part.accessOf(window),
                        oddity.variant(),
                        oddity.signaled()));
    }

    private static Arbitrary<Step> preparations() {
        return Combinators.combine(window(), parts())
                .as((window, part) -> new Step.Ready(window, part.offset(), part.length(), part.accessOf(window)));
    }

    private static Arbitrary<Posting> invalidations() {
        return Combinators.combine(unusual(), window(), region(), anyQp(), keys(), mostly())
                .as((unusual, window, region, qp, key, signaled) -> {
                    Thing thing = unusual.is(Unusual.THING) ? new Thing(false, region) : new Thing(true, window);
                    return new Step.Invalidate(
                            unusual.is(Unusual.QP) ? qp : usual(thing),
                            (unusual.is(Unusual.KEY) ? key : Twisting.NONE).of(thing),
                            signaled);
                });
    }

    private static Arbitrary<Posting> remoteInvalidations() {
        Arbitrary<Integer> lengths = Arbitraries.of(0, 8, 16, 64, 65);
        return Combinators.combine(unusual(), window(), region(), anyQp(), keys(), lengths, signalsAndReceives())
                .as((unusual, window, region, qp, key, length, flags) -> {
                    Thing thing = unusual.is(Unusual.THING) ? new Thing(false, region) : new Thing(true, window);
                    return new Step.SendInvalidate(
                            unusual.is(Unusual.QP) ? qp : usualPeer(thing),
                            (unusual.is(Unusual.KEY) ? key : Twisting.NONE).of(thing),
                            unusual.is(Unusual.RANGE) ? length : 8,
                            flags.receiving(),
                            flags.signaled());
                });
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

    /** Where an access goes, and where it goes instead. */
    private record Range(Edge edge, int length, Edge odd, int oddLength) {}

    private static Arbitrary<Range> ranges() {
        Arbitrary<Edge> odd = Arbitraries.frequency(
                Tuple.of(4, Edge.BEYOND_END),
                Tuple.of(3, Edge.BEFORE_START),
                Tuple.of(2, Edge.END),
                Tuple.of(1, Edge.ODD),
                Tuple.of(1, Edge.OFFSET),
                Tuple.of(1, Edge.LAST_ADDRESSES));
        return Combinators.combine(
                        Arbitraries.of(Edge.START, Edge.END),
                        Arbitraries.of(8, 8, 1, 0, 16),
                        odd,
                        Arbitraries.of(8, 1, 0, 64, 65, 256, 300, 512))
                .as(Range::new);
    }

    /** What a window is bound to, of its region. */
    private record Part(int offset, int length, int access) {

        /** Type 1 cannot be zero-based. */
        int accessOf(int window) {
            return Ground.TYPES.get(window - 1) == MemoryWindowType.TYPE_1 ? access & ~AccessFlags.ZERO_BASED : access;
        }
    }

    private static Arbitrary<Part> parts() {
        Arbitrary<Integer> access = Arbitraries.frequency(
                Tuple.of(6, ALL_REMOTE),
                Tuple.of(3, RIGHT_REMOTE),
                Tuple.of(2, ALL_REMOTE | AccessFlags.ZERO_BASED),
                Tuple.of(1, AccessFlags.REMOTE_READ),
                Tuple.of(1, AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE),
                Tuple.of(1, AccessFlags.REMOTE_ATOMIC));
        return Combinators.combine(Arbitraries.of(128, 0, 8, 256, 448), Arbitraries.of(64, 16, 128, 320), access)
                .as(Part::new);
    }

    /** What is done to a key, whatever it is of. */
    private record Twisting(Twist twist, int bindsAgo) {

        static final Twisting NONE = new Twisting(Twist.NONE, 0);

        KeyWord of(Thing thing) {
            return new KeyWord(thing, twist, twist == Twist.FORMER ? bindsAgo : 0);
        }
    }

    private static Arbitrary<Twisting> keys() {
        Arbitrary<Twist> twists = Arbitraries.frequency(
                Tuple.of(6, Twist.FORMER),
                Tuple.of(3, Twist.NEXT_VARIANT),
                Tuple.of(1, Twist.RKEY),
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
        int of(int pd) {
            List<Integer> ofPd = Ground.regionsOf(pd);
            return isAtHome ? ofPd.get(inHome % ofPd.size()) : anywhere;
        }
    }

    private static Arbitrary<RegionWord> regionWords() {
        Arbitrary<Integer> anywhere = Arbitraries.integers().between(0, Ground.REGIONS.size());
        return Combinators.combine(Arbitraries.of(true, true, false), Arbitraries.of(1, 2), anywhere)
                .as(RegionWord::new);
    }

    private record Oddity(boolean freshly, boolean byOther, int access, int variant, boolean signaled) {}

    private static Arbitrary<Oddity> oddities() {
        Arbitrary<Integer> access = Arbitraries.of(
                ALL_REMOTE | AccessFlags.ZERO_BASED, 0, AccessFlags.MW_BIND | RIGHT_REMOTE, AccessFlags.LOCAL_WRITE);
        return Combinators.combine(
                        Arbitraries.of(false, true),
                        Arbitraries.of(false, false, true),
                        access,
                        Arbitraries.of(0x41, 0x42, 0, 0xff),
                        mostly())
                .as(Oddity::new);
    }
}
