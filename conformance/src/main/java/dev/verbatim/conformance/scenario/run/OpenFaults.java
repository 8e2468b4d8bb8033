// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.OpenChoices;
import java.util.List;

/** Links that fail in every way that is open, and in no other. */
final class OpenFaults {

    private static final long LONG_NANOS = 1_000_000;

    /** A seed lets one packet of five meet a fault, as long as there may be more: programs of scenarios send few packets. */
    private static final int DRAWN_PER_MILLE = 200;

    private OpenFaults() {}

    /** For a walk through all runs, to which the odds do not matter. */
    static LinkFaults possible(OpenChoices openChoices) {
        return with(openPoints(openChoices), 1);
    }

    /** For a run whose choices are drawn. */
    static LinkFaults drawn(OpenChoices openChoices) {
        List<ChoicePoint> open = openPoints(openChoices);
        return with(open, DRAWN_PER_MILLE / Math.max(1, open.size()));
    }

    private static List<ChoicePoint> openPoints(OpenChoices openChoices) {
        return openChoices.faults() == 0
                ? List.of()
                : openChoices.points().stream()
                        .filter(point -> point.kind() == ChoicePoint.Kind.FAULT)
                        .toList();
    }

    private static LinkFaults with(List<ChoicePoint> open, int perMille) {
        LinkFaults faults = LinkFaults.NONE.delaying(0, LONG_NANOS).cutting(0, LONG_NANOS);
        for (ChoicePoint point : open) {
            faults = faults.with(point, perMille);
        }
        return faults;
    }
}
