// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.path;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one thread entered between {@link #begin} and {@link #end}. {@link CountingLoader} puts the calls of {@link #enter} and
 * {@link #leave} into each method and constructor that it loads.
 */
public final class CallCount {

    private static final int DEEPEST = 1_000;

    private static volatile Thread counted;
    private static final String[] OWNERS = new String[DEEPEST];
    private static int depth;
    private static int calls;
    private static int moves;
    private static final Set<String> CLASSES = new HashSet<>();
    private static final TreeMap<String, Integer> METHODS = new TreeMap<>();
    private static final List<String> SEQUENCE = new ArrayList<>();

    private CallCount() {}

    /**
     * What was counted.
     *
     * @param calls entries of methods, constructors and lambda bodies
     * @param moves those of them whose caller is in another top-level class
     * @param classes the top-level classes that were entered
     * @param methods how often each method was entered
     * @param sequence the methods in the order of their entry, each indented by its depth
     */
    public record Counted(int calls, int moves, int classes, TreeMap<String, Integer> methods, List<String> sequence) {

        @Override
        public String toString() {
            return "calls=" + calls + " moves=" + moves + " classes=" + classes;
        }
    }

    /** Counts what this thread enters from here on; one thread at a time. */
    public static void begin() {
        depth = 0;
        calls = 0;
        moves = 0;
        CLASSES.clear();
        METHODS.clear();
        SEQUENCE.clear();
        counted = Thread.currentThread();
    }

    /** Ends what {@link #begin} began. */
    public static Counted end() {
        counted = null;
        return new Counted(calls, moves, CLASSES.size(), new TreeMap<>(METHODS), List.copyOf(SEQUENCE));
    }

    /** A method of the top-level class {@code owner} was entered. */
    public static void enter(String owner, String method) {
        if (Thread.currentThread() != counted) {
            return;
        }
        calls++;
        if (depth > 0 && !OWNERS[depth - 1].equals(owner)) {
            moves++;
        }
        SEQUENCE.add("  ".repeat(depth) + method);
        OWNERS[depth++] = owner;
        CLASSES.add(owner);
        METHODS.merge(method, 1, Integer::sum);
    }

    /** The method that was entered last was left. */
    public static void leave() {
        if (Thread.currentThread() == counted && depth > 0) {
            depth--;
        }
    }
}
