// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.sim.WakeupTree.Wakeup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * The events of one run, and which of them may come in another order: that is to be explored from the earlier one on. See
 * {@link DepthFirstExploration}.
 */
final class Races {

    /** The event with which time passes. Nothing else is possible then, so everything before it comes before it. */
    private static final String TIME = "time passes";

    /** A program that waits where nothing is possible, before the event with that number. */
    private record Waiting(int at, String key, Footprint looks) {}

    private final boolean inOrder;
    private final boolean hasFaults;
    private final List<ExplorationNode> run = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private int firstNew;
    private List<String> atEnd = List.of();

    /**
     * Of no run yet.
     *
     * @param inOrder whether some order is fixed, so that what may be next depends on what else is possible
     * @param hasFaults whether a packet can overtake another
     */
    Races(boolean inOrder, boolean hasFaults) {
        this.inOrder = inOrder;
        this.hasFaults = hasFaults;
    }

    /** A run begins, which is like the one before up to the event with that number. */
    void begin(int firstNew) {
        this.firstNew = firstNew;
        run.clear();
        waiting.clear();
        atEnd = List.of();
    }

    /** The next event of the run is that of the node. */
    void add(ExplorationNode node) {
        run.add(node);
    }

    /** The run ends although these are possible. */
    void endsBefore(List<String> possible) {
        atEnd = possible;
    }

    /** Nothing is possible, and the program waits for what it looks at here. */
    void waits(String key, Footprint looks) {
        waiting.add(new Waiting(run.size(), key, new Footprint().addAll(looks)));
    }

    /** Adds to the nodes of the run what is to be explored because of it. */
    void find(boolean isCutShort) {
        int count = run.size();
        while (count > 0 && run.get(count - 1).seen() == null) {
            // It did not come to its end.
            count--;
        }
        for (int i = firstNew; i < count; i++) {
            order(i);
        }
        for (int i = Math.max(0, firstNew - 1); i < count; i++) {
            if (i < run.size() - 1 || !isCutShort) {
                reverseWhatIsMadeImpossible(i);
            }
        }
        for (Waiting program : waiting) {
            int end = Math.min(count, program.at);
            for (int i = end - 1; i >= 0 && !isTime(i); i--) {
                if (!key(i).equals(program.key) && footprint(i).conflictsWith(program.looks)) {
                    leaveOut(i, end);
                }
            }
        }
    }

    private String key(int index) {
        return run.get(index).takenKey();
    }

    private Wakeup seen(int index) {
        return Objects.requireNonNull(run.get(index).seen());
    }

    private Footprint footprint(int index) {
        return seen(index).footprint();
    }

    private boolean isTime(int index) {
        return key(index).equals(TIME);
    }

    /** What comes before the event, and what of that could come behind it. */
    private void order(int later) {
        String key = key(later);
        int since = possibleSince(later);
        BitSet before = new BitSet(later);
        List<Integer> racing = new ArrayList<>();
        int own = -1;
        for (int i = later - 1; i >= 0; i--) {
            boolean isOwn = key(i).equals(key);
            own = isOwn ? Math.max(own, i) : own;
            if (before.get(i)) {
                continue;
            }
            boolean madePossible = i == since - 1;
            if (isOwn || madePossible || footprint(i).conflictsWith(footprint(later))) {
                boolean isFixed = isOwn || madePossible || isTime(i) || isTime(later) || isInTurn(i, later, since);
                if (!isFixed && footprint(i).racesWith(footprint(later), since <= i)) {
                    racing.add(i);
                }
                before.set(i);
                before.or(run.get(i).before());
            }
        }
        run.get(later).before(before);
        for (int i : racing) {
            List<Wakeup> sequence = apart(i, later);
            sequence.add(new Wakeup(key, new int[0], footprint(later)));
            insert(i, sequence);
        }
        if (run.get(later).isOfProgram() && since - 1 > own && !isTime(later)) {
            for (int i = later - 1; i > own && !isTime(i); i--) {
                if (!racing.contains(i) && i != since - 1 && footprint(i).conflictsWith(footprint(later))) {
                    // It waited, and this may have been what made it wait.
                    leaveOut(i, later);
                }
            }
        }
    }

    /** Since which node the event has been possible all the time, and has not been taken. */
    private int possibleSince(int index) {
        String key = key(index);
        int since = index;
        while (since > 0 && !key(since - 1).equals(key) && run.get(since - 1).indexOf(key) >= 0) {
            since--;
        }
        return since;
    }

    /** Completions of a queue pair, and packets of a way, come in their order unless a fault changes it. */
    private boolean isInTurn(int earlier, int later, int since) {
        return !hasFaults && since > earlier && process(key(earlier)).equals(process(key(later)));
    }

    /** What has the number; events that are not numbered are on their own. */
    private static String process(String key) {
        int end = key.length();
        while (end > 0 && Character.isDigit(key.charAt(end - 1))) {
            end--;
        }
        String process = key.substring(0, end);
        boolean isNumbered = end < key.length() && (process.endsWith(" packet ") || process.endsWith("completion "));
        return isNumbered ? process : key;
    }

    /** The events behind one and up to another that do not depend on it. */
    private List<Wakeup> apart(int earlier, int end) {
        List<Wakeup> events = new ArrayList<>();
        for (int i = earlier + 1; i < end; i++) {
            if (!run.get(i).before().get(earlier)) {
                events.add(seen(i));
            }
        }
        return events;
    }

    /** Without the event, those behind it that do not depend on it may lead to something else. */
    private void leaveOut(int index, int end) {
        List<Wakeup> sequence = apart(index, end);
        if (!sequence.isEmpty()) {
            insert(index, sequence);
        }
    }

    private void reverseWhatIsMadeImpossible(int index) {
        ExplorationNode node = run.get(index);
        List<String> next = index < run.size() - 1 ? List.of(run.get(index + 1).keys) : atEnd;
        for (String key : node.keys) {
            if (!key.equals(node.takenKey()) && !next.contains(key)) {
                insert(index, List.of(Wakeup.unknown(key)));
            }
        }
    }

    private void insert(int index, List<Wakeup> sequence) {
        run.get(index).insert(sequence, inOrder);
    }

    @Override
    public String toString() {
        return "races of a run of " + run.size() + " events";
    }
}
