// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.junit;

import dev.verbatim.fabric.ChoiceList;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.SimulationOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What an annotation says, checked. */
final class Settings {

    static final String SIMULATED = "sim";
    static final String IN_PROCESS = "in-process";

    private static final long LONGEST_DELAY_NANOS = 1_000_000;

    private final SimulatedTest annotation;
    private final OpenChoices openChoices;
    private final SimulationOptions options;
    private final @Nullable ChoiceList choices;

    /**
     * Reads an annotation.
     *
     * @throws IllegalArgumentException naming what is wrong with it
     */
    Settings(SimulatedTest annotation) {
        this.annotation = annotation;
        if (!annotation.fabric().equals(SIMULATED) && !annotation.fabric().equals(IN_PROCESS)) {
            throw new IllegalArgumentException(
                    "fabric=" + annotation.fabric() + " is neither " + SIMULATED + " nor " + IN_PROCESS);
        }
        if (annotation.fabric().equals(IN_PROCESS)
                && (annotation.exhaustive()
                        || annotation.seed().length + annotation.points().length + annotation.faults().length > 0
                        || !annotation.choices().isEmpty())) {
            throw new IllegalArgumentException("fabric=" + IN_PROCESS
                    + " has no choices: seed, choices, exhaustive, points and" + " faults are for fabric=" + SIMULATED);
        }
        requireOneWayToRun(annotation);
        for (Fault fault : annotation.faults()) {
            if (fault.value().kind() != ChoicePoint.Kind.FAULT) {
                throw new IllegalArgumentException(
                        "@Fault(" + fault.value().label() + ") is no fault; it belongs into points");
            }
        }
        if (annotation.seeds() < 0 || annotation.mostRuns() < 1) {
            throw new IllegalArgumentException("seeds=" + annotation.seeds() + " < 0 or mostRuns="
                    + annotation.mostRuns() + " < 1; there is at least one run");
        }
        this.choices = annotation.choices().isEmpty() ? null : ChoiceList.parse(annotation.choices());
        this.openChoices = openChoices(annotation);
        SimulationOptions speed = annotation.exhaustive() ? SimulationOptions.TIMELESS : SimulationOptions.USUAL;
        this.options = speed.withProfile(DeviceProfile.named(annotation.profile()))
                .withFaults(faults(annotation))
                .withMostEvents(annotation.mostEvents());
    }

    private static void requireOneWayToRun(SimulatedTest annotation) {
        List<String> said = new ArrayList<>();
        if (annotation.seed().length > 0) {
            said.add("seed = " + Arrays.toString(annotation.seed()));
        }
        if (!annotation.choices().isEmpty()) {
            said.add("choices = \"" + annotation.choices() + "\"");
        }
        if (annotation.exhaustive()) {
            said.add("exhaustive = true");
        }
        if (said.size() > 1) {
            throw new IllegalArgumentException(String.join(" and ", said)
                    + " each say which runs there are: some seeds, one, or all of them; keep one of these");
        }
    }

    private static OpenChoices openChoices(SimulatedTest annotation) {
        OpenChoices openChoices = OpenChoices.LEGAL;
        if (annotation.points().length > 0) {
            openChoices = OpenChoices.of(annotation.points());
        } else if (annotation.exhaustive()) {
            openChoices = OpenChoices.ORDERS;
        }
        for (Fault fault : annotation.faults()) {
            openChoices = openChoices.with(fault.value());
        }
        return new OpenChoices(openChoices.points(), annotation.faults().length == 0 ? 0 : annotation.mostFaults());
    }

    private static LinkFaults faults(SimulatedTest annotation) {
        LinkFaults faults = LinkFaults.NONE;
        for (Fault fault : annotation.faults()) {
            faults = fault.value() == ChoicePoint.LINK_DELAY
                    ? faults.delaying(fault.perMille(), LONGEST_DELAY_NANOS)
                    : faults.with(fault.value(), fault.perMille());
        }
        return faults;
    }

    boolean isSimulated() {
        return annotation.fabric().equals(SIMULATED);
    }

    boolean isExhaustive() {
        return annotation.exhaustive();
    }

    boolean sanitizes() {
        return annotation.sanitize();
    }

    boolean checksLeaks() {
        return annotation.leakCheck();
    }

    long mostRuns() {
        return annotation.mostRuns();
    }

    int mostEvents() {
        return annotation.mostEvents();
    }

    int shrinkRuns() {
        return annotation.shrinkRuns();
    }

    OpenChoices openChoices() {
        return openChoices;
    }

    SimulationOptions options() {
        return options;
    }

    /** The same where events take time. */
    SimulationOptions optionsWithTime() {
        return options.withTickNanos(SimulationOptions.USUAL.tickNanos());
    }

    /** The choices of the only run; null if there are others. */
    @Nullable
    ChoiceList choices() {
        return choices;
    }

    /** Whether the canonical run is one of those to be made. */
    boolean beginsCanonically() {
        return annotation.seed().length == 0;
    }

    long[] seeds() {
        long[] chosen = annotation.seed();
        return chosen.length > 0
                ? Arrays.copyOf(chosen, chosen.length)
                : LongStream.range(0, annotation.seeds()).toArray();
    }
}
