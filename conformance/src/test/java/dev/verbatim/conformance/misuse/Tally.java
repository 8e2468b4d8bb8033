// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts what the sanitizer finds in a group of programs, against their labels. */
final class Tally {

    private final String group;
    private int found;
    private int missed;
    private int silent;
    private int mistaken;
    private int skipped;
    private final List<String> differences = new ArrayList<>();

    Tally(String group) {
        this.group = group;
    }

    /** One program more. */
    void add(String name, Label label, Verdict verdict) {
        if (label == Label.YES && verdict.label() == Label.YES) {
            found++;
        } else if (label == Label.YES) {
            missed++;
            differences.add("missed: " + name);
        } else if (verdict.label() == Label.NO) {
            silent++;
        } else {
            mistaken++;
            differences.add("false: " + name + ": " + verdict);
        }
    }

    /** One program more whose label is not known. */
    void skip() {
        skipped++;
    }

    /** What was missed, and what was found where there is nothing. */
    List<String> differences() {
        return List.copyOf(differences);
    }

    /** The first line of a table of these. */
    static String head() {
        return "| group | programs | yes | no | found | missed | false | recall | precision | not walked to the end |\n"
                + "|---|---|---|---|---|---|---|---|---|---|";
    }

    /** A line of it. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %d | %s | %s | %d |",
                group,
                found + missed + silent + mistaken,
                found + missed,
                silent + mistaken,
                found,
                missed,
                mistaken,
                share(found, found + missed),
                share(found, found + mistaken),
                skipped);
    }

    private static String share(int part, int whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.3f", (double) part / whole);
    }
}
