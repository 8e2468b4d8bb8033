// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {

    private static final Path PROJECT = Path.of("../..");

    @TempDir
    private Path directory;

    @Test
    void linksOfAllDocumentsLeadSomewhere() throws IOException {
        Documents documents = Documents.read(PROJECT);

        assertThat(documents.broken()).isEmpty();
        assertThat(documents.all()).hasSizeGreaterThan(30);
    }

    /** Judged without the code that made them: by the text of the pages alone. */
    @Test
    void everyLinkOfAPageIsToAFileAndAnAnchorThatAreThere() throws IOException {
        Site.write(PROJECT, Documents.read(PROJECT), directory);
        // Drawn by dist/build; each link names a file that is there.
        Path programs = directory.resolve("conformance/src/main/resources/scenarios/visibility");
        try (Stream<Path> files = Files.list(programs)) {
            Files.write(
                    programs.resolve("drawn.html"),
                    files.map(file -> "id=\"file=" + file.getFileName() + "\"").toList());
        }

        Map<Path, String> pages = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(".html")).toList()) {
                pages.put(file, Files.readString(file));
            }
        }
        assertThat(pages).containsKeys(directory.resolve("index.html"), directory.resolve("docs/c-programs.html"));
        pages.forEach((page, text) -> Pattern.compile("(?:href|src)=\"([^\"#:]*)(?:#([^\"]*))?\"")
                .matcher(text)
                .results()
                .forEach(link -> assertLeads(pages, page, link)));
    }

    private static void assertLeads(Map<Path, String> pages, Path page, MatchResult link) {
        Path target = link.group(1).isEmpty()
                ? page
                : page.resolveSibling(link.group(1)).normalize();
        assertThat(target).as("%s in %s", link.group(), page).isRegularFile();
        if (link.group(2) != null) {
            assertThat(pages.get(target)).as("%s in %s", link.group(), page).contains("id=\"" + link.group(2) + "\"");
        }
    }

    @Test
    void whatLeadsNowhereIsNamed() throws IOException {
        write(
                "README.md",
                "# Tree\n[list](docs) [there](docs/one.md#a-heading) [gone](docs/gone.md) [out](../..) ![no](no.png)");
        write("docs/README.md", "# Documents\n## Use\n[one](one.md) [two](one.md#b)");
        write("docs/one.md", "# One\n## A heading\n[itself](#one) [web](https://example.org/#none)");

        assertThat(Documents.read(directory).broken())
                .containsExactlyInAnyOrder(
                        "README.md: docs/gone.md leads nowhere",
                        "README.md: ../.. leads nowhere",
                        "README.md: no.png leads nowhere",
                        "docs/README.md: one.md#b names no heading of docs/one.md");
    }

    @Test
    void whatIsSoInTheSourceTreeAloneIsNotSaidInTheArchive() throws IOException {
        write(
                "README.md",
                "# Tree\n<!-- source tree -->\nNeeds a JDK.\n<!-- archive:\nNeeds nothing.\n-->\n[list](docs) [how](docs/build.md):"
                        + " `./verbatim demo`<!-- source tree -->, or ./mvnw<!-- archive -->.");
        write(
                "docs/README.md",
                "# Documents\n## Use\n<!-- source tree -->\n## Contribute\n[how](build.md)\n<!-- archive -->");
        write("docs/build.md", "# Building\n./mvnw");
        Path pages = directory.resolve("pages");

        Documents documents = Documents.read(directory);
        Site.write(directory, documents, pages);

        assertThat(documents.broken()).isEmpty();
        assertThat(pages.resolve("docs/build.html")).doesNotExist();
        assertThat(Files.readString(pages.resolve("README.md")))
                .isEqualTo("# Tree\nNeeds nothing.\n[list](docs) how: `bin/verbatim demo`.\n");
        assertThat(Files.readString(pages.resolve("index.html")))
                .contains(
                        "<p>Needs nothing.\n<a href=\"docs/index.html\">list</a> how: <code>bin/verbatim demo</code>.</p>");
    }

    @Test
    void wordsOfTheSourceTreeThatAreNotMarkedAreNamed() throws IOException {
        write("README.md", "# Tree\nRun ./mvnw verify, `tools/try` or lib/x.\n<!-- archive -->\n[list](docs)");
        write("docs/README.md", "# Documents\n## Use");
        write("tools/try", "");

        assertThat(Documents.read(directory).broken())
                .containsExactlyInAnyOrder(
                        "README.md: only the source tree has: Run ./mvnw verify, `tools/try` or lib/x.",
                        "README.md: only the source tree has: <!-- archive -->",
                        "README.md: only the source tree has: tools/try");
    }

    @Test
    void sectionsAreFoundByTheirTextAndShownAtTheirHeading() throws IOException {
        write(
                "README.md",
                "# Tree & a < b\n[list](docs)\n\n## Part two\n`code` and\ntext\n\n| a | b |\n|---|---|\n| cell | x |\n\n# Part TWO\n");
        write("docs/README.md", "# Documents\n## Use\n[the tree](../README.md) [files](sub)");
        Files.createDirectories(directory.resolve("docs/sub"));
        Path pages = directory.resolve("pages");

        Documents documents = Documents.read(directory);
        Site.write(directory, documents, pages);

        assertThat(documents.broken()).isEmpty();
        assertThat(Files.readString(pages.resolve("docs/site/sections.js")))
                .contains("\"index.html#part-two\"", "\"index.html#part-two-1\"")
                .contains("\"code and text a b cell x \"");
        assertThat(Files.readString(pages.resolve("index.html")))
                .contains("<title>Tree &amp; a &lt; b - Verbatim</title>", "<h2 id=\"part-two\">", "<td>cell</td>");
        assertThat(Files.readString(pages.resolve("docs/index.html")))
                .contains(
                        "<a href=\"../index.html\">the tree</a> files",
                        "<link rel=\"stylesheet\" href=\"../docs/site/site.css\">");
    }

    private void write(String path, String text) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(text));
    }
}
