// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each predictor sees through the keys of a device that is made as it suspects. */
class KeyPredictorTest {

    private static final int SEEN = 1_000;
    private static final int MORE = 1_000;

    private static IntUnaryOperator generator(KeyPredictor suspicion) {
        return switch (suspicion) {
            case NEXT -> key -> key + 0x100;
            case DIFFERENCE -> key -> key + 0x9e3779b1;
            case CONGRUENTIAL_KEYS -> key -> key * 0x343fd + 0x269ec3;
            case CONGRUENTIAL_INDEXES -> key -> ((key >>> 8) * 0x343fd + 0x269ec3) << 8 | key & 0xff;
            case XOR_LINEAR_COUNTER, XOR_LINEAR_RECURRENCE -> KeyPredictorTest::shiftRegister;
        };
    }

    private static int shiftRegister(int key) {
        int shifted = key ^ key << 13;
        shifted ^= shifted >>> 17;
        return shifted ^ shifted << 5;
    }

    @ParameterizedTest
    @EnumSource
    void keysThatAreMadeAsSuspectedAreForeseen(KeyPredictor predictor) {
        int[] ordinals = IntStream.rangeClosed(1, SEEN).toArray();
        int[] keys = predictor == KeyPredictor.XOR_LINEAR_COUNTER
                ? IntStream.rangeClosed(1, SEEN + MORE)
                        .map(ordinal -> shiftRegister(ordinal << 8))
                        .toArray()
                : IntStream.iterate(0x0012_3401, generator(predictor))
                        .limit(SEEN + MORE)
                        .toArray();
        int[] seen = IntStream.of(keys).limit(SEEN).toArray();
        IntStream.Builder guesses = IntStream.builder();
        predictor.predict(seen, ordinals, 3 * MORE, guesses::add);
        int[] guessed = guesses.build().sorted().distinct().toArray();
        assertThat(IntStream.of(keys).skip(SEEN).boxed())
                .filteredOn(key -> java.util.Arrays.binarySearch(guessed, key) >= 0)
                .hasSizeGreaterThan(predictor == KeyPredictor.XOR_LINEAR_COUNTER ? 20 : 990);
    }
}
