// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The page without data: its HTML, its style, and its script. The files of the script are modules that import each other; in
 * the page they follow each other in one module, in the order of {@link #SCRIPTS}, without imports.
 */
record PageTemplate(String html, String style, String script) {

    /** Each file uses only what stands before it. */
    static final List<String> SCRIPTS = List.of(
            "words.mjs",
            "packets.mjs",
            "requests.mjs",
            "tracks.mjs",
            "model.mjs",
            "measure.mjs",
            "layout.mjs",
            "draw.mjs",
            "panel.mjs",
            "outcomes.mjs",
            "view.mjs",
            "main.mjs");

    private static final int MOST_TITLE_CHARS = 160;

    /** Writes the data of a page. */
    interface Data {
        void write(Writer out) throws IOException;
    }

    static PageTemplate load() {
        String script = SCRIPTS.stream().map(PageTemplate::withoutImports).collect(Collectors.joining("\n"));
        return new PageTemplate(read("page.html"), read("page.css"), script);
    }

    private static String withoutImports(String name) {
        return read(name)
                .lines()
                .filter(line -> !line.startsWith("import "))
                .map(line -> line.startsWith("export ") ? line.substring("export ".length()) : line)
                .collect(Collectors.joining("\n"));
    }

    private static String read(String name) {
        try (InputStream stream = PageTemplate.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "resource=" + name + " is missing; build the module with its resources");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException("resource=" + name + " cannot be read", e);
        }
    }

    /** Puts the parts in their places, which stand in the template in this order. */
    void write(Writer out, String title, Data data) throws IOException {
        String rest = html;
        rest = before(rest, "{{policy}}", out);
        out.write(policy());
        rest = before(rest, "{{title}}", out);
        out.write(text(title));
        rest = before(rest, "{{style}}", out);
        out.write(style);
        rest = before(rest, "{{data}}", out);
        data.write(out);
        rest = before(rest, "{{script}}", out);
        out.write(script);
        out.write(rest);
    }

    private static String before(String text, String place, Writer out) throws IOException {
        int at = text.indexOf(place);
        out.write(text, 0, at);
        return text.substring(at + place.length());
    }

    /** Nothing is loaded, nothing is sent, and no other script runs than this. */
    String policy() {
        return "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style)
                + "'; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** As text of HTML: short, and without characters that change the direction of what is around them. */
    private static String text(String title) {
        String cut = title.length() > MOST_TITLE_CHARS ? title.substring(0, MOST_TITLE_CHARS) : title;
        return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
