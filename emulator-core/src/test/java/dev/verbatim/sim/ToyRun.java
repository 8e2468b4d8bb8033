// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.ToyProgram.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** One run of a {@link ToyProgram}. */
final class ToyRun {

    private record Event(String key, ChoicePoint point, Runnable action) implements PossibleEvent {}

    private record Late(int number, int cell, int value, ChoicePoint point) {}

    private final ToyProgram program;
    private final Schedule schedule;
    private final boolean forgetsReads;
    private final int[] next;
    private final int[] cells = new int[ToyProgram.CELLS];
    private final List<List<Integer>> registers = new ArrayList<>();
    private final List<Deque<Integer>> queues = new ArrayList<>();
    private final List<Deque<Late>> buffers = new ArrayList<>();
    private boolean timerArmed;
    private Footprint footprint = new Footprint();

    ToyRun(ToyProgram program, Schedule schedule, boolean forgetsReads) {
        this.program = program;
        this.schedule = schedule;
        this.forgetsReads = forgetsReads;
        this.timerArmed = program.hasTimer();
        int processes = program.processes().size();
        this.next = new int[processes];
        IntStream.range(0, processes).forEach(p -> registers.add(new ArrayList<>()));
        IntStream.range(0, processes).forEach(p -> buffers.add(new ArrayDeque<>()));
        IntStream.range(0, ToyProgram.CELLS).forEach(q -> queues.add(new ArrayDeque<>()));
    }

    /** Runs until nothing is possible; the outcome is all cells and registers, and who stands where. */
    String run() {
        for (List<Event> events = possible(); !events.isEmpty(); events = possible()) {
            events.sort(Comparator.comparingInt(each -> EnabledEvents.kind(each.key(), each.point())));
            Event event = events.get(schedule.next(events));
            footprint = new Footprint();
            event.action.run();
            schedule.happened(event, footprint);
        }
        return Arrays.toString(cells) + registers + Arrays.toString(next);
    }

    private List<Event> possible() {
        List<Event> events = new ArrayList<>();
        for (int p = 0; p < next.length; p++) {
            int process = p;
            List<Step> steps = program.processes().get(p);
            if (!buffers.get(p).isEmpty()) {
                // In order: an event for the oldest only.
                Late late = buffers.get(p).getFirst();
                events.add(new Event("place " + p + "/" + late.number(), late.point(), () -> place(process)));
            }
            if (next[p] < steps.size()) {
                Step step = steps.get(next[p]);
                String key = "step " + p + "/" + next[p];
                schedule.awaits(key, awaited(step));
                if (canTake(p, step)) {
                    events.add(new Event(key, step.point(), () -> take(process, step)));
                }
            }
        }
        if (events.isEmpty() && timerArmed) {
            events.add(new Event("timer", ChoicePoint.PROGRAM_STEP, this::expire));
        }
        return events;
    }

    private boolean canTake(int process, Step step) {
        return switch (step.op()) {
            case RECEIVE -> !queues.get(step.target()).isEmpty();
            case AWAIT -> cells[step.target()] >= step.value();
            case AWAIT_TWO -> cells[step.target()] >= step.value() && cells[next(step.target())] >= step.value();
            case FENCE -> buffers.get(process).isEmpty();
            default -> true;
        };
    }

    /** What decides whether the step can be taken, other than what the process itself did. */
    private static Footprint awaited(Step step) {
        Footprint looks = new Footprint();
        switch (step.op()) {
            case RECEIVE -> looks.looksAt("queue " + step.target());
            case AWAIT -> looks.add(access(step.target(), false));
            case AWAIT_TWO -> looks.add(access(step.target(), false)).add(access(next(step.target()), false));
            default -> {}
        }
        return looks;
    }

    private void take(int process, Step step) {
        // The process itself: its place in the program, and its registers.
        footprint.changes("process " + process);
        next[process]++;
        switch (step.op()) {
            case WRITE -> write(step.target(), step.value());
            case READ -> registers.get(process).add(read(step.target()));
            case ADD -> write(step.target(), read(step.target()) + step.value());
            case WRITE_LATER -> {
                footprint.changes("buffer " + process);
                buffers.get(process).addLast(new Late(next[process], step.target(), step.value(), step.point()));
            }
            case FENCE -> footprint.looksAt("buffer " + process);
            case SEND -> {
                footprint.changes("queue " + step.target());
                queues.get(step.target()).addLast(step.value());
            }
            case RECEIVE -> {
                footprint.changes("queue " + step.target());
                registers.get(process).add(queues.get(step.target()).removeFirst());
            }
            case AWAIT -> read(step.target());
            case AWAIT_TWO -> {
                read(step.target());
                read(next(step.target()));
            }
            case CHOOSE -> write(step.target(), schedule.choose(ChoicePoint.KEY_INDEX, step.value() + 2));
            case FAULTY_WRITE -> {
                if (!schedule.chance(ChoicePoint.LINK_DROP, 10)) {
                    write(step.target(), step.value());
                }
            }
            case CANCEL -> {
                int other = step.target() % next.length;
                footprint.changes("buffer " + other);
                buffers.get(other).pollFirst();
            }
        }
    }

    private static int next(int cell) {
        return (cell + 1) % ToyProgram.CELLS;
    }

    private void place(int process) {
        footprint.changes("buffer " + process);
        Late late = buffers.get(process).removeFirst();
        write(late.cell(), late.value());
    }

    private void expire() {
        footprint.everything();
        timerArmed = false;
        write(0, read(0) * 2 + 1);
        write(1, read(1) + 1);
    }

    private int read(int cell) {
        if (!forgetsReads) {
            touch(cell, false);
        }
        return cells[cell];
    }

    private void write(int cell, int value) {
        touch(cell, true);
        cells[cell] = value;
    }

    private void touch(int cell, boolean changes) {
        footprint.add(access(cell, changes));
    }

    private static Footprint.Access access(int cell, boolean changes) {
        return new Footprint.Access("memory", cell * 8L, cell * 8L + 8, changes);
    }
}
