// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceTally;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is to be known of a run that a {@link DepthFirstExploration} made.
 *
 * @param outcome null if the run did not come to its end
 * @param isPermitted whether no event was passed over whose point is off
 * @param isCutShort whether it was given up, as it had too many events
 * @param events how many events it had
 * @param choices of a run that came to its end and is permitted
 * @param tally of the same
 * @param path of a run that came to its end and is not permitted: its decisions
 */
record MadeRun(
        @Nullable Supplier<String> outcome,
        boolean isPermitted,
        boolean isCutShort,
        int events,
        ChoiceList choices,
        ChoiceTally tally,
        List<ExplorationNode> path) {

    /** Of the run that was last; valid until the walk makes the next one. */
    static MadeRun of(DepthFirstExploration walk, @Nullable Supplier<String> outcome) {
        boolean isPermitted = walk.isPermitted();
        ChoiceTally tally = new ChoiceTally();
        boolean counts = outcome != null && isPermitted;
        if (counts) {
            walk.countInto(tally);
        }
        return new MadeRun(
                outcome,
                isPermitted,
                walk.isCutShort(),
                walk.events(),
                counts ? walk.permittedChoices() : ChoiceList.CANONICAL,
                tally,
                outcome == null || isPermitted ? List.of() : walk.path());
    }

    /** The same, whatever the walk does. */
    MadeRun kept() {
        return path.isEmpty()
                ? this
                : new MadeRun(
                        outcome,
                        isPermitted,
                        isCutShort,
                        events,
                        choices,
                        tally,
                        path.stream().map(ExplorationNode::copy).toList());
    }
}
