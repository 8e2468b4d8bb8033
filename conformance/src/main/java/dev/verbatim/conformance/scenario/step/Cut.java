// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.verbs.Gid;
import java.util.List;

/** Cuts the way between two nodes, or heals it. */
public record Cut(List<String> nodes, boolean isCut) implements Step {

    /** Copies the list and checks its size. */
    public Cut {
        nodes = List.copyOf(nodes);
        if (nodes.size() != 2) {
            throw new IllegalArgumentException("a way has two ends, not " + nodes.size() + "; write [a, b]");
        }
    }

    /** How a cut is written. */
    public static StepWord<Cut> cut() {
        StepWord<Cut> word = new StepWord<>("cut", Cut.class, Cut::isCut);
        return between(word, true, "Loses all packets between two nodes from now on.");
    }

    /** How its end is written. */
    public static StepWord<Cut> heal() {
        StepWord<Cut> word = new StepWord<>("heal", Cut.class, step -> !step.isCut);
        return between(word, false, "Ends a cut.");
    }

    private static StepWord<Cut> between(StepWord<Cut> word, boolean isCut, String help) {
        Key<Cut, List<String>> head = word.head(Forms.listOf(Forms.name("the name of a node")), Cut::nodes, help);
        return word.making(values -> new Cut(values.get(head), isCut));
    }

    @Override
    public void check(NameScope scope) {
        nodes.forEach(node -> scope.node(isCut ? "cut" : "heal", node));
    }

    @Override
    public boolean needsFaults() {
        return true;
    }

    @Override
    public void run(StepContext context) {
        for (Gid left : context.node(nodes.get(0)).device().gids()) {
            for (Gid right : context.node(nodes.get(1)).device().gids()) {
                if (isCut) {
                    context.run().environment().cut(left, right);
                } else {
                    context.run().environment().heal(left, right);
                }
            }
        }
    }
}
