// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one exploration that {@link ExplorationThreads} make before its walk comes to them. The walk stays what it is with one thread: which runs
 * there are, in which order, and what follows from each.
 *
 * <p>Of a node of its path at which another event is to be taken, a {@link Branch} begins with that event: another walk, in a copy of the path,
 * through what lies below. What it does there depends on the way to the node, on the event, and on who sleeps at the node then. So if all this
 * is as it was guessed when the walk comes there, it takes over the runs that were made, what these ask of the nodes above, and the
 * nodes below, where it goes on. It guesses wrong where the walk finds out meanwhile that another event is to be taken before, or
 * that the event before touched more. Then the walk makes the runs itself, which costs time and nothing else.
 *
 * <p>The monitor of the {@link ExplorationThreads} guards all of it.
 */
final class RunsAhead {

    private static final int MOST_BRANCHES = 32;

    /** So many runs of a branch wait for the walk at most, some hundred bytes for one. */
    private static final int MOST_RUNS = 1_000;

    /**
     * So many events these have at most, some hundred bytes for one if their order is not permitted; and they happen again if the walk stops
     * in the midst of them, or is saved.
     */
    private static final int MOST_EVENTS = 20_000;

    /** Makes the run to which a walk has come. */
    interface Maker {

        MadeRun make(DepthFirstExploration walk);
    }

    /** A walk through all that begins with one event at a node of the path. */
    static final class Branch {

        private final ExplorationNode node;

        /** What was taken at the node when the branch began. */
        private final int before;

        /** Copies of the nodes up to that one. */
        private final List<ExplorationNode> way;

        private final DepthFirstExploration walk;
        private final List<MadeRun> runs = new ArrayList<>();
        private int events;
        private boolean isBusy;

        /** The walk has come to it. */
        private boolean isTaken;

        private boolean isOver;
        private boolean hasFailed;

        Branch(DepthFirstExploration of, int depth) {
            this.node = of.path().get(depth);
            this.before = node.taken;
            this.walk = of.ahead(depth);
            this.way = List.copyOf(walk.path());
        }

        /** What was made, in order. */
        List<MadeRun> runs() {
            return runs;
        }

        private boolean isIdle() {
            return !isBusy && !isTaken && !isOver && !hasFailed && runs.size() < MOST_RUNS && events < MOST_EVENTS;
        }

        private boolean isOn(List<ExplorationNode> path) {
            return way.size() <= path.size() && path.get(way.size() - 1) == node;
        }

        private void add(MadeRun run) {
            runs.add(run);
            events += run.events();
        }

        /** Whether another event is taken at the node than when the branch began. */
        private boolean isReached() {
            return node.taken != before;
        }

        private boolean isAsGuessed() {
            return way.get(way.size() - 1).isLike(node);
        }

        /**
         * Lets the walk, which is where the branch began, go on where the branch is, and turn to the next run.
         *
         * @return false if there is none
         */
        boolean end(DepthFirstExploration main) {
            List<ExplorationNode> path = walk.path();
            return main.takeOver(way, isOver ? List.of() : path.subList(way.size(), path.size()));
        }
    }

    private final ExplorationThreads workers;
    private final Maker maker;

    /** In the order in which the walk comes to them: the deepest first. */
    private final List<Branch> branches = new ArrayList<>();

    RunsAhead(ExplorationThreads workers, Maker maker) {
        this.workers = workers;
        this.maker = maker;
    }

    /** The branch that begins where the path ends, if something was made in it; while a run of it is being made, makes others. */
    @Nullable
    Branch take(List<ExplorationNode> path) {
        while (true) {
            synchronized (workers) {
                Branch branch = at(path, path.size() - 1);
                if (branch == null || !branch.isReached()) {
                    return null;
                }
                boolean isWanted = branch.isAsGuessed() && !branch.hasFailed;
                if (!isWanted || !branch.isBusy) {
                    branches.remove(branch);
                    return isWanted && !branch.runs.isEmpty() ? branch : null;
                }
                branch.isTaken = true;
                if (!hasWork()) {
                    workers.await();
                    continue;
                }
            }
            makeRun();
        }
    }

    private @Nullable Branch at(List<ExplorationNode> path, int depth) {
        for (Branch branch : branches) {
            if (depth >= 0 && branch.node == path.get(depth)) {
                return branch;
            }
        }
        return null;
    }

    /**
     * The walk has turned to another run: sees to it that each thread finds a branch, and the walk one while it waits, if the path has so many nodes at
     * which others are to be taken; but for the deepest, to which the walk comes at once.
     */
    void turned(DepthFirstExploration walk) {
        synchronized (workers) {
            List<ExplorationNode> path = walk.path();
            branches.removeIf(branch -> !branch.isOn(path));
            long missing = workers.count()
                    + 1
                    - branches.stream().filter(Branch::isIdle).count();
            boolean isDeepest = true;
            for (int depth = path.size() - 1; depth >= 0 && missing > 0 && branches.size() < MOST_BRANCHES; depth--) {
                ExplorationNode node = path.get(depth);
                if (node.isOfEvents() && node.isOpen()) {
                    if (!isDeepest && at(path, depth) == null) {
                        add(new Branch(walk, depth));
                        missing--;
                        workers.notifyAll();
                    }
                    isDeepest = false;
                }
            }
        }
    }

    private void add(Branch branch) {
        int place = 0;
        while (place < branches.size() && branches.get(place).way.size() > branch.way.size()) {
            place++;
        }
        branches.add(place, branch);
    }

    /** The first with which somebody could go on; null if there is none. */
    private @Nullable Branch idle() {
        for (Branch branch : branches) {
            if (branch.isIdle()) {
                return branch;
            }
        }
        return null;
    }

    /** Makes one run, if there is one to be made. */
    boolean makeRun() {
        Branch branch;
        synchronized (workers) {
            branch = idle();
            if (branch == null) {
                return false;
            }
            branch.isBusy = true;
        }
        MadeRun run = null;
        boolean goesOn = false;
        try {
            run = maker.make(branch.walk).kept();
            goesOn = branch.walk.advance();
        } catch (RuntimeException | Error e) {
            // The walk fails there too, if it comes there.
            run = null;
        }
        synchronized (workers) {
            branch.isBusy = false;
            branch.isOver = !goesOn;
            if (run == null) {
                branch.hasFailed = true;
            } else {
                branch.add(run);
            }
            workers.notifyAll();
        }
        return true;
    }

    /** Whether there is a run to be made. */
    boolean hasWork() {
        return idle() != null;
    }

    @Override
    public String toString() {
        return branches.size() + " branches ahead";
    }
}
