// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the runs of a walk: those that other threads made for it are told to it. */
final class RunMaker implements AutoCloseable {

    private final Exploration.SharedProgram program;
    private final DepthFirstExploration walk;
    private final @Nullable ExplorationThreads workers;
    private final @Nullable RunsAhead ahead;

    /** @param workers null if there are none */
    RunMaker(Exploration.SharedProgram program, DepthFirstExploration walk, @Nullable ExplorationThreads workers) {
        this.program = program;
        this.walk = walk;
        this.workers = workers;
        this.ahead = workers == null ? null : new RunsAhead(workers, this::record);
        if (workers != null && ahead != null) {
            workers.add(ahead);
        }
    }

    private void record(DepthFirstExploration of, RecordedRun record) {
        Supplier<String> outcome = runOnce(program, of, record);
        if (outcome != null) {
            record.end(outcome);
        }
    }

    DepthFirstExploration walk() {
        return walk;
    }

    /**
     * Makes the next run.
     *
     * @return null if it did not come to its end
     * @throws FailedRun if the program throws anything
     */
    @Nullable
    Supplier<String> makeRun() {
        if (ahead == null) {
            return runOnce(program, walk, walk);
        }
        RecordedRun record = ahead.take(walk);
        if (record == null) {
            ChoiceList next = walk.choices();
            Supplier<String> outcome = runOnce(program, walk, walk);
            ahead.made(next);
            return outcome;
        }
        return runOnce(
                schedule -> {
                    Supplier<String> outcome = record.tell(walk);
                    return outcome != null ? outcome : program.run(new ContinuedRun(walk));
                },
                walk,
                walk);
    }

    /** Turns to the next run; false if there is none. */
    boolean advance() {
        boolean goesOn = walk.advance();
        if (goesOn && ahead != null) {
            ahead.turned(walk);
        }
        return goesOn;
    }

    /** @param schedule the walk, or what is in front of it */
    static @Nullable Supplier<String> runOnce(
            Exploration.SharedProgram program, DepthFirstExploration walk, Schedule schedule) {
        walk.begin();
        try {
            Supplier<String> outcome = program.run(schedule);
            if (walk.isAbandoned() || walk.isCutShort()) {
                return null;
            }
            if (walk.problem() != null) {
                throw new IllegalStateException(walk.problem());
            }
            walk.end();
            return outcome;
        } catch (DepthFirstExploration.RunAbandoned e) {
            return null;
        } catch (RuntimeException | Error e) {
            if (walk.isAbandoned() || walk.isCutShort()) {
                // The program made something else of what it should have let pass.
                return null;
            }
            throw new FailedRun(walk.isPermitted() ? walk.permittedChoices() : walk.choices(), null, e);
        }
    }

    @Override
    public void close() {
        if (workers != null && ahead != null) {
            workers.remove(ahead);
        }
    }

    @Override
    public String toString() {
        return "runs of " + walk;
    }
}
