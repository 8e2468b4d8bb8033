// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list; with {@code single}, a list of one may do without its brackets. */
record ListForm<T>(Form<T> form, boolean single) implements Form<List<T>> {

    @Override
    public String what() {
        return (single ? form.what() + ", or a list of such" : "a list, each " + form.what());
    }

    @Override
    public @Nullable List<T> read(Spot spot) {
        if (!(spot.tree() instanceof Tree.Items list)) {
            if (!single) {
                return spot.expected(what());
            }
            T only = form.read(spot);
            return only == null ? null : List.of(only);
        }
        List<T> items = new ArrayList<>();
        boolean good = true;
        for (int i = 0; i < list.items().size(); i++) {
            T item = form.read(spot.item(i, list.items().get(i)));
            if (item == null) {
                good = false;
            } else {
                items.add(item);
            }
        }
        return good ? List.copyOf(items) : null;
    }

    @Override
    public Object write(List<T> value) {
        Object first = single && value.size() == 1 ? form.write(value.get(0)) : List.of();
        return first instanceof List ? value.stream().map(form::write).toList() : first;
    }

    @Override
    public Schema schema(Schema.Definitions definitions) {
        Schema item = form.schema(definitions);
        Schema list = Schema.type("array").with("items", item);
        return single ? Schema.choose(Schema.type("array"), list, item) : list;
    }
}
