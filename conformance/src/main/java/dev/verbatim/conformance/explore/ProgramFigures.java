// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How much there is in a program.
 *
 * @param queuePairs how many queue pairs send something
 * @param requests how many requests they send
 * @param features how many there are of READ, ATOMIC, fence, bind and revocation
 */
public record ProgramFigures(int queuePairs, int requests, int features) {

    /** The figures of a program. */
    static ProgramFigures of(Scenario scenario) {
        Set<String> senders = new LinkedHashSet<>();
        Set<String> features = new LinkedHashSet<>();
        int requests = 0;
        for (var node : scenario.nodes().entrySet()) {
            for (Post post : posts(node.getValue())) {
                requests++;
                senders.add(node.getKey() + "." + post.qp());
                addFeatures(post, features);
            }
            if (node.getValue().program().stream().anyMatch(ProgramFigures::revokes)) {
                features.add("revocation");
            }
        }
        return new ProgramFigures(senders.size(), requests, features.size());
    }

    private static boolean revokes(Step step) {
        return step instanceof Deregister || step instanceof DeallocateWindow;
    }

    private static void addFeatures(Post post, Set<String> features) {
        if (post.opcode() == WrOpcode.RDMA_READ) {
            features.add("READ");
        }
        if (post.opcode() == WrOpcode.BIND_MW) {
            features.add("bind");
        }
        if (Operation.of(post.opcode()).invalidates) {
            features.add("revocation");
        }
        if (RequestMaker.isAtomic(post.opcode())) {
            features.add("ATOMIC");
        }
        if ((post.flags() & SendFlags.FENCE) != 0) {
            features.add("fence");
        }
    }

    private static List<Post> posts(NodeSpec node) {
        List<Post> posts = new ArrayList<>();
        for (Step step : node.program()) {
            if (step instanceof Post post) {
                posts.add(post);
            } else if (step instanceof Chain chain) {
                chain.posts().stream()
                        .filter(Post.class::isInstance)
                        .map(Post.class::cast)
                        .forEach(posts::add);
            }
        }
        return posts;
    }
}
