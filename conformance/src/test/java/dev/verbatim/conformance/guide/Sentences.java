// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** What was done, and below it what the device says of it. */
final class Sentences {

    private static final int MOST_CHARS = 112;
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();

    /** Something that the device refuses at once. */
    interface Refused {
        void run();
    }

    Sentences add(String done, Object said) {
        text.append(done).append('\n');
        for (String line : wrap(String.valueOf(said))) {
            text.append(INDENT).append(line).append('\n');
        }
        return this;
    }

    Sentences addRefused(String done, Refused verb) {
        try {
            verb.run();
        } catch (VerbsException refused) {
            return add(done, refused.getMessage());
        }
        throw new AssertionError(done + ": was not refused");
    }

    private static List<String> wrap(String sentence) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : sentence.split(" ", -1)) {
            if (line.length() > 0 && line.length() + word.length() >= MOST_CHARS - INDENT.length()) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
