// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import dev.verbatim.page.resource.PageResources;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A scenario of docs/teaching.md, where they stand with the easiest first.
 *
 * @param title what it shows, behind its number
 * @param text the scenario file
 */
record Lesson(String title, String text) {

    private static final Pattern FILE = Pattern.compile("(?s)```yaml\n(title: Lesson (.+?)\n.*?)```");

    static List<Lesson> all() {
        return FILE.matcher(new PageResources(Lesson.class).read("teaching.md").replace("\r\n", "\n"))
                .results()
                .map((MatchResult file) -> new Lesson(file.group(2), file.group(1)))
                .toList();
    }

    Map<String, String> json() {
        return Map.of("title", title, "text", text);
    }
}
