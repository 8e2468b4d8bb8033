// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.PathMtu;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    private final List<PairType> types;
    private final boolean isPlain;
    private final List<NodePlan> nodes = new ArrayList<>();
    private final List<ConnectionSpec> connections = new ArrayList<>();
    private final List<QpPlan> queuePairs = new ArrayList<>();

    private ProgramMaker(Draw draw, Set<PairType> types) {
        this.draw = draw;
        this.types = List.copyOf(EnumSet.copyOf(types));
        this.isPlain = types.equals(PairType.PLAIN);
    }

    /** The program of that number of that seed and of these types: always the same. */
    static Scenario make(long seed, int number, Set<PairType> types) {
        Scenario made =
                new ProgramMaker(new Draw(seed, number, 0), types).make("program " + number + " of seed " + seed);
        return Domains.perhaps(made, new Draw(seed, number, 3));
    }

    private Scenario make(String title) {
        int count = draw.percent(25) ? 3 : 2;
        for (int i = 0; i < count; i++) {
            nodes.add(new NodePlan(NAMES.get(i), i, draw));
        }
        connect();
        int requests = draw.between(FEWEST_REQUESTS, MOST_REQUESTS);
        List<QpRef> datagramEnds = queuePairs.stream()
                .filter(queuePair -> queuePair.type() == PairType.UD)
                .map(QpPlan::end)
                .toList();
        for (int i = 0; i < requests; i++) {
            draw.of(queuePairs).addRequest(draw, datagramEnds);
        }
        queuePairs.forEach(queuePair -> queuePair.plan(draw));
        signals();
        if (!isPlain) {
            nodes.stream().filter(node -> draw.percent(60)).forEach(node -> node.lookForEvents(draw));
        }
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
            PairType type = isPlain ? PairType.RC : draw.of(types);
            connections.add(connection(name, left, right, type, link));
            QpPlan there = new QpPlan(name, type, left, right, link, draw);
            queuePairs.add(there);
            if (!type.isMutual()) {
                right.addQueuePair(name, type, false, draw);
                continue;
            }
            QpPlan back = new QpPlan(name, type, right, left, link, draw);
            queuePairs.add(back);
            if (draw.percent(30)) {
                (nodes.indexOf(left) < nodes.indexOf(right) ? there : back).tellOfUse(draw);
            }
        }
    }

    /** Most are there from the start; with some the right end hears its first message while it cannot yet send itself. */
    private ConnectionSpec connection(String name, NodePlan left, NodePlan right, PairType type, LinkSpec link) {
        List<QpRef> ends = List.of(new QpRef(left.name(), name), new QpRef(right.name(), name));
        if (isPlain || !type.comesUpInSteps() || draw.percent(75)) {
            return new ConnectionSpec(ends, link, List.of(), true);
        }
        ConnectionSpec connection =
                new ConnectionSpec(ends, link, List.of(draw.below(1 << 24), draw.below(1 << 24)), false);
        SteppedConnection comingUp = new SteppedConnection(connection, type);
        right.comeUp(comingUp.ofRight(draw));
        left.join(comingUp.ofLeft());
        return connection;
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
