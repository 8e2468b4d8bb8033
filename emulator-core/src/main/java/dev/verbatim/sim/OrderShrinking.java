// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.replay.LooseReplay;
import dev.verbatim.sim.replay.OrderConstraint;
import dev.verbatim.sim.replay.OrderRecord;
import dev.verbatim.sim.replay.OrderReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes the choices of a long run few. Positions in a list of choices mean something else as soon as one before them is left out; that
 * an event waits for another does not. So what waits for what is left out, half of it, then a quarter, at last one by one, and then
 * what is left waits for less.
 */
final class OrderShrinking {

    private final Predicate<Choices> stillFails;
    private List<OrderConstraint> constraints = List.of();

    /** Shrinks with runs of {@code stillFails}, which is false when there are to be no more. */
    OrderShrinking(Predicate<Choices> stillFails) {
        this.stillFails = stillFails;
    }

    /** The choices of a run that fails with fewer of them. */
    Choices shrink(ChoiceList choices) {
        OrderRecord order = new OrderRecord(new LooseReplay(choices));
        if (!stillFails.test(order)) {
            return new LooseReplay(choices);
        }
        constraints = order.constraints();
        if (!stillFails.test(new OrderReplay(constraints))) {
            return new LooseReplay(choices);
        }
        leaveOut();
        shorten();
        leaveOut();
        return new OrderReplay(constraints);
    }

    private void leaveOut() {
        for (int size = constraints.size(); size > 0; size /= 2) {
            for (int end = constraints.size(); end > 0; end -= size) {
                List<OrderConstraint> fewer = new ArrayList<>(constraints.subList(0, Math.max(0, end - size)));
                fewer.addAll(constraints.subList(Math.min(end, constraints.size()), constraints.size()));
                if (fewer.size() < constraints.size() && stillFails.test(new OrderReplay(fewer))) {
                    constraints = fewer;
                }
            }
        }
    }

    /** In the run as it is now each waits for others than before. */
    private void shorten() {
        OrderRecord order = new OrderRecord(new OrderReplay(constraints));
        if (!stillFails.test(order)) {
            return;
        }
        List<OrderConstraint> now = order.constraints();
        if (!stillFails.test(new OrderReplay(now))) {
            return;
        }
        constraints = now;
        for (int i = 0; i < constraints.size(); i++) {
            if (constraints.get(i) instanceof OrderConstraint.Wait wait) {
                shorten(i, wait);
            }
        }
    }

    /** Finds the least number of others that it has to wait for, by halves. */
    private void shorten(int index, OrderConstraint.Wait wait) {
        int tooFew = 0;
        int enough = wait.passedBy().size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            List<OrderConstraint> changed = new ArrayList<>(constraints);
            changed.set(index, wait.shortened(middle));
            if (stillFails.test(new OrderReplay(changed))) {
                constraints = changed;
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
    }
}
