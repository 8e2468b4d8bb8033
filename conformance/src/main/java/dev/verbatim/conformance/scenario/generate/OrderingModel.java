// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.generate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says by the rules alone whether the condition of a test is permitted: an axiomatic model of what the tests consist of, which runs no device.
 *
 * <p>A work request has four moments: it is posted, it takes effect at the responder (ORD-11), its bytes are visible to the CPU there
 * (ORD-34), and it completes. An access of a CPU is one moment. Rules order moments of one program; the condition orders moments of
 * accesses to one location. A read by a device and the order in which devices write go by effects, and what a CPU loads and stores by
 * visibility; an atomic is atomic to CPUs too (WR-37), so what it finds is visible. The effect of a FLUSH is that what is before it is visible (NW-02). The condition is forbidden exactly if these orders together have a cycle.
 */
final class OrderingModel {

    private enum Moment {
        POST,
        EFFECT,
        VISIBLE,
        COMPLETE
    }

    /** A work request, or an access of a CPU; a FLUSH has the number of the step that it is behind. */
    private record Operation(int step, boolean isFlush, boolean isFenced) {}

    private record Order(int later, String rule) {}

    private final LitmusTest test;
    private final Cycle cycle;
    private final List<Operation> operations = new ArrayList<>();
    private final List<List<Order>> orders = new ArrayList<>();

    private OrderingModel(LitmusTest test) {
        this.test = test;
        this.cycle = test.cycle();
        for (int program = 0; program < cycle.programs(); program++) {
            boolean isFenced = false;
            for (int step : cycle.ofProgram(program)) {
                operations.add(new Operation(step, false, isFenced));
                if (test.betweens().get(step).flush()) {
                    operations.add(new Operation(step, true, false));
                }
                isFenced = test.betweens().get(step).fence();
            }
        }
        for (int i = 0; i < operations.size() * Moment.values().length; i++) {
            orders.add(new ArrayList<>());
        }
    }

    /**
     * The rules that forbid the condition of a test, in the order of a shortest cycle; null if it is permitted. Empty if no rule is needed,
     * as CPUs alone forbid it.
     */
    static @Nullable List<String> forbidding(LitmusTest test) {
        OrderingModel model = new OrderingModel(test);
        model.orderPrograms();
        model.orderAccesses();
        return model.shortestCycle();
    }

    private boolean isPosted(Operation operation) {
        return operation.isFlush() || access(operation).isPosted();
    }

    private Access access(Operation operation) {
        return test.accesses().get(operation.step());
    }

    private Cycle.Step step(Operation operation) {
        return cycle.steps().get(operation.step());
    }

    private boolean isPut(Operation operation) {
        return !operation.isFlush() && access(operation) == Access.PUT;
    }

    private boolean isGet(Operation operation) {
        return !operation.isFlush() && access(operation) == Access.GET;
    }

    /** The only moment of an access of a CPU stands for all; what an atomic does is visible at once. */
    private int at(Operation operation, Moment moment) {
        Moment known = !isPosted(operation)
                ? Moment.POST
                : moment == Moment.VISIBLE && !isPut(operation) ? Moment.EFFECT : moment;
        return operations.indexOf(operation) * Moment.values().length + known.ordinal();
    }

    private void order(Operation a, Moment before, Operation b, Moment after, String rule) {
        orders.get(at(a, before)).add(new Order(at(b, after), rule));
    }

    private void orderPrograms() {
        for (int i = 0; i < operations.size(); i++) {
            Operation a = operations.get(i);
            if (isPosted(a)) {
                order(a, Moment.POST, a, Moment.EFFECT, "");
                order(a, Moment.EFFECT, a, Moment.COMPLETE, "ORD-15");
            }
            if (isPut(a)) {
                order(a, Moment.EFFECT, a, Moment.VISIBLE, "");
            }
            for (int j = i + 1; j < operations.size() && step(operations.get(j)).program() == step(a).program(); j++) {
                Operation b = operations.get(j);
                order(a, Moment.POST, b, Moment.POST, "");
                if (j == i + 1 && isPolled(a)) {
                    order(a, Moment.COMPLETE, b, Moment.POST, "");
                }
                if (isPosted(a) && isPosted(b) && test.qp(a.step()).equals(test.qp(b.step()))) {
                    orderOfOneQueuePair(a, b);
                }
            }
        }
    }

    /** Of an access with a FLUSH behind it, the completion of the FLUSH is polled. */
    private boolean isPolled(Operation operation) {
        Between between = test.betweens().get(operation.step());
        return between.poll() && between.flush() == operation.isFlush();
    }

    private void orderOfOneQueuePair(Operation a, Operation b) {
        boolean sameLocation = step(a).location().equals(step(b).location());
        order(a, Moment.COMPLETE, b, Moment.COMPLETE, "ORD-10");
        if (!isGet(a)) {
            order(a, Moment.EFFECT, b, Moment.EFFECT, "ORD-11");
        } else if (isGet(b)) {
            order(a, Moment.EFFECT, b, Moment.EFFECT, "ORD-12");
        }
        if (b.isFenced() && !isPut(a) && !a.isFlush()) {
            order(a, Moment.COMPLETE, b, Moment.EFFECT, "ORD-19");
        }
        if (isPut(a) && isPut(b) && sameLocation) {
            order(a, Moment.VISIBLE, b, Moment.VISIBLE, "ORD-01");
        }
        if (isPut(a) && !isPut(b) && !b.isFlush()) {
            order(a, Moment.VISIBLE, b, Moment.EFFECT, "ORD-31");
        }
        if (isPut(a) && b.isFlush() && sameLocation) {
            order(a, Moment.VISIBLE, b, Moment.EFFECT, "NW-02");
        }
    }

    /** What the condition says of a write and what reads it, and of an access and the write that comes next. */
    private void orderAccesses() {
        for (Operation a : operations) {
            for (Operation b : operations) {
                Cycle.Step first = step(a);
                Cycle.Step second = step(b);
                boolean isOrdered = !a.isFlush()
                        && !b.isFlush()
                        && first.location().equals(second.location())
                        && (second.writes()
                                ? second.order() == first.order() + 1
                                : first.writes() && second.order() == first.order());
                if (isOrdered) {
                    boolean bothByDevices = isPosted(a) && isPosted(b);
                    if (bothByDevices) {
                        order(a, Moment.EFFECT, b, Moment.EFFECT, "");
                        if (access(b) == Access.RMW) {
                            order(a, momentForCpus(a), b, Moment.EFFECT, "WR-37");
                        }
                    }
                    if (!bothByDevices || (first.writes() && second.writes())) {
                        order(a, momentForCpus(a), b, momentForCpus(b), "");
                    }
                }
            }
        }
    }

    /** A device reads what a CPU stored with its effect; what a device writes, a CPU sees when it is visible. */
    private Moment momentForCpus(Operation operation) {
        return step(operation).writes() ? Moment.VISIBLE : Moment.EFFECT;
    }

    private @Nullable List<String> shortestCycle() {
        List<Integer> shortest = List.of();
        List<String> rules = null;
        for (int start = 0; start < orders.size(); start++) {
            int[] from = new int[orders.size()];
            String[] by = new String[orders.size()];
            Arrays.fill(from, -1);
            Deque<Integer> left = new ArrayDeque<>(List.of(start));
            while (!left.isEmpty() && from[start] < 0) {
                int at = left.remove();
                for (Order order : orders.get(at)) {
                    if (from[order.later()] < 0) {
                        from[order.later()] = at;
                        by[order.later()] = order.rule();
                        left.add(order.later());
                    }
                }
            }
            if (from[start] >= 0) {
                List<Integer> way = new ArrayList<>();
                Set<String> used = new LinkedHashSet<>();
                List<String> backwards = new ArrayList<>();
                int at = start;
                do {
                    way.add(at);
                    backwards.add(by[at]);
                    at = from[at];
                } while (at != start);
                Collections.reverse(backwards);
                used.addAll(backwards);
                used.remove("");
                if (rules == null || way.size() < shortest.size()) {
                    shortest = way;
                    rules = List.copyOf(used);
                }
            }
        }
        return rules;
    }
}
