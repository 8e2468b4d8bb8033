// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.ScenarioReader;
import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.testing.LongTest;
import dev.verbatim.visibility.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Many shipped programs show what comes of a mistake. The sanitizer finds these, as docs/misuse-table.md lists them, and no others. */
class SanitizedScenariosTest {

    private static final Path DOCUMENT = Path.of("../docs/misuse-table.md");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z]+/[^`]+\\.yaml)` \\| [^|]* \\| (S[S0-9, ]*) \\|");
    private static final int SEEDS = 20;

    /** Its question is about a status. */
    private static final String OF_A_STATUS = "VL-47";

    /** The mistakes that are found with default choices or any of the seeds, by number; empty for none. */
    private static String found(Path file) {
        Scenario scenario = ScenarioReader.read(file).scenario();
        ScenarioRun run = ScenarioRun.on(FabricKind.SIM).sanitize(true);
        TreeSet<String> mistakes = new TreeSet<>();
        for (long seed = -1; seed < SEEDS; seed++) {
            ScenarioRun.Result result = run.seed(seed < 0 ? null : seed).run(scenario);
            result.failures().stream()
                    .filter(failure -> failure.step().equals("sanitizer"))
                    .forEach(failure -> mistakes.add(failure.message().split(" ", 2)[0]));
            result.notes().forEach(note -> mistakes.add(note.mistake().name()));
        }
        return String.join(", ", mistakes);
    }

    @Test
    @LongTest
    void documentListsWhatIsFoundInShippedPrograms() throws IOException {
        Map<String, String> listed = new TreeMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(DOCUMENT)).results().toList()) {
            listed.put(row.group(1), row.group(2));
        }
        Map<String, String> computed = new TreeMap<>();
        for (Path file : ShippedFiles.all()) {
            String mistakes = found(file);
            if (!mistakes.isEmpty()) {
                computed.put(file.getParent().getFileName() + "/" + file.getFileName(), mistakes);
            }
        }
        assertThat(listed).isEqualTo(computed);
    }

    /** By docs/visibility.md, whose table is computed from walks through all runs. */
    @Test
    void programOfVisibilityIsAccusedIfItsPlatformPermitsTheStaleOutcome() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/visibility.md")).stream()
                .filter(row -> row.startsWith("| [VL-") || row.startsWith("| program |"))
                .toList();
        String accused = Files.readString(DOCUMENT);
        List<String> platforms = List.of(rows.get(0).split(" *[|] *"));
        List<String> wrong = new ArrayList<>();
        for (Path file : ShippedFiles.all()) {
            String name = "visibility/" + file.getFileName();
            if (!file.endsWith(name)) {
                continue;
            }
            String program = file.getFileName().toString().replace(".yaml", "");
            String row = rows.stream()
                    .filter(line -> line.startsWith("| [" + program + "]("))
                    .findFirst()
                    .orElseThrow();
            boolean isStale =
                    row.split(" *[|] *")[platforms.indexOf(platform(file).name())].equals("yes");
            if ((isStale && !program.equals(OF_A_STATUS)) != accused.contains("| `" + name + "` |")) {
                wrong.add(program);
            }
        }
        assertThat(rows).hasSizeGreaterThan(60);
        assertThat(wrong).isEmpty();
    }

    private static Platform platform(Path file) {
        return ScenarioReader.read(file).scenario().nodes().values().stream()
                .map(node -> node.memory().platform())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(Platform.COHERENT_HOST);
    }
}
