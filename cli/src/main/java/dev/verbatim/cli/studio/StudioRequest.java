// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.conformance.scenario.ChoiceSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioFile;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ScenarioWriter;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.OpenChoices;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with a scenario.
 *
 * @param kind run, litmus or explore
 * @param text the scenario file as it was sent
 * @param file the scenario, with the freedom that was chosen
 * @param seed of random choices; null for the default ones
 * @param profile of all devices; null for what the scenario says
 */
record StudioRequest(
        Kind kind,
        String text,
        ScenarioFile file,
        @Nullable Long seed,
        @Nullable String profile) {

    /** What can be done. */
    enum Kind {
        RUN,
        LITMUS,
        EXPLORE
    }

    /** What may differ from run to run. */
    private enum FreedomChoice {
        FILE,
        NONE,
        ORDERS,
        LEGAL
    }

    private static final String NAME = "scenario.yaml";
    private static final long MOST_REGION_BYTES = 64 << 20;

    /**
     * Reads what the page asks for.
     *
     * @throws CommandFailure if a word is unknown, or the scenario too large
     * @throws dev.verbatim.conformance.scenario.BadScenario if the text is no scenario
     */
    static StudioRequest of(Map<String, String> words, String yaml) {
        Kind kind = word(Kind.class, words.getOrDefault("kind", "run"));
        FreedomChoice freedom = word(FreedomChoice.class, words.getOrDefault("freedom", "file"));
        String profile = words.getOrDefault("profile", "");
        if (!profile.isEmpty() && !ProfileSpec.PROFILES.containsKey(profile)) {
            throw new CommandFailure("profile=" + profile + " is not one of " + ProfileSpec.PROFILES.keySet());
        }
        ScenarioFile file = with(ScenarioReader.read(NAME, yaml), freedom);
        checkSize(file.scenario());
        return new StudioRequest(
                kind, yaml, file, seed(words.getOrDefault("seed", "")), profile.isEmpty() ? null : profile);
    }

    private static @Nullable Long seed(String text) {
        try {
            return text.isEmpty() ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new CommandFailure(
                    "seed=" + text + " is no number of 64 bits; leave it empty for the default choices");
        }
    }

    private static <E extends Enum<E>> E word(Class<E> type, String word) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equalsIgnoreCase(word)) {
                return value;
            }
        }
        throw new CommandFailure(word + " is not one of " + List.of(type.getEnumConstants()));
    }

    private static ScenarioFile with(ScenarioFile file, FreedomChoice freedom) {
        List<ChoicePoint> on;
        switch (freedom) {
            case NONE -> on = List.of();
            case ORDERS -> on = List.copyOf(OpenChoices.ORDERS.points());
            case LEGAL -> on = List.copyOf(OpenChoices.LEGAL.points());
            default -> {
                return file;
            }
        }
        Scenario old = file.scenario();
        ChoiceSpec choices = new ChoiceSpec(on, List.of(), 0, old.choices().steps());
        Scenario scenario = new Scenario(
                old.title(),
                old.about(),
                old.rules(),
                old.nodes(),
                old.connections(),
                old.faults(),
                choices,
                old.allowed(),
                old.forbidden(),
                old.canonical(),
                old.stale());
        return ScenarioReader.read(NAME, ScenarioWriter.write(scenario));
    }

    private static void checkSize(Scenario scenario) {
        long bytes = scenario.nodes().values().stream()
                .flatMap(node -> node.regions().values().stream())
                .mapToLong(RegionSpec::sizeBytes)
                .sum();
        if (bytes > MOST_REGION_BYTES) {
            throw new CommandFailure("the regions have " + bytes + " bytes, more than " + MOST_REGION_BYTES
                    + "; make them smaller, or use verbatim run");
        }
    }
}
