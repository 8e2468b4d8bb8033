// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a source tree that come with the archive, with the files that they show or link to: README.md, those that docs/README.md
 * lists there, and those of the examples.
 */
final class Documents {

    private static final Path README = Path.of("README.md");
    private static final Path LIST = Path.of("docs", "README.md");
    private static final Path EXAMPLES = Path.of("examples");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    /** Programs of which {@code lab/dist/build} draws a page, beside their files. */
    private static final Path DRAWN = Path.of("scenarios", "visibility");

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s\"'`()\\[\\],:;=|*<>#]+");
    private static final String ONLY = ": only the source tree has: ";

    private static final String DRAWING = "drawn.html";

    private final Path tree;
    private final Map<Path, Document> documents = new TreeMap<>();
    private final Set<Path> files = new TreeSet<>();
    private final List<String> broken = new ArrayList<>();

    private Documents(Path tree) {
        this.tree = tree;
    }

    /** Reads them, and turns their links to documents into links to pages. */
    static Documents read(Path tree) throws IOException {
        Documents all = new Documents(tree.toAbsolutePath().normalize());
        all.follow();
        for (Document document : all.documents.values()) {
            for (Link link : document.links()) {
                all.leadToPages(document, link);
            }
        }
        all.findWordsOfTheTree();
        return all;
    }

    Collection<Document> all() {
        return documents.values();
    }

    /** What comes along as it is; paths below the tree. */
    Collection<Path> files() {
        return files;
    }

    /** Links that lead nowhere, and words that are true of the source tree alone, a line each. */
    List<String> broken() {
        return broken;
    }

    private void follow() throws IOException {
        Deque<Path> found = new ArrayDeque<>(List.of(README, LIST));
        while (!found.isEmpty()) {
            Path path = found.remove();
            if (documents.containsKey(path)) {
                continue;
            }
            Document document = Document.read(tree, path);
            documents.put(path, document);
            if (path.startsWith(EXAMPLES)) {
                addFilesOf(path.subpath(0, 2));
            }
            for (Link link : document.links()) {
                Path target = target(document, link.getDestination());
                if (target != null && isDocument(target)) {
                    if (path.equals(LIST) || target.startsWith(EXAMPLES)) {
                        found.add(target);
                    }
                } else if (target != null && Files.isRegularFile(tree.resolve(target))) {
                    files.add(target);
                }
            }
            for (Image image : document.images()) {
                Path target = target(document, image.getDestination());
                if (target != null) {
                    files.add(target);
                }
            }
        }
    }

    /** All of an example, since its README tells to build and run it. */
    private void addFilesOf(Path example) throws IOException {
        try (Stream<Path> all = Files.walk(tree.resolve(example))) {
            all.filter(Files::isRegularFile)
                    .map(tree::relativize)
                    .filter(file -> !isDocument(file) && !file.startsWith(example.resolve("target")))
                    .forEach(files::add);
        }
    }

    private void leadToPages(Document document, Link link) {
        String destination = link.getDestination();
        Path target = targetOrNull(document, destination);
        if (target == null) {
            return;
        }
        Document there = documents.get(target);
        if (there == null) {
            if (isDocument(target) || Files.isDirectory(tree.resolve(target))) {
                document.unlink(link); // the source tree has it
            } else if (target.getParent() != null && target.getParent().endsWith(DRAWN)) {
                link.setDestination(document.wayTo(target.resolveSibling(DRAWING)) + "#file=" + target.getFileName());
            }
            return;
        }
        int hash = destination.indexOf('#');
        if (hash >= 0 && !there.hasAnchor(destination.substring(hash + 1))) {
            broken.add(document.path() + ": " + destination + " names no heading of " + there.path());
        }
        String anchor = hash < 0 ? "" : destination.substring(hash);
        link.setDestination(document.wayTo(there.page()) + anchor);
    }

    /** What a link names, below the tree; null where it leads elsewhere or, which is noted, nowhere. */
    private @Nullable Path target(Document document, String destination) {
        Path target = targetOrNull(document, destination);
        if (target == null && !ELSEWHERE.matcher(destination).matches()) {
            broken.add(document.path() + ": " + destination + " leads nowhere");
        }
        return target;
    }

    private @Nullable Path targetOrNull(Document document, String destination) {
        if (ELSEWHERE.matcher(destination).matches()) {
            return null;
        }
        String name = destination.replaceFirst("#.*", "");
        Path target = name.isEmpty()
                ? tree.resolve(document.path())
                : tree.resolve(document.path()).resolveSibling(name).normalize();
        if (!target.startsWith(tree) || !Files.exists(target)) {
            return null;
        }
        Path readme = target.resolve(README);
        return tree.relativize(Files.isRegularFile(readme) ? readme : target);
    }

    private static boolean isDocument(Path path) {
        return path.toString().endsWith(".md");
    }

    /** What documents say of the source tree that is not so in the archive. */
    private void findWordsOfTheTree() {
        for (Document document : documents.values()) {
            for (String line : ArchiveText.left(document.text())) {
                broken.add(document.path() + ONLY + line);
            }
            for (String word : (Iterable<String>) BETWEEN_WORDS.splitAsStream(document.text())::iterator) {
                Path named = pathOf(word);
                if (named != null && !isInTheArchive(named)) {
                    broken.add(document.path() + ONLY + word);
                }
            }
        }
    }

    private @Nullable Path pathOf(String word) {
        String path = word.replaceFirst("[.]$", "");
        if (!path.matches("[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)+/?")) {
            return null;
        }
        Path named = tree.resolve(path).normalize();
        return named.startsWith(tree) && Files.exists(named) ? tree.relativize(named) : null;
    }

    private boolean isInTheArchive(Path named) {
        return Stream.concat(documents.keySet().stream(), files.stream()).anyMatch(each -> each.startsWith(named));
    }
}
