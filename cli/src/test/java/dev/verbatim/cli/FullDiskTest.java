// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A command whose file does not fit on the disk fails, and says so. */
class FullDiskTest {

    private static final String FULL = "/dev/full";

    @Test
    @EnabledOnOs(OS.LINUX)
    void commandFailsWhenItsTraceOrCaptureDoesNotFit() {
        for (String option : new String[] {"--trace", "--capture"}) {
            Invocation run = Invocation.of("explore", "--program=1", option, FULL);

            assertThat(run.exitCode()).as(option).isEqualTo(1);
            assertThat(run.err())
                    .as(option)
                    .contains("cannot write all of " + FULL + ": No space left on device; what is");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void commandFailsWhenItsPageDoesNotFit() {
        Invocation run = Invocation.of("explore", "--program=1", "--html", FULL);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cannot write all of " + FULL + ": ").doesNotContain("directory");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void commandFailsWhenItsExportDoesNotFit(@TempDir Path folder) {
        String trace = folder.resolve("trace.jsonl").toString();
        assertThat(Invocation.of("explore", "--program=1", "--trace", trace).exitCode())
                .isZero();
        for (String option : new String[] {"--perfetto", "--shiviz"}) {
            Invocation run = Invocation.of("page", trace, option, FULL);

            assertThat(run.exitCode()).as(option).isEqualTo(1);
            assertThat(run.err())
                    .as(option)
                    .contains("cannot write all of " + FULL + ": ")
                    .doesNotContain("directory");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failureIsToldAtTheEndAndNotThrownToTheTapThatWrites() {
        WriteFailures file = WriteFailures.create(Path.of(FULL));
        file.write(1);
        file.flush();
        file.close();

        assertThatThrownBy(file::check).hasMessageContaining("cannot write all of " + FULL + ": No space left");
    }

    @Test
    void placeThatIsWrongIsSaidOtherwise() {
        Path file = Path.of("a.txt");

        assertThat(WriteFailures.cannotWrite(file, new AccessDeniedException("a.txt")))
                .hasMessage(
                        "cannot write to a.txt: permission denied; specify a file in an existing, writable directory");
        assertThat(WriteFailures.cannotWrite(file, new IOException("No space left on device")))
                .hasMessageContaining("make room, or specify another file");
        assertThatThrownBy(() -> WriteFailures.create(Path.of("absent", "directory", "a.txt")))
                .hasMessageContaining("no such file or directory; specify");
        assertThatThrownBy(() -> WriteFailures.create(Path.of(".")))
                .hasMessageContaining("cannot write to .: Is a directory; specify");
    }
}
