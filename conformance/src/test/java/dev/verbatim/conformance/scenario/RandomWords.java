// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Names, texts and collections drawn from a seed. */
class RandomWords {

    private static final List<String> NAMES =
            List.of("a", "b", "left", "x", "true1", "off", "No", "r_1", "yes", "null");

    final Random random;

    RandomWords(long seed) {
        this.random = new Random(seed);
    }

    String name() {
        return pick(NAMES);
    }

    String text() {
        List<String> texts = List.of(
                "plain words",
                "a: b",
                "# no comment",
                " blank ",
                "\"q\" \\ \t",
                "1",
                "true",
                "- x",
                "{y}",
                "\u00e4\u20ac\ud83d\ude00",
                "two\nlines",
                "",
                "~",
                "x #y",
                "'",
                "\u0085\u2028",
                "yes",
                "a,b");
        return pick(texts);
    }

    <T> Map<String, T> map(int least, int most, Supplier<T> value) {
        Map<String, T> map = new LinkedHashMap<>();
        int size = least + random.nextInt(most - least + 1);
        while (map.size() < size) {
            map.put(name(), value.get());
        }
        return map;
    }

    <T> List<T> list(int most, Supplier<T> item) {
        List<T> list = new ArrayList<>();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            list.add(item.get());
        }
        return list;
    }

    <T> @Nullable T perhaps(Supplier<T> value) {
        return random.nextBoolean() ? value.get() : null;
    }

    <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
