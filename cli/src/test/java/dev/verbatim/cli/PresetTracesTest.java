// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.ShippedFiles;
import dev.verbatim.testing.LongTest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference traces on devices that differ: what the table of docs/profiles.md says goes otherwise there, and only that. */
class PresetTracesTest {

    private static String name(Path file) {
        return file.getFileName().toString().replace(".yaml", "");
    }

    @ParameterizedTest
    @CsvSource({
        "STRICT_IBTA, ''",
        "RXE_LIKE, 'TR-1 TR-10 TR-11 TR-2-empty TR-2 TR-4 TR-8 TR-9'",
        "MLX5_LIKE, 'TR-3'",
        "IRDMA_LIKE, 'TR-11 TR-3 TR-4'",
        "LINUX_LIKE, 'TR-10'"
    })
    @LongTest
    void tracesGoAsTheRulesSayBut(String preset, String otherwise) {
        List<Path> traces = ShippedFiles.all().stream()
                .filter(file -> name(file).startsWith("TR-"))
                .toList();
        assertThat(traces).hasSizeGreaterThan(10);
        assertThat(traces)
                .filteredOn(file -> Invocation.of("run", "--profile", preset, file.toString())
                                .exitCode()
                        != 0)
                .extracting(PresetTracesTest::name)
                .containsExactly(otherwise.isEmpty() ? new String[0] : otherwise.split(" "));
    }
}
