// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Mappings of several sorts, told apart by a key that only one of them has. */
public final class Variants<R> implements Form<R> {

    private final String what;
    private final @Nullable String name;
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
        this(what, null);
    }

    /**
     * None yet.
     *
     * @param what with an article
     * @param name for the schema, where a sort has others inside; null for none
     */
    public Variants(String what, @Nullable String name) {
        this.what = what;
        this.name = name;
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
                    first.mark(), first.text() + " is no " + bare() + "; " + NearestWord.advice(first.text(), heads()));
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

    /** The sort is chosen by its head, so that what is wrong is told of that sort alone. */
    @Override
    public Schema schema(Schema.Definitions definitions) {
        return name == null ? sorts(definitions) : definitions.refer(name, () -> sorts(definitions));
    }

    private Schema sorts(Schema.Definitions definitions) {
        Schema schema = headless();
        List<String> order = inOrder();
        for (int i = order.size() - 1; i >= 0; i--) {
            Variant<R, ?> variant = Objects.requireNonNull(byHead.get(order.get(i)));
            Schema hasHead = Schema.of("required", List.of(order.get(i)));
            schema = Schema.choose(hasHead, variant.mapping().schema(definitions), schema);
        }
        return schema.with("properties", described());
    }

    /** A head that is also a key of another sort tells its own only where the head of the other is not there. */
    private List<String> inOrder() {
        List<String> order = new ArrayList<>();
        while (order.size() < byHead.size()) {
            List<String> next = heads().stream()
                    .filter(head -> !order.contains(head))
                    .filter(head -> byHead.entrySet().stream()
                            .filter(other -> !other.getKey().equals(head) && !order.contains(other.getKey()))
                            .noneMatch(other ->
                                    other.getValue().mapping().keyNames().contains(head)))
                    .toList();
            if (next.isEmpty()) {
                throw new IllegalStateException(what + " has sorts with keys of each other; rename one");
            }
            order.addAll(next);
        }
        return order;
    }

    /** Where no head is there, keys that belong to none are wrong, and if there are no such, that the head is missing. */
    private Schema headless() {
        Map<String, Object> known = new TreeMap<>();
        byHead.values().forEach(variant -> variant.mapping().keyNames().forEach(key -> known.put(key, true)));
        return Schema.choose(
                Schema.onlyKeys(known.keySet()),
                Schema.of("not", Map.of()),
                Schema.of("properties", known).with("additionalProperties", false));
    }

    /** What editors offer. */
    private Map<String, Object> described() {
        Map<String, Object> heads = new LinkedHashMap<>();
        byHead.forEach((head, variant) -> heads.put(
                head, Schema.of("description", variant.mapping().help(head)).json()));
        return heads;
    }
}
