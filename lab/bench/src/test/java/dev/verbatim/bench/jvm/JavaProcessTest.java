// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaProcessTest {

    @Test
    void otherJvmGetsTheOptionsOfThisOneButItsAgents() {
        assertThat(JavaProcess.options(List.of(
                        "-Xmx1g",
                        "-javaagent:a.jar",
                        "-agentlib:jdwp=x",
                        "-XX:StartFlightRecording=filename=a.jfr",
                        "--add-opens=java.base/a=ALL-UNNAMED",
                        "-Da=b")))
                .containsExactly("-Xmx1g", "--add-opens=java.base/a=ALL-UNNAMED", "-Da=b");
    }
}
