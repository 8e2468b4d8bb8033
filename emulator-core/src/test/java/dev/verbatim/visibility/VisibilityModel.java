// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.visibility.ModelNodes.DomainSpec;
import dev.verbatim.visibility.ModelNodes.ObserverSpec;
import dev.verbatim.visibility.ModelNodes.ProgramSpec;
import dev.verbatim.visibility.ModelState.Held;
import dev.verbatim.visibility.ModelState.Sent;
import dev.verbatim.visibility.ModelState.Stage;
import dev.verbatim.visibility.ModelState.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All ends of programs by the rules VIS-01 to VIS-16, written apart from the device: it keeps all values that a word had, walks
 * through all moments, and says of what must have arrived that nothing else happens before. Programs, requests, packets, arrivals and
 * completions are in any order that the rules leave open.
 */
public final class VisibilityModel {

    private static final int MOST_MOMENTS = 1_000_000;

    private final ModelNodes nodes;
    private final ModelMemory memory;
    private final ModelTransport transport;

    private VisibilityModel(ModelNodes nodes) {
        this.nodes = nodes;
        this.memory = new ModelMemory(nodes);
        this.transport = new ModelTransport(nodes, memory);
    }

    /**
     * What registers and words may hold at the end, by name.
     *
     * @throws IllegalStateException if a program may wait forever, or there are too many moments
     */
    public static Set<Map<String, Long>> ends(ModelNodes nodes) {
        return new VisibilityModel(nodes).walk();
    }

    private Set<Map<String, Long>> walk() {
        Set<Map<String, Long>> ends = new LinkedHashSet<>();
        Set<String> known = new HashSet<>();
        Deque<ModelState> open = new ArrayDeque<>();
        open.push(new ModelState(nodes));
        while (!open.isEmpty()) {
            ModelState state = open.pop();
            if (known.size() > MOST_MOMENTS) {
                throw new IllegalStateException("more than " + MOST_MOMENTS + " moments; make the programs shorter");
            }
            if (known.add(state.text())) {
                List<ModelState> next = transport.next(state);
                for (int program = 0; program < nodes.programs.size(); program++) {
                    step(state, program, next);
                }
                if (next.isEmpty()) {
                    ends.add(end(state));
                }
                next.forEach(open::push);
            }
        }
        return ends;
    }

    private Map<String, Long> end(ModelState state) {
        Map<String, Long> values = new TreeMap<>(state.registers);
        for (int word = 0; word < nodes.words.size(); word++) {
            values.put(nodes.words.get(word).name(), memory.value(state, word, memory.newest(state, word)));
        }
        for (int program = 0; program < nodes.programs.size(); program++) {
            if (!isDone(state, program)) {
                throw new IllegalStateException("program " + program + " waits forever at step "
                        + nodes.programs.get(program).steps().get(state.next[program]));
            }
        }
        return values;
    }

    private boolean isDone(ModelState state, int program) {
        return isDead(state, program)
                || state.next[program] == nodes.programs.get(program).steps().size();
    }

    private boolean isDead(ModelState state, int program) {
        return state.isDead[nodeOf(program)];
    }

    private int nodeOf(int program) {
        return nodes.observers.get(nodes.programs.get(program).observer()).node();
    }

    private void step(ModelState state, int program, List<ModelState> all) {
        ProgramSpec spec = nodes.programs.get(program);
        boolean waits = spec.isLaunched() && !state.told.contains(launched(spec.kernelOf()));
        if (!isDone(state, program) && !waits) {
            step(state, program, spec, spec.steps().get(state.next[program]), all);
        }
    }

    private static String launched(int domain) {
        return "launched " + domain;
    }

    /** Adds all moments behind a step; none if the program waits. */
    private void step(ModelState state, int program, ProgramSpec spec, ModelStep step, List<ModelState> all) {
        ModelState after = state.copy();
        after.next[program]++;
        if (step instanceof ModelStep.Load load) {
            load(after, spec.observer(), load, all);
        } else if (step instanceof ModelStep.Until until) {
            until(after, spec.observer(), until, all);
        } else if (step instanceof ModelStep.PowerFail) {
            powerFails(after, nodeOf(program), all);
        } else if (!isAwaited(state, step)) {
            happen(after, spec.observer(), step);
            all.add(after);
        }
    }

    private boolean isAwaited(ModelState state, ModelStep step) {
        if (step instanceof ModelStep.Await await) {
            return !state.told.contains(await.signal());
        }
        if (step instanceof ModelStep.Completion completion) {
            return state.completions[completion.queue()] == 0;
        }
        if (step instanceof ModelStep.Synchronize synchronize) {
            for (int program = 0; program < nodes.programs.size(); program++) {
                if (nodes.programs.get(program).kernelOf() == synchronize.domain() && !isDone(state, program)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void happen(ModelState state, int observer, ModelStep step) {
        if (step instanceof ModelStep.Store store) {
            memory.write(state, observer, store.word(), store.value());
        } else if (step instanceof ModelStep.Fence fence) {
            memory.fence(state, observer, fence.scope());
        } else if (step instanceof ModelStep.FlushGpu flush) {
            memory.flushGpu(state, flush.domain(), flush.scope());
        } else if (step instanceof ModelStep.Launch launch) {
            memory.launch(state, launch.domain());
            state.told.add(launched(launch.domain()));
        } else if (step instanceof ModelStep.Synchronize synchronize) {
            memory.release(state, nodes.domains.get(synchronize.domain()).gpu());
        } else if (step instanceof ModelStep.Persist persist) {
            memory.flush(state, nodes.observers.get(observer).node(), true, persist.words());
        } else if (step instanceof ModelStep.Tell tell) {
            state.told.add(tell.signal());
        } else if (step instanceof ModelStep.Receive receive) {
            state.receives[receive.queuePair()]++;
        } else if (step instanceof ModelStep.Completion completion) {
            state.completions[completion.queue()]--;
        } else if (step instanceof ModelStep.Post post) {
            Sent request = new Sent(post.request(), Stage.POSTED, List.of(), List.of());
            state.sent.set(post.queuePair(), ModelState.plus(state.sent.get(post.queuePair()), request));
        }
    }

    /** VIS-12: a load of the CPU from memory of a GPU waits for what adapters write there. */
    private boolean drains(int observer, int word) {
        ObserverSpec spec = nodes.observers.get(observer);
        return spec.kind() == Observer.Kind.CPU
                && nodes.domainOf(word).kind() == MemoryDomain.Kind.DEVICE
                && !nodes.lacks(spec.node(), Weakness.BAR_READ_PASSES);
    }

    private boolean isDrained(ModelState state, int word) {
        return state.held.stream().map(Held::word).noneMatch(held -> nodes.areOnOnePath(held, word));
    }

    private void load(ModelState state, int observer, ModelStep.Load load, List<ModelState> all) {
        if (drains(observer, load.word())) {
            if (!isDrained(state, load.word())) {
                return;
            }
            memory.refreshOwner(state, nodes.words.get(load.word()).domain());
        }
        if (load.acquires()) {
            memory.acquire(state, observer);
        }
        for (int index : memory.choices(state, observer, load.word())) {
            ModelState after = state.copy();
            after.oldest[observer][load.word()] = index;
            after.registers.put(load.register(), memory.value(state, load.word(), index));
            all.add(after);
        }
    }

    private void until(ModelState state, int observer, ModelStep.Until until, List<ModelState> all) {
        if (drains(observer, until.word())) {
            if (!isDrained(state, until.word())) {
                return;
            }
            memory.refreshOwner(state, nodes.words.get(until.word()).domain());
        }
        for (int index : memory.choices(state, observer, until.word())) {
            if (memory.value(state, until.word(), index) == until.value()) {
                ModelState after = state.copy();
                after.oldest[observer][until.word()] = index;
                if (until.acquires()) {
                    memory.acquire(after, observer);
                }
                all.add(after);
            }
        }
    }

    /** VIS-16: each word of persistent memory keeps a value that may be durable, and nothing else is left. */
    private void powerFails(ModelState state, int node, List<ModelState> all) {
        state.isDead[node] = true;
        state.held.removeIf(each -> nodes.nodeOfAdapter(each.adapter()) == node);
        List<ModelState> some = List.of(state);
        for (int word = 0; word < nodes.words.size(); word++) {
            DomainSpec domain = nodes.domainOf(word);
            if (domain.node() == node) {
                List<ModelState> more = new ArrayList<>();
                for (ModelState each : some) {
                    for (long value : left(each, nodes.nodes.get(node).power(), word, domain.kind())) {
                        ModelState after = each.copy();
                        after.versions.set(word, List.of(new Version(value, -1, true)));
                        more.add(after);
                    }
                }
                some = more;
            }
        }
        all.addAll(some);
    }

    private List<Long> left(ModelState state, int power, int word, MemoryDomain.Kind kind) {
        if (kind != MemoryDomain.Kind.PERSISTENT) {
            return List.of(0L);
        }
        return memory.choices(state, power, word).stream()
                .map(index -> memory.value(state, word, index))
                .distinct()
                .toList();
    }
}
