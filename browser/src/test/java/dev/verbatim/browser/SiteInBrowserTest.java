// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.site.Site;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation as a browser shows it: out of files, without a server. */
class SiteInBrowserTest {

    @TempDir
    private Path directory;

    @Test
    void searchLeadsToTheSectionThatHasTheWords() throws IOException {
        Site.main("..", directory.toString());
        try (Browser browser = new Browser()) {
            browser.open(directory.resolve("docs/decisions/index.html").toUri().toString());
            search(browser, "serializes nosuchword");
            assertThat(found(browser)).isEqualTo("nothing found");
            search(browser, "serializes STEPS lane");
            assertThat(found(browser)).startsWith("Architecture: ");
            browser.run("document.querySelector('#results a').click()");
            browser.await("return document.title.startsWith('Architecture')");

            assertThat(browser.text("return location.hash && document.querySelector(location.hash).tagName"))
                    .startsWith("H");
        }
    }

    private static void search(Browser browser, String words) {
        browser.run(
                "const field = document.getElementById('search'); field.value = arguments[0];"
                        + " field.dispatchEvent(new Event('input'))",
                words);
    }

    private static String found(Browser browser) {
        return browser.text("return document.getElementById('results').textContent");
    }
}
