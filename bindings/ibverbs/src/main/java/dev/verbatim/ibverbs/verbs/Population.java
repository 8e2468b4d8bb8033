// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;

/** How many objects of a kind there are. */
final class Population {

    private Population() {}

    /** Of the kind with this word, as functions name it: {@code qp}, {@code mr}. */
    static int of(String word) {
        Table<? extends Struct> table = switch (word) {
            case "pd" -> Pd.TABLE;
            case "mr" -> Mr.TABLE;
            case "mw" -> Mw.TABLE;
            case "cq" -> Cq.TABLE;
            case "qp" -> Qp.TABLE;
            case "srq" -> Srq.TABLE;
            case "ah" -> Ah.TABLE;
            default -> throw new IllegalArgumentException("no objects are called " + word);
        };
        return table.all().size();
    }
}
