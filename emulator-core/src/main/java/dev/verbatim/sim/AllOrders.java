// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A walk through all orders where points fix some, beside the one that keeps to what the points permit.
 *
 * <p>A point that is off forbids orders, and adds nothing. Still the walk that keeps to the points may need many more runs than one with all
 * points on: two events that do not touch each other need not both be permitted orders, so that what ends alike is walked through several times.
 * Here runs that end alike have the same events, and those whose footprints conflict in the same order. Of these the walk comes to one, in
 * whatever order, and {@link OrderSearch} says whether the points permit another of its orders. Only then it counts, by that order.
 *
 * <p>No outcome is lost: each run that the points permit is one of those of which the walk comes to one, and the search leaves out no
 * order. None is added, since a run counts only as it was made in an order that is permitted. A run that ends as a permitted
 * one did shows nothing new, and no order is searched.
 *
 * <p>What the walk cannot decide ends it: a run that fails, or is too long, in an order that is not permitted; a search that takes too long.
 */
final class AllOrders {

    /** So many runs a search takes at most. */
    private static final int MOST_RUNS_OF_SEARCH = 1_000;

    /** So many runs the two walks make in turn at first: small programs end there. */
    private static final long IN_TURN = 8;

    /** From then on the other walk makes one run for so many of this one, less those of searches. */
    private static final long SHARE = 2;

    /** It makes one of so many at least. */
    private static final long LEAST_SHARE = 16;

    private final Exploration.SharedProgram program;
    private final OpenChoices openChoices;
    private final RunMaker runs;
    private long walked;
    private long searched;

    /** @param runs those of a walk {@linkplain DepthFirstExploration#inAllOrders in all orders} */
    AllOrders(Exploration.SharedProgram program, OpenChoices openChoices, RunMaker runs) {
        this.program = program;
        this.openChoices = openChoices;
        this.runs = runs;
    }

    DepthFirstExploration walk() {
        return runs.walk();
    }

    /** The same, from where another walk was. */
    AllOrders goingOn(List<ExplorationNode> path) {
        runs.walk().goOn(path);
        return this;
    }

    /**
     * Whether this walk makes the next run, where the one that keeps to what is permitted, which begins, has made so many. Both together make at
     * most twice as many as this one makes without its searches, as long as these take fewer than half of that.
     */
    boolean isNext(long runsOfOther) {
        return runsOfOther > 0
                && runsOfOther + searched >= Math.max(Math.min(walked, IN_TURN), walked / SHARE)
                && LEAST_SHARE * (runsOfOther + 1) > walked + searched;
    }

    /** Turns to the next run; false if there is none. */
    boolean advance() {
        return runs.advance();
    }

    /** Has the walk itself come to the next run. */
    void settle() {
        runs.settle();
    }

    /**
     * Makes the next run, and those that the search for its order takes.
     *
     * @return false if it is not decided which outcomes are permitted
     * @throws FailedRun if the program throws anything in an order that is permitted
     */
    boolean makeRun(Findings findings) {
        DepthFirstExploration walk = runs.walk();
        walked++;
        MadeRun run;
        try {
            run = runs.makeRun();
        } catch (FailedRun e) {
            if (walk.isPermitted()) {
                throw e;
            }
            findings.addAbandoned(walk.events());
            return false;
        }
        Supplier<String> outcome = run.outcome();
        if (outcome != null && run.isPermitted()) {
            findings.add(run);
            return true;
        }
        findings.addAbandoned(run.events());
        return !run.isCutShort()
                && (outcome == null || findings.has(outcome.get()) || isSearched(run.path(), outcome.get(), findings));
    }

    /** Whether it is known now whether an order of the run is permitted. */
    private boolean isSearched(List<ExplorationNode> path, String outcome, Findings findings) {
        OrderSearch search = new OrderSearch(openChoices, path);
        if (search.isImpossible()) {
            return true;
        }
        for (int left = MOST_RUNS_OF_SEARCH; left > 0; left--) {
            searched++;
            Supplier<String> found = runOnce(search);
            if (found != null) {
                findings.add(search, found.get());
                return found.get().equals(outcome);
            }
            findings.addAbandoned(search.events());
            if (search.isDifferent()) {
                return false;
            }
            if (!search.advance()) {
                return true;
            }
        }
        return false;
    }

    /** The outcome if the search is over; null if it came to a dead end. */
    private @Nullable Supplier<String> runOnce(OrderSearch search) {
        search.begin();
        try {
            Supplier<String> outcome = program.run(search);
            return search.isPermitted() ? outcome : null;
        } catch (DepthFirstExploration.RunAbandoned e) {
            return null;
        } catch (RuntimeException | Error e) {
            if (search.isGivenUp()) {
                // The program made something else of what it should have let pass.
                return null;
            }
            throw new FailedRun(search.choices(), null, e);
        }
    }

    @Override
    public String toString() {
        return "all orders of " + runs;
    }
}
