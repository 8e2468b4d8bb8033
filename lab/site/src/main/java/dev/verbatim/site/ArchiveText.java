// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.site;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a document says in the archive. Its Markdown is written for the source tree; what is so there alone stands between
 * {@code <!-- source tree -->} and {@code <!-- archive -->}, and the second comment may have the words for the archive:
 * {@code <!-- archive: words -->}. Comments with lines of their own are for whole lines.
 */
final class ArchiveText {

    private static final Pattern LINES =
            Pattern.compile("(?ms)^<!-- source tree -->\n.*?^<!-- archive(?: |:\n(.*?))-->\n");

    private static final Pattern WORDS = Pattern.compile("(?s)<!-- source tree -->.*?<!-- archive(?:: (.*?))? -->");

    private static final Pattern LAUNCHER = Pattern.compile("\\./verbatim\\b");
    private static final Pattern OF_THE_TREE = Pattern.compile("<!-- (source tree|archive)|\\./mvnw|\\.ci/run");

    private ArchiveText() {}

    static String of(String markdown) {
        return LAUNCHER.matcher(replaced(WORDS, replaced(LINES, markdown))).replaceAll("bin/verbatim");
    }

    private static String replaced(Pattern parts, String text) {
        return parts.matcher(text)
                .replaceAll(part -> part.group(1) == null ? "" : Matcher.quoteReplacement(part.group(1)));
    }

    /** Words of the source tree that are left in a text of the archive, a line each. */
    static List<String> left(String text) {
        return text.lines().filter(OF_THE_TREE.asPredicate()).toList();
    }
}
