// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.visibility.Platform;
import java.util.ArrayList;
import java.util.List;

/**
 * A program in which a producer writes a word of data, tells the receiver, and a reader behind the receiver looks at it: node a
 * writes {@code d} of node b, whose other adapter is node b1, and node c is where a forwarder sends it. The word of the reader,
 * {@code seen}, {@code x} or {@code d}, is 1 for the data and 0 for what was there before.
 *
 * @param memory where the data is
 * @param notice how the receiver is told
 * @param flush what is done between that and the reader
 * @param reader who looks
 * @param isRelaxed whether the region of the data has relaxed ordering
 */
public record Relay(Memory memory, Notice notice, Flush flush, Reader reader, boolean isRelaxed) {

    private static final String ORDINARY = "LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC";

    /** Where the data is. */
    public enum Memory {
        HOST,
        GPU,
        PERSISTENT
    }

    /** How the receiver is told. */
    public enum Notice {
        /** By the completion of a WRITE with immediate behind the data. */
        IMMEDIATE,
        /** By that of one on another queue pair, which was posted behind the completion of the data. */
        OTHER_QUEUE_PAIR,
        /** By a word that a WRITE sets, and that the CPU polls. */
        FLAG,
        /** By a word that a FETCH_ADD counts, and that the CPU polls. */
        ATOMIC,
        /** Outside the network, when the producer has its completion. */
        TCP
    }

    /** What makes the data visible, or is meant to. */
    public enum Flush {
        NONE,
        /** The receiver reads the data through a queue pair of its own. */
        READ,
        /** It reads a word of host memory instead. */
        READ_ELSEWHERE,
        /** Another adapter of the receiver reads the data. */
        OTHER_ADAPTER,
        /** The CPU calls the driver. */
        DRIVER,
        /** The CPU loads the data. */
        LOAD,
        /** The CPU writes persistent memory back from its caches. */
        PERSIST,
        /** The producer posts a FLUSH to persistence between the data and what tells the receiver. */
        BY_PRODUCER;

        boolean isOfPersistence() {
            return this == PERSIST || this == BY_PRODUCER;
        }
    }

    /** Who looks at the data. */
    public enum Reader {
        /** The CPU of the receiver. */
        CPU,
        /** A kernel that was launched then. */
        LAUNCHED_KERNEL,
        /** A kernel that runs and polls a word that the CPU stores then. */
        RUNNING_KERNEL,
        /** The adapter that the data came through, which sends it on. */
        SAME_ADAPTER,
        /** Another adapter of the receiver, which sends it on. */
        OTHER_ADAPTER,
        /** Whoever finds the memory after the power of the receiver has failed. */
        AFTER_POWER_FAILURE;

        boolean isKernel() {
            return this == LAUNCHED_KERNEL || this == RUNNING_KERNEL;
        }
    }

    /** All of them, in a fixed order; what is persistent is looked at after the power failed, and nothing else is. */
    public static List<Relay> all() {
        List<Relay> all = new ArrayList<>();
        for (Memory memory : Memory.values()) {
            for (Notice notice : Notice.values()) {
                for (Flush flush : Flush.values()) {
                    for (Reader reader : Reader.values()) {
                        for (boolean isRelaxed : new boolean[] {false, true}) {
                            Relay relay = new Relay(memory, notice, flush, reader, isRelaxed);
                            if (relay.makesSense()) {
                                all.add(relay);
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    private boolean makesSense() {
        boolean isPersistent = memory == Memory.PERSISTENT;
        return isPersistent == (reader == Reader.AFTER_POWER_FAILURE) && (isPersistent || !flush.isOfPersistence());
    }

    /** The scenario on that platform; what is stale is its question. */
    public Scenario scenario(Platform platform) {
        return ScenarioReader.read(toString(), yaml()).scenario().on(platform);
    }

    /** The same as a file. */
    public String yaml() {
        boolean hasSecond = flush == Flush.OTHER_ADAPTER || reader == Reader.OTHER_ADAPTER;
        boolean hasThird = reader == Reader.SAME_ADAPTER || reader == Reader.OTHER_ADAPTER;
        List<String> lines = new ArrayList<>();
        lines.add("title: " + this);
        lines.add("nodes:");
        lines.add("  a:");
        lines.add("    leftovers: leave");
        lines.add("    words: {r: -1}");
        program(lines, "program", "    ", producer());
        lines.add("  b:");
        lines.add("    platform: COHERENT_HOST");
        lines.add("    domains: {gpu0: device, pm: persistent}");
        lines.add("    words: {f: 0, tail: 0, dummy: -1}");
        lines.add("    regions: {data: {" + where() + "words: {d: 0}, access: [" + rights()
                + (isRelaxed ? ", RELAXED_ORDERING" : "") + "]}}");
        program(lines, "program", "    ", receiver());
        if (reader.isKernel()) {
            lines.add("    kernels:");
            program(lines, "gpu0", "      ", kernel());
        }
        if (hasSecond) {
            lines.add("  b1:");
            lines.add("    adapter_of: b");
            lines.add("    regions: {again: {shares: data, words: {d1: 0}}, own: {words: {dummy1: -1}}}");
            program(lines, "program", "    ", second());
        }
        if (hasThird) {
            lines.add("  c: {words: {x: -1}}");
        }
        lines.add("connections:");
        lines.add(
                "  - {between: [a.data, b.data], access: [REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_PERSISTENT]}");
        if (notice == Notice.OTHER_QUEUE_PAIR) {
            lines.add("  - {between: [a.note, b.note]}");
        }
        if (flush == Flush.READ || flush == Flush.READ_ELSEWHERE) {
            lines.add("  - {between: [b.flush, b.flush]}");
        }
        if (flush == Flush.OTHER_ADAPTER) {
            lines.add("  - {between: [b1.flush, b1.flush]}");
        }
        if (hasThird) {
            lines.add("  - {between: [" + (reader == Reader.SAME_ADAPTER ? "b" : "b1") + ".out, c.in]}");
        }
        lines.add("choices: {on: [program-step, placement, observe, writeback, durable]}");
        lines.add("stale: {" + register() + ": 0}");
        return String.join("\n", lines) + "\n";
    }

    private String rights() {
        return memory == Memory.PERSISTENT ? ORDINARY + ", FLUSH_PERSISTENT" : ORDINARY;
    }

    private String where() {
        return switch (memory) {
            case HOST -> "";
            case GPU -> "in: gpu0, ";
            case PERSISTENT -> "in: pm, ";
        };
    }

    /** The register or word of what the reader saw. */
    public String register() {
        return switch (reader) {
            case SAME_ADAPTER, OTHER_ADAPTER -> "x";
            case AFTER_POWER_FAILURE -> "d";
            case CPU, LAUNCHED_KERNEL, RUNNING_KERNEL -> "seen";
        };
    }

    private static void program(List<String> lines, String name, String indent, List<String> steps) {
        lines.add(indent + name + ":");
        steps.forEach(step -> lines.add(indent + "  - " + step));
    }

    private boolean takesReceive() {
        return notice == Notice.IMMEDIATE || notice == Notice.OTHER_QUEUE_PAIR;
    }

    private List<String> producer() {
        List<String> steps = new ArrayList<>();
        if (takesReceive()) {
            steps.add("await: ready");
        }
        steps.add("{write: {d: 1}, qp: data}");
        if (flush == Flush.BY_PRODUCER) {
            steps.add("{flush: d, type: PERSISTENT, qp: data}");
        }
        switch (notice) {
            case IMMEDIATE -> steps.add("{write_imm: {f: 1}, imm: 1, qp: data}");
            case OTHER_QUEUE_PAIR -> {
                completions(steps);
                steps.add("{write_imm: {f: 1}, imm: 1, qp: note}");
            }
            case FLAG -> steps.add("{write: {f: 1}, qp: data}");
            case ATOMIC -> steps.add("{faa: {f: r}, qp: data}");
            case TCP -> {
                completions(steps);
                steps.add("tell: sent");
            }
        }
        return steps;
    }

    private void completions(List<String> steps) {
        steps.add("completion: SUCCESS");
        if (flush == Flush.BY_PRODUCER) {
            steps.add("completion: SUCCESS");
        }
    }

    private List<String> receiver() {
        List<String> steps = new ArrayList<>();
        if (takesReceive()) {
            steps.add("{recv: [], qp: " + (notice == Notice.IMMEDIATE ? "data" : "note") + "}");
            steps.add("tell: ready");
            steps.add("completion: {opcode: RECV_RDMA_WITH_IMM}");
        } else {
            steps.add(notice == Notice.TCP ? "await: sent" : "until: {f: 1}");
        }
        switch (flush) {
            case NONE, BY_PRODUCER -> {}
            case READ, READ_ELSEWHERE -> {
                steps.add("{read: {" + (flush == Flush.READ ? "d" : "tail") + ": dummy}, qp: flush}");
                steps.add("completion: {opcode: RDMA_READ}");
            }
            case OTHER_ADAPTER -> {
                steps.add("tell: flush");
                steps.add("await: flushed");
            }
            case DRIVER -> steps.add("flush_gpu: {gpu0: OWNER}");
            case LOAD -> steps.add("load: {d: early}");
            case PERSIST -> steps.add("persist: d");
        }
        switch (reader) {
            case CPU -> steps.add("load: {d: seen}");
            case LAUNCHED_KERNEL -> steps.add("launch: gpu0");
            case RUNNING_KERNEL -> steps.add("store: {tail: 1}");
            case SAME_ADAPTER -> steps.add("{write: {x: d}, qp: out}");
            case OTHER_ADAPTER -> steps.add("tell: go");
            case AFTER_POWER_FAILURE -> steps.add("power_fail: true");
        }
        return steps;
    }

    private List<String> kernel() {
        return reader == Reader.RUNNING_KERNEL
                ? List.of("until: {tail: 1}", "load: {d: seen}")
                : List.of("load: {d: seen}");
    }

    private List<String> second() {
        List<String> steps = new ArrayList<>();
        if (flush == Flush.OTHER_ADAPTER) {
            steps.add("await: flush");
            steps.add("{read: {d1: dummy1}, qp: flush}");
            steps.add("completion: {opcode: RDMA_READ}");
            steps.add("tell: flushed");
        }
        if (reader == Reader.OTHER_ADAPTER) {
            steps.add("await: go");
            steps.add("{write: {x: d1}, qp: out}");
        }
        return steps;
    }

    /** Such as {@code HOST data, told by TCP, flush NONE, read by CPU}. */
    @Override
    public String toString() {
        return memory + (isRelaxed ? " relaxed" : "") + " data, told by " + notice + ", flush " + flush + ", read by "
                + reader;
    }
}
