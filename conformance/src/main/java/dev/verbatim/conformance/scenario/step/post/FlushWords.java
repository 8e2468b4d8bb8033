// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.verbs.FlushTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The words for what a FLUSH is to reach; its length is that of the remote place. */
final class FlushWords {

    private static final Form<Integer> TYPE = Forms.bits("a placement type", types());
    private static final Form<Integer> LEVEL = Forms.oneOf("a level", levels());

    private FlushWords() {}

    /** The keys in a mapping that has more of them. */
    record Keys<R>(Key<R, Integer> type, Key<R, Integer> level) {

        boolean areIn(Values values) {
            return values.orNull(type) != null || values.orNull(level) != null;
        }

        FlushTarget read(Values values) {
            Integer said = values.orNull(type);
            Integer how = values.orNull(level);
            return new FlushTarget(said == null ? FlushTarget.GLOBAL : said, how == null ? FlushTarget.RANGE : how, 0);
        }
    }

    static <R> Keys<R> keys(Mapping<R> mapping, Function<R, @Nullable FlushTarget> target) {
        return new Keys<>(
                mapping.perhaps(
                        "type",
                        TYPE,
                        record -> {
                            FlushTarget flush = target.apply(record);
                            return flush == null || flush.type() == FlushTarget.GLOBAL ? null : flush.type();
                        },
                        "Placement type of a FLUSH: GLOBAL, which it is if left out, PERSISTENT or both."),
                mapping.perhaps(
                        "level",
                        LEVEL,
                        record -> {
                            FlushTarget flush = target.apply(record);
                            return flush == null || flush.level() == FlushTarget.RANGE ? null : flush.level();
                        },
                        "Whether a FLUSH is of the RANGE, or of the whole MR."));
    }

    private static Map<String, Integer> types() {
        Map<String, Integer> words = new LinkedHashMap<>();
        words.put("GLOBAL", FlushTarget.GLOBAL);
        words.put("PERSISTENT", FlushTarget.PERSISTENT);
        return words;
    }

    private static Map<String, Integer> levels() {
        Map<String, Integer> words = new LinkedHashMap<>();
        words.put("RANGE", FlushTarget.RANGE);
        words.put("MR", FlushTarget.REGION);
        return words;
    }
}
