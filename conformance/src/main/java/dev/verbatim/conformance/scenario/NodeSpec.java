// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.CpuModel;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.MemorySpec;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.Platform;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * One node: its device, what is on it, and its program.
 *
 * @param profile how its device behaves
 * @param regions memory by name
 * @param windows memory windows by name
 * @param cqs completion queues by name; those that only queue pairs name need not be here
 * @param qps queue pairs by name; those that only connections name need not be here
 * @param srqs shared receive queues by name
 * @param ahs address handles by name
 * @param leftovers what becomes of completions that the program does not take
 * @param program its steps
 * @param memory what its memory is
 * @param kernels the steps of programs that run on its GPUs, by the domains of these
 * @param cpu in which order memory has what the threads of its CPU store
 * @param threads the steps of further threads of its CPU, by name
 */
public record NodeSpec(
        ProfileSpec profile,
        Map<String, RegionSpec> regions,
        Map<String, WindowSpec> windows,
        Map<String, CqSpec> cqs,
        Map<String, QpSpec> qps,
        Map<String, SrqSpec> srqs,
        Map<String, AhSpec> ahs,
        Leftovers leftovers,
        List<Step> program,
        MemorySpec memory,
        Map<String, List<Step>> kernels,
        CpuModel cpu,
        Map<String, List<Step>> threads) {

    /** A node with coherent host memory. */
    public NodeSpec(
            ProfileSpec profile,
            Map<String, RegionSpec> regions,
            Map<String, WindowSpec> windows,
            Map<String, CqSpec> cqs,
            Map<String, QpSpec> qps,
            Map<String, SrqSpec> srqs,
            Map<String, AhSpec> ahs,
            Leftovers leftovers,
            List<Step> program) {
        this(
                profile,
                regions,
                windows,
                cqs,
                qps,
                srqs,
                ahs,
                leftovers,
                program,
                MemorySpec.USUAL,
                Map.of(),
                CpuModel.SC,
                Map.of());
    }

    /** What becomes of completions of signaled requests that a program has not taken when it ends. */
    public enum Leftovers {
        /** They are awaited, and each must be a success. */
        SUCCESS,
        /** They are awaited. */
        ANY,
        /** Nobody waits for them. */
        LEAVE;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Form<Map<String, RegionSpec>> REGIONS = byName("a region", RegionSpec.FORM);
    private static final Form<Map<String, WindowSpec>> WINDOWS = byName("a window", WindowSpec.FORM);
    private static final Form<Map<String, CqSpec>> CQS = byName("a completion queue", CqSpec.FORM);
    private static final Form<Map<String, QpSpec>> QPS = byName("a queue pair", QpSpec.FORM);
    private static final Form<Map<String, SrqSpec>> SRQS = byName("a shared receive queue", SrqSpec.FORM);
    private static final Form<Map<String, AhSpec>> AHS = byName("an address handle", AhSpec.FORM);
    private static final Form<List<Step>> STEPS = Forms.listOf(StepWords.FORM);
    private static final Form<Map<String, List<Step>>> KERNELS = byName("a memory domain", STEPS);
    private static final Form<Map<String, List<Step>>> THREADS = byName("a thread", STEPS);

    /** In a file. */
    public static final Form<NodeSpec> FORM = form();

    /** Copies the collections. */
    public NodeSpec {
        regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
        windows = Collections.unmodifiableMap(new LinkedHashMap<>(windows));
        cqs = Collections.unmodifiableMap(new LinkedHashMap<>(cqs));
        qps = Collections.unmodifiableMap(new LinkedHashMap<>(qps));
        srqs = Collections.unmodifiableMap(new LinkedHashMap<>(srqs));
        ahs = Collections.unmodifiableMap(new LinkedHashMap<>(ahs));
        program = List.copyOf(program);
        kernels = copyOf(kernels);
        threads = copyOf(threads);
    }

    private static Map<String, List<Step>> copyOf(Map<String, List<Step>> programs) {
        Map<String, List<Step>> copies = new LinkedHashMap<>();
        programs.forEach((name, steps) -> copies.put(name, List.copyOf(steps)));
        return Collections.unmodifiableMap(copies);
    }

    /** All steps of the node: of its program, threads and kernels, and those that are part of others. */
    public List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        addWithInner(program, steps);
        threads.values().forEach(thread -> addWithInner(thread, steps));
        kernels.values().forEach(kernel -> addWithInner(kernel, steps));
        return List.copyOf(steps);
    }

    private static void addWithInner(List<Step> added, List<Step> steps) {
        for (Step step : added) {
            steps.add(step);
            addWithInner(step.inner(), steps);
        }
    }

    /** The same on that platform, if observers of its memory may see different things. */
    NodeSpec on(Platform platform) {
        return on(memory.on(platform));
    }

    /** The same with other memory. */
    public NodeSpec on(MemorySpec other) {
        return new NodeSpec(
                profile, regions, windows, cqs, qps, srqs, ahs, leftovers, program, other, kernels, cpu, threads);
    }

    /** The same with another device. */
    public NodeSpec on(ProfileSpec other) {
        return new NodeSpec(
                other, regions, windows, cqs, qps, srqs, ahs, leftovers, program, memory, kernels, cpu, threads);
    }

    /** The same with other regions and programs. */
    public NodeSpec with(
            Map<String, RegionSpec> otherRegions,
            List<Step> otherProgram,
            Map<String, List<Step>> otherKernels,
            Map<String, List<Step>> otherThreads) {
        return new NodeSpec(
                profile,
                otherRegions,
                windows,
                cqs,
                qps,
                srqs,
                ahs,
                leftovers,
                otherProgram,
                memory,
                otherKernels,
                cpu,
                otherThreads);
    }

    /** The same with another CPU. */
    NodeSpec on(CpuModel other) {
        return new NodeSpec(
                profile, regions, windows, cqs, qps, srqs, ahs, leftovers, program, memory, kernels, other, threads);
    }

    private Map<String, Long> plainWords() {
        RegionSpec words = regions.get(RegionSpec.WORDS);
        return words != null && words.isPlainWords() ? words.words() : Map.of();
    }

    private Map<String, RegionSpec> otherRegions() {
        Map<String, RegionSpec> others = new LinkedHashMap<>(regions);
        if (!plainWords().isEmpty()) {
            others.remove(RegionSpec.WORDS);
        }
        return others;
    }

    private static Form<NodeSpec> form() {
        Mapping<NodeSpec> mapping = new Mapping<>("node", "a node");
        Key<NodeSpec, ProfileSpec> profile = mapping.optional(
                "profile", ProfileSpec.FORM, ProfileSpec.STRICT, NodeSpec::profile, "How its device behaves.");
        Key<NodeSpec, Map<String, Long>> words = mapping.optional(
                "words",
                RegionSpec.WORDS_FORM,
                Map.of(),
                NodeSpec::plainWords,
                "Named 64-bit words of its memory and their values; all nodes may read and write them.");
        Key<NodeSpec, Map<String, RegionSpec>> regions =
                mapping.optional("regions", REGIONS, Map.of(), NodeSpec::otherRegions, "Memory that is registered.");
        Key<NodeSpec, Map<String, WindowSpec>> windows = mapping.optional(
                "windows", WINDOWS, Map.of(), NodeSpec::windows, "Memory windows by name: type 1 or 2.");
        Key<NodeSpec, Map<String, CqSpec>> cqs = mapping.optional(
                "cqs", CQS, Map.of(), NodeSpec::cqs, "Completion queues, where the usual one is not enough.");
        Key<NodeSpec, Map<String, QpSpec>> qps = mapping.optional(
                "qps", QPS, Map.of(), NodeSpec::qps, "Queue pairs, where the usual ones are not enough.");
        Key<NodeSpec, Map<String, SrqSpec>> srqs =
                mapping.optional("srqs", SRQS, Map.of(), NodeSpec::srqs, "Shared receive queues by name.");
        Key<NodeSpec, Map<String, AhSpec>> ahs = mapping.optional(
                "ahs", AHS, Map.of(), NodeSpec::ahs, "Address handles by name, each with the node that it leads to.");
        Key<NodeSpec, Leftovers> leftovers = mapping.optional(
                "leftovers",
                Forms.constant("what becomes of leftover completions", Leftovers.class, Leftovers::word),
                Leftovers.SUCCESS,
                NodeSpec::leftovers,
                "Completions that the program does not take: awaited and all successes, any, or left.");
        Key<NodeSpec, List<Step>> program =
                mapping.optional("program", STEPS, List.of(), NodeSpec::program, "What it does, step by step.");
        Function<Values, MemorySpec> memory = memory(mapping);
        Key<NodeSpec, Map<String, List<Step>>> kernels = mapping.optional(
                "kernels", KERNELS, Map.of(), NodeSpec::kernels, "What its GPUs do, step by step, by their domains.");
        Key<NodeSpec, CpuModel> cpu = mapping.optional(
                "cpu",
                Forms.constant("a memory model", CpuModel.class, CpuModel::name),
                CpuModel.SC,
                NodeSpec::cpu,
                "In which order memory has what threads of the CPU store: SC, or TSO with store buffers.");
        Key<NodeSpec, Map<String, List<Step>>> threads = mapping.optional(
                "threads",
                THREADS,
                Map.of(),
                NodeSpec::threads,
                "What further threads of its CPU do, step by step, by name.");
        return mapping.making(values -> new NodeSpec(
                values.get(profile),
                withWords(values.get(words), values.get(regions)),
                values.get(windows),
                values.get(cqs),
                values.get(qps),
                values.get(srqs),
                values.get(ahs),
                values.get(leftovers),
                values.get(program),
                memory.apply(values),
                values.get(kernels),
                values.get(cpu),
                values.get(threads)));
    }

    private static Function<Values, MemorySpec> memory(Mapping<NodeSpec> mapping) {
        Key<NodeSpec, Platform> platform = mapping.perhaps(
                "platform",
                MemorySpec.PLATFORM,
                node -> node.memory.platform(),
                "What orders accesses to its memory, besides its adapters.");
        Key<NodeSpec, Map<String, MemoryDomain.Kind>> domains = mapping.optional(
                "domains",
                MemorySpec.DOMAINS,
                Map.of(),
                node -> node.memory.domains(),
                "Memory domains by name: device for a GPU, persistent.");
        Key<NodeSpec, String> adapterOf = mapping.perhaps(
                "adapter_of",
                Forms.name("the name of a node"),
                node -> node.memory.adapterOf(),
                "The node of which this is another adapter; its program runs there.");
        return values -> new MemorySpec(values.orNull(platform), values.get(domains), values.orNull(adapterOf));
    }

    private static Map<String, RegionSpec> withWords(Map<String, Long> words, Map<String, RegionSpec> regions) {
        Map<String, RegionSpec> all = new LinkedHashMap<>();
        if (!words.isEmpty()) {
            all.put(RegionSpec.WORDS, RegionSpec.ofWords(words));
            if (regions.containsKey(RegionSpec.WORDS)) {
                throw new IllegalArgumentException(
                        "the words of the node are a region of the name words; name the other region otherwise");
            }
        }
        all.putAll(regions);
        return all;
    }

    private static <T> Form<Map<String, T>> byName(String what, Form<T> form) {
        return Forms.mapOf(Forms.name("the name of " + what), form);
    }
}
