// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.cure;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.CpuModel;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.visibility.Fence;
import dev.verbatim.conformance.scenario.step.visibility.FlushGpu;
import dev.verbatim.conformance.scenario.step.visibility.Launch;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.Synchronize;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.visibility.FlushScope;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What may be added to a scenario to order its operations, one by one. */
final class Additions {

    /** The region that a READ fills whose value nobody uses, and the word in it. */
    private static final String READ_BACK = "read_back";

    private static final String RETURNED = "returned";

    private final Scenario scenario;
    private final List<Edit> edits = new ArrayList<>();

    private Additions(Scenario scenario) {
        this.scenario = scenario;
    }

    static List<Edit> to(Scenario scenario) {
        Additions additions = new Additions(scenario);
        Map<String, Names> names = scenario.names();
        for (ProgramRef program : ProgramRef.all(scenario)) {
            NodeSpec node = scenario.nodes().get(program.node());
            Names named = names.get(program.node());
            if (node != null && named != null) {
                additions.add(program, node, named);
            }
        }
        scenario.nodes().forEach(additions::addRegions);
        return additions.edits;
    }

    private void add(ProgramRef program, NodeSpec node, Names names) {
        List<Step> steps = program.steps(scenario);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Post post && post.error() == null && isReliable(post, names)) {
                addToPost(program, steps, i, post, names);
            }
            if (!program.isKernel()) {
                addToCpu(program, node, step, i);
            } else {
                addToKernel(program, step, i);
            }
        }
    }

    private static boolean isReliable(Post post, Names names) {
        QpSpec spec = names.qps().get(qpOf(post, names));
        return spec != null && spec.type() == QpType.RC;
    }

    private static boolean isRead(Step step, @Nullable String qp) {
        return step instanceof Post post
                && Objects.equals(post.qp(), qp)
                && Operation.of(post.opcode()).effect.returnsData;
    }

    private void addToPost(ProgramRef program, List<Step> steps, int i, Post post, Names names) {
        String at = " at " + program.path() + "[" + i + "]";
        boolean followsRead = steps.subList(0, i).stream().anyMatch(step -> isRead(step, post.qp()));
        if (followsRead && (post.flags() & SendFlags.FENCE) == 0) {
            edits.add(new Edit(
                    "flags: FENCE" + at,
                    Edit.FLAG,
                    draft -> draft.replace(program, i, step -> ((Post) step).plus(SendFlags.FENCE))));
        }
        boolean isLast = i == steps.size() - 1;
        boolean isAwaited = !isLast && steps.get(i + 1) instanceof AwaitCompletion;
        String cq = cqOf(post, names);
        int owed = owed(steps, i, names, cq);
        if (program.part() == null && !isLast && !isAwaited && owed > 0) {
            edits.add(new Edit(
                    "wait for completions behind" + at.substring(3),
                    Edit.WAIT,
                    draft -> await(draft, program, steps, i, owed, cq)));
        }
        if (post.opcode() == WrOpcode.RDMA_WRITE && post.remote() != null) {
            Place remote = post.remote();
            if (post.local().size() == 1 && isInHostMemory(remote, post, names)) {
                edits.add(new Edit(
                        "atomic_write" + at,
                        Edit.WAIT,
                        draft -> draft.replace(program, i, step -> ((Post) step).as(WrOpcode.ATOMIC_WRITE))));
            }
            if (program.part() == null && !isLast && remote.name() != null) {
                Post back = Post.of(WrOpcode.RDMA_READ, remote, Place.of(RETURNED));
                edits.add(new Edit("READ behind" + at.substring(3), Edit.ROUND_TRIP, draft -> {
                    draft.region(program.node(), READ_BACK, RegionSpec.ofWords(Map.of(RETURNED, 0L)));
                    draft.insertAfter(program, i, List.of(post.qp() == null ? back : back.on(post.qp())));
                    await(draft, program, steps, i, owed + 1, cq);
                }));
            }
        }
    }

    /** Whether the place, of the peer, is a word of host memory. In that of a GPU, say, more is needed than one write of all bytes. */
    private boolean isInHostMemory(Place remote, Post post, Names names) {
        QpRef peer = names.peer(qpOf(post, names));
        NodeSpec node = peer == null ? null : scenario.nodes().get(peer.node());
        return node != null
                && remote.name() != null
                && node.regions().values().stream()
                        .anyMatch(region ->
                                region.domain() == null && region.words().containsKey(remote.name()));
    }

    private static String qpOf(Post post, Names names) {
        return post.qp() == null ? names.qps().keySet().iterator().next() : post.qp();
    }

    /** The completion queue by which steps call that of the post; null for the only one. */
    private static @Nullable String cqOf(Post post, Names names) {
        QpSpec spec = names.qps().get(qpOf(post, names));
        return spec == null || names.cqs().size() == 1 ? null : spec.sendCq();
    }

    /** How many completions of posts up to step {@code i} no step before has taken. */
    private static int owed(List<Step> steps, int i, Names names, @Nullable String cq) {
        int owed = 0;
        for (Step step : steps.subList(0, i + 1)) {
            if (step instanceof Post post
                    && (post.flags() & SendFlags.SIGNALED) != 0
                    && Objects.equals(cqOf(post, names), cq)) {
                owed++;
            } else if (step instanceof AwaitCompletion taken && Objects.equals(taken.cq(), cq)) {
                owed--;
            }
        }
        return owed;
    }

    /** Waits for so many completions behind step {@code i}; steps further down that waited for them do not any more. */
    private static void await(
            ScenarioDraft draft, ProgramRef program, List<Step> steps, int i, int count, @Nullable String cq) {
        AwaitCompletion await = new AwaitCompletion(WantedCompletion.of(WcStatus.SUCCESS), cq, Map.of());
        draft.insertAfter(program, i, Collections.nCopies(count, await));
        int left = count;
        for (int k = i + 1; k < steps.size() && left > 0; k++) {
            if (steps.get(k).equals(await)) {
                draft.remove(program, k);
                left--;
            }
        }
    }

    private void addToCpu(ProgramRef program, NodeSpec node, Step step, int i) {
        if (node.cpu() == CpuModel.TSO && step instanceof Store) {
            edits.add(new Edit(
                    "fence: SYSTEM behind " + program.path() + "[" + i + "]",
                    Edit.FLAG,
                    draft -> draft.insertAfter(program, i, List.of(new Fence(Scope.SYSTEM)))));
        }
        String at = " before " + program.path() + "[" + i + "]";
        boolean tellsOthers =
                step instanceof Post || step instanceof Launch || step instanceof Store || step instanceof Signal;
        if (!tellsOthers) {
            return;
        }
        node.memory().domains().forEach((domain, kind) -> {
            if (kind == MemoryDomain.Kind.DEVICE) {
                for (FlushScope reach : FlushScope.values()) {
                    edits.add(new Edit(
                            "flush_gpu: {" + domain + ": " + reach + "}" + at,
                            Edit.WAIT,
                            draft -> draft.insertBefore(program, i, new FlushGpu(domain, reach))));
                }
                if (node.kernels().containsKey(domain)) {
                    edits.add(new Edit(
                            "synchronize: " + domain + at,
                            Edit.WAIT,
                            draft -> draft.insertBefore(program, i, new Synchronize(domain))));
                }
            } else {
                node.regions().values().stream()
                        .filter(region -> domain.equals(region.domain()))
                        .flatMap(region -> region.words().keySet().stream())
                        .forEach(word -> edits.add(new Edit(
                                "persist: " + word + at,
                                Edit.WAIT,
                                draft -> draft.insertBefore(program, i, new Persist(Place.of(word))))));
            }
        });
    }

    private void addToKernel(ProgramRef program, Step step, int i) {
        String at = program.path() + "[" + i + "]";
        if (step instanceof Post || step instanceof Store || step instanceof Signal) {
            edits.add(new Edit(
                    "fence: SYSTEM before " + at,
                    Edit.FLAG,
                    draft -> draft.insertBefore(program, i, new Fence(Scope.SYSTEM))));
        }
        if (step instanceof Load load && !load.acquires()) {
            edits.add(new Edit(
                    "acquire at " + at,
                    Edit.FLAG,
                    draft -> draft.replace(program, i, each -> new Load(load.from(), load.into(), true))));
        }
        if (step instanceof Until until && !until.acquires()) {
            edits.add(new Edit(
                    "acquire at " + at,
                    Edit.FLAG,
                    draft -> draft.replace(program, i, each -> new Until(until.at(), until.value(), true))));
        }
    }

    private void addRegions(String node, NodeSpec spec) {
        spec.regions().forEach((name, region) -> {
            int weak = region.access() & (AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED);
            if (weak != 0) {
                edits.add(new Edit(
                        "ordered access to region " + name + " of " + node,
                        Edit.FLAG,
                        draft -> draft.region(node, name, region.granting(region.access() & ~weak))));
            }
        });
    }
}
