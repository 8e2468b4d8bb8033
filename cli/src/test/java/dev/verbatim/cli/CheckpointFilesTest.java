// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code litmus --checkpoint}: what a process leaves that stopped, and another goes on with. */
class CheckpointFilesTest {

    @TempDir
    private Path directory;

    private Path program;

    @BeforeEach
    void copyProgram() throws IOException {
        program = directory.resolve("LT-22.yaml");
        try (var shipped = Objects.requireNonNull(getClass().getResourceAsStream("/scenarios/litmus/LT-22.yaml"))) {
            Files.write(program, shipped.readAllBytes());
        }
    }

    private Invocation litmus(String... words) {
        List<String> all = new ArrayList<>(List.of("litmus"));
        all.addAll(List.of(words));
        all.add(program.toString());
        return Invocation.of(all.toArray(String[]::new));
    }

    private String kept() {
        return "--checkpoint=" + directory.resolve("kept");
    }

    private static String withoutTimes(Invocation invocation) {
        return invocation.out().replaceAll("\"timeNanos\":\\d+", "");
    }

    @Test
    @LongTest
    void processesThatStopFindTogetherWhatOneFinds() {
        int processes = 1;
        Invocation last = litmus("--json", "--executions=7", kept());
        while (last.out().contains("\"stop\"")) {
            last = litmus("--json", "--executions=7", kept());
            processes++;
        }

        assertThat(processes).isGreaterThan(2);
        assertThat(withoutTimes(last)).isEqualTo(withoutTimes(litmus("--json")));
        assertThat(last.exitCode()).isZero();
        assertThat(withoutTimes(litmus("--json", "--executions=1", kept()))).isEqualTo(withoutTimes(last));
    }

    @Test
    void checkpointsOfSomethingElseAreRefused() throws IOException {
        litmus("--executions=10", kept());

        litmus("--sanitize", kept()).failed(2, "is of other options", "sanitize true", "name another directory");
        Files.writeString(program, Files.readString(program) + "# changed\n");
        litmus(kept()).failed(2, "is of another text of", "remove the file");
    }

    @Test
    void damagedCheckpointIsNamed() throws IOException {
        litmus("--executions=10", kept());
        try (var files = Files.list(directory.resolve("kept"))) {
            Path file = files.findFirst().orElseThrow();
            byte[] bytes = Files.readAllBytes(file);
            Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        }

        litmus(kept()).failed(2, "is damaged", "the checkpoint is cut", "remove it");
    }
}
