// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The tests of a page's script, which Node runs where it is found. */
public final class NodeTests {

    private NodeTests() {}

    /** Runs the tests in that folder; at least one has to pass and none may fail. Without Node the test is skipped. */
    public static void assertPass(Path folder) throws IOException, InterruptedException {
        assumeTrue(hasNode(), "there is no Node here, so the tests in " + folder + " did not run");
        Process node = new ProcessBuilder("node", "--test", folder.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("# pass [1-9]");
    }

    private static boolean hasNode() throws InterruptedException {
        try {
            return new ProcessBuilder("node", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
