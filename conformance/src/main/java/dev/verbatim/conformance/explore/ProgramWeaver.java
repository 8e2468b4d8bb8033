// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.memory.Bytes;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Weaves pendings of steps into the program of one node, and puts in what the CPU does between them. */
final class ProgramWeaver {

    private static final int WORD_BYTES = 8;
    private static final int WORDS = 6;

    private final Draw draw;
    private final String node;
    private final Map<String, QpSpec> queuePairs;
    /** How many completions each queue will have for sure that nothing waits for yet. */
    private final Map<String, Integer> owed = new LinkedHashMap<>();

    ProgramWeaver(Draw draw, String node, Map<String, QpSpec> queuePairs) {
        this.draw = draw;
        this.node = node;
        this.queuePairs = queuePairs;
    }

    List<Step> weave(List<Step> beginning, List<List<Step>> pendings) {
        List<List<Step>> left = new ArrayList<>();
        pendings.forEach(pending -> left.add(new ArrayList<>(pending)));
        left.add(ofCpu());
        if (draw.percent(5)) {
            String queuePair = draw.of(List.copyOf(queuePairs.keySet()));
            left.add(new ArrayList<>(List.of(new Modify(Map.of("state", QpState.ERR), queuePair, null))));
        }
        left.removeIf(List::isEmpty);
        List<Step> program = new ArrayList<>(beginning);
        while (!left.isEmpty()) {
            List<Step> pending = longestFirst(left);
            Step step = pending.remove(0);
            left.removeIf(List::isEmpty);
            if (step instanceof AwaitCompletion await && !isOwed(await)) {
                continue;
            }
            program.add(step);
            count(step);
            waitNowAndThen(program);
        }
        return program;
    }

    /** Whether nothing has waited for it yet, which now will. */
    private boolean isOwed(AwaitCompletion await) {
        Integer count = owed.getOrDefault(String.valueOf(await.cq()), 0);
        owed.put(String.valueOf(await.cq()), Math.max(0, count - 1));
        return count > 0;
    }

    /** Each step that is left is as likely the next: then single steps fall anywhere among many others. */
    private List<Step> longestFirst(List<List<Step>> left) {
        int chosen = draw.below(left.stream().mapToInt(List::size).sum());
        for (List<Step> pending : left) {
            chosen -= pending.size();
            if (chosen < 0) {
                return pending;
            }
        }
        throw new IllegalStateException("a number below the sum is in one of its parts");
    }

    private List<Step> ofCpu() {
        List<Step> steps = new ArrayList<>();
        int count = draw.between(1, 6);
        for (int i = 0; i < count; i++) {
            String region = draw.of(List.of("heap", "heap", "brief", "spare"));
            Place word = Place.of(region, draw.below(WORDS) * WORD_BYTES, WORD_BYTES);
            steps.add(
                    switch (draw.below(5)) {
                        case 0, 1 -> new Store(word, Bytes.of(draw.below(1_000_000_000)));
                        case 2 ->
                            new Store(
                                    Place.of(region, draw.below(WORDS) * WORD_BYTES, draw.between(1, 600)),
                                    new Bytes(Bytes.How.FILL, String.valueOf(draw.below(256))));
                        default -> new Load(word, "r_" + node + i, false);
                    });
        }
        return steps;
    }

    private void count(Step step) {
        if (step instanceof Chain chain) {
            chain.posts().forEach(this::count);
        } else if (step instanceof Post post) {
            count(post.qp(), post.flags());
        } else if (step instanceof BindWindow bind) {
            count(bind.qp(), bind.flags());
        }
    }

    private void count(@Nullable String name, int flags) {
        QpSpec queuePair = queuePairs.get(name);
        if (queuePair != null && (queuePair.signalAll() || (flags & SendFlags.SIGNALED) != 0)) {
            owed.merge(queuePair.sendCq(), 1, Integer::sum);
        }
    }

    private void waitNowAndThen(List<Step> program) {
        owed.replaceAll((cq, count) -> {
            if (count > 0 && draw.percent(12)) {
                program.add(new AwaitCompletion(WantedCompletion.ANY, cq, Map.of()));
                return count - 1;
            }
            return count;
        });
    }
}
