// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import static dev.verbatim.visibility.Weakness.ADAPTER_WRITES_VOLATILE;
import static dev.verbatim.visibility.Weakness.COMPLETION_COVERS_HOST_ONLY;
import static dev.verbatim.visibility.Weakness.CPU_STORES_VOLATILE;
import static dev.verbatim.visibility.Weakness.DEVICE_FENCE_STAYS;
import static dev.verbatim.visibility.Weakness.FLUSH_GPU_DOES_NOTHING;
import static dev.verbatim.visibility.Weakness.GPU_CACHES_HOST;
import static dev.verbatim.visibility.Weakness.GPU_SEES_AT_REFRESH;
import static dev.verbatim.visibility.Weakness.PEER_GPU_SEES_AT_REFRESH;
import static dev.verbatim.visibility.Weakness.READ_PASSES_RELAXED;
import static dev.verbatim.visibility.Weakness.STORES_AWAIT_RELEASE;
import static dev.verbatim.visibility.Weakness.WRITES_IN_ANY_ORDER;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What orders accesses to the memory of a node, besides its adapters. The named platforms follow documents, not measurements of
 * machines; {@code docs/visibility.md} names the documents.
 *
 * @param name what reports call it
 * @param weaknesses what it does not promise
 */
public record Platform(String name, Set<Weakness> weaknesses) {

    /** All observers are coherent. Writes arrive in any order, as the rules of InfiniBand permit (N3). */
    public static final Platform COHERENT_HOST = of("COHERENT_HOST", EnumSet.of(WRITES_IN_ANY_ORDER));

    /** Adapter, CPU and GPU on one path, and a GPU that observes writes into its memory in order. */
    public static final Platform GPU_ONE_PATH = of(
            "GPU_ONE_PATH",
            EnumSet.of(PEER_GPU_SEES_AT_REFRESH, GPU_CACHES_HOST, STORES_AWAIT_RELEASE, DEVICE_FENCE_STAYS));

    /** The same with a GPU that promises no order to running kernels. */
    public static final Platform GPU_UNORDERED = GPU_ONE_PATH.with("GPU_UNORDERED", GPU_SEES_AT_REFRESH);

    /** Data for the GPU takes another path than completions, and flushing for the GPU does nothing. */
    public static final Platform GPU_TWO_PATHS =
            GPU_ONE_PATH.with("GPU_TWO_PATHS", COMPLETION_COVERS_HOST_ONLY, FLUSH_GPU_DOES_NOTHING);

    /** One path whose parts behind the adapter let a READ pass writes with relaxed ordering. */
    public static final Platform GPU_RELAXED_FABRIC = GPU_ONE_PATH.with("GPU_RELAXED_FABRIC", READ_PASSES_RELAXED);

    /** Persistent memory behind caches: what an adapter writes is in a cache when it arrives. */
    public static final Platform PMEM_DDIO =
            COHERENT_HOST.with("PMEM_DDIO", ADAPTER_WRITES_VOLATILE, CPU_STORES_VOLATILE);

    /** Persistent memory that adapters write past the caches. */
    public static final Platform PMEM_DIRECT = COHERENT_HOST.with("PMEM_DIRECT", CPU_STORES_VOLATILE);

    /** Persistent memory whose caches survive a power failure. */
    public static final Platform PMEM_EADR = COHERENT_HOST.with("PMEM_EADR");

    /** The weakest of all: what works here relies on no platform. */
    public static final Platform AS_SPECIFIED = of("AS_SPECIFIED", EnumSet.allOf(Weakness.class));

    /** Copies the set. */
    public Platform {
        EnumSet<Weakness> copy = EnumSet.noneOf(Weakness.class);
        copy.addAll(weaknesses);
        weaknesses = Collections.unmodifiableSet(copy);
    }

    private static Platform of(String name, Set<Weakness> weaknesses) {
        return new Platform(name, weaknesses);
    }

    /** The platforms with a name, from strong to weak. */
    public static List<Platform> named() {
        return List.of(
                COHERENT_HOST,
                GPU_ONE_PATH,
                GPU_UNORDERED,
                GPU_TWO_PATHS,
                GPU_RELAXED_FABRIC,
                PMEM_DDIO,
                PMEM_DIRECT,
                PMEM_EADR,
                AS_SPECIFIED);
    }

    /**
     * The platform of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Platform named(String name) {
        return named().stream()
                .filter(platform -> platform.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("platform \"" + name + "\" is none of "
                        + named().stream().map(Platform::name).collect(Collectors.joining(", "))));
    }

    /** The same under another name, and with these weaknesses too. */
    public Platform with(String otherName, Weakness... more) {
        EnumSet<Weakness> all = EnumSet.noneOf(Weakness.class);
        all.addAll(weaknesses);
        all.addAll(List.of(more));
        return new Platform(otherName, all);
    }

    /** The same under another name, and without this weakness. */
    public Platform without(String otherName, Weakness weakness) {
        EnumSet<Weakness> fewer = EnumSet.noneOf(Weakness.class);
        fewer.addAll(weaknesses);
        fewer.remove(weakness);
        return new Platform(otherName, fewer);
    }

    /** Whether it has the weakness. */
    public boolean has(Weakness weakness) {
        return weaknesses.contains(weakness);
    }

    /**
     * Whether what the writer stores into a domain is seen by others only when it has released it (VIS-10, VIS-11).
     *
     * @param writer the CPU or a GPU; adapters release at once
     */
    public boolean awaitsRelease(Observer writer, MemoryDomain domain) {
        boolean isHeld = writer.kind() == Observer.Kind.GPU
                || (writer.kind() == Observer.Kind.CPU && domain.kind() == MemoryDomain.Kind.DEVICE);
        return isHeld && has(Weakness.STORES_AWAIT_RELEASE);
    }

    /** Whether an observer sees what the writer wrote into a domain only when it refreshes its view (VIS-08, VIS-09, VIS-16). */
    public boolean awaitsRefresh(Observer observer, MemoryDomain domain, Observer writer) {
        return switch (observer.kind()) {
            case CPU, ADAPTER -> false;
            case GPU -> writer.kind() != Observer.Kind.GPU && has(gpuWeakness(observer, domain));
            case POWER ->
                domain.kind() == MemoryDomain.Kind.PERSISTENT
                        && has(
                                writer.kind() == Observer.Kind.ADAPTER
                                        ? Weakness.ADAPTER_WRITES_VOLATILE
                                        : Weakness.CPU_STORES_VOLATILE);
        };
    }

    private static Weakness gpuWeakness(Observer gpu, MemoryDomain domain) {
        if (domain.kind() != MemoryDomain.Kind.DEVICE) {
            return Weakness.GPU_CACHES_HOST;
        }
        return domain.equals(gpu.own()) ? Weakness.GPU_SEES_AT_REFRESH : Weakness.PEER_GPU_SEES_AT_REFRESH;
    }

    /** Whether a completion comes after what its queue pair placed in that domain has arrived (VIS-04). */
    public boolean isCoveredByCompletions(MemoryDomain domain) {
        return domain.kind() != MemoryDomain.Kind.DEVICE || !has(Weakness.COMPLETION_COVERS_HOST_ONLY);
    }

    /**
     * Whether a READ or atomic in that domain comes after what its adapter accepted for it through all queue pairs (VIS-05), and not only
     * through its own, which is what ORD-31 promises.
     */
    public boolean readsCoverAllQueuePairs(MemoryDomain domain) {
        return domain.kind() == MemoryDomain.Kind.DEVICE || !has(Weakness.WRITES_IN_ANY_ORDER);
    }

    @Override
    public String toString() {
        return name;
    }
}
