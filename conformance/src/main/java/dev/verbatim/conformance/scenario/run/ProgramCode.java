// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.control.Condition;
import dev.verbatim.conformance.scenario.step.control.If;
import dev.verbatim.conformance.scenario.step.control.While;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The steps of a program one behind the other, and where it is. What decides which is next is between the steps and takes none of its own:
 * it looks at registers that only this program sets.
 */
final class ProgramCode {

    /** A step, and where it is in the file. */
    record Placed(Step step, String path, String label) {}

    /** A place in the code: a step, or a jump to {@code target}. */
    private sealed interface Instruction {
        record Take(Placed placed) implements Instruction {}

        /** Jumps if the condition does not hold. */
        record Unless(Condition condition, int target, Placed placed) implements Instruction {}

        /** The same, and gives the run up where it has not jumped for {@code most} times. */
        record Round(Condition condition, int target, int most, Placed placed) implements Instruction {}

        record Jump(int target) implements Instruction {}
    }

    private final StepContext context;
    private final List<Instruction> code = new ArrayList<>();
    private final int[] rounds;
    private int next;

    ProgramCode(StepContext context, List<Step> steps, String path) {
        this.context = context;
        add(steps, path, "step ");
        this.rounds = new int[code.size()];
        skip();
    }

    private void add(List<Step> steps, String path, String label) {
        for (int i = 0; i < steps.size(); i++) {
            Placed placed = new Placed(steps.get(i), path + "[" + i + "]", label + (i + 1));
            if (placed.step instanceof If branch) {
                int test = hole();
                add(branch.then(), placed.path + ".then", placed.label + ", then ");
                int end = branch.otherwise().isEmpty() ? -1 : hole();
                code.set(test, new Instruction.Unless(branch.condition(), code.size(), placed));
                if (end >= 0) {
                    add(branch.otherwise(), placed.path + ".else", placed.label + ", else ");
                    code.set(end, new Instruction.Jump(code.size()));
                }
            } else if (placed.step instanceof While loop) {
                int test = hole();
                add(loop.body(), placed.path + ".do", placed.label + ", do ");
                code.add(new Instruction.Jump(test));
                code.set(test, new Instruction.Round(loop.condition(), code.size(), loop.most(), placed));
            } else {
                code.add(new Instruction.Take(placed));
            }
        }
    }

    /** A place that is filled when what follows is known. */
    private int hole() {
        code.add(new Instruction.Jump(0));
        return code.size() - 1;
    }

    /** Whether no step is left. */
    boolean isAtEnd() {
        return next >= code.size();
    }

    /** The next step. */
    Placed current() {
        return ((Instruction.Take) code.get(next)).placed;
    }

    /** The step was taken. */
    void advance() {
        next++;
        skip();
    }

    /** Goes on to a step. */
    private void skip() {
        while (!isAtEnd() && !context.isDiscarded() && !(code.get(next) instanceof Instruction.Take)) {
            Instruction instruction = code.get(next);
            if (instruction instanceof Instruction.Jump jump) {
                next = jump.target;
            } else if (instruction instanceof Instruction.Unless unless) {
                next = holds(unless.condition, unless.placed) ? next + 1 : unless.target;
            } else if (instruction instanceof Instruction.Round round) {
                next = roundFrom(round);
            }
        }
    }

    private int roundFrom(Instruction.Round round) {
        if (!holds(round.condition, round.placed)) {
            rounds[next] = 0;
            return round.target;
        }
        if (rounds[next]++ == round.most) {
            context.discard();
        }
        return next + 1;
    }

    private boolean holds(Condition condition, Placed placed) {
        context.at(placed.path, () -> placed.label);
        return condition.holds(context);
    }

    /** What is left of {@code type}, whatever decides about it. */
    boolean skipTo(Class<? extends Step> type) {
        while (!isAtEnd() && !(code.get(next) instanceof Instruction.Take take && type.isInstance(take.placed.step))) {
            next++;
        }
        return !isAtEnd();
    }

    /** Whether a step of {@code type} is left. */
    boolean hasLeft(Class<? extends Step> type) {
        return code.subList(Math.min(next, code.size()), code.size()).stream()
                .anyMatch(each -> each instanceof Instruction.Take take && type.isInstance(take.placed.step));
    }

    /** All of its steps. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Instruction each : code) {
            if (each instanceof Instruction.Take take) {
                steps.add(take.placed.step);
            }
        }
        return steps;
    }

    /** Whether no step was taken yet. */
    boolean isAtBegin() {
        return next == 0;
    }

    @Override
    public String toString() {
        return "program of " + code.size() + " places at " + next + ", rounds " + Arrays.toString(rounds);
    }
}
