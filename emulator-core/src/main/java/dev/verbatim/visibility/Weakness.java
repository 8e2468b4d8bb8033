// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.verbs.Rule;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the memory of a node does not promise although coherent host memory, or another platform, does. */
public enum Weakness {
    /** A completion covers data in host memory only: data for a device takes a path of its own. */
    COMPLETION_COVERS_HOST_ONLY(Rule.VIS_04),
    /** A READ does not wait for earlier bytes in regions with relaxed ordering. */
    READ_PASSES_RELAXED(Rule.VIS_05),
    /** A running GPU sees what others write into its memory at its next refresh only. */
    GPU_SEES_AT_REFRESH(Rule.VIS_08),
    /** The same of what is written into the memory of another GPU. */
    PEER_GPU_SEES_AT_REFRESH(Rule.VIS_08),
    /** Flushing the writes of adapters for GPUs does nothing. */
    FLUSH_GPU_DOES_NOTHING(Rule.VIS_08),
    /** A GPU loads host memory from its cache, unless by an acquire of system scope. */
    GPU_CACHES_HOST(Rule.VIS_09),
    /** What a GPU stores, and what the CPU stores into memory of a GPU, may stay with it until it is released. */
    STORES_AWAIT_RELEASE(Rule.VIS_10),
    /** A fence of device scope does not release the stores of a GPU to adapters. */
    DEVICE_FENCE_STAYS(Rule.VIS_10),
    /** A load of the CPU from memory of a GPU does not wait for what adapters write there. */
    BAR_READ_PASSES(Rule.VIS_12),
    /** An atomic in a region with relaxed ordering does not wait for earlier bytes in such regions. */
    ATOMIC_PASSES_RELAXED(Rule.VIS_13),
    /** What WRITEs and SENDs bring arrives in any order, as over several paths. */
    WRITES_IN_ANY_ORDER(Rule.VIS_14),
    /** What adapters write into persistent memory is not durable when it arrives. */
    ADAPTER_WRITES_VOLATILE(Rule.VIS_16),
    /** What the CPU stores into persistent memory is not durable until it is flushed. */
    CPU_STORES_VOLATILE(Rule.VIS_16);

    private final Rule rule;

    Weakness(Rule rule) {
        this.rule = rule;
    }

    /** The rule of which it is the weak side. */
    public String rule() {
        return rule.id();
    }

    /** Its name in files and reports: lower case, with dashes. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The weakness of that {@linkplain #label() label}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Weakness labelled(String label) {
        return Stream.of(values())
                .filter(weakness -> weakness.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("weakness \"" + label + "\" is none of "
                        + Stream.of(values()).map(Weakness::label).collect(Collectors.joining(", "))));
    }
}
