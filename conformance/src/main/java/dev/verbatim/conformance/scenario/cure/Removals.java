// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.visibility.Fence;
import dev.verbatim.conformance.scenario.step.visibility.FlushGpu;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.Synchronize;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;

/** What of a scenario only orders its operations, and may be dropped, one by one. */
final class Removals {

    private Removals() {}

    static List<Edit> of(Scenario scenario) {
        List<Edit> edits = new ArrayList<>();
        for (ProgramRef program : ProgramRef.all(scenario)) {
            List<Step> steps = program.steps(scenario);
            for (int i = 0; i < steps.size(); i++) {
                add(program, steps, i, edits);
            }
        }
        return edits;
    }

    private static void add(ProgramRef program, List<Step> steps, int i, List<Edit> edits) {
        Step step = steps.get(i);
        String at = " at " + program.path() + "[" + i + "]";
        if (step instanceof Post post) {
            if ((post.flags() & SendFlags.FENCE) != 0) {
                edits.add(new Edit(
                        "flags: FENCE" + at,
                        Edit.FLAG,
                        draft -> draft.replace(program, i, each -> ((Post) each).minus(SendFlags.FENCE))));
            }
            if (post.opcode() == WrOpcode.FLUSH) {
                edits.add(new Edit("FLUSH" + at, Edit.ROUND_TRIP, draft -> {
                    draft.remove(program, i);
                    removeOneWait(draft, program, steps, i);
                }));
            }
        } else if (step instanceof AwaitCompletion await && await.into().isEmpty()) {
            edits.add(new Edit("completion" + at, Edit.WAIT, draft -> draft.remove(program, i)));
        } else if (step instanceof Fence) {
            edits.add(new Edit("fence" + at, Edit.FLAG, draft -> draft.remove(program, i)));
        } else if (step instanceof FlushGpu || step instanceof Persist || step instanceof Synchronize) {
            edits.add(new Edit("flush or wait" + at, Edit.WAIT, draft -> draft.remove(program, i)));
        } else if (step instanceof Load load && load.acquires()) {
            edits.add(new Edit(
                    "acquire" + at,
                    Edit.FLAG,
                    draft -> draft.replace(program, i, each -> new Load(load.from(), load.into(), false))));
        } else if (step instanceof Until until && until.acquires()) {
            edits.add(new Edit(
                    "acquire" + at,
                    Edit.FLAG,
                    draft -> draft.replace(program, i, each -> new Until(until.at(), until.value(), false))));
        }
    }

    private static void removeOneWait(ScenarioDraft draft, ProgramRef program, List<Step> steps, int i) {
        for (int k = i + 1; k < steps.size(); k++) {
            if (steps.get(k) instanceof AwaitCompletion) {
                draft.remove(program, k);
                return;
            }
        }
    }
}
