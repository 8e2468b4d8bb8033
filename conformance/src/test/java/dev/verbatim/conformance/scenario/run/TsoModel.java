// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The abstract machine of x86-TSO, written apart from the device: all ends of threads that store, load and fence. */
final class TsoModel {

    /**
     * What a thread does.
     *
     * @param kind S for a store of {@code value}, L for a load into register {@code target}, F for a fence
     */
    record Operation(char kind, String location, int value, String target) {

        static Operation store(String location, int value) {
            return new Operation('S', location, value, "");
        }

        static Operation load(String location, String register) {
            return new Operation('L', location, 0, register);
        }

        static Operation fence() {
            return new Operation('F', "", 0, "");
        }
    }

    private record Pending(String location, int value) {}

    private final List<List<Operation>> threads;
    private final boolean hasBuffers;
    private final Set<String> seen = new HashSet<>();
    private final Set<String> ends = new TreeSet<>();

    private TsoModel(List<List<Operation>> threads, boolean hasBuffers) {
        this.threads = threads;
        this.hasBuffers = hasBuffers;
    }

    /** All ends, as {@code name=value} in the order of the names of registers and locations; locations begin with 0. */
    static Set<String> ends(List<List<Operation>> threads, boolean hasBuffers) {
        TsoModel model = new TsoModel(threads, hasBuffers);
        Map<String, Integer> memory = new TreeMap<>();
        threads.forEach(thread -> thread.stream()
                .filter(operation -> operation.kind() != 'F')
                .forEach(operation -> memory.put(operation.location(), 0)));
        List<List<Pending>> buffers = new ArrayList<>();
        threads.forEach(thread -> buffers.add(List.of()));
        model.visit(new int[threads.size()], buffers, memory, new TreeMap<>());
        return model.ends;
    }

    private void visit(
            int[] at, List<List<Pending>> buffers, Map<String, Integer> memory, Map<String, Integer> registers) {
        if (!seen.add(Arrays.toString(at) + buffers + memory + registers)) {
            return;
        }
        boolean isOver = true;
        for (int thread = 0; thread < at.length; thread++) {
            List<Pending> buffer = buffers.get(thread);
            if (!buffer.isEmpty()) {
                isOver = false;
                Map<String, Integer> after = new TreeMap<>(memory);
                after.put(buffer.get(0).location(), buffer.get(0).value());
                visit(at, with(buffers, thread, buffer.subList(1, buffer.size())), after, registers);
            }
            if (at[thread] < threads.get(thread).size()) {
                isOver = false;
                step(thread, at, buffers, memory, registers);
            }
        }
        if (isOver) {
            Map<String, Integer> all = new TreeMap<>(memory);
            all.putAll(registers);
            StringBuilder end = new StringBuilder();
            all.forEach((name, value) -> end.append(end.isEmpty() ? "" : " ")
                    .append(name)
                    .append('=')
                    .append(value));
            ends.add(end.toString());
        }
    }

    private void step(
            int thread,
            int[] at,
            List<List<Pending>> buffers,
            Map<String, Integer> memory,
            Map<String, Integer> registers) {
        Operation operation = threads.get(thread).get(at[thread]);
        List<Pending> buffer = buffers.get(thread);
        int[] next = at.clone();
        next[thread]++;
        if (operation.kind() == 'F') {
            if (buffer.isEmpty()) {
                visit(next, buffers, memory, registers);
            }
        } else if (operation.kind() == 'L') {
            int value = memory.getOrDefault(operation.location(), 0);
            for (Pending pending : buffer) {
                value = pending.location().equals(operation.location()) ? pending.value() : value;
            }
            Map<String, Integer> after = new TreeMap<>(registers);
            after.put(operation.target(), value);
            visit(next, buffers, memory, after);
        } else if (hasBuffers) {
            List<Pending> longer = new ArrayList<>(buffer);
            longer.add(new Pending(operation.location(), operation.value()));
            visit(next, with(buffers, thread, longer), memory, registers);
        } else {
            Map<String, Integer> after = new TreeMap<>(memory);
            after.put(operation.location(), operation.value());
            visit(next, buffers, after, registers);
        }
    }

    private static List<List<Pending>> with(List<List<Pending>> buffers, int thread, List<Pending> buffer) {
        List<List<Pending>> others = new ArrayList<>(buffers);
        others.set(thread, List.copyOf(buffer));
        return others;
    }
}
