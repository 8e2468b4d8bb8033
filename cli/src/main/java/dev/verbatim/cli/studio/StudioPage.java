// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.page.resource.PageResources;
import java.util.List;

/** The studio's own page, in one piece: nothing but its script and its style is permitted, and only the studio is asked. */
record StudioPage(String html, String policy) {

    /** Each file uses only what stands before it. */
    static final List<String> SCRIPTS = List.of("text.mjs", "studio.mjs");

    static StudioPage load() {
        PageResources resources = new PageResources(StudioPage.class);
        String script = resources.script(SCRIPTS);
        String style = resources.read("studio.css");
        String html = resources.read("studio.html").replace("{{style}}", style).replace("{{script}}", script);
        return new StudioPage(
                html,
                PageResources.policy(script, style)
                        + "; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }
}
