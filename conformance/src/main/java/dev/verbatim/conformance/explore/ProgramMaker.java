// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.spec.Connection;
import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.PathMtu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes random programs: two or three nodes, one to four connections between them, and requests in both directions that get
 * into each other's way wherever they can.
 *
 * <p>Whatever is drawn, a program comes to its end: it waits only for completions that requests before it owe, no retry is
 * without end, and signals go from earlier nodes to later ones, or are told before anything is awaited but binds.
 */
final class ProgramMaker {

    private static final int FEWEST_REQUESTS = 8;
    private static final int MOST_REQUESTS = 22;
    private static final List<Integer> FAULTS = List.of(0, 1, 3, 8, 16);
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<List<Integer>> WAYS = List.of(List.of(0, 1), List.of(1, 2), List.of(2, 0));

    private final Draw draw;
    private final List<NodePlan> nodes = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<QpPlan> queuePairs = new ArrayList<>();

    private ProgramMaker(Draw draw) {
        this.draw = draw;
    }

    /** The program of that number of that seed: always the same. */
    static Scenario make(long seed, int number) {
        return new ProgramMaker(new Draw(seed, number, 0)).make("program " + number + " of seed " + seed);
    }

    private Scenario make(String title) {
        int count = draw.percent(25) ? 3 : 2;
        for (int i = 0; i < count; i++) {
            nodes.add(new NodePlan(NAMES.get(i), i, draw));
        }
        connect();
        int requests = draw.between(FEWEST_REQUESTS, MOST_REQUESTS);
        for (int i = 0; i < requests; i++) {
            draw.of(queuePairs).addRequest(draw);
        }
        queuePairs.forEach(queuePair -> queuePair.plan(draw));
        signals();
        nodes.forEach(node -> node.bindFirst(draw, nodes));
        Map<String, NodeSpec> specs = new LinkedHashMap<>();
        nodes.forEach(node -> specs.put(node.name(), node.spec(draw)));
        ChoiceSpec choices = new ChoiceSpec(null, List.of(), draw.of(FAULTS), null);
        return new Scenario(title, "", List.of(), specs, connections, List.of(), choices, List.of(), List.of(), null);
    }

    private void connect() {
        int count = nodes.size() == 2 ? draw.between(1, 3) : draw.between(2, 4);
        for (int i = 0; i < count; i++) {
            List<Integer> way = nodes.size() == 2 ? WAYS.get(0) : WAYS.get(i % WAYS.size());
            NodePlan left = nodes.get(way.get(0));
            NodePlan right = nodes.get(way.get(1));
            String name = "q" + i;
            LinkSpec link = link();
            connections.add(new Connection(
                    List.of(new End(left.name(), name), new End(right.name(), name)), link, List.of(), true));
            QpPlan there = new QpPlan(name, left, right, link, draw);
            QpPlan back = new QpPlan(name, right, left, link, draw);
            queuePairs.addAll(List.of(there, back));
            if (draw.percent(30)) {
                (nodes.indexOf(left) < nodes.indexOf(right) ? there : back).tellOfUse(draw);
            }
        }
    }

    private LinkSpec link() {
        int depth = draw.between(1, 4);
        int access = LinkSpec.USUAL.access() | AccessFlags.FLUSH_GLOBAL;
        if (draw.percent(2)) {
            access &= ~draw.of(List.of(AccessFlags.REMOTE_READ, AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_ATOMIC));
        }
        return new LinkSpec(
                draw.percent(75) ? PathMtu.MTU_256 : draw.of(List.of(PathMtu.MTU_512, PathMtu.MTU_1024)),
                access,
                depth,
                depth + draw.below(3),
                draw.of(List.of(4, 6, 6, 8)),
                draw.of(List.of(7, 7, 7, 3, 1)),
                draw.of(List.of(6, 6, 6, 3, 1)),
                draw.of(List.of(1, 2, 6)));
    }

    /** Earlier nodes let later ones go on, now and then; never the other way round, or they might wait for each other. */
    private void signals() {
        for (int i = 1; i < nodes.size(); i++) {
            if (draw.percent(25)) {
                NodePlan teller = nodes.get(draw.below(i));
                String signal = "go_" + nodes.get(i).name();
                teller.tell(signal);
                nodes.get(i).await(signal);
            }
        }
    }
}
