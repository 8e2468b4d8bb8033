// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Outcome;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.memory.Bytes;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.conformance.scenario.step.visibility.Fence;
import dev.verbatim.conformance.scenario.step.visibility.FlushGpu;
import dev.verbatim.conformance.scenario.step.visibility.Launch;
import dev.verbatim.conformance.scenario.step.visibility.Persist;
import dev.verbatim.conformance.scenario.step.visibility.PowerFail;
import dev.verbatim.conformance.scenario.step.visibility.Synchronize;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.ModelNodes;
import dev.verbatim.visibility.ModelStep;
import dev.verbatim.visibility.Platform;
import dev.verbatim.visibility.VisibilityModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A scenario whose steps all are words of {@link VisibilityModel}. */
final class ModelledScenario {

    private static final String HOST = "host";

    private final Scenario scenario;
    private final Map<String, Names> names;
    private final ModelNodes model = new ModelNodes();

    /** By node: its memory in the model. */
    private final Map<String, Integer> memories = new HashMap<>();

    /** By the name of the node whose memory it is, and that of a domain, a region and an offset, or a queue. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private ModelledScenario(Scenario scenario) {
        this.scenario = scenario;
        this.names = scenario.names();
    }

    /**
     * How it may end, as texts of {@link Outcome}.
     *
     * @throws IllegalArgumentException if it has a step that the model does not have
     */
    static Set<String> ends(Scenario scenario) {
        ModelledScenario modelled = new ModelledScenario(scenario);
        modelled.build();
        Set<String> ends = new TreeSet<>();
        for (Map<String, Long> end : VisibilityModel.ends(modelled.model)) {
            Map<String, String> values = new TreeMap<>();
            end.forEach((name, value) -> values.put(name, String.valueOf(value)));
            ends.add(new Outcome(values).only(scenario.observed()).toString());
        }
        return ends;
    }

    private void build() {
        scenario.nodes().forEach(this::memory);
        scenario.nodes().forEach(this::queuePairs);
        for (ConnectionSpec connection : scenario.connections()) {
            List<QpRef> ends = connection.ends();
            model.join(
                    number("qp", ends.get(0).toString()),
                    number("qp", ends.get(1).toString()));
        }
        scenario.nodes().forEach((node, spec) -> {
            model.program(memory(node), steps(node, spec.program()));
            spec.kernels().forEach((domain, steps) -> {
                boolean isLaunched = spec.program().stream()
                        .anyMatch(step ->
                                step instanceof Launch launch && launch.domain().equals(domain));
                model.kernel(domain(node, domain), isLaunched, steps(node, steps));
            });
        });
    }

    private int number(String kind, String name) {
        return Objects.requireNonNull(numbers.get(kind + " " + name), () -> "there is no " + kind + " " + name);
    }

    private int memory(String node) {
        return Objects.requireNonNull(memories.get(node), node);
    }

    private String owner(String node) {
        String owner =
                Objects.requireNonNull(scenario.nodes().get(node)).memory().adapterOf();
        return owner == null ? node : owner;
    }

    private int domain(String node, String domain) {
        return number("domain", owner(node) + " " + domain);
    }

    private void memory(String node, NodeSpec spec) {
        if (owner(node).equals(node)) {
            Platform platform = spec.memory().platform();
            memories.put(
                    node,
                    model.node(
                            platform == null ? Set.of() : platform.weaknesses(),
                            spec.memory().isMarked()));
            numbers.put("domain " + node + " " + HOST, model.domain(memory(node), MemoryDomain.Kind.HOST));
            spec.memory()
                    .domains()
                    .forEach((name, kind) ->
                            numbers.put("domain " + node + " " + name, model.domain(memory(node), kind)));
        } else {
            memories.put(node, memory(owner(node)));
        }
        spec.regions().forEach((name, region) -> {
            int offset = 0;
            for (Map.Entry<String, Long> word : region.words().entrySet()) {
                numbers.put("word " + node + " " + word.getKey(), word(node, name, region, offset, word));
                offset += RegionSpec.WORD_BYTES;
            }
        });
    }

    private int word(String node, String name, RegionSpec region, int offset, Map.Entry<String, Long> word) {
        String shares = region.shares();
        if (shares != null) {
            return number("place", owner(node) + " " + shares + " " + offset);
        }
        int number = model.word(
                word.getKey(), domain(node, region.domain() == null ? HOST : region.domain()), word.getValue());
        numbers.put("place " + node + " " + name + " " + offset, number);
        return number;
    }

    private void queuePairs(String node, NodeSpec spec) {
        Names own = Objects.requireNonNull(names.get(node));
        int adapter = model.adapter(memory(node));
        own.cqs().keySet().forEach(queue -> numbers.put("cq " + node + " " + queue, model.queue()));
        own.qps().forEach((name, qp) -> {
            if (!qp.sendCq().equals(qp.recvCq())) {
                throw new IllegalArgumentException(node + "." + name + " has two completion queues; use one");
            }
            numbers.put("qp " + new QpRef(node, name), model.qp(adapter, number("cq", node + " " + qp.sendCq())));
        });
    }

    private List<ModelStep> steps(String node, List<Step> steps) {
        return steps.stream().map(step -> step(node, step)).toList();
    }

    private ModelStep step(String node, Step step) {
        if (step instanceof Load load) {
            return new ModelStep.Load(word(node, load.from()), load.into(), load.acquires());
        } else if (step instanceof Store store && store.value().how() == Bytes.How.NUMBER) {
            return new ModelStep.Store(
                    word(node, store.to()), Long.parseLong(store.value().value()));
        } else if (step instanceof Until until) {
            return new ModelStep.Until(word(node, until.at()), until.value(), until.acquires());
        } else if (step instanceof Signal signal) {
            return new ModelStep.Tell(signal.signal());
        } else if (step instanceof AwaitSignal await) {
            return new ModelStep.Await(await.signal());
        } else if (step instanceof Receive receive && receive.into().isEmpty()) {
            return new ModelStep.Receive(qp(node, receive.qp()));
        } else if (step instanceof AwaitCompletion completion) {
            return new ModelStep.Completion(number(
                    "cq",
                    node + " "
                            + only(
                                    completion.cq(),
                                    Objects.requireNonNull(names.get(node))
                                            .cqs()
                                            .keySet())));
        } else if (step instanceof Post post) {
            return new ModelStep.Post(qp(node, post.qp()), request(node, post));
        }
        return visibility(node, step);
    }

    private ModelStep visibility(String node, Step step) {
        if (step instanceof Fence fence) {
            return new ModelStep.Fence(fence.reach());
        } else if (step instanceof FlushGpu flush) {
            return new ModelStep.FlushGpu(domain(node, flush.domain()), flush.flushScope());
        } else if (step instanceof Launch launch) {
            return new ModelStep.Launch(domain(node, launch.domain()));
        } else if (step instanceof Synchronize synchronize) {
            return new ModelStep.Synchronize(domain(node, synchronize.domain()));
        } else if (step instanceof Persist persist) {
            return new ModelStep.Persist(words(node, persist.place()));
        } else if (step instanceof PowerFail) {
            return new ModelStep.PowerFail();
        }
        throw new IllegalArgumentException("the model has no step " + step);
    }

    private static String only(@Nullable String name, Set<String> known) {
        return name == null ? known.iterator().next() : name;
    }

    private QpRef end(String node, @Nullable String qp) {
        return new QpRef(
                node, only(qp, Objects.requireNonNull(names.get(node)).qps().keySet()));
    }

    private int qp(String node, @Nullable String qp) {
        return number("qp", end(node, qp).toString());
    }

    private int word(String node, Place place) {
        List<Integer> words = words(node, place);
        if (words.size() != 1) {
            throw new IllegalArgumentException(place + " is " + words.size() + " words; the model takes one");
        }
        return words.get(0);
    }

    /** A word, or all words of a region. */
    private List<Integer> words(String node, Place place) {
        Names own = Objects.requireNonNull(names.get(node));
        String name = String.valueOf(place.name());
        List<String> all = own.isRegion(name)
                ? List.copyOf(
                        Objects.requireNonNull(own.regions().get(name)).words().keySet())
                : List.of(name);
        return all.stream().map(word -> number("word", node + " " + word)).toList();
    }

    private int access(String node, Place place) {
        Names own = Objects.requireNonNull(names.get(node));
        Names.Word word = own.word(String.valueOf(place.name()));
        String region = word == null ? place.name() : word.region();
        return Objects.requireNonNull(own.regions().get(String.valueOf(region))).access();
    }

    private ModelStep.Request request(String node, Post post) {
        QpRef end = end(node, post.qp());
        QpRef peer =
                Objects.requireNonNull(Objects.requireNonNull(names.get(node)).peer(end.qp()));
        Place remote = post.remote();
        int access = remote == null ? 0 : access(peer.node(), remote);
        return new ModelStep.Request(
                kind(post),
                remote == null ? List.of() : moves(node, post, words(peer.node(), remote)),
                (access & (AccessFlags.RELAXED_ORDERING | AccessFlags.UNORDERED)) != 0,
                (access & AccessFlags.UNORDERED) != 0,
                (post.flags() & SendFlags.SIGNALED) != 0);
    }

    private List<ModelStep.Move> moves(String node, Post post, List<Integer> remote) {
        List<Integer> local = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        for (Element element : post.local()) {
            if (element instanceof Literal literal) {
                local.add(-1);
                values.add(literal.value());
            } else {
                words(node, (Place) element).forEach(word -> {
                    local.add(word);
                    values.add(post.compareOrAdd());
                });
            }
        }
        List<ModelStep.Move> moves = new ArrayList<>();
        for (int i = 0; i < remote.size(); i++) {
            moves.add(new ModelStep.Move(
                    remote.get(i), local.isEmpty() ? -1 : local.get(i), values.isEmpty() ? 0 : values.get(i)));
        }
        return moves;
    }

    private static ModelStep.Kind kind(Post post) {
        return switch (post.opcode()) {
            case RDMA_WRITE -> ModelStep.Kind.WRITE;
            case RDMA_WRITE_WITH_IMM -> ModelStep.Kind.WRITE_IMM;
            case SEND, SEND_WITH_IMM -> ModelStep.Kind.SEND;
            case RDMA_READ -> ModelStep.Kind.READ;
            case ATOMIC_FETCH_AND_ADD -> ModelStep.Kind.FETCH_ADD;
            case ATOMIC_WRITE -> ModelStep.Kind.ATOMIC_WRITE;
            case FLUSH -> {
                FlushTarget target = Objects.requireNonNull(post.extra().flush());
                yield (target.type() & FlushTarget.PERSISTENT) != 0
                        ? ModelStep.Kind.FLUSH_PERSISTENT
                        : ModelStep.Kind.FLUSH_GLOBAL;
            }
            default -> throw new IllegalArgumentException("the model has no " + post.opcode());
        };
    }
}
