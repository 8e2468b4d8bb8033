// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.visibility.ModelNodes.DomainSpec;
import dev.verbatim.visibility.ModelNodes.ObserverSpec;
import dev.verbatim.visibility.ModelState.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Which values of words observers may see: VIS-07 to VIS-12 and VIS-16, as indices into all values that a word had. */
final class ModelMemory {

    private final ModelNodes nodes;

    ModelMemory(ModelNodes nodes) {
        this.nodes = nodes;
    }

    /** An observer writes a word at its home. */
    void write(ModelState state, int writer, int word, long value) {
        List<Version> all = state.versions.get(word);
        boolean isReleased = !staysWith(writer, word);
        state.versions.set(word, ModelState.plus(all, new Version(value, writer, isReleased)));
        for (int observer = 0; observer < nodes.observers.size(); observer++) {
            if (isOf(observer, word) && (observer == writer || (isReleased && seesAtOnce(observer, word, writer)))) {
                state.oldest[observer][word] = all.size();
            }
        }
    }

    private boolean isOf(int observer, int word) {
        return nodes.observers.get(observer).node() == nodes.domainOf(word).node();
    }

    /** VIS-10 and VIS-11. */
    private boolean staysWith(int writer, int word) {
        ObserverSpec spec = nodes.observers.get(writer);
        boolean mayStay = spec.kind() == Observer.Kind.GPU
                || (spec.kind() == Observer.Kind.CPU && nodes.domainOf(word).kind() == MemoryDomain.Kind.DEVICE);
        return mayStay && nodes.lacks(spec.node(), Weakness.STORES_AWAIT_RELEASE);
    }

    private boolean seesAtOnce(int observer, int word, int writer) {
        ObserverSpec spec = nodes.observers.get(observer);
        Observer.Kind by = nodes.observers.get(writer).kind();
        DomainSpec domain = nodes.domainOf(word);
        Weakness late = switch (spec.kind()) {
            case CPU, ADAPTER -> null;
            case GPU -> by == Observer.Kind.GPU ? null : ofGpu(observer, domain);
            case POWER -> domain.kind() == MemoryDomain.Kind.PERSISTENT ? ofPower(by) : null;
        };
        return late == null || !nodes.lacks(spec.node(), late);
    }

    private static Weakness ofGpu(int gpu, DomainSpec domain) {
        if (domain.kind() != MemoryDomain.Kind.DEVICE) {
            return Weakness.GPU_CACHES_HOST;
        }
        return domain.gpu() == gpu ? Weakness.GPU_SEES_AT_REFRESH : Weakness.PEER_GPU_SEES_AT_REFRESH;
    }

    private static Weakness ofPower(Observer.Kind writer) {
        return writer == Observer.Kind.ADAPTER ? Weakness.ADAPTER_WRITES_VOLATILE : Weakness.CPU_STORES_VOLATILE;
    }

    /** The indices of the values that an observer may see in a word. */
    List<Integer> choices(ModelState state, int observer, int word) {
        return IntStream.range(
                        state.oldest[observer][word], state.versions.get(word).size())
                .boxed()
                .toList();
    }

    /** The index of the newest value of a word. */
    int newest(ModelState state, int word) {
        return state.versions.get(word).size() - 1;
    }

    long value(ModelState state, int word, int index) {
        return state.versions.get(word).get(index).value();
    }

    /** An observer sees all of the words that was written and has left its writer. */
    void refresh(ModelState state, int observer, IntPredicate words) {
        for (int word = 0; word < nodes.words.size(); word++) {
            List<Version> all = state.versions.get(word);
            for (int i = 0; words.test(word) && i < all.size(); i++) {
                if (all.get(i).isReleased()) {
                    state.oldest[observer][word] = Math.max(state.oldest[observer][word], i);
                }
            }
        }
    }

    IntPredicate inDomain(int domain) {
        return word -> nodes.words.get(word).domain() == domain;
    }

    /** What adapters wrote into the memory of a GPU and has arrived is seen by it. */
    void refreshOwner(ModelState state, int domain) {
        if (nodes.domains.get(domain).gpu() >= 0) {
            refresh(state, nodes.domains.get(domain).gpu(), inDomain(domain));
        }
    }

    /** What a writer stored leaves it. */
    void release(ModelState state, int writer) {
        for (int word = 0; word < nodes.words.size(); word++) {
            List<Version> released = new ArrayList<>();
            for (Version version : state.versions.get(word)) {
                boolean leaves = version.writer() == writer && !version.isReleased();
                released.add(leaves ? new Version(version.value(), writer, true) : version);
                for (int observer = 0; leaves && observer < nodes.observers.size(); observer++) {
                    if (isOf(observer, word) && seesAtOnce(observer, word, writer)) {
                        state.oldest[observer][word] = Math.max(state.oldest[observer][word], released.size() - 1);
                    }
                }
            }
            state.versions.set(word, List.copyOf(released));
        }
    }

    /** A fence of that reach. */
    void fence(ModelState state, int observer, Scope scope) {
        ObserverSpec spec = nodes.observers.get(observer);
        if (scope == Scope.SYSTEM || !nodes.lacks(spec.node(), Weakness.DEVICE_FENCE_STAYS)) {
            release(state, observer);
        }
        if (scope == Scope.SYSTEM) {
            acquire(state, observer);
        }
    }

    /** A GPU sees host memory as it is (VIS-09). */
    void acquire(ModelState state, int observer) {
        ObserverSpec spec = nodes.observers.get(observer);
        if (spec.kind() == Observer.Kind.GPU) {
            refresh(
                    state,
                    observer,
                    word -> nodes.domainOf(word).node() == spec.node()
                            && nodes.domainOf(word).kind() != MemoryDomain.Kind.DEVICE);
        }
    }

    /** VIS-08. */
    void launch(ModelState state, int domain) {
        DomainSpec spec = nodes.domains.get(domain);
        release(state, nodes.nodes.get(spec.node()).cpu());
        refresh(state, spec.gpu(), word -> nodes.domainOf(word).node() == spec.node());
    }

    /** VIS-08. */
    void flushGpu(ModelState state, int domain, FlushScope scope) {
        int node = nodes.domains.get(domain).node();
        if (nodes.lacks(node, Weakness.FLUSH_GPU_DOES_NOTHING)) {
            return;
        }
        refreshOwner(state, domain);
        for (int observer = 0; scope == FlushScope.ALL_DEVICES && observer < nodes.observers.size(); observer++) {
            ObserverSpec spec = nodes.observers.get(observer);
            if (spec.node() == node && spec.kind() == Observer.Kind.GPU) {
                refresh(state, observer, inDomain(domain));
            }
        }
    }

    /** VIS-15 and VIS-16: to all observers, or for the time after a power failure. */
    void flush(ModelState state, int node, boolean persistent, List<Integer> words) {
        for (int observer = 0; observer < nodes.observers.size(); observer++) {
            ObserverSpec spec = nodes.observers.get(observer);
            if (spec.node() == node && persistent == (spec.kind() == Observer.Kind.POWER)) {
                refresh(state, observer, words::contains);
            }
        }
    }
}
