// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.WcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each shipped scenario ends on each fabric as it says, and does nothing on the way that is not permitted. */
@Tag("smoke")
class ShippedScenariosTest {

    private static final LinkFaults LOSSY =
            LinkFaults.NONE.dropping(30).duplicating(20).delaying(50, 30_000);
    private static final int SEEDS = Tries.of("scenarios.seeds", 1, 20, 1_000);

    /** In a build in virtual time and between two event loops. */
    static Stream<Arguments> filesOnFabrics() {
        Set<FabricKind> fabrics =
                Tries.isLong() ? EnumSet.allOf(FabricKind.class) : EnumSet.of(FabricKind.SIM, FabricKind.TCP);
        return ShippedFiles.all().stream().flatMap(file -> fabrics.stream().map(fabric -> Arguments.of(file, fabric)));
    }

    /** Programs of visibility have further outcomes where links fail. */
    static Stream<Path> files() {
        return ShippedFiles.all().stream().filter(file -> !file.getParent().endsWith("visibility"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("filesOnFabrics")
    void shippedScenarioEndsAsItSays(Path file, FabricKind fabric) {
        Scenario scenario = ScenarioReader.read(file).scenario();
        Oracle oracle = fabric == FabricKind.SIM ? Oracle.ofDevicesAndPrograms() : Oracle.ofDevices();
        ScenarioRun run = ScenarioRun.on(fabric).tap(oracle.and(RuleCoverage::observe));
        assumeTrue(run.obstacle(scenario) == null, "the fabric cannot do that");

        ScenarioRun.Result result = run.run(scenario);

        assertThat(result.failures()).isEmpty();
        oracle.verdict().check();
        RuleCoverage.name(scenario.rules());
        RuleCoverage.assertOutcome();
    }

    @Rule("T-06")
    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void shippedScenarioEndsAsItSaysUnderAnySeedOnBadLinks(Path file) throws IOException {
        Scenario scenario = ScenarioReader.read(file).scenario();
        // A responder that ends says so once; where that is lost, the requester gets to know by its retries alone (N8).
        String text = Files.readString(file);
        LinkFaults links = text.contains(WcStatus.REM_ACCESS_ERR.name()) ? LOSSY.dropping(0) : LOSSY;
        // A READ that comes twice is executed twice: a key that was revoked meanwhile ends the responder (DUP-02).
        links = text.contains("access: REMOTE_READ") ? LinkFaults.NONE : links;
        // Nobody sends again what a link loses of an unreliable transport (UC-01, UD-01).
        links = text.contains("type: UC") || text.contains("type: UD") ? LinkFaults.NONE : links;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Oracle oracle = Oracle.ofDevicesAndPrograms();
            ScenarioRun.Result result = ScenarioRun.on(FabricKind.SIM)
                    .seed(seed)
                    .links(links)
                    .tap(oracle.and(RuleCoverage::observe))
                    .run(scenario);
            assertThat(result.failures()).as("seed=%d", seed).isEmpty();
            assertThat(oracle.verdict().violations()).as("seed=%d", seed).isEmpty();
        }
        RuleCoverage.name(scenario.rules());
        RuleCoverage.assertOutcome();
    }

    @Test
    void allLitmusProgramsWhoseObjectsExistAreShipped() {
        assertThat(ShippedFiles.all())
                .extracting(file -> file.getFileName().toString())
                .contains(
                        "LT-01.yaml",
                        "LT-12.yaml",
                        "LT-17.yaml",
                        "LT-22.yaml",
                        "LT-23.yaml",
                        "TR-1.yaml",
                        "TR-11.yaml",
                        "TR-12.yaml");
    }
}
