// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bits with names: one name or a list of them. */
final class Bits implements Form<Integer> {

    private final Map<String, Integer> byWord;
    private final Form<List<Integer>> words;

    Bits(String what, Map<String, Integer> byWord) {
        this.byWord = byWord;
        this.words = Forms.oneOrMany(new Choice<>(what, byWord));
    }

    @Override
    public String what() {
        return words.what();
    }

    @Override
    public @Nullable Integer read(Spot spot) {
        List<Integer> bits = words.read(spot);
        return bits == null ? null : bits.stream().reduce(0, (a, b) -> a | b);
    }

    @Override
    public Object write(Integer value) {
        List<Object> names = new ArrayList<>();
        int left = value;
        for (Map.Entry<String, Integer> word : byWord.entrySet()) {
            if (word.getValue() != 0 && (value & word.getValue()) == word.getValue()) {
                names.add(word.getKey());
                left &= ~word.getValue();
            }
        }
        if (left != 0) {
            throw new IllegalArgumentException("bits 0x" + Integer.toHexString(left) + " have no word; add one");
        }
        return names;
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return words.schema(definitions);
    }
}
