// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.check;

import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a node has, by name: what the file says, and what follows from it. */
public final class Names {

    private final String node;
    private final MemorySpec memory;
    private final Map<String, RegionSpec> regions;
    private final Map<String, WindowSpec> windows;
    private final Map<String, CqSpec> cqs;
    private final Map<String, QpSpec> qps;
    private final Map<String, SrqSpec> srqs;
    private final Map<String, AhSpec> ahs;
    private final Map<String, Word> words = new LinkedHashMap<>();
    private final Map<String, StepObjects.Region> made = new LinkedHashMap<>();
    private final Map<String, ConnectionSpec> connections = new LinkedHashMap<>();
    private final Set<String> windowNames = new TreeSet<>();

    /** Where a word is. */
    public record Word(String region, int offset) {}

    /**
     * The names of a node. Queue pairs that only its connections name are as usual, and so are completion queues that
     * only queue pairs name.
     */
    public Names(
            String node,
            Map<String, RegionSpec> regions,
            Map<String, WindowSpec> windows,
            Map<String, CqSpec> cqs,
            Map<String, QpSpec> qps,
            Map<String, SrqSpec> srqs,
            Map<String, AhSpec> ahs,
            List<ConnectionSpec> connections,
            List<StepObjects> stepObjects,
            MemorySpec memory) {
        this.node = node;
        this.memory = memory;
        this.regions = regions;
        this.windows = windows;
        this.cqs = new LinkedHashMap<>(cqs);
        this.qps = new LinkedHashMap<>(qps);
        this.srqs = srqs;
        this.ahs = ahs;
        for (ConnectionSpec connection : connections) {
            for (QpRef end : connection.ends()) {
                if (end.node().equals(node)) {
                    this.qps.putIfAbsent(end.qp(), QpSpec.USUAL);
                    this.connections.putIfAbsent(end.qp(), connection);
                }
            }
        }
        for (QpSpec qp : this.qps.values()) {
            if (qp.sends()) {
                this.cqs.putIfAbsent(qp.sendCq(), CqSpec.USUAL);
            }
            if (qp.receives()) {
                this.cqs.putIfAbsent(qp.recvCq(), CqSpec.USUAL);
            }
        }
        for (SrqSpec srq : srqs.values()) {
            if (srq.cq() != null) {
                this.cqs.putIfAbsent(srq.cq(), CqSpec.USUAL);
            }
        }
        regions.forEach((name, region) -> {
            int offset = 0;
            for (String word : region.words().keySet()) {
                words.put(word, new Word(name, offset));
                offset += RegionSpec.WORD_BYTES;
            }
        });
        windowNames.addAll(windows.keySet());
        for (StepObjects each : stepObjects) {
            windowNames.addAll(each.windows());
            each.regions().forEach(region -> made.put(region.name(), region));
        }
    }

    /** The node. */
    public String node() {
        return node;
    }

    /** What its memory is. */
    public MemorySpec memory() {
        return memory;
    }

    /** Its regions. */
    public Map<String, RegionSpec> regions() {
        return regions;
    }

    /** Its windows that are there when its program starts. */
    public Map<String, WindowSpec> windows() {
        return windows;
    }

    /** The names of all its windows, those too that a step allocates. */
    public Set<String> windowNames() {
        return Collections.unmodifiableSet(windowNames);
    }

    /** Its completion queues, those too that nothing is said of. */
    public Map<String, CqSpec> cqs() {
        return cqs;
    }

    /** Its queue pairs, those too that nothing is said of. */
    public Map<String, QpSpec> qps() {
        return qps;
    }

    /** Its shared receive queues. */
    public Map<String, SrqSpec> srqs() {
        return srqs;
    }

    /** Its address handles. */
    public Map<String, AhSpec> ahs() {
        return ahs;
    }

    /** Its XRC domains, which are there because something names them. */
    public Set<String> xrcds() {
        Set<String> all = new TreeSet<>();
        srqs.values().stream().map(SrqSpec::xrcd).filter(Objects::nonNull).forEach(all::add);
        qps.values().stream().map(QpSpec::xrcd).filter(Objects::nonNull).forEach(all::add);
        return all;
    }

    /** The names of its words. */
    public List<String> words() {
        return List.copyOf(words.keySet());
    }

    /** What the queue pair is connected to; null if it is not. */
    public @Nullable ConnectionSpec connection(String qp) {
        return connections.get(qp);
    }

    /** The peer of a queue pair; null if it has none. */
    public @Nullable QpRef peer(String qp) {
        ConnectionSpec connection = connections.get(qp);
        return connection == null ? null : connection.peerOf(new QpRef(node, qp));
    }

    @Nullable
    public Word word(String name) {
        return words.get(name);
    }

    /** Size of a word or region; -1 if there is none of that name. */
    public int sizeOf(String name) {
        RegionSpec own = regions.get(name);
        if (own != null) {
            return own.sizeBytes();
        }
        StepObjects.Region region = made.get(name);
        if (region != null) {
            return region.sizeIn(regions);
        }
        return words.containsKey(name) ? RegionSpec.WORD_BYTES : -1;
    }

    /** Bytes that the place names in this node's memory. */
    public int lengthOf(Place place) {
        if (place.lengthBytes() != null) {
            return place.lengthBytes();
        }
        return place.name() == null ? 0 : (int) Math.max(0, sizeOf(place.name()) - place.offset());
    }

    /** Its protection domains. */
    public List<String> pds() {
        TreeSet<String> all = new TreeSet<>();
        regions.values().forEach(region -> all.add(region.pd()));
        qps.values().forEach(qp -> all.add(qp.pd()));
        windows.values().forEach(window -> all.add(window.pd()));
        srqs.values().forEach(srq -> all.add(srq.pd()));
        ahs.values().forEach(ah -> all.add(ah.pd()));
        return List.copyOf(all);
    }

    /** Names of everything that has keys. */
    Set<String> keyNames() {
        Set<String> all = new TreeSet<>(regions.keySet());
        all.addAll(made.keySet());
        all.addAll(windowNames);
        return all;
    }

    public boolean isRegion(String name) {
        return regions.containsKey(name) || made.containsKey(name);
    }

    /** Names of everything that a place can name. */
    public List<String> places() {
        TreeSet<String> all = new TreeSet<>(words.keySet());
        all.addAll(regions.keySet());
        all.addAll(made.keySet());
        return List.copyOf(all);
    }
}
