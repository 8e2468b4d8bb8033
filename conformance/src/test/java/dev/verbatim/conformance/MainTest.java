// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("smoke")
class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpGoesToStandardOutputAndSucceeds() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: verbatim").contains("Exit codes:");
    }

    @Test
    void versionIsTheOneOfTheBuild() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("(?s)verbatim \\d+\\.\\d+\\.\\d+.*Java \\d+.*");
    }

    @Test
    void unknownOptionIsExplainedOnStandardErrorAndExitsWithTwo() {
        assertThat(run("--frobnicate")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Unknown option: '--frobnicate'").contains("Usage: verbatim");
    }

    @Test
    void noCommandIsExplainedOnStandardErrorAndExitsWithTwo() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("Missing command");
    }

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
