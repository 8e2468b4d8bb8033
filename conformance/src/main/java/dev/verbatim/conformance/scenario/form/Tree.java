// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.List;

/** What a YAML file holds, and where each part of it stands. */
sealed interface Tree {

    Mark mark();

    /** What it is, for messages. */
    String describe();

    /**
     * A single value.
     *
     * @param plain whether it stood without quotes, and so may be a number or a truth value
     */
    record Scalar(Mark mark, String text, boolean plain) implements Tree {
        @Override
        public String describe() {
            return plain ? text.isEmpty() ? "nothing" : text : '"' + text + '"';
        }
    }

    /** A list. */
    record Items(Mark mark, List<Tree> items) implements Tree {
        @Override
        public String describe() {
            return "a list of " + items.size();
        }
    }

    /** A mapping, its entries in the order of the file; a key may stand there twice. */
    record Entries(Mark mark, List<Entry> entries) implements Tree {
        @Override
        public String describe() {
            return entries.isEmpty()
                    ? "an empty mapping"
                    : "a mapping with key " + entries.get(0).key().text();
        }
    }

    /** One key of a mapping with its value. */
    record Entry(Scalar key, Tree value) {}
}
