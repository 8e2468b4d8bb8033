// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What was found, each once; what is silenced; and which bytes no program reads. For any thread. */
final class Findings {

    private static final int MOST = 1_000;

    private final Map<Mistake, String> silenced = new EnumMap<>(Mistake.class);
    private final List<Finding> found = new ArrayList<>();
    private final Set<List<Object>> known = new HashSet<>();
    private final List<Range> scratch = new ArrayList<>();
    private final List<Range> checksummed = new ArrayList<>();
    private long more;
    private @Nullable Consumer<Finding> listener;

    /** Is told of each from now on. */
    synchronized void listener(Consumer<Finding> told) {
        listener = told;
    }

    synchronized boolean areTold() {
        return listener != null;
    }

    synchronized void silence(Mistake mistake, String reason) {
        silenced.put(mistake, reason);
    }

    synchronized Map<Mistake, String> silenced() {
        return new EnumMap<>(silenced);
    }

    synchronized boolean isSilenced(Mistake mistake) {
        return silenced.containsKey(mistake);
    }

    synchronized void addScratch(Range range) {
        scratch.add(range);
    }

    synchronized boolean isScratch(Range range) {
        return isCovered(scratch, range);
    }

    synchronized void addChecksummed(Range range) {
        checksummed.add(range);
    }

    synchronized boolean isChecksummed(Range range) {
        return isCovered(checksummed, range);
    }

    private static boolean isCovered(List<Range> ranges, Range range) {
        for (Range each : ranges) {
            if (each.covers(range)) {
                return true;
            }
        }
        return false;
    }

    /** Adds a finding, unless its mistake is silenced or it was found at the same places before. */
    synchronized void report(Finding finding) {
        List<String> places = finding.places().stream().sorted().toList();
        boolean isNew = places.stream().allMatch(String::isEmpty)
                ? known.add(List.of(finding.mistake(), finding.sentence()))
                : known.add(List.of(finding.mistake(), places));
        if (!isNew || silenced.containsKey(finding.mistake())) {
            return;
        }
        if (found.size() == MOST) {
            more++;
            return;
        }
        found.add(finding);
        if (listener != null) {
            listener.accept(finding);
        }
    }

    /** In order, at most a thousand. */
    synchronized List<Finding> list() {
        return List.copyOf(found);
    }

    /** How many there were beyond those. */
    synchronized long more() {
        return more;
    }
}
