// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Wireshark's own reader on the command line, where it is installed. */
final class Tshark {

    private Tshark() {}

    static void assumeInstalled() throws InterruptedException {
        assumeTrue(isInstalled(), "tshark is not installed; install it to see whether Wireshark reads captures");
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return !run(List.of("tshark", "--version")).isEmpty();
        } catch (IOException absent) {
            return false;
        }
    }

    /** What it prints of a capture. */
    static List<String> read(Path capture, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static List<String> run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> printed = lines.lines().toList();
            assertThat(process.waitFor()).as("exit code of %s", command).isZero();
            return printed;
        }
    }
}
