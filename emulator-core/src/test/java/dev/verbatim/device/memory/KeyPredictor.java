// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Ways of somebody who has seen keys of a device to predict others. */
enum KeyPredictor {
    /** Keys next to those seen: the indexes after the last one, with its variant, and the variants after each. */
    NEXT {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            int last = seen[seen.length - 1];
            for (int i = 0; i < count / 3; i++) {
                guess.accept(last + (i + 1 << VARIANT_BITS));
                guess.accept(seen[i % seen.length] + (1 + i / seen.length << VARIANT_BITS));
                guess.accept(seen[i % seen.length] + 1 + i / seen.length);
            }
        }
    },

    /** The differences of successive keys, most frequent first, repeated from the last key on. */
    DIFFERENCE {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            Map<Integer, Integer> frequencies = new HashMap<>();
            for (int i = 1; i < seen.length; i++) {
                frequencies.merge(seen[i] - seen[i - 1], 1, Integer::sum);
            }
            List<Integer> differences = frequencies.keySet().stream()
                    .sorted((a, b) -> frequencies.get(b) - frequencies.get(a))
                    .toList();
            for (int difference : differences) {
                for (int i = 1; i <= count / differences.size(); i++) {
                    guess.accept(seen[seen.length - 1] + i * difference);
                }
            }
        }
    },

    /** What a linear congruential generator of whole keys, modulo 2^32, would go on with. */
    CONGRUENTIAL_KEYS {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            IntUnaryOperator step = congruential(seen, -1);
            int key = seen[seen.length - 1];
            for (int i = 0; i < count; i++) {
                key = step.applyAsInt(key);
                guess.accept(key);
            }
        }
    },

    /** The same of indexes, modulo 2^24, with the variant seen most often. */
    CONGRUENTIAL_INDEXES {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            int[] indexes = Arrays.stream(seen).map(key -> key >>> VARIANT_BITS).toArray();
            IntUnaryOperator step = congruential(indexes, INDEX_MASK);
            int index = indexes[indexes.length - 1];
            int variant = favouriteVariant(seen);
            for (int i = 0; i < count; i++) {
                index = step.applyAsInt(index);
                guess.accept(index << VARIANT_BITS | variant);
            }
        }
    },

    /** Each bit of a key as a sum, modulo 2, of bits of its ordinal number: a counter whose bits are mixed. */
    XOR_LINEAR_COUNTER {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            XorFit fit = new XorFit();
            for (int i = 0; i < seen.length; i++) {
                fit.add(ordinals[i], seen[i]);
            }
            IntStream.rangeClosed(1, count + ordinals.length)
                    .filter(ordinal -> Arrays.binarySearch(ordinals, ordinal) < 0)
                    .limit(count)
                    .forEach(ordinal -> guess.accept(fit.apply(ordinal)));
        }
    },

    /** Each bit of a key as a sum, modulo 2, of bits of the key before it: a shift register. */
    XOR_LINEAR_RECURRENCE {
        @Override
        void predict(int[] seen, int[] ordinals, int count, IntConsumer guess) {
            XorFit fit = new XorFit();
            for (int i = 1; i < seen.length; i++) {
                fit.add(Integer.toUnsignedLong(seen[i - 1]), seen[i]);
            }
            int key = seen[seen.length - 1];
            for (int i = 0; i < count; i++) {
                key = fit.apply(Integer.toUnsignedLong(key));
                guess.accept(key);
            }
        }
    };

    private static final int VARIANT_BITS = 8;
    private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
    private static final int INDEX_MASK = 0xff_ffff;

    /**
     * Makes about so many guesses.
     *
     * @param seen keys in the order in which they were given out
     * @param ordinals the how manieth each of them was, from 1, ascending
     */
    abstract void predict(int[] seen, int[] ordinals, int count, IntConsumer guess);

    private static int favouriteVariant(int[] seen) {
        int[] frequencies = new int[VARIANT_MASK + 1];
        for (int key : seen) {
            frequencies[key & VARIANT_MASK]++;
        }
        int favourite = 0;
        for (int variant = 1; variant <= VARIANT_MASK; variant++) {
            favourite = frequencies[variant] > frequencies[favourite] ? variant : favourite;
        }
        return favourite;
    }

    /** {@code x -> a x + c}, with the factor that most successive differences agree with. */
    private static IntUnaryOperator congruential(int[] seen, int mask) {
        Map<Integer, Integer> factors = new HashMap<>();
        for (int i = 2; i < seen.length; i++) {
            int before = seen[i - 1] - seen[i - 2] & mask;
            int after = seen[i] - seen[i - 1] & mask;
            int zeros = Integer.numberOfTrailingZeros(before);
            if (before != 0 && Integer.numberOfTrailingZeros(after) >= zeros) {
                factors.merge((after >>> zeros) * inverse(before >>> zeros) & mask >>> zeros, 1, Integer::sum);
            }
        }
        int factor = factors.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(1);
        int constant = seen[seen.length - 1] - factor * seen[seen.length - 2];
        return value -> factor * value + constant & mask;
    }

    /** Of an odd number modulo 2^32, by Newton's method. */
    private static int inverse(int odd) {
        int inverse = odd;
        for (int correctBits = 3; correctBits < Integer.SIZE; correctBits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
