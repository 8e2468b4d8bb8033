// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cycle of accesses: what programs do in which order, and the outcome that no order of all accesses explains. As in herd's diy, an
 * external edge leads to the next program, and a Pod edge to the next location.
 */
public final class Cycle {

    /** Most edges. */
    public static final int MOST_EDGES = 12;

    private static final List<String> LOCATIONS = List.of("x", "y", "z", "w", "v", "u");

    private final String text;
    private final List<Edge> edges;
    private final List<Step> steps = new ArrayList<>();

    /**
     * An access of the cycle.
     *
     * @param program number of its program, from 0 on
     * @param location name of what it accesses
     * @param writes whether it writes; otherwise it reads
     * @param order of a write, how many writes of the location there are up to this one in the order of the outcome; of a read, how many
     *     there are before it: 0 if it reads the initial value
     */
    record Step(int program, String location, boolean writes, int order) {}

    private Cycle(String text, List<Edge> edges) {
        this.text = text;
        this.edges = edges;
    }

    /**
     * Reads edges with spaces between, such as {@code PodWW Rfe PodRR Fre}.
     *
     * @throws IllegalArgumentException if that is no cycle, or a larger one than is supported
     */
    public static Cycle parse(String text) {
        List<Edge> edges =
                Arrays.stream(text.strip().split("\\s+")).map(Edge::parse).collect(Collectors.toList());
        String canonical = edges.stream().map(Edge::toString).collect(Collectors.joining(" "));
        check(canonical, edges);
        // The first access is the first of its program; with one program, what contradicts its order comes last.
        while (!edges.get(edges.size() - 1).isExternal()
                && (edges.stream().anyMatch(Edge::isExternal)
                        || !edges.get(edges.size() - 1).communicates())) {
            Collections.rotate(edges, -1);
        }
        Cycle cycle = new Cycle(canonical, List.copyOf(edges));
        cycle.place();
        return cycle;
    }

    private static void check(String text, List<Edge> edges) {
        if (edges.size() < 2 || edges.size() > MOST_EDGES) {
            throw refused(text, "has " + edges.size() + " edges, which is not in 2.." + MOST_EDGES);
        }
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            Edge next = edges.get((i + 1) % edges.size());
            if (edge.secondWrites() != next.firstWrites()) {
                throw refused(
                        text,
                        edge + " ends with a " + (edge.secondWrites() ? "write" : "read") + ", and " + next
                                + " behind it begins with a " + (next.firstWrites() ? "write" : "read"));
            }
        }
        long external = edges.stream().filter(Edge::isExternal).count();
        long moves = edges.stream().filter(edge -> !edge.staysAtLocation()).count();
        if (edges.stream().noneMatch(Edge::communicates) || edges.stream().allMatch(Edge::communicates)) {
            throw refused(text, "needs a communication and an order of a program at least");
        }
        if (external == 1) {
            throw refused(
                    text,
                    "has one external edge, so it does not come back to its first program; use none, or two at least");
        }
        if (moves == 1 || moves > LOCATIONS.size()) {
            throw refused(text, "has " + moves + " Pod edges; use none, or 2 to " + LOCATIONS.size());
        }
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("cycle \"" + text + "\" " + why);
    }

    /** Gives each access its program, location and order. */
    private void place() {
        int moves = (int) edges.stream().filter(edge -> !edge.staysAtLocation()).count();
        int program = 0;
        int location = 0;
        List<Integer> locations = new ArrayList<>();
        List<Integer> programs = new ArrayList<>();
        for (Edge edge : edges) {
            locations.add(location);
            programs.add(program);
            program += edge.isExternal() ? 1 : 0;
            location = edge.staysAtLocation() ? location : (location + 1) % moves;
        }
        int[] orders = orders(locations, Math.max(1, moves));
        for (int i = 0; i < edges.size(); i++) {
            steps.add(new Step(
                    programs.get(i),
                    LOCATIONS.get(locations.get(i)),
                    edges.get(i).firstWrites(),
                    orders[i]));
        }
    }

    /** Accesses of a location follow each other in the cycle as in the outcome, from where the order of a program leads to the location. */
    private int[] orders(List<Integer> locations, int count) {
        int start = 0;
        while (edges.get((start + edges.size() - 1) % edges.size()).communicates()
                || (count > 1
                        && edges.get((start + edges.size() - 1) % edges.size()).staysAtLocation())) {
            start++;
        }
        int[] writes = new int[count];
        int[] orders = new int[edges.size()];
        for (int i = start; i < start + edges.size(); i++) {
            int at = i % edges.size();
            int location = locations.get(at);
            writes[location] += edges.get(at).firstWrites() ? 1 : 0;
            orders[at] = writes[location];
        }
        if (Arrays.stream(writes).anyMatch(each -> each > 2)) {
            throw refused(text, "has more than two writes of one location, whose order no final value shows");
        }
        return orders;
    }

    /** Its accesses in the order of the cycle, which is that of each program too. */
    List<Step> steps() {
        return steps;
    }

    /** The edge from one access to the next; from the last to the first. */
    Edge edge(int from) {
        return edges.get(from);
    }

    /** The accesses of a program, by their numbers in the cycle. */
    List<Integer> ofProgram(int program) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).program() == program) {
                found.add(i);
            }
        }
        return found;
    }

    /** How many programs there are. */
    public int programs() {
        return steps.get(steps.size() - 1).program() + 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cycle cycle && cycle.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Its edges as they were given. */
    @Override
    public String toString() {
        return text;
    }
}
