// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.page;

import dev.verbatim.page.resource.PageResources;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

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
        PageResources resources = new PageResources(PageTemplate.class);
        return new PageTemplate(resources.read("page.html"), resources.read("page.css"), resources.script(SCRIPTS));
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
        return PageResources.policy(script, style) + "; base-uri 'none'; form-action 'none'";
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
