// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.verbs.Gid;
import java.util.List;

/**
 * Cuts the way between two nodes, or heals it.
 *
 * @param nodes the two
 * @param cut true to cut, false to heal
 */
public record Cut(List<String> nodes, boolean cut) implements Step {

    /** Copies the list and checks its size. */
    public Cut {
        nodes = List.copyOf(nodes);
        if (nodes.size() != 2) {
            throw new IllegalArgumentException("a way has two ends, not " + nodes.size() + "; write [a, b]");
        }
    }

    static Mapping<Cut> word(String word, boolean cut) {
        Mapping<Cut> mapping = new Mapping<>(word, "a " + word + " step");
        Key<Cut, List<String>> head = mapping.required(
                word,
                Forms.listOf(Forms.name("the name of a node")),
                Cut::nodes,
                cut ? "Loses all packets between two nodes from now on." : "Ends a cut.");
        return mapping.making(values -> new Cut(values.get(head), cut));
    }

    @Override
    public void check(Scope scope) {
        nodes.forEach(node -> scope.node(cut ? "cut" : "heal", node));
    }

    @Override
    public boolean needsFaults() {
        return true;
    }

    @Override
    public void run(Workbench bench) {
        Gid left = bench.board().bench(nodes.get(0)).device().gid();
        Gid right = bench.board().bench(nodes.get(1)).device().gid();
        if (cut) {
            bench.board().world().cut(left, right);
        } else {
            bench.board().world().heal(left, right);
        }
    }
}
