// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cycle with how its programs access locations, and what they have between accesses. Each program is a node. A location that CPUs access
 * is in memory of that node, and each other one in memory of a node {@code m} without a program. A program has one queue pair to each node
 * whose memory it accesses, or one for each access.
 *
 * <p>Its name has the shape, or the edges of the cycle with dots between, and then each program: {@code MP+put-poll-put+get-get}. A last part
 * {@code qps} says that each access has a queue pair of its own.
 *
 * @param shape name of the shape, or the edges with dots between
 * @param accesses of the steps of the cycle
 * @param betweens behind each step what its program has before the next one; nothing behind the last of a program
 * @param severalQps whether each access has a queue pair of its own
 */
public record LitmusTest(String shape, Cycle cycle, List<Access> accesses, List<Between> betweens, boolean severalQps) {

    /** The node whose memory no program accesses by its CPU. */
    static final String MEMORY = "m";

    private static final String SEVERAL_QPS = "qps";

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if a step cannot be accessed so, something cannot be between two accesses, or CPUs of two programs
     *     access one location
     */
    public LitmusTest {
        accesses = List.copyOf(accesses);
        betweens = List.copyOf(betweens);
        String why = whyNot(cycle, accesses, betweens);
        if (!why.isEmpty()) {
            throw new IllegalArgumentException(why);
        }
    }

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException if it is none, with the nearest word
     */
    public static LitmusTest parse(String name) {
        String shape = shapeOf(name);
        Cycle cycle = cycleOf(shape);
        List<String> parts = new ArrayList<>(List.of(
                name.substring(Math.min(name.length(), shape.length() + 1)).split("[+]", -1)));
        boolean severalQps = parts.get(parts.size() - 1).equals(SEVERAL_QPS);
        if (severalQps) {
            parts.remove(parts.size() - 1);
        }
        if (parts.size() != cycle.programs()) {
            throw new IllegalArgumentException(
                    "test \"" + name + "\" has " + parts.size() + " programs, and " + shape + " has " + cycle.programs()
                            + "; write them behind the shape, each behind a +, such as MP+put-put+get-get");
        }
        Access[] accesses = new Access[cycle.steps().size()];
        Between[] betweens = new Between[cycle.steps().size()];
        Arrays.fill(betweens, Between.NOTHING);
        for (int program = 0; program < parts.size(); program++) {
            read(parts.get(program), cycle.ofProgram(program), accesses, betweens);
        }
        return new LitmusTest(shape, cycle, List.of(accesses), List.of(betweens), severalQps);
    }

    /** Whether it can only be the name of a test, and is neither a shape nor a cycle. */
    public static boolean isName(String text) {
        return shapeOf(text).length() < text.length();
    }

    /** The part of a name that is the shape: some have a + in theirs. */
    static String shapeOf(String name) {
        String plain = name.contains("+") ? name.substring(0, name.indexOf('+')) : name;
        return Shape.labels().stream()
                .filter(label -> name.equals(label) || name.startsWith(label + "+"))
                .findFirst()
                .orElse(plain);
    }

    /**
     * The cycle of a shape, or of edges with dots or spaces between.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static Cycle cycleOf(String shape) {
        return shape.contains(".") || shape.contains(" ")
                ? Cycle.parse(shape.replace('.', ' '))
                : Shape.parse(shape).cycle();
    }

    private static void read(String program, List<Integer> steps, Access[] accesses, Between[] betweens) {
        List<String> words = List.of(program.split("-", -1));
        int next = 0;
        for (int i = 0; i < steps.size(); i++) {
            int left = steps.size() - i - 1;
            if (next >= words.size()) {
                throw new IllegalArgumentException(
                        "program \"" + program + "\" has less than " + steps.size() + " accesses");
            }
            accesses[steps.get(i)] = Access.parse(words.get(next++));
            int end = next;
            while (end < words.size() && (left == 0 || !isAccess(words.get(end)))) {
                end++;
            }
            List<String> between = words.subList(next, end);
            if (left == 0 && !between.isEmpty()) {
                throw new IllegalArgumentException(
                        "program \"" + program + "\" has more than " + steps.size() + " accesses");
            }
            betweens[steps.get(i)] = Between.of(between);
            next = end;
        }
    }

    private static boolean isAccess(String word) {
        return Arrays.stream(Access.values())
                .anyMatch(access -> access.toString().equals(word));
    }

    /** Why there is no such test; empty if there is. */
    static String whyNot(Cycle cycle, List<Access> accesses, List<Between> betweens) {
        Map<String, Integer> homes = new TreeMap<>();
        for (int i = 0; i < accesses.size(); i++) {
            Cycle.Step step = cycle.steps().get(i);
            Access access = accesses.get(i);
            if (!access.fits(step.writes())) {
                return access + " does not " + (step.writes() ? "write" : "read") + ", as access " + (i + 1)
                        + " of the cycle " + cycle + " does";
            }
            Integer home = access.isPosted() ? null : homes.putIfAbsent(step.location(), step.program());
            if (home != null && home != step.program()) {
                return "CPUs of two nodes access location " + step.location()
                        + " by load and store, which is in memory of one;" + " use put, get or rmw in one of them";
            }
            int next = (i + 1) % accesses.size();
            String why = betweens.get(i).equals(Between.NOTHING)
                    ? ""
                    : isLastOfProgram(cycle, i)
                            ? "nothing can be behind the last access of a program"
                            : betweens.get(i).whyNot(access, step.writes(), accesses.get(next));
            if (!why.isEmpty()) {
                return why;
            }
        }
        return "";
    }

    static boolean isLastOfProgram(Cycle cycle, int step) {
        return step == cycle.steps().size() - 1
                || cycle.steps().get(step + 1).program()
                        != cycle.steps().get(step).program();
    }

    /** Its name, which {@link #parse} reads. */
    public String name() {
        List<String> parts = new ArrayList<>();
        parts.add(shape);
        for (int program = 0; program < cycle.programs(); program++) {
            parts.add(programText(program));
        }
        if (severalQps) {
            parts.add(SEVERAL_QPS);
        }
        return String.join("+", parts);
    }

    /** A program in a name, such as {@code put-poll-put}. */
    private String programText(int program) {
        StringBuilder text = new StringBuilder();
        for (int step : cycle.ofProgram(program)) {
            text.append(text.isEmpty() ? "" : "-").append(accesses.get(step));
            String between = betweens.get(step).toString();
            text.append(between.isEmpty() ? "" : "-" + between.substring(0, between.length() - 1));
        }
        return text.toString();
    }

    /** The node in whose memory a location is. */
    String home(String location) {
        for (int i = 0; i < accesses.size(); i++) {
            if (!accesses.get(i).isPosted() && cycle.steps().get(i).location().equals(location)) {
                return node(cycle.steps().get(i).program());
            }
        }
        return MEMORY;
    }

    /** The node of a program. */
    static String node(int program) {
        return "p" + program;
    }

    /** The queue pair of a posted access, by a name that is unique on its node. */
    String qp(int step) {
        String home = home(cycle.steps().get(step).location());
        return severalQps ? home + "_" + step : home;
    }

    /** The register that a read fills; null for a write. */
    @Nullable
    String register(int step) {
        if (cycle.steps().get(step).writes()) {
            return null;
        }
        long before = cycle.steps().subList(0, step).stream()
                .filter(each -> !each.writes())
                .count();
        return "r" + before;
    }

    /** What a location holds behind so many of its writes, in the order of the outcome. */
    long valueAfter(String location, int writes) {
        long value = 0;
        for (int order = 1; order <= writes; order++) {
            for (int i = 0; i < accesses.size(); i++) {
                Cycle.Step step = cycle.steps().get(i);
                if (step.writes() && step.order() == order && step.location().equals(location)) {
                    value = accesses.get(i) == Access.RMW ? value + order : order;
                }
            }
        }
        return value;
    }

    /** Where an atomic that writes leaves what was there before it. */
    static String old(int step) {
        return "old" + step;
    }

    /**
     * The outcome that no order of all accesses explains: what reads return, and which of two writes of a location is the last one, as its
     * final value says, or what an atomic found.
     */
    public Map<String, String> condition() {
        Map<String, String> condition = new LinkedHashMap<>();
        for (int i = 0; i < accesses.size(); i++) {
            Cycle.Step step = cycle.steps().get(i);
            String register = register(i);
            if (register != null) {
                condition.put(register, String.valueOf(valueAfter(step.location(), step.order())));
            } else if (step.order() == 2) {
                boolean isAtomic = accesses.get(i) == Access.RMW;
                condition.put(
                        isAtomic ? old(i) : step.location(),
                        String.valueOf(valueAfter(step.location(), isAtomic ? 1 : 2)));
            }
        }
        return Collections.unmodifiableMap(condition);
    }

    /** The condition as text, such as {@code r0=1 r1=0}. */
    public String conditionText() {
        return condition().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** The name. */
    @Override
    public String toString() {
        return name();
    }
}
