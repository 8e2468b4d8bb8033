// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event that is to be explored at a node, and what is to be explored behind it: nothing means whatever comes. */
final class WakeupTree {

    /**
     * An event of a sequence.
     *
     * @param key which event
     * @param chosen what was chosen inside of it
     * @param footprint what it touched where it was seen
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Wakeup(String key, int[] chosen, Footprint footprint) {

        private static final int[] NOTHING = {};

        /** Whatever is chosen in it, and whatever it touches. */
        static Wakeup unknown(String key) {
            return new Wakeup(key, NOTHING, new Footprint().everything());
        }
    }

    private final Wakeup event;
    private final List<WakeupTree> behind = new ArrayList<>(1);

    WakeupTree(Wakeup event) {
        this.event = event;
    }

    Wakeup event() {
        return event;
    }

    List<WakeupTree> behind() {
        return behind;
    }

    /**
     * Adds a sequence unless the trees stand for it already.
     *
     * @param inOrder whether events do not change places, so that only a sequence that begins alike stands for another
     */
    static void insert(List<WakeupTree> trees, List<Wakeup> sequence, boolean inOrder) {
        List<Wakeup> rest = new ArrayList<>(sequence);
        List<WakeupTree> children = trees;
        WakeupTree child = beginning(children, rest, inOrder);
        while (child != null) {
            removeFirst(rest, child.event.key());
            if (rest.isEmpty()) {
                return;
            }
            children = child.behind;
            child = beginning(children, rest, inOrder);
        }
        for (Wakeup event : rest) {
            WakeupTree added = new WakeupTree(event);
            children.add(added);
            children = added.behind;
        }
    }

    private static @Nullable WakeupTree beginning(List<WakeupTree> trees, List<Wakeup> sequence, boolean inOrder) {
        for (WakeupTree tree : trees) {
            if (mayBegin(tree.event.key(), tree.event.footprint(), sequence, inOrder)) {
                return tree;
            }
        }
        return null;
    }

    /** Whether the event may be moved to the beginning of the sequence, or put there, and nothing in it is different for that. */
    static boolean mayBegin(String key, Footprint footprint, List<Wakeup> sequence, boolean inOrder) {
        if (inOrder) {
            return sequence.get(0).key().equals(key);
        }
        for (Wakeup event : sequence) {
            if (event.key().equals(key)) {
                return true;
            }
            if (event.footprint().conflictsWith(footprint)) {
                return false;
            }
        }
        return true;
    }

    private static void removeFirst(List<Wakeup> sequence, String key) {
        for (int i = 0; i < sequence.size(); i++) {
            if (sequence.get(i).key().equals(key)) {
                sequence.remove(i);
                return;
            }
        }
    }

    @Override
    public String toString() {
        return event.key() + (behind.isEmpty() ? "" : " " + behind);
    }
}
