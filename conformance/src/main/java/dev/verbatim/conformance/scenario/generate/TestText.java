// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import dev.verbatim.conformance.scenario.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A test as the text of a scenario file. */
final class TestText {

    /** Rights that a FLUSH needs besides the usual ones, of the region and of the queue pair. */
    private static final String RIGHTS = "[LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL]";

    private final LitmusTest test;
    private final Cycle cycle;

    /** The words of each node. */
    private final Map<String, Map<String, Integer>> words = new TreeMap<>();

    /** Queue pairs that are connected, each as the names of its ends, in the order of the programs. */
    private final Set<List<String>> connections = new LinkedHashSet<>();

    TestText(LitmusTest test) {
        this.test = test;
        this.cycle = test.cycle();
        for (int program = 0; program < cycle.programs(); program++) {
            words.put(LitmusTest.node(program), new LinkedHashMap<>());
        }
        for (int i = 0; i < cycle.steps().size(); i++) {
            String location = cycle.steps().get(i).location();
            String home = test.home(location);
            words.computeIfAbsent(home, node -> new LinkedHashMap<>()).put(location, 0);
            String node = LitmusTest.node(cycle.steps().get(i).program());
            String result = result(i);
            if (result != null && test.accesses().get(i).isPosted()) {
                words.getOrDefault(node, Map.of()).put(result, -1);
            }
            if (test.accesses().get(i).isPosted()) {
                connections.add(List.of(node + "." + test.qp(i), home + ".from_" + node + suffix(i)));
            }
        }
    }

    /** Where the result of a READ or an atomic lands; null if there is none. */
    private @Nullable String result(int step) {
        String register = test.register(step);
        return register == null && test.accesses().get(step) == Access.RMW ? LitmusTest.old(step) : register;
    }

    private String suffix(int step) {
        return test.severalQps() ? "_" + step : "";
    }

    private boolean isFlushed() {
        return test.betweens().stream().anyMatch(Between::flush);
    }

    /** Two nodes are connected anyway. */
    private boolean isPlain() {
        return words.size() == 2 && connections.size() == 1 && !isFlushed();
    }

    /**
     * The text.
     *
     * @param rules that forbid the condition; empty if none does
     * @param allowed the outcomes that are permitted
     * @param isForbidden whether the condition is not among them
     */
    String yaml(List<String> rules, List<Outcome> allowed, boolean isForbidden) {
        StringBuilder text = new StringBuilder();
        text.append("title: ")
                .append(test.name())
                .append(isForbidden ? " is forbidden" : " is permitted")
                .append('\n');
        text.append("about: The cycle ")
                .append(cycle)
                .append(", whose outcome is ")
                .append(test.conditionText())
                .append('\n');
        if (!rules.isEmpty()) {
            text.append("rules: ").append(rules).append('\n');
        }
        text.append("nodes:\n");
        words.forEach((node, own) -> node(node, own, text));
        if (!isPlain() && !connections.isEmpty()) {
            text.append("connections:\n");
            connections.forEach(ends -> text.append("  - ")
                    .append(isFlushed() ? "{between: " + ends + ", access: " + RIGHTS + "}" : "between: " + ends)
                    .append('\n'));
        }
        text.append("allowed:\n");
        allowed.forEach(
                outcome -> text.append("  - ").append(flow(outcome.values())).append('\n'));
        if (isForbidden && !rules.isEmpty()) {
            text.append("forbidden:\n  - {outcome: ")
                    .append(flow(test.condition()))
                    .append(", rule: ")
                    .append(rules.get(0))
                    .append("}\n");
        }
        return text.toString();
    }

    private static String flow(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private void node(String node, Map<String, Integer> own, StringBuilder text) {
        text.append("  ").append(node).append(":\n");
        if (!own.isEmpty()) {
            String plain = own.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining(", ", "{", "}"));
            text.append(
                    isFlushed()
                            ? "    regions:\n      shared: {words: " + plain + ", access: " + RIGHTS + "}\n"
                            : "    words: " + plain + "\n");
        }
        List<String> program = program(node);
        if (!program.isEmpty()) {
            text.append("    program:\n");
            program.forEach(step -> text.append("      - ").append(step).append('\n'));
        }
    }

    private List<String> program(String node) {
        List<String> program = new ArrayList<>();
        if (node.equals(LitmusTest.MEMORY)) {
            return program;
        }
        boolean isFenced = false;
        for (int step : cycle.ofProgram(Integer.parseInt(node.substring(1)))) {
            Between behind = test.betweens().get(step);
            program.add(access(step, isFenced, behind.poll() && !behind.flush()));
            if (behind.flush()) {
                program.add(post("flush: " + cycle.steps().get(step).location(), step, false, behind.poll()));
            }
            if (behind.poll()) {
                program.add("completion: SUCCESS");
            }
            isFenced = behind.fence();
        }
        return program;
    }

    private String access(int number, boolean isFenced, boolean isPolled) {
        Cycle.Step step = cycle.steps().get(number);
        String location = step.location();
        return switch (test.accesses().get(number)) {
            case PUT -> post("write: {" + location + ": " + step.order() + "}", number, isFenced, isPolled);
            case GET -> post("read: {" + location + ": " + result(number) + "}", number, isFenced, isPolled);
            case RMW ->
                post(
                        "faa: {" + location + ": " + result(number) + "}, add: " + (step.writes() ? step.order() : 0),
                        number,
                        isFenced,
                        isPolled);
            case STORE -> "store: {" + location + ": " + step.order() + "}";
            case LOAD -> "load: {" + location + ": " + result(number) + "}";
        };
    }

    /** Only what is polled is signaled, so that each completion is that of what was posted last. */
    private String post(String request, int step, boolean isFenced, boolean isPolled) {
        List<String> flags = new ArrayList<>();
        if (isFenced) {
            flags.add("FENCE");
        }
        if (!isPolled) {
            flags.add("UNSIGNALED");
        }
        return "{" + request + (isPlain() ? "" : ", qp: " + test.qp(step))
                + (flags.isEmpty() ? "" : ", flags: " + (flags.size() == 1 ? flags.get(0) : flags.toString())) + "}";
    }
}
