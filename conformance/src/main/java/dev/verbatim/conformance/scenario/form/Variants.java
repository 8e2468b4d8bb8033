// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Mappings of several sorts, told apart by a key that only one of them has. */
public final class Variants<R> implements Form<R> {

    private final String what;
    private final Map<String, Variant<R, ?>> byHead = new LinkedHashMap<>();

    private record Variant<R, V extends R>(Mapping<V> mapping, Class<V> type, Predicate<V> fits) {

        boolean accepts(R value) {
            return type.isInstance(value) && fits.test(type.cast(value));
        }

        Object write(R value) {
            return mapping.write(type.cast(value));
        }
    }

    /** None yet; {@code what} with an article. */
    public Variants(String what) {
        this.what = what;
    }

    /**
     * Adds a sort.
     *
     * @param head the key that tells it
     * @param fits which values of that type it can say; the first sort that can is the one that is written
     */
    public <V extends R> Variants<R> add(String head, Mapping<V> mapping, Class<V> type, Predicate<V> fits) {
        byHead.put(head, new Variant<>(mapping, type, fits));
        return this;
    }

    /** The keys that tell the sorts apart. */
    public List<String> heads() {
        return List.copyOf(byHead.keySet());
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public @Nullable R read(Spot spot) {
        if (!(spot.tree() instanceof Tree.Entries entries) || entries.entries().isEmpty()) {
            return spot.expected(what + "; write it as a mapping with one of the keys " + String.join(", ", heads()));
        }
        List<String> found = new ArrayList<>();
        for (Tree.Entry entry : entries.entries()) {
            if (byHead.containsKey(entry.key().text())) {
                found.add(entry.key().text());
            }
        }
        if (found.isEmpty()) {
            Tree.Scalar first = entries.entries().get(0).key();
            return spot.refuse(
                    first.mark(),
                    first.text() + " begins no " + bare() + "; " + NearestWord.advice(first.text(), heads()));
        }
        Variant<R, ?> variant = byHead.get(found.get(0));
        if (found.size() > 1 && !variantHasAll(variant, found)) {
            return spot.refuse(String.join(" and ", found) + " cannot be one " + bare() + "; make two of it");
        }
        return variant == null ? null : variant.mapping().read(spot);
    }

    private boolean variantHasAll(@Nullable Variant<R, ?> variant, List<String> found) {
        return variant != null && variant.mapping().keyNames().containsAll(found);
    }

    private String bare() {
        return what.substring(what.indexOf(' ') + 1);
    }

    @Override
    public Object write(R value) {
        for (Variant<R, ?> variant : byHead.values()) {
            if (variant.accepts(value)) {
                return variant.write(value);
            }
        }
        throw new IllegalArgumentException(value + " cannot be said in a file; add a word for it");
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        return Schema.anyOf(byHead.values().stream()
                .map(variant -> variant.mapping().schema(definitions))
                .toList());
    }
}
