// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.OpenChoices;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an exploration may choose.
 *
 * @param on the points that are open; null for those that are open anyway
 * @param off points that are closed all the same
 * @param faults how many faults may happen in one execution
 * @param steps most events of one execution; null for what the explorer takes anyway
 */
public record ChoiceSpec(
        @Nullable List<ChoicePoint> on,
        List<ChoicePoint> off,
        int faults,
        @Nullable Integer steps) {

    /** Whatever is open anyway, and no faults. */
    public static final ChoiceSpec USUAL = new ChoiceSpec(null, List.of(), 0, null);

    /** In a file. */
    public static final Form<ChoiceSpec> FORM = form();

    private static final int MOST_FAULTS = 16;
    private static final int MOST_STEPS = 1_000_000;

    /** Copies the lists. */
    public ChoiceSpec {
        on = on == null ? null : List.copyOf(on);
        off = List.copyOf(off);
    }

    /** The same for a simulation: every legal order and behaviour is open, unless something is said. */
    public OpenChoices openChoices() {
        OpenChoices openChoices = on == null ? OpenChoices.ORDERS : OpenChoices.of(on.toArray(ChoicePoint[]::new));
        for (ChoicePoint point : off) {
            openChoices = openChoices.without(point);
        }
        boolean namesFaults = openChoices.points().stream().anyMatch(point -> point.kind() == ChoicePoint.Kind.FAULT);
        return faults == 0 || namesFaults
                ? new OpenChoices(openChoices.points(), faults)
                : openChoices.withFaults(faults);
    }

    private static Form<ChoiceSpec> form() {
        Mapping<ChoiceSpec> mapping = new Mapping<>("choices", "choices");
        Form<List<ChoicePoint>> points =
                Forms.oneOrMany(Forms.constant("a choice point", ChoicePoint.class, ChoicePoint::label));
        Key<ChoiceSpec, List<ChoicePoint>> on =
                mapping.perhaps("on", points, ChoiceSpec::on, "The choice points that are open; all others are not.");
        Key<ChoiceSpec, List<ChoicePoint>> off =
                mapping.optional("off", points, List.of(), ChoiceSpec::off, "Choice points that are closed.");
        Key<ChoiceSpec, Integer> faults = mapping.optional(
                "faults", Forms.integer(0, MOST_FAULTS), 0, ChoiceSpec::faults, "Most faults in one execution.");
        Key<ChoiceSpec, Integer> steps = mapping.perhaps(
                "steps", Forms.integer(1, MOST_STEPS), ChoiceSpec::steps, "Most events in one execution.");
        return mapping.making(
                values -> new ChoiceSpec(values.orNull(on), values.get(off), values.get(faults), values.orNull(steps)));
    }
}
