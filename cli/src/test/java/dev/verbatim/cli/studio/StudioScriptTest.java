// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.NodeTests;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The studio's script: its own tests, where there is a Node to run them. */
class StudioScriptTest {

    private static final Path TESTS = Path.of("src/test/studio");

    @Test
    void itsOwnTestsPass() throws IOException, InterruptedException {
        NodeTests.assertPass(TESTS);
    }

    @Test
    void pageIsOnePieceWithoutImportsOrTemplates() {
        StudioPage page = StudioPage.load();
        assertThat(page.html()).doesNotContain("{{", "import {", "export ", "http://", "https://");
        assertThat(page.html().length()).isLessThan(64 << 10);
    }
}
