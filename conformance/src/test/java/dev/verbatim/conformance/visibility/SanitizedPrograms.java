// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.FabricKind;
import dev.verbatim.conformance.scenario.run.ScenarioRun;
import dev.verbatim.visibility.Platform;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Programs of memory domains, with and without mistakes, that a sanitizer watches. */
public final class SanitizedPrograms {

    /** Every so many relays on a platform are among them. */
    private static final int EVERY_RELAY = 7;

    private SanitizedPrograms() {}

    /** By name: runs the program with canonical choices, and returns what is found. */
    public static Map<String, Supplier<String>> programs() {
        Map<String, Supplier<String>> programs = new LinkedHashMap<>();
        for (Path file : ShippedFiles.all()) {
            if (file.getParent().endsWith("visibility")) {
                Scenario scenario = ScenarioReader.read(file).scenario();
                programs.put(String.valueOf(file.getFileName()), () -> found(scenario));
            }
        }
        StepPrograms.all().forEach((name, scenario) -> programs.put(name, () -> found(scenario)));
        programs.put("an overtaken READ", () -> found(StepPrograms.overtakenRead()));
        int number = 0;
        List<Platform> platforms = Platform.named();
        for (Relay relay : Relay.all()) {
            for (Platform platform : platforms) {
                if (number++ % EVERY_RELAY == 0) {
                    Scenario scenario = relay.scenario(platform);
                    programs.put(relay + " on " + platform, () -> found(scenario));
                }
            }
        }
        return programs;
    }

    private static String found(Scenario scenario) {
        return String.join("\n", found(scenario, null));
    }

    /** What a sanitizer finds in the run of a seed, or with canonical choices. */
    static Set<String> found(Scenario scenario, @Nullable Long seed) {
        ScenarioRun.Result result =
                ScenarioRun.on(FabricKind.SIM).seed(seed).sanitize(true).run(scenario);
        Set<String> found = new TreeSet<>();
        result.failures().stream()
                .filter(failure -> failure.step().equals("sanitizer"))
                .forEach(failure -> found.add(failure.message()));
        result.notes().forEach(note -> found.add(note.toString()));
        return found;
    }
}
