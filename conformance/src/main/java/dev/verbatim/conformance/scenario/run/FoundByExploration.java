// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sim.Explored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What sanitizers found in the executions of an exploration. Executions that end alike and differ in what was found are told apart while
 * it lasts, so that there is an example of each; in its result they are one again.
 */
final class FoundByExploration {

    /** Of executions that are told apart: how they ended, and what was found. */
    private record Kind(String text, ScenarioRun.Result result) {}

    private final Map<String, Kind> kinds = new HashMap<>();

    /**
     * An execution is over.
     *
     * @param text how it ended
     * @return what tells it apart
     */
    String add(String text, ScenarioRun.Result result) {
        String key = result.notes().isEmpty() ? text : text + "\n" + result.notes();
        kinds.putIfAbsent(key, new Kind(text, result));
        return key;
    }

    /** The figures with one outcome for all executions that ended alike. */
    Explored without(Explored explored) {
        return explored.grouped(key -> kind(key).text);
    }

    private Kind kind(String key) {
        Kind kind = kinds.get(key);
        if (kind == null) {
            throw new IllegalStateException("no execution ended as " + key);
        }
        return kind;
    }

    /** Each finding once, with the first kind of executions that had it in the order of their keys, by its example of fewest deviations. */
    List<SeenFinding> seen(Explored explored) {
        // It keeps each finding once, whoever reports it.
        Sanitizer all = Sanitizer.withoutSites();
        List<SeenFinding> seen = new ArrayList<>();
        explored.outcomes().forEach((key, example) -> addNew(key, example, false, all, seen));
        explored.onlySampled().forEach((key, example) -> addNew(key, example, true, all, seen));
        return seen;
    }

    private void addNew(
            String key, Explored.Outcome example, boolean isSampled, Sanitizer all, List<SeenFinding> seen) {
        ScenarioRun.Result result = kind(key).result;
        for (Finding finding : result.notes()) {
            all.report(finding);
            if (all.findings().size() > seen.size()) {
                seen.add(new SeenFinding(finding, result.outcome(), example.example(), isSampled));
            }
        }
    }
}
