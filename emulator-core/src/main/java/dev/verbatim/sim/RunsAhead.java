// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one exploration that {@link ExplorationThreads} make before its walk comes to them. The walk stays what it is with one thread: which runs
 * there are, in which order, and what follows from each. It is only told of a run that was made already, if it would have decided the
 * same in it, instead of making it.
 *
 * <p>What the walk will do is guessed by walking on, in another copy of its path, from a node where events are left to be taken; so much is sure,
 * that one of them will be taken. The guess is wrong where the walk finds out meanwhile that others are to be taken before, or
 * wakes an event that was taken for asleep. Then the walk makes the rest of that run itself, which costs time and nothing else.
 *
 * <p>The monitor of the {@link ExplorationThreads} guards all of it.
 */
final class RunsAhead {

    /** So many copies of the path are walked on from at most; the deepest, where the walk comes first. */
    private static final int MOST_BRANCHES = 32;

    /** Records of runs to which the walk has not come are so long at most for each thread: some hundred bytes for one. */
    private static final int MOST_WAITING = 100_000;

    /** A branch that the walk has passed is found after so many turns at most. */
    private static final int LOOK_EVERY = 8;

    /** Makes the run that the walk is about to make, with the record in front of it. */
    interface Maker {

        void make(DepthFirstExploration walk, RecordedRun record);
    }

    /** A run that somebody makes, or has made; then {@code record} is there, unless the program failed. */
    private static final class Run {

        private final @Nullable Branch branch;
        private boolean isMade;
        private @Nullable RecordedRun record;

        /** @param branch null if the walk itself makes it */
        Run(@Nullable Branch branch) {
            this.branch = branch;
        }

        int length() {
            return record == null ? 0 : record.length();
        }
    }

    /** A walk in a copy of the path, below a node of which something is left. */
    private static final class Branch {

        /** What was taken on the way to the node. */
        private final int[] way;

        /** What was taken at the node when the copy was made; the branch takes what comes later. */
        private final int taken;

        private final DepthFirstExploration walk;
        private boolean isBusy;

        /** Nothing is left, or another has come there. */
        private boolean isOver;

        /** How many of its runs the walk has not come to. */
        private int waiting;

        Branch(DepthFirstExploration of, int depth) {
            this.way = new int[depth];
            for (int i = 0; i < depth; i++) {
                way[i] = of.path().get(i).taken;
            }
            this.taken = of.path().get(depth).taken;
            this.walk = of.ahead(depth);
        }

        int depth() {
            return way.length;
        }

        boolean isIdle() {
            return !isBusy && !isOver;
        }

        /** How far the path goes the same way. */
        private int common(List<ExplorationNode> path) {
            int common = 0;
            while (common < Math.min(way.length, path.size()) && path.get(common).taken == way[common]) {
                common++;
            }
            return common;
        }

        /** Whether it begins below that node of the path. */
        boolean isAt(List<ExplorationNode> path, int depth) {
            return depth == way.length && common(path) == depth;
        }

        /** Whether it is what goes on where the path is. */
        boolean covers(List<ExplorationNode> path) {
            return !isOver
                    && common(path) == way.length
                    && path.size() > way.length
                    && path.get(way.length).taken != taken;
        }

        /** Whether the walk does not come to it any more. */
        boolean isPassed(List<ExplorationNode> path) {
            int common = common(path);
            if (common == path.size()) {
                return false;
            }
            if (common < way.length) {
                return path.get(common).isOver(way[common]);
            }
            if (isBusy || waiting > 0 || path.get(common).taken == taken) {
                return false;
            }
            List<ExplorationNode> next = walk.path();
            while (common < Math.min(path.size(), next.size()) && path.get(common).taken == next.get(common).taken) {
                common++;
            }
            return isOver
                    || (common < Math.min(path.size(), next.size())
                            && path.get(common).isOver(next.get(common).taken));
        }

        /** The shallowest node of which something is left; -1 if there is none. */
        int firstOpen() {
            List<ExplorationNode> path = walk.path();
            for (int i = way.length; i < path.size(); i++) {
                if (path.get(i).isOpen()) {
                    return i;
                }
            }
            return -1;
        }
    }

    private final ExplorationThreads workers;
    private final Maker maker;
    private final Map<ChoiceList, Run> runs = new LinkedHashMap<>();

    /** The deepest last. */
    private final List<Branch> branches = new ArrayList<>();

    /** How long the records are of the runs that the walk has not come to. */
    private int waiting;

    private long turns;

    RunsAhead(ExplorationThreads workers, Maker maker) {
        this.workers = workers;
        this.maker = maker;
    }

    /**
     * The run that the walk is about to make, if it was made; if it is being made, makes others meanwhile.
     *
     * @return null if the walk has to make it, and then say {@link #made}
     */
    @Nullable
    RecordedRun take(DepthFirstExploration walk) {
        ChoiceList next = walk.choices();
        while (true) {
            synchronized (workers) {
                Run run = runs.get(next);
                if (run == null) {
                    runs.put(next, new Run(null));
                    return null;
                }
                if (run.isMade) {
                    if (run.branch != null) {
                        run.branch.waiting--;
                        release(run);
                    }
                    if (run.record == null) {
                        runs.put(next, new Run(null));
                    } else {
                        runs.remove(next);
                    }
                    return run.record;
                }
                if (idle() == null) {
                    addBranches(walk, 1);
                }
                if (idle() == null) {
                    workers.await();
                    continue;
                }
            }
            makeRun();
        }
    }

    /** The walk has made the run that is next itself. */
    void made(ChoiceList run) {
        synchronized (workers) {
            runs.remove(run);
        }
    }

    /** The walk has turned to another run. */
    void turned(DepthFirstExploration walk) {
        synchronized (workers) {
            List<ExplorationNode> path = walk.path();
            boolean looksAtAll = ++turns % LOOK_EVERY == 0;
            for (int i = branches.size() - 1; i >= 0; i--) {
                Branch branch = branches.get(i);
                if ((looksAtAll || branch.depth() >= path.size()) && branch.isPassed(path)) {
                    remove(branch);
                }
            }
            addBranches(walk, workers.count());
        }
    }

    /** Sees to it that there are so many branches with which somebody could go on, if the path has them: below its deepest nodes. */
    private void addBranches(DepthFirstExploration walk, int wanted) {
        List<ExplorationNode> path = walk.path();
        int found = 0;
        for (int depth = deepestNotCovered(path); depth >= walk.firstEvent() && found < wanted; depth--) {
            Branch present = at(path, depth);
            if (present != null) {
                found += present.isIdle() ? 1 : 0;
            } else if (path.get(depth).isOpen()) {
                if (branches.size() == MOST_BRANCHES && !removeShallowerThan(depth)) {
                    return;
                }
                add(new Branch(walk, depth));
                found++;
                workers.notifyAll();
            }
        }
    }

    /** The place of the deepest node below which nobody is ahead of the walk. */
    private int deepestNotCovered(List<ExplorationNode> path) {
        for (int i = branches.size() - 1; i >= 0; i--) {
            Branch branch = branches.get(i);
            if (branch.covers(path)) {
                return branch.depth();
            }
        }
        return path.size() - 1;
    }

    private @Nullable Branch at(List<ExplorationNode> path, int depth) {
        for (Branch branch : branches) {
            if (branch.isAt(path, depth)) {
                return branch;
            }
        }
        return null;
    }

    private void add(Branch branch) {
        int place = branches.size();
        while (place > 0 && branches.get(place - 1).depth() > branch.depth()) {
            place--;
        }
        branches.add(place, branch);
    }

    /** Makes room for one at that depth. */
    private boolean removeShallowerThan(int depth) {
        Branch shallowest = branches.get(0);
        boolean isShallower = shallowest.depth() < depth && !shallowest.isBusy;
        if (isShallower) {
            remove(shallowest);
        }
        return isShallower;
    }

    private void remove(Branch branch) {
        branches.remove(branch);
        runs.values().removeIf(run -> {
            boolean isLeft = run.branch == branch && run.isMade;
            if (isLeft) {
                release(run);
            }
            return isLeft;
        });
    }

    /** The run does not wait any more: wakes threads that found no room, when there is some again. */
    private void release(Run run) {
        int enough = mostWaiting() / 4;
        boolean wasMuch = waiting > enough;
        waiting -= run.length();
        if (wasMuch && waiting <= enough) {
            workers.notifyAll();
        }
    }

    private int mostWaiting() {
        return MOST_WAITING * (workers.count() + 1);
    }

    /** The deepest with which somebody could go on; null if there is none. Half of the room is for the first that is found. */
    private @Nullable Branch idle() {
        int room = mostWaiting();
        for (int i = branches.size() - 1; i >= 0 && waiting < room; i--) {
            Branch branch = branches.get(i);
            if (branch.isIdle()) {
                return branch;
            }
            room = branch.isOver ? room : mostWaiting() / 2;
        }
        return null;
    }

    /** Makes one run, if there is one to be made. */
    boolean makeRun() {
        Branch branch;
        ChoiceList next;
        Run run;
        synchronized (workers) {
            branch = idle();
            if (branch == null) {
                return false;
            }
            next = branch.walk.choices();
            if (runs.containsKey(next)) {
                branch.isOver = true;
                return true;
            }
            run = new Run(branch);
            runs.put(next, run);
            branch.isBusy = true;
        }
        RecordedRun record = new RecordedRun(branch.walk);
        boolean isGood = false;
        boolean goesOn = false;
        Branch part = null;
        try {
            maker.make(branch.walk, record);
            isGood = true;
            goesOn = branch.walk.advance();
            record.found(branch.walk.found());
            part = goesOn ? partOf(branch) : null;
        } catch (RuntimeException | Error e) {
            // The walk fails there too, if it comes there.
            isGood = false;
        }
        synchronized (workers) {
            branch.isBusy = false;
            branch.isOver = !goesOn;
            run.isMade = true;
            run.record = isGood ? record : null;
            int place = branches.indexOf(branch);
            if (place < 0) {
                runs.remove(next);
            } else {
                branch.waiting++;
                waiting += run.length();
                if (part != null && branches.size() < MOST_BRANCHES) {
                    branches.add(place, part);
                }
            }
            workers.notifyAll();
        }
        return true;
    }

    /** If there are too few for all threads: what comes last of a branch, for another. */
    private @Nullable Branch partOf(Branch branch) {
        synchronized (workers) {
            if (branches.stream().filter(Branch::isIdle).count() >= workers.count()) {
                return null;
            }
        }
        int depth = branch.firstOpen();
        return depth < 0 ? null : new Branch(branch.walk, depth);
    }

    /** Whether there is a run to be made. */
    boolean hasWork() {
        return idle() != null;
    }

    @Override
    public String toString() {
        return runs.size() + " runs ahead in " + branches.size() + " branches";
    }
}
