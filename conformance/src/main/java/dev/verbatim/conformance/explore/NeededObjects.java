// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.Arm;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.Poll;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Register;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.object.Connect;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Destination;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.window.Bind;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.verbs.WrOpcode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds out which nodes, queue pairs, completion queues and regions the steps of a random program need. */
final class NeededObjects {

    private final Scenario scenario;
    private final Set<String> names = new TreeSet<>();
    private final Set<String> nodes = new TreeSet<>();

    private NeededObjects(Scenario scenario) {
        this.scenario = scenario;
    }

    /** The scenario without what no step needs; of one that is not made of the steps of random programs, all. */
    static Scenario of(Scenario scenario) {
        return new NeededObjects(scenario).without();
    }

    private Scenario without() {
        scenario.nodes().forEach((name, node) -> node.steps().forEach(step -> add(name, step)));
        List<ConnectionSpec> connections = scenario.connections().stream()
                .filter(connection -> connection.ends().stream().anyMatch(this::isNeeded))
                .toList();
        connections.forEach(connection -> connection.ends().forEach(end -> {
            nodes.add(end.node());
            names.add(end.node() + " " + end.qp());
        }));
        Map<String, NodeSpec> left = new LinkedHashMap<>();
        scenario.nodes().forEach((name, node) -> {
            if (nodes.contains(name)) {
                left.put(name, without(name, node));
            }
        });
        if (left.isEmpty()) {
            return scenario;
        }
        return new Scenario(
                scenario.title(),
                scenario.about(),
                scenario.rules(),
                left,
                connections,
                scenario.faults(),
                scenario.choices(),
                List.of(),
                List.of(),
                null);
    }

    private boolean isNeeded(QpRef end) {
        return names.contains(end.node() + " " + end.qp());
    }

    private NodeSpec without(String name, NodeSpec node) {
        Map<String, QpSpec> qps = new LinkedHashMap<>(node.qps());
        qps.keySet().removeIf(qp -> !names.contains(name + " " + qp));
        Map<String, CqSpec> cqs = new LinkedHashMap<>(node.cqs());
        cqs.keySet()
                .removeIf(cq -> qps.values().stream()
                                .noneMatch(qp ->
                                        qp.sendCq().equals(cq) || qp.recvCq().equals(cq))
                        && node.srqs().values().stream().noneMatch(srq -> cq.equals(srq.cq()))
                        && !names.contains(name + " " + cq));
        Map<String, RegionSpec> regions = new LinkedHashMap<>(node.regions());
        regions.keySet().removeIf(region -> !names.contains(name + " " + region));
        Map<String, WindowSpec> windows = new LinkedHashMap<>(node.windows());
        windows.keySet().removeIf(window -> !names.contains(name + " " + window));
        return new NodeSpec(
                node.profile(),
                regions,
                windows,
                cqs,
                qps,
                node.srqs(),
                node.ahs(),
                node.leftovers(),
                node.program(),
                node.memory(),
                node.kernels(),
                node.cpu(),
                node.threads());
    }

    private void add(String node, Step step) {
        nodes.add(node);
        if (step instanceof Chain chain) {
            chain.posts().forEach(post -> add(node, post));
        } else if (step instanceof Post post) {
            add(node, post.qp());
            for (Element element : post.local()) {
                if (element instanceof Place place) {
                    addPlace(node, place);
                }
            }
            addPlace(peerOf(node, post.qp()), post.remote());
            addBind(node, post.bind());
            Destination to = post.extra().destination();
            if (to != null && to.qp() != null) {
                add(to.qp().node(), to.qp().qp());
            }
            KeyRef invalidated = post.invalidates();
            if (invalidated != null) {
                add(post.opcode() == WrOpcode.LOCAL_INV ? node : peerOf(node, post.qp()), invalidated.name());
            }
        } else if (step instanceof BindWindow bind) {
            add(node, bind.qp());
            addBind(node, bind.bind());
        } else if (step instanceof DeallocateWindow gone) {
            add(node, gone.window());
        } else if (step instanceof Receive receive) {
            add(node, receive.qp());
            receive.into().forEach(place -> addPlace(node, place));
        } else if (step instanceof Load load) {
            addPlace(node, load.from());
        } else if (step instanceof Store store) {
            addPlace(node, store.to());
        } else if (step instanceof Persist persist) {
            addPlace(node, persist.place());
        } else if (step instanceof Modify modify) {
            add(node, modify.qp());
        } else if (step instanceof Deregister deregister) {
            add(node, deregister.region());
        } else if (step instanceof Register register) {
            add(node, register.name());
        } else if (step instanceof AwaitCompletion await) {
            add(node, await.cq());
        } else if (step instanceof Connect connect) {
            add(node, connect.qp());
        } else if (step instanceof Arm arm) {
            add(node, arm.cq());
        } else if (step instanceof Poll poll) {
            add(node, poll.cq());
        }
    }

    private void addBind(String node, @Nullable Bind bind) {
        if (bind != null) {
            add(node, bind.window());
            addPlace(node, bind.to());
        }
    }

    private String peerOf(String node, @Nullable String qp) {
        QpRef own = new QpRef(node, String.valueOf(qp));
        for (ConnectionSpec connection : scenario.connections()) {
            if (connection.ends().contains(own)) {
                return connection.peerOf(own).node();
            }
        }
        return node;
    }

    private void add(String node, @Nullable String name) {
        if (name != null) {
            names.add(node + " " + name);
        }
    }

    private void addPlace(String node, @Nullable Place place) {
        if (place != null) {
            add(node, place.name());
            if (place.key() != null) {
                add(node, place.key().name());
            }
        }
    }
}
