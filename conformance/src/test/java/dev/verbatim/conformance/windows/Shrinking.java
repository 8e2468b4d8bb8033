// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Leaves steps out of a program as long as what is left fails too, long runs of steps first. Steps mean the same whatever is
 * left out before them, so this finds small programs sooner than changing values would.
 */
public final class Shrinking {

    private static final int MOST_RUNS = 3_000;

    private final Consumer<Program> run;
    private int runsLeft = MOST_RUNS;
    private Mismatch smallest;
    private List<Step> steps;

    private Shrinking(Mismatch failure, Consumer<Program> run) {
        this.run = run;
        this.smallest = failure;
        this.steps = failure.program().steps();
    }

    /** The failure of a small program that comes of one that failed so; what comes after the failing step is left out. */
    public static Mismatch shrink(Mismatch failure, Consumer<Program> run) {
        Shrinking shrinking = new Shrinking(failure, run);
        int before;
        do {
            before = shrinking.steps.size();
            for (int length = before; length > 0; length /= 2) {
                shrinking.leaveOut(length);
            }
        } while (shrinking.steps.size() < before);
        return shrinking.smallest;
    }

    /** Whatever run of so many steps is not needed. */
    private void leaveOut(int length) {
        for (int from = steps.size() - length; from >= 0; from -= length) {
            List<Step> rest = new ArrayList<>(steps.subList(0, from));
            rest.addAll(steps.subList(Math.min(steps.size(), from + length), steps.size()));
            tryIt(new Program(rest));
        }
    }

    private void tryIt(Program program) {
        if (runsLeft-- <= 0) {
            return;
        }
        try {
            run.accept(program);
        } catch (Mismatch again) {
            smallest = again;
            steps = again.program().steps();
        }
    }
}
