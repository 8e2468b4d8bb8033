// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** All tests of a shape with some accesses, and some of what can be between them. */
public final class TestVariants {

    /** Most tests of one call. */
    public static final int MOST_TESTS = 10_000;

    private final String shape;
    private final Cycle cycle;
    private final List<Access> accesses;
    private final List<Between> betweens;
    private final boolean severalQps;
    private final List<LitmusTest> found = new ArrayList<>();

    private TestVariants(String shape, Cycle cycle, List<Access> accesses, List<Between> betweens, boolean severalQps) {
        this.shape = shape;
        this.cycle = cycle;
        this.accesses = accesses;
        this.betweens = betweens;
        this.severalQps = severalQps;
    }

    /**
     * The tests.
     *
     * @param shape name of a shape, or edges with spaces between
     * @param accesses any of which each access of the cycle may be
     * @param betweens any of which may be between two accesses of a program
     * @param severalQps whether each access has a queue pair of its own
     * @throws IllegalArgumentException if the shape is unknown, no test is possible, or more than {@value #MOST_TESTS} are
     */
    public static List<LitmusTest> of(String shape, List<Access> accesses, List<Between> betweens, boolean severalQps) {
        Cycle cycle = LitmusTest.cycleOf(shape);
        TestVariants variants =
                new TestVariants(shape.strip().replaceAll("\\s+", "."), cycle, accesses, betweens, severalQps);
        variants.choose(List.of(), List.of());
        if (variants.found.isEmpty()) {
            throw new IllegalArgumentException("no test of " + shape + " has only " + accesses + " with "
                    + names(betweens) + " between; its cycle is " + cycle
                    + ": give --accesses that write and that read,"
                    + " of which store and load are by one program for each location");
        }
        return Collections.unmodifiableList(variants.found);
    }

    private static List<String> names(List<Between> betweens) {
        return betweens.stream()
                .map(between -> between.equals(Between.NOTHING)
                        ? "nothing"
                        : between.toString().replaceAll("-$", ""))
                .toList();
    }

    /** Chooses for one step after the other; what cannot be is left out as soon as that is known. */
    private void choose(List<Access> chosen, List<Between> behind) {
        int next = chosen.size();
        if (next == cycle.steps().size()) {
            add(chosen, behind);
            return;
        }
        for (Access access : accesses) {
            if (access.fits(cycle.steps().get(next).writes())) {
                for (Between between : LitmusTest.isLastOfProgram(cycle, next) ? List.of(Between.NOTHING) : betweens) {
                    choose(with(chosen, access), with(behind, between));
                }
            }
        }
    }

    private void add(List<Access> chosen, List<Between> behind) {
        if (!LitmusTest.whyNot(cycle, chosen, behind).isEmpty()) {
            return;
        }
        if (found.size() == MOST_TESTS) {
            throw new IllegalArgumentException("there are more than " + MOST_TESTS + " tests of " + shape
                    + "; name fewer --accesses or less --between");
        }
        found.add(new LitmusTest(shape, cycle, chosen, behind, severalQps));
    }

    private static <T> List<T> with(List<T> list, T more) {
        List<T> longer = new ArrayList<>(list);
        longer.add(more);
        return longer;
    }
}
