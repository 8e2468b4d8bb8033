// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * An event that need not be chosen now, since every run that it could lead to has been explored elsewhere.
 *
 * @param key which event
 * @param footprint all that it touches, whatever is chosen inside of it
 * @param isLast whether a run ended with it
 * @param next where some order is fixed: all that was seen to come next if it were taken now; empty if that was not seen
 */
record SleepSetEntry(String key, Footprint footprint, boolean isLast, List<ExplorationNode> next) {

    /** Whether events go on as with the other one, where nothing is seen to come next. */
    boolean isLike(SleepSetEntry other) {
        return key.equals(other.key) && isLast == other.isLast && footprint.touchesAsMuchAs(other.footprint);
    }

    /** Whether it was seen that the event may be next if the entry were taken now. */
    boolean mayBeFollowedBy(String event) {
        for (ExplorationNode node : next) {
            if (node.indexOf(event) < 0) {
                return false;
            }
        }
        return !next.isEmpty();
    }

    /** The same entry after an event that it sleeps through. */
    SleepSetEntry followedBy(String event, int[] chosen) {
        List<ExplorationNode> after = new ArrayList<>();
        for (ExplorationNode node : next) {
            List<ExplorationNode> branches = node.branches(node.indexOf(event), chosen);
            if (branches.isEmpty()) {
                return new SleepSetEntry(key, footprint, isLast, List.of());
            }
            after.addAll(branches);
        }
        return new SleepSetEntry(key, footprint, isLast, after);
    }
}
