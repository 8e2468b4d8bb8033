// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Breaks text into lines: between words, or within those that are longer than a line. */
final class LineWrap {

    /** A number and its unit stay together. */
    private static final Pattern BETWEEN_WORDS = Pattern.compile(" (?!B\\b)");

    private static final int FURTHER_INDENT_CHARS = 2;

    private LineWrap() {}

    /** Lines of at most so many characters; at least one. */
    static List<String> of(String text, int mostChars) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : BETWEEN_WORDS.split(text, -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > mostChars) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
            while (line.length() > mostChars) {
                int cut = within(line, mostChars);
                lines.add(line.substring(0, cut));
                line.delete(0, cut);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /** Where a word is broken: behind one of these, as GIDs, ranges and lists have some, or else where it must. */
    private static int within(StringBuilder word, int mostChars) {
        for (int cut = mostChars; cut > 0; cut--) {
            if (":,|".indexOf(word.charAt(cut - 1)) >= 0) {
                return cut;
            }
        }
        return mostChars;
    }

    /** The same of text that begins with its indent; further lines have two characters more of it. */
    static List<String> indented(String text, int mostChars) {
        if (text.length() <= mostChars) {
            return List.of(text);
        }
        String words = text.stripLeading();
        String indent = " ".repeat(text.length() - words.length());
        List<String> lines = new ArrayList<>();
        for (String line : of(words, mostChars - indent.length() - FURTHER_INDENT_CHARS)) {
            lines.add(indent + (lines.isEmpty() ? "" : " ".repeat(FURTHER_INDENT_CHARS)) + line);
        }
        return lines;
    }
}
