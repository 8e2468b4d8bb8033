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
        Site.main("../..", directory.toString());
        try (Browser browser = new Browser()) {
            browser.open(directory.resolve("examples/c-echo/index.html").toUri().toString());
            search(browser, "recorder nosuchword");
            assertThat(found(browser)).isEqualTo("nothing found");
            search(browser, "FLIGHT recorder");
            assertThat(found(browser)).startsWith("Live figures: Flight Recorder");
            browser.run("document.querySelector('#results a').click()");
            browser.await("return document.title.startsWith('Live figures')");

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
