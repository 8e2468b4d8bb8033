// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The documentation of the archive: as pages, each with the list of docs/README.md and a search beside it, and as Markdown. Paths are those
 * of the source tree.
 */
public final class Site {

    private static final Path LIST = Path.of("docs", "README.md");
    /** What pages have in common lies there. */
    private static final Path PARTS = Path.of("docs", "site");

    private static final List<String> RESOURCES = List.of("site.css", "search.js");

    private final Path tree;
    private final Documents documents;
    private final Path pages;

    private Site(Path tree, Documents documents, Path pages) {
        this.tree = tree;
        this.documents = documents;
        this.pages = pages;
    }

    /** Usage: the source tree, and a directory for the pages. Exit codes: 0 success; 1 a link leads nowhere, or the source tree is spoken of; 2 usage. */
    public static void main(String... arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("site: usage: Site TREE DIRECTORY");
            System.exit(2);
        }
        Path tree = Path.of(arguments[0]);
        Documents documents = Documents.read(tree);
        documents.broken().forEach(System.err::println);
        if (!documents.broken().isEmpty()) {
            System.err.println(
                    "site: mend the links, and put what only the source tree has between <!-- source tree --> and <!-- archive -->");
            System.exit(1);
        }
        write(tree, documents, Path.of(arguments[1]));
    }

    /** Writes the pages, and what comes along, below a directory. */
    static void write(Path tree, Documents documents, Path pages) throws IOException {
        Site site = new Site(tree, documents, pages);
        for (Document document : documents.all()) {
            site.put(document.page(), site.page(document));
            site.put(document.path(), document.text());
        }
        for (Path file : documents.files()) {
            Files.createDirectories(pages.resolve(file).toAbsolutePath().getParent());
            Files.copy(tree.resolve(file), pages.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        for (String name : RESOURCES) {
            site.put(PARTS.resolve(name), resource(name));
        }
        site.put(PARTS.resolve("sections.js"), "const sections = " + JSON.std.asString(site.sections()) + ";\n");
    }

    private void put(Path file, String text) throws IOException {
        Path to = pages.resolve(file);
        Files.createDirectories(to.toAbsolutePath().getParent());
        Files.writeString(to, text);
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String page(Document document) {
        return resource("page.html")
                .replace("@TITLE@", escaped(document.title()))
                .replace("@ROOT@", document.wayTo(Path.of("")))
                .replace("@LIST@", list(document))
                .replace("@TEXT@", document.html());
    }

    private String list(Document from) {
        StringBuilder list = new StringBuilder();
        Document contents = documents.all().stream()
                .filter(document -> document.path().equals(LIST))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(tree + " has no " + LIST + " that its README links to"));
        contents.linksByHeading().forEach((heading, links) -> {
            list.append("<h2>").append(escaped(heading)).append("</h2>\n<ul>\n");
            links.forEach(link -> list.append(
                    line(from, LIST.resolveSibling(link.getDestination()).normalize())));
            list.append("</ul>\n");
        });
        return list.toString();
    }

    private String line(Document from, Path page) {
        String title = documents.all().stream()
                .filter(document -> document.page().equals(page))
                .findFirst()
                .map(Document::title)
                .orElse(page.toString());
        String here = page.equals(from.page()) ? " aria-current=\"page\"" : "";
        return "<li><a href=\"" + from.wayTo(page) + "\"" + here + ">" + escaped(title) + "</a></li>\n";
    }

    private List<Map<String, String>> sections() {
        List<Map<String, String>> sections = new ArrayList<>();
        for (Document document : documents.all()) {
            String page = document.page().toString().replace('\\', '/');
            for (Document.Section section : document.sections()) {
                // In an order of their own: two builds are to be the same.
                Map<String, String> entry = new LinkedHashMap<>();
                entry.put("page", section.anchor().isEmpty() ? page : page + "#" + section.anchor());
                entry.put("document", document.title());
                entry.put("title", section.title());
                entry.put("text", section.text());
                sections.add(entry);
            }
        }
        return sections;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
