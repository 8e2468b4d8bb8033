// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.visibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.run.ScenarioExploration;
import dev.verbatim.testing.Tries;
import dev.verbatim.visibility.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The sanitizer accuses a relay exactly if its reader, or what is meant as a flush, may see old data. Whether that is so is computed by
 * {@link dev.verbatim.visibility.VisibilityModel}, which shares no code with sanitizer and engine.
 */
class SanitizedRelaysTest {

    private static final int RELAYS = Tries.of("visibility.sanitized", 6, 200, 6_120);
    private static final int SEEDS = Tries.of("visibility.sanitized.seeds", 2, 2, 10);

    /** With all that the program saw as its outcome. */
    private static Scenario scenario(Relay relay, Platform platform) {
        String early = switch (relay.flush()) {
            case READ, READ_ELSEWHERE -> "dummy";
            case OTHER_ADAPTER -> "dummy1";
            case LOAD -> "early";
            default -> relay.register();
        };
        String text = relay.yaml() + "allowed: [{" + early + ": 1}]\n";
        return ScenarioReader.read(relay.toString(), text).scenario().on(platform);
    }

    private static Set<String> found(Scenario scenario) {
        Set<String> found = new TreeSet<>();
        for (long seed = -1; seed < SEEDS; seed++) {
            found.addAll(SanitizedPrograms.found(scenario, seed < 0 ? null : seed));
        }
        return found;
    }

    @Test
    void programOfOneStepIsAccusedExactlyIfItMayEndOtherwise() {
        StepPrograms.all().forEach((name, scenario) -> {
            boolean isWrong = ModelledScenario.ends(scenario).size() > 1;
            assertThat(found(scenario).isEmpty())
                    .as("%s: %s", name, found(scenario))
                    .isEqualTo(!isWrong);
        });
    }

    @Test
    void readThatAMessageMayOvertakeIsNoFlush() {
        Scenario scenario = StepPrograms.overtakenRead();
        assertThat(new ScenarioExploration(scenario, null)
                        .explore(all -> all)
                        .explored()
                        .outcomes())
                .containsKeys("seen=0", "seen=1");
        assertThat(found(scenario))
                .singleElement()
                .asString()
                .startsWith("S24 ")
                .contains("RDMA_READ wr_id=2", "may be executed behind a message", "FENCE");
    }

    @Test
    void relayIsAccusedExactlyIfOldDataMayBeSeen() {
        List<Relay> all = Relay.all();
        int pairs = all.size() * Platform.named().size();
        List<String> differences = new ArrayList<>();
        int wrong = 0;
        for (int i = 0; i < RELAYS; i++) {
            int pair = (int) ((long) i * pairs / RELAYS);
            Relay relay = all.get(pair / Platform.named().size());
            Platform platform = Platform.named().get(pair % Platform.named().size());
            boolean isWrong = ModelledScenario.ends(scenario(relay, platform)).size() > 1;
            Set<String> found = found(relay.scenario(platform));
            wrong += isWrong ? 1 : 0;
            if (isWrong == found.isEmpty()) {
                differences.add((isWrong ? "missed: " : "false: ") + relay + " on " + platform + ": " + found);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(wrong).as("relays that are wrong").isBetween(RELAYS / 5, RELAYS * 4 / 5);
    }
}
