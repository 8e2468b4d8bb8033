// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.ChoicePoint.Kind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run may choose other than the default: the choice points that are on, and the maximum number of faults.
 *
 * <p>An event whose point is on may be delayed: events after it in the canonical order may happen before it. An event whose point
 * is off may not: later events wait for it, while earlier events whose points are on may happen before it or after it. An
 * alternative or a fault whose point is off is always the first one.
 *
 * @param points the points that are on
 * @param faults maximum number of faults (alternatives other than the first one of fault points); afterwards their points are off
 */
public record OpenChoices(Set<ChoicePoint> points, int faults) {

    /** No limit on faults. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /** No choice: the canonical run, with the default at each choice point. */
    public static final OpenChoices NONE = of();

    /** Every order, every alternative and every number; no faults. */
    public static final OpenChoices LEGAL = of(EnumSet.complementOf(EnumSet.of(Kind.FAULT)));

    /** Every order and every alternative; numbers such as keys and PSNs are the canonical ones, and there are no faults. */
    public static final OpenChoices ORDERS = of(EnumSet.of(Kind.ORDER, Kind.ALTERNATIVE));

    /** Refuses a negative number of faults. */
    public OpenChoices {
        if (faults < 0) {
            throw new IllegalArgumentException("faults=" + faults + " < 0; 0 permits none");
        }
        points = Collections.unmodifiableSet(copy(points));
    }

    /** These points, and no fault. */
    public static OpenChoices of(ChoicePoint... points) {
        return new OpenChoices(copy(List.of(points)), 0);
    }

    private static OpenChoices of(EnumSet<Kind> kinds) {
        EnumSet<ChoicePoint> points = EnumSet.allOf(ChoicePoint.class);
        points.removeIf(point -> !kinds.contains(point.kind()));
        return new OpenChoices(points, 0);
    }

    private static EnumSet<ChoicePoint> copy(Iterable<ChoicePoint> points) {
        EnumSet<ChoicePoint> copy = EnumSet.noneOf(ChoicePoint.class);
        points.forEach(copy::add);
        return copy;
    }

    /** The same with this point on. */
    public OpenChoices with(ChoicePoint point) {
        EnumSet<ChoicePoint> more = copy(points);
        more.add(point);
        return new OpenChoices(more, faults);
    }

    /** The same with this point off. */
    public OpenChoices without(ChoicePoint point) {
        EnumSet<ChoicePoint> fewer = copy(points);
        fewer.remove(point);
        return new OpenChoices(fewer, faults);
    }

    /** The same with every fault point on, and at most so many faults. */
    public OpenChoices withFaults(int most) {
        EnumSet<ChoicePoint> more = copy(points);
        for (ChoicePoint point : ChoicePoint.values()) {
            if (point.kind() == Kind.FAULT) {
                more.add(point);
            }
        }
        return new OpenChoices(more, most);
    }

    /** Whether the point is on. */
    public boolean isOn(ChoicePoint point) {
        return points.contains(point);
    }

    /** How many of the events, from the first on, may be next: none of those passed over has its point off. */
    int candidates(List<? extends PossibleEvent> events) {
        if (events.isEmpty()) {
            throw new IllegalArgumentException("events.size()=0 < 1; a run without a possible event is at its end");
        }
        int last = events.size() - 1;
        ChoicePoint known = null; // one that is on: that of the event before
        for (int passed = 0; passed < last; passed++) {
            ChoicePoint point = events.get(passed).point();
            if (point != known && !isOn(point)) {
                return passed + 1;
            }
            known = point;
        }
        return last + 1;
    }

    /** Whether every event may be passed over. */
    boolean ordersAll() {
        for (ChoicePoint point : ChoicePoint.values()) {
            if (point.kind() == Kind.ORDER && !isOn(point)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an order can be fixed by a point that is off. */
    boolean fixesSomeOrder() {
        return Stream.of(ChoicePoint.values()).anyMatch(point -> point.isOfTurns() && !isOn(point));
    }

    /** One line: the points by their labels, and the faults where there may be some. */
    @Override
    public String toString() {
        return (points.isEmpty()
                        ? "none"
                        : points.stream().map(ChoicePoint::label).collect(Collectors.joining(",")))
                + (faults == 0 ? "" : " with at most " + faults + " faults");
    }
}
