// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gathers what is wrong in a file, and remembers where everything in it stands. */
public final class Problems {

    /** Enough to work on; a file that is no scenario at all would drown its reader. */
    private static final int MOST = 50;

    private final List<Problem> found = new ArrayList<>();
    private final Map<String, Mark> marks = new TreeMap<>();

    /** None yet. */
    public Problems() {}

    void visit(String path, Mark mark) {
        marks.putIfAbsent(path, mark);
    }

    void add(Mark mark, String path, String message) {
        if (found.size() < MOST) {
            found.add(new Problem(mark, path, message));
        }
    }

    /** Says that what stands at the end of {@code path} is wrong, or at the nearest place on the way that is in the file. */
    public void add(String path, String message) {
        String known = marks.isEmpty() ? path : nearest(path);
        add(markOf(path), known, message);
    }

    /** Where the end of the path stands; where it is not in the file, the nearest place on the way that is. */
    public Mark markOf(String path) {
        return marks.getOrDefault(nearest(path), Mark.START);
    }

    private String nearest(String path) {
        String known = path;
        while (!known.isEmpty() && !marks.containsKey(known)) {
            known = known.substring(0, Math.max(0, Math.max(known.lastIndexOf('.'), known.lastIndexOf('['))));
        }
        return known;
    }

    /** Whether nothing is wrong so far. */
    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** What is wrong, from the beginning of the file to its end. */
    public List<Problem> list() {
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt((Problem problem) -> problem.mark().line())
                .thenComparingInt(problem -> problem.mark().column()));
        return sorted;
    }
}
