// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.replay;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoiceRecord;
import dev.verbatim.fabric.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes the choices of a long run few. Positions in a list of choices mean something else as soon as one before them is left out; that
 * an event waits for another does not. So what waits for what is left out, half of it, then a quarter, at last one by one, and then
 * what is left waits for less.
 */
public final class OrderShrinking {

    /** So many events before one are tried in its place. */
    private static final int MOST_CAUSES = 12;

    /** One that waits for more than this is worth the search for another way. */
    private static final int MOST_PASSING = 6;

    private final Predicate<Choices> stillFails;
    private List<OrderConstraint> constraints = List.of();

    /** Shrinks with runs of {@code stillFails}, which is false when there are to be no more. */
    public OrderShrinking(Predicate<Choices> stillFails) {
        this.stillFails = stillFails;
    }

    /** The choices of a run that fails with fewer of them. */
    public Choices shrink(ChoiceList choices) {
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
        holdCauses();
        shorten();
        leaveOut();
        rush();
        holdEarlier();
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

    /**
     * Lets something wait instead that came before, if that takes fewer choices: to hold up a request is to be passed by less than to hold up
     * its packet, since packets come first in canonical order.
     */
    private void holdCauses() {
        for (int i = 0; i < constraints.size(); i++) {
            OrderRecord order = new OrderRecord(new OrderReplay(constraints));
            if (constraints.get(i) instanceof OrderConstraint.Wait wait && stillFails.test(order)) {
                String last = wait.passedBy().get(wait.passedBy().size() - 1);
                int fewest = cost(constraints);
                List<OrderConstraint> best = constraints;
                for (String cause : order.before(wait.event(), MOST_CAUSES)) {
                    List<OrderConstraint> changed = new ArrayList<>(constraints);
                    changed.set(i, new OrderConstraint.Wait(cause, List.of(last)));
                    int its = cost(changed);
                    if (its < fewest) {
                        fewest = its;
                        best = changed;
                    }
                }
                constraints = best;
            }
        }
    }

    /**
     * Where one has to wait for many, lets what came before it wait as well, until some of those have happened: then it has to wait for the
     * rest only.
     */
    private void holdEarlier() {
        for (OrderConstraint constraint : List.copyOf(constraints)) {
            OrderRecord order = new OrderRecord(new OrderReplay(constraints));
            if (constraint instanceof OrderConstraint.Wait wait && stillFails.test(order)) {
                List<String> passing = order.passing(wait.event());
                if (passing.size() > MOST_PASSING) {
                    order.before(wait.event(), MOST_CAUSES).forEach(cause -> holdEarlier(cause, passing));
                }
            }
        }
    }

    private void holdEarlier(String cause, List<String> passing) {
        int fewest = cost(constraints);
        for (int left = 1; left < passing.size(); left *= 2) {
            List<OrderConstraint> changed = new ArrayList<>(constraints);
            changed.add(new OrderConstraint.Wait(cause, List.of(passing.get(passing.size() - 1 - left))));
            int its = cost(changed);
            if (its < fewest) {
                fewest = its;
                constraints = changed;
            }
        }
    }

    /** Instead of letting one wait, lets those of the others go first that matter, if that takes fewer choices. */
    private void rush() {
        for (OrderConstraint constraint : List.copyOf(constraints)) {
            OrderRecord order = new OrderRecord(new OrderReplay(constraints));
            if (constraint instanceof OrderConstraint.Wait wait && stillFails.test(order)) {
                List<OrderConstraint> before = constraints;
                int fewest = cost(before);
                List<OrderConstraint> rushed = new ArrayList<>(constraints);
                rushed.remove(constraint);
                order.passing(wait.event()).forEach(event -> rushed.add(new OrderConstraint.Rush(event)));
                if (stillFails.test(new OrderReplay(rushed))) {
                    constraints = rushed;
                    leaveOut();
                    constraints = cost(constraints) < fewest ? constraints : before;
                }
            }
        }
    }

    /** How many choices are other than the default in the run with these constraints; without a bound if it does not fail. */
    private int cost(List<OrderConstraint> tried) {
        ChoiceRecord record = Choices.recorded(new OrderReplay(tried));
        return stillFails.test(record) ? record.list().deviations().size() : Integer.MAX_VALUE;
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

    @Override
    public String toString() {
        return "shrinking of " + constraints;
    }
}
