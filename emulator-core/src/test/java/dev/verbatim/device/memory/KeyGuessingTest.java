// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Somebody has seen a thousand keys of a device and makes two hundred thousand predictions of others. With random keys he
 * hits live ones no more often than somebody who guesses blindly; with readable keys he hits many.
 */
@LongTest
class KeyGuessingTest {

    private static final int SEEN = 1_000;
    private static final int GUESSES = 200_000;
    private static final double CHANCE = 1e-6;
    private static final int VARIANTS = 256;

    /** What has keys, and what of them peers get to see. */
    enum Kind {
        REGION(1, KeyTable.FIRST_WINDOW_INDEX - 1),
        WINDOW_OF_TYPE_1(KeyTable.FIRST_WINDOW_INDEX, 4 * DeviceLimits.DEFAULT.maxMw()),
        WINDOW_OF_TYPE_2(KeyTable.FIRST_WINDOW_INDEX, 4 * DeviceLimits.DEFAULT.maxMw());

        private final int firstIndex;
        private final int indexes;

        Kind(int firstIndex, int indexes) {
            this.firstIndex = firstIndex;
            this.indexes = indexes;
        }

        /** A guess within the range that everybody knows. */
        private int inRange(int key, int spread) {
            int index = firstIndex + Math.floorMod((key >>> 8) - firstIndex, spread);
            return index << 8 | key & VARIANTS - 1;
        }
    }

    /** A device that gives out keys. */
    private static final class Issuer implements AutoCloseable {

        private final Verbatim rdma = Verbatim.inProcess();
        private final Kind kind;
        private final ProtectionDomain pd;
        private final CompletionQueue done;
        private final QueuePair qp;
        private final Memory memory = Memory.allocate(64);
        private final BindInfo info;
        private final List<AutoCloseable> issued = new ArrayList<>();

        Issuer(Kind kind, DeviceProfile profile) {
            this.kind = kind;
            rdma.tap(RuleCoverage::observe).profile(profile);
            pd = rdma.open("issuer").allocatePd();
            done = pd.device().createCq(16);
            qp = pd.createQp(QpInitAttributes.rc(done));
            QueuePair peer = pd.createQp(QpInitAttributes.rc(done));
            RcConnection.USUAL.withRetries(0, 7, 7, 12).join(qp, peer);
            info = kind == Kind.REGION
                    ? BindInfo.NOTHING
                    : BindInfo.of(pd.register(memory, AccessFlags.MW_BIND), AccessFlags.REMOTE_READ);
        }

        int issue() throws Exception {
            if (kind == Kind.REGION) {
                MemoryRegion fresh = pd.register(memory, AccessFlags.REMOTE_READ);
                issued.add(fresh);
                return fresh.rkey();
            }
            MemoryWindow window;
            int key;
            if (kind == Kind.WINDOW_OF_TYPE_1) {
                window = pd.allocateWindow(MemoryWindowType.TYPE_1);
                qp.bindWindow(window, WindowBind.signaled(1, info));
                key = window.rkey();
            } else {
                window = pd.allocateWindow(MemoryWindowType.TYPE_2);
                SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, Rkey.increment(window.rkey()), info);
                qp.postSend(bind);
                key = bind.boundKey();
            }
            issued.add(window);
            assertThat(done.poll(1)).allMatch(WorkCompletion::isSuccess).hasSize(1);
            return key;
        }

        int[] issue(int count) throws Exception {
            int[] keys = new int[count];
            for (int i = 0; i < count; i++) {
                keys[i] = issue();
            }
            return keys;
        }

        void recallAll() throws Exception {
            for (AutoCloseable each : issued) {
                each.close();
            }
            issued.clear();
        }

        @Override
        public void close() {
            rdma.close();
        }
    }

    /**
     * Hits of a predictor, and the most that a blind guesser has.
     *
     * @param anyVariant whether only the indexes were predicted, and each was tried with all variants
     */
    private record Result(KeyPredictor predictor, boolean anyVariant, long hits, long mostBlindHits) {
        boolean isBetterThanBlind() {
            return hits > mostBlindHits;
        }
    }

    private static List<Result> attack(Kind kind, int spread, int[] seen, int[] ordinals, int[] live) {
        int[] known = sorted(seen);
        int[] targets = sorted(live);
        int[] guesses = new int[GUESSES];
        // The best of the blind leaves out the indexes of which he has seen the key.
        double odds = (double) live.length / ((double) (spread - seen.length) * VARIANTS);
        List<Result> results = new ArrayList<>();
        for (KeyPredictor predictor : KeyPredictor.values()) {
            for (int variants : new int[] {1, VARIANTS}) {
                int[] made = {0};
                predictor.predict(seen, ordinals, GUESSES / variants, key -> {
                    for (int i = 0; i < variants; i++) {
                        guesses[made[0]++] = kind.inRange(key ^ i, spread);
                    }
                });
                Arrays.sort(guesses, 0, made[0]);
                int distinct = 0;
                int hits = 0;
                for (int i = 0; i < made[0]; i++) {
                    boolean isFresh = i == 0 || guesses[i] != guesses[i - 1];
                    if (isFresh && Arrays.binarySearch(known, guesses[i]) < 0) {
                        distinct++;
                        hits += Arrays.binarySearch(targets, guesses[i]) >= 0 ? 1 : 0;
                    }
                }
                long most = BlindGuessing.mostHits(distinct, odds, CHANCE);
                results.add(new Result(predictor, variants > 1, hits, most));
            }
        }
        return results;
    }

    private static int[] sorted(int[] keys) {
        int[] copy = keys.clone();
        Arrays.sort(copy);
        return copy;
    }

    private static DeviceProfile random(long seed) {
        return DeviceProfile.STRICT_IBTA.toBuilder().randomKeys(seed).build();
    }

    /** The first thousand keys were seen, and so many were given out after them. */
    private static List<Result> attackAtTheBeginning(Kind kind, DeviceProfile profile, int live) throws Exception {
        try (Issuer issuer = new Issuer(kind, profile)) {
            int[] seen = issuer.issue(SEEN);
            int[] ordinals = IntStream.rangeClosed(1, SEEN).toArray();
            List<Result> results = attack(kind, kind.indexes, seen, ordinals, issuer.issue(live));
            asserted();
            return results;
        }
    }

    /** A thousand of all keys were seen, here and there. */
    private static List<Result> attackFromAmong(Kind kind, DeviceProfile profile, int live) throws Exception {
        try (Issuer issuer = new Issuer(kind, profile)) {
            int[] all = issuer.issue(live + SEEN);
            // Steps that are prime to each power of 2, so that the ordinals have all bits.
            int step = all.length / SEEN | 1;
            int[] places = IntStream.range(0, SEEN)
                    .map(i -> i * step % all.length)
                    .sorted()
                    .distinct()
                    .toArray();
            int[] seen = Arrays.stream(places).map(place -> all[place]).toArray();
            int[] ordinals = Arrays.stream(places).map(place -> place + 1).toArray();
            int[] unseen = IntStream.range(0, all.length)
                    .filter(place -> Arrays.binarySearch(places, place) < 0)
                    .map(place -> all[place])
                    .toArray();
            List<Result> results = attack(kind, kind.indexes, seen, ordinals, unseen);
            asserted();
            return results;
        }
    }

    /** A small device has given out keys, taken all back, and gives out others. */
    private static List<Result> attackAfterRecycling(Kind kind, DeviceProfile profile) throws Exception {
        int room = SEEN + SEEN / 2;
        DeviceLimits small =
                DeviceLimits.DEFAULT.toBuilder().maxMr(room).maxMw(room).build();
        try (Issuer issuer = new Issuer(kind, profile.toBuilder().limits(small).build())) {
            int[] seen = issuer.issue(SEEN);
            issuer.recallAll();
            int[] ordinals = IntStream.rangeClosed(1, SEEN).toArray();
            int[] live = issuer.issue(SEEN);
            List<Result> results = attack(kind, KeyTable.FIRST_WINDOW_INDEX - 1, seen, ordinals, live);
            asserted();
            return results;
        }
    }

    @ParameterizedTest
    @CsvSource({"REGION, 1000, 1", "REGION, 100000, 2", "WINDOW_OF_TYPE_1, 100000, 3", "WINDOW_OF_TYPE_2, 100000, 4"})
    @Rule("KEY-P6")
    void randomKeysAfterThoseSeenAreHitNoMoreThanBlindly(Kind kind, int live, long seed) throws Exception {
        assertThat(attackAtTheBeginning(kind, random(seed), live)).noneMatch(Result::isBetterThanBlind);
    }

    @ParameterizedTest
    @CsvSource({"REGION, 10000, 5", "WINDOW_OF_TYPE_1, 100000, 6"})
    @Rule("KEY-P6")
    void randomKeysAmongThoseSeenAreHitNoMoreThanBlindly(Kind kind, int live, long seed) throws Exception {
        assertThat(attackFromAmong(kind, random(seed), live)).noneMatch(Result::isBetterThanBlind);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("KEY-P6")
    void randomKeysOfASmallDeviceThatTookKeysBackAreHitNoMoreThanBlindly(Kind kind) throws Exception {
        assertThat(attackAfterRecycling(kind, random(7))).noneMatch(Result::isBetterThanBlind);
    }

    /** A counter is no recurrence of this kind; {@link KeyPredictorTest} has one. */
    @ParameterizedTest
    @EnumSource
    void readableKeysAreHitByAllOtherPredictors(Kind kind) throws Exception {
        assertThat(attackAtTheBeginning(kind, DeviceProfile.STRICT_IBTA, 1_000))
                .filteredOn(result -> result.hits() > 900 && result.isBetterThanBlind())
                .filteredOn(result -> !result.anyVariant())
                .extracting(Result::predictor)
                .containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(KeyPredictor.XOR_LINEAR_RECURRENCE)));
    }

    @Test
    void readableKeysAmongOthersAndAfterRecyclingAreHitToo() throws Exception {
        assertThat(attackFromAmong(Kind.REGION, DeviceProfile.STRICT_IBTA, 10_000))
                .filteredOn(Result::isBetterThanBlind)
                .extracting(Result::predictor)
                .contains(KeyPredictor.NEXT, KeyPredictor.XOR_LINEAR_COUNTER);
        assertThat(attackAfterRecycling(Kind.REGION, DeviceProfile.STRICT_IBTA))
                .filteredOn(Result::isBetterThanBlind)
                .extracting(Result::predictor)
                .contains(KeyPredictor.NEXT);
    }
}
