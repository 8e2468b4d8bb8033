// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.Rule;
import java.util.List;

/**
 * What a {@link Sanitizer} found.
 *
 * @param mistake which mistake it is
 * @param sentence what happened, with names and numbers
 * @param places where in the source both accesses were posted or made, as {@code File.java:17}, or {@code File.java:17 (called at
 *     Test.java:40)} if methods of the program call each other; one where there is only one, fewer where they are not known ({@link
 *     Sanitizer#withSites})
 * @param object what it is about: a queue pair, a region, a completion queue
 * @param rule the rule that makes it a mistake
 */
public record Finding(Mistake mistake, String sentence, List<String> places, String object, Rule rule) {

    /** Keeps the places. */
    public Finding {
        places = List.copyOf(places);
    }

    /** A finding about an object, under the rule of its mistake. */
    public static Finding of(Mistake mistake, String object, List<String> places, String sentence) {
        return new Finding(mistake, sentence, places, object, mistake.rule());
    }

    /** The same at places of programs. */
    static Finding at(Mistake mistake, String object, List<CallSite> places, String sentence) {
        return of(mistake, object, places.stream().map(CallSite::toString).toList(), sentence);
    }

    /** Whether it fails a test by default. */
    public boolean isError() {
        return mistake.isError();
    }

    /** Mistake, sentence, rule and remedy. */
    @Override
    public String toString() {
        return mistake + " " + mistake.title() + ": " + sentence + " [" + rule.id() + "]; " + mistake.remedy();
    }
}
