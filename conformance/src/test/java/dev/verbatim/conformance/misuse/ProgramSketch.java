// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** A scenario of two nodes with two queue pairs between them, step by step; its edges can be removed one by one. */
final class ProgramSketch {

    private static final String NODES = "ab";

    /** A step, and what it is if it orders others: then it may be left out, or be written in another way. */
    private record Line(String text, String without, int edge) {}

    /** What removing an edge means. */
    private final List<String> edges = new ArrayList<>();

    private final List<List<Line>> programs = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<Map<String, Integer>> words = List.of(new LinkedHashMap<>(), new LinkedHashMap<>());
    private final List<Map<String, Integer>> windowed = List.of(new LinkedHashMap<>(), new LinkedHashMap<>());

    /** Declares a word of a node, and returns its name. */
    String word(int node, String stem, int value) {
        String name = stem + NODES.charAt(node);
        words.get(node).putIfAbsent(name, value);
        return name;
    }

    /** Declares a word of a node that a window of its own covers; the window's name ends in {@code w}. */
    String windowedWord(int node, String stem) {
        String name = stem + NODES.charAt(node);
        windowed.get(node).putIfAbsent(name, 0);
        return name;
    }

    /** Adds a step. */
    void step(int node, String text) {
        programs.get(node).add(new Line(text, text, -1));
    }

    /** Adds a step that orders others. */
    void edge(int node, String text, String what) {
        edge(node, text, "", what);
    }

    /** Adds a step that orders others, and what it is without that. */
    void edge(int node, String text, String without, String what) {
        edges.add(what);
        programs.get(node).add(new Line(text, without, edges.size() - 1));
    }

    /** Adds a step that is there only without the last edge. */
    void earlier(int node, String text) {
        programs.get(node).add(new Line("", text, edges.size()));
    }

    /** What each edge is. */
    List<String> edges() {
        return List.copyOf(edges);
    }

    /** The scenario without that edge; with all edges for -1. */
    String scenario(int removed) {
        StringBuilder text = new StringBuilder("title: random\nnodes:\n");
        for (int node = 0; node < NODES.length(); node++) {
            text.append("  ").append(NODES.charAt(node)).append(":\n");
            text.append("    qps: {left: {cq: l, recv_cq: toleft}, right: {cq: r, recv_cq: toright}}\n");
            if (!words.get(node).isEmpty()) {
                text.append("    words: ").append(braces(words.get(node))).append('\n');
            }
            windows(text, node);
            text.append("    leftovers: any\n    program:\n");
            for (Line line : programs.get(node)) {
                String step = line.edge == removed && removed >= 0 ? line.without : line.text;
                if (!step.isEmpty()) {
                    text.append("      - ").append(step).append('\n');
                }
            }
        }
        return text.append("connections:\n  - between: [a.left, b.left]\n  - between: [a.right, b.right]\n")
                .toString();
    }

    private void windows(StringBuilder text, int node) {
        Map<String, Integer> covered = windowed.get(node);
        if (covered.isEmpty()) {
            return;
        }
        StringJoiner regions = new StringJoiner(", ", "{", "}");
        StringJoiner windows = new StringJoiner(", ", "{", "}");
        covered.forEach((word, value) -> {
            regions.add(word + "r: {words: {" + word + ": " + value + "}, access: [LOCAL_WRITE, MW_BIND]}");
            windows.add(word + "w: 2");
        });
        text.append("    regions: ")
                .append(regions)
                .append("\n    windows: ")
                .append(windows)
                .append('\n');
    }

    private static String braces(Map<String, Integer> values) {
        StringJoiner joined = new StringJoiner(", ", "{", "}");
        values.forEach((name, value) -> joined.add(name + ": " + value));
        return joined.toString();
    }
}
