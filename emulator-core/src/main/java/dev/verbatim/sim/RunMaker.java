// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the runs of a walk, or takes over those that other threads made for it. */
final class RunMaker implements AutoCloseable {

    private final Exploration.SharedProgram program;
    private final DepthFirstExploration walk;
    private final @Nullable ExplorationThreads workers;
    private final @Nullable RunsAhead ahead;

    /** Runs that others made where the walk is, and how many of them were given out. */
    private RunsAhead.@Nullable Branch branch;

    private int given;

    /** @param workers null if there are none */
    RunMaker(Exploration.SharedProgram program, DepthFirstExploration walk, @Nullable ExplorationThreads workers) {
        this.program = program;
        this.walk = walk;
        this.workers = walk.remembers() ? null : workers;
        this.ahead = this.workers == null ? null : new RunsAhead(this.workers, this::make);
        if (this.workers != null && ahead != null) {
            this.workers.add(ahead);
        }
    }

    DepthFirstExploration walk() {
        return walk;
    }

    /**
     * Makes the next run.
     *
     * @throws FailedRun if the program throws anything
     */
    MadeRun makeRun() {
        if (branch == null && ahead != null) {
            branch = ahead.take(walk.path());
            given = 0;
        }
        return branch == null ? make(walk) : branch.runs().get(given++);
    }

    private MadeRun make(DepthFirstExploration of) {
        return MadeRun.of(of, runOnce(program, of, of));
    }

    /** Turns to the next run; false if there is none. */
    boolean advance() {
        if (branch != null && given < branch.runs().size()) {
            return true;
        }
        boolean goesOn = branch == null ? walk.advance() : branch.end(walk);
        branch = null;
        if (goesOn && ahead != null) {
            ahead.turned(walk);
        }
        return goesOn;
    }

    /** Whether the walk itself has come to the next run. */
    boolean isSettled() {
        return branch == null;
    }

    /** Has the walk itself come to the next run, after {@link #advance}. */
    void settle() {
        if (branch != null) {
            branch = null;
            for (int left = given; left > 0; left--) {
                make(walk);
                walk.advance();
            }
        }
    }

    /** Makes the run to which the walk has come. */
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
