// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that share cells and queues, small enough that all their outcomes are known: what the schedules of real
 * simulations are tried on.
 *
 * @param processes each a list of steps
 * @param hasTimer whether a timer, which looks at all cells, expires when nothing else is possible
 */
record ToyProgram(List<List<Step>> processes, boolean hasTimer) implements Exploration.Program {

    static final int CELLS = 3;

    enum Op {
        /** Cell := value. */
        WRITE,
        /** Register := cell. */
        READ,
        /** Cell += value. */
        ADD,
        /** The write is in the process' store buffer, and goes to the cell in an event of its own. */
        WRITE_LATER,
        /** Waits until everything in the own store buffer is placed. */
        FENCE,
        /** Queue of that number gets the value. */
        SEND,
        /** Waits for the queue to hold something; register := it. */
        RECEIVE,
        /** Waits for the cell to be at least the value. */
        AWAIT,
        /** Waits for the cell and the next one both to be at least the value. */
        AWAIT_TWO,
        /** Cell := a value chosen below {@code value + 2}. */
        CHOOSE,
        /** Cell := value unless a fault happens. */
        FAULTY_WRITE,
        /** Takes the oldest write out of the store buffer of the process with that number, if any is there. */
        CANCEL
    }

    /**
     * One step.
     *
     * @param target number of the cell, queue or process
     */
    record Step(Op op, int target, int value, ChoicePoint point) {

        static Step of(Op op, int target, int value) {
            return new Step(op, target, value, ChoicePoint.PROGRAM_STEP);
        }
    }

    @SafeVarargs
    static ToyProgram of(List<Step>... processes) {
        List<List<Step>> list = new ArrayList<>();
        for (List<Step> process : processes) {
            list.add(process);
        }
        return new ToyProgram(list, false);
    }

    @Override
    public String run(Schedule schedule) {
        return new ToyRun(this, schedule, false).run();
    }

    /** The same, with footprints that leave out what reads look at. */
    Exploration.Program withFootprintsThatForgetReads() {
        return schedule -> new ToyRun(this, schedule, true).run();
    }
}
