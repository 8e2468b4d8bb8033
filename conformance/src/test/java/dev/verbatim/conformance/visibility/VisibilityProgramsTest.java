// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.sim.Explored;
import dev.verbatim.testing.LongTest;
import dev.verbatim.testing.Tries;
import dev.verbatim.visibility.Platform;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs over the network end in explorations as they do in a {@link dev.verbatim.visibility.VisibilityModel}. There every order is
 * free, so an outcome that a scenario hides because its file opens some choice points only is a difference, too.
 */
class VisibilityProgramsTest {

    /** So many relays are compared. */
    private static final int RELAYS = Tries.of("visibility.relays", 12, 600, 600);

    /** One about a status: the model has none. */
    private static final String OF_A_STATUS = "VL-47.yaml";

    private static final String UNDER_WAY = """
            title: A power failure
            nodes:
              a: {leftovers: leave, words: {r: -1, s: -1}, program: [%s, {load: {r: got}}]}
              b:
                platform: PMEM_DIRECT
                domains: {pm: persistent}
                regions:
                  log: {in: pm, words: {x: 5, y: 5}, access: [LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC]}
                program: [power_fail: true]
            choices: {on: [program-step, request, read-fetch, acknowledgement, arrival, placement, observe, writeback, durable]}
            stale: {x: 5, y: 5, r: -1, s: -1, got: 0}
            """;

    /** Points at which another alternative than the first was needed for an outcome. */
    private final Set<ChoicePoint> taken = EnumSet.noneOf(ChoicePoint.class);

    private static boolean isStale(Scenario scenario, Set<String> ends) {
        return ends.contains(Objects.requireNonNull(scenario.stale()).toString());
    }

    /** Compares the ends, and returns them. */
    private Set<String> compared(String name, Scenario scenario, Platform platform) {
        Explored explored =
                new ScenarioExploration(scenario, null).explore(all -> all).explored();
        Set<String> ends = ModelledScenario.ends(scenario);
        assertThat(explored.isComplete()).as("%s on %s", name, platform).isTrue();
        assertThat(explored.outcomes().keySet())
                .as("%s on %s", name, platform)
                .containsExactlyInAnyOrderElementsOf(ends);
        explored.outcomes().values().stream()
                .flatMap(outcome -> outcome.example().deviations().stream())
                .forEach(deviation -> taken.add(deviation.point()));
        return ends;
    }

    @LongTest
    @Test
    void shippedProgramEndsOnEachPlatformAsInTheModel() {
        int number = 0;
        for (Path file : ShippedFiles.all()) {
            if (file.getParent().endsWith("visibility") && !file.endsWith(OF_A_STATUS)) {
                Scenario scenario = ScenarioReader.read(file).scenario();
                for (Platform platform : Platform.named()) {
                    compared(String.valueOf(file.getFileName()), scenario.on(platform), platform);
                    number++;
                }
            }
        }
        assertThat(number).isGreaterThan(47 * Platform.named().size());
        assertThat(taken).contains(ChoicePoint.OBSERVE, ChoicePoint.WRITEBACK, ChoicePoint.DURABLE);
    }

    /** The power fails while requests are under way: they are executed or not, and their answers come or are lost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{faa: {x: r}}",
                "{write: {x: 1}}, {faa: {y: r}}",
                "{write: {x: 1}}, completion: any, {store: {r: 7}}",
                "{faa: {x: r}}, completion: any",
                "{read: {x: r}}, {write: {y: 1}}, completion: any, completion: any",
                "{faa: {x: r}}, {faa: {y: s}}, completion: any"
            })
    void requestsUnderWayWhenThePowerFailsEndAsInTheModel(String requests) {
        Scenario scenario =
                ScenarioReader.read("power.yaml", UNDER_WAY.formatted(requests)).scenario();
        for (Platform platform : List.of(Platform.PMEM_DIRECT, Platform.PMEM_DDIO, Platform.AS_SPECIFIED)) {
            compared(requests, scenario.on(platform), platform);
        }
    }

    @Test
    void relayEndsAsInTheModel() {
        List<Relay> all = Relay.all();
        int stale = 0;
        for (int i = 0; i < RELAYS; i++) {
            Relay relay = all.get(i * all.size() / RELAYS);
            Platform platform = Platform.named().get(i % Platform.named().size());
            Scenario scenario = relay.scenario(platform);
            stale += isStale(scenario, compared(relay.toString(), scenario, platform)) ? 1 : 0;
        }
        assertThat(stale).as("relays whose reader may see old data").isBetween(RELAYS / 5, RELAYS * 4 / 5);
        assertThat(taken).contains(ChoicePoint.PLACEMENT, ChoicePoint.OBSERVE);
    }
}
