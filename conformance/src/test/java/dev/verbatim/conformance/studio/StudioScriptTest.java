// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The studio's script: its own tests, where there is a Node to run them. */
class StudioScriptTest {

    private static final Path TESTS = Path.of("src/test/studio");

    @Test
    void itsOwnTestsPass() throws IOException, InterruptedException {
        assumeTrue(hasNode(), "there is no Node here, so the tests of the studio's script did not run");
        Process node = new ProcessBuilder("node", "--test", TESTS.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("# pass [1-9]");
    }

    private static boolean hasNode() throws InterruptedException {
        try {
            Process node = new ProcessBuilder("node", "--version").start();
            return node.waitFor(10, TimeUnit.SECONDS) && node.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void pageIsOnePieceWithoutImportsOrTemplates() {
        StudioPage page = StudioPage.load();
        assertThat(page.html()).doesNotContain("{{", "import {", "export ", "http://", "https://");
        assertThat(page.html().length()).isLessThan(64 << 10);
    }
}
