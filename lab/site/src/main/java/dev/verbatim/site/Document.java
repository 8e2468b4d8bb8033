// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** A file of Markdown, of which one page is made. */
final class Document {

    private static final List<Extension> TABLES = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(TABLES).build();

    private final Path path;
    private String text;
    private final Node root;
    private final Map<Heading, String> anchors = new LinkedHashMap<>();

    private Document(Path path, String text, Node root) {
        this.path = path;
        this.text = text;
        this.root = root;
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                anchors.put(heading, free(anchorOf(PlainText.of(heading))));
            }
        });
    }

    /** The document at a path below a directory, as it is in the archive. */
    static Document read(Path directory, Path path) throws IOException {
        String text = ArchiveText.of(Files.readString(directory.resolve(path)));
        return new Document(path, text, PARSER.parse(text));
    }

    /** As GitHub makes them: letters, digits, hyphens and underscores of a heading, and a hyphen for each space. */
    private static String anchorOf(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** The second heading of the same words gets a number. */
    private String free(String anchor) {
        String free = anchor;
        for (int i = 1; hasAnchor(free); i++) {
            free = anchor + "-" + i;
        }
        return free;
    }

    /** Below the tree. */
    Path path() {
        return path;
    }

    /** Its Markdown, whose links are those of the source tree. */
    String text() {
        return text;
    }

    /** Below the directory of the pages, so that links between pages are those between documents, but for the names. */
    Path page() {
        String name = path.getFileName().toString();
        return path.resolveSibling(name.equals("README.md") ? "index.html" : name.replaceFirst("md$", "html"));
    }

    /** A link from this page to a file below the directory of the pages. */
    String wayTo(Path file) {
        int depth = path.getNameCount() - 1;
        return "../".repeat(depth) + file.toString().replace('\\', '/');
    }

    /** Text of the first heading, or the path if there is none. */
    String title() {
        return anchors.keySet().stream().findFirst().map(PlainText::of).orElse(path.toString());
    }

    boolean hasAnchor(String anchor) {
        return anchors.containsValue(anchor);
    }

    List<Link> links() {
        List<Link> links = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link);
                visitChildren(link);
            }
        });
        return links;
    }

    List<Image> images() {
        List<Image> images = new ArrayList<>();
        root.accept(new AbstractVisitor() {
            @Override
            public void visit(Image image) {
                images.add(image);
            }
        });
        return images;
    }

    /** Leaves what a link has between its brackets. */
    void unlink(Link link) {
        text = text.replaceAll("\\[([^\\]]*)\\]\\(" + Pattern.quote(link.getDestination()) + "\\)", "$1");
        for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
            link.insertBefore(child);
        }
        link.unlink();
    }

    String html() {
        return HtmlRenderer.builder()
                .extensions(TABLES)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    String anchor = node instanceof Heading heading ? anchors.get(heading) : null;
                    if (anchor != null) {
                        attributes.put("id", anchor);
                    }
                })
                .build()
                .render(root);
    }

    /** The text below each heading, up to the next one. */
    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        String anchor = "";
        String title = title();
        StringBuilder text = new StringBuilder();
        for (Node block = root.getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading heading) {
                sections.add(new Section(anchor, title, text.toString()));
                anchor = anchors.getOrDefault(heading, "");
                title = PlainText.of(heading);
                text.setLength(0);
            } else {
                text.append(PlainText.of(block)).append(' ');
            }
        }
        sections.add(new Section(anchor, title, text.toString()));
        return sections;
    }

    /** Of this document, the links below each heading of the second level: what docs/README.md lists. */
    Map<String, List<Link>> linksByHeading() {
        Map<String, List<Link>> links = new LinkedHashMap<>();
        root.accept(new AbstractVisitor() {
            private List<Link> current = new ArrayList<>();

            @Override
            public void visit(Heading heading) {
                current = links.computeIfAbsent(PlainText.of(heading), unused -> new ArrayList<>());
            }

            @Override
            public void visit(Link link) {
                current.add(link);
            }
        });
        links.values().removeIf(List::isEmpty);
        return links;
    }

    /**
     * A heading, and what is below it.
     *
     * @param anchor id of the heading; empty for what comes before the first
     * @param text in one line
     */
    record Section(String anchor, String title, String text) {}
}
