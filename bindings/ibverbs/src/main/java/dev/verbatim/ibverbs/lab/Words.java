// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The words that faults may have, and the nearest to one that is none. */
final class Words {

    private static final String SYMBOLS = "/dev/verbatim/ibverbs/symbols.txt";
    private static final int FEW = 12;

    /** Letters with which a longer word may begin to be the one that was meant. */
    private static final int LEAST_OF_WORD = 3;

    private Words() {}

    static <E extends Enum<E>> List<String> of(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
    }

    /** The functions that can be refused, as programs call them. */
    static Collection<String> calls() {
        try (InputStream stream = Words.class.getResourceAsStream(SYMBOLS)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "resource " + SYMBOLS + " is missing; build the module with its resources");
            }
            TreeSet<String> calls = new TreeSet<>();
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            reader.lines().map(line -> line.split("\\s+", -1)).forEach(columns -> {
                if (columns.length > 2 && !columns[0].startsWith("#") && isAnswered(columns)) {
                    calls.add(Calls.familyOf(columns[0]));
                }
            });
            return calls;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By a method, with a way to fail; and no answer to a poll or the like, which has no error number. */
    private static boolean isAnswered(String[] columns) {
        return columns[2].matches("[a-z]+\\.\\w+")
                && List.of("errno", "minus", "null").contains(columns[1])
                && !columns[0].matches("take_.*|op_(read|start|next|wr)_.*|.*_str");
    }

    static String require(String word, String what, Collection<String> known) {
        for (String candidate : known) {
            if (candidate.equalsIgnoreCase(word)) {
                return candidate;
            }
        }
        throw new BadFault(what + " '" + word + "' is not known; " + advice(word, known));
    }

    private static String advice(String word, Collection<String> known) {
        for (String candidate : known) {
            if (word.length() >= LEAST_OF_WORD && commonLength(word, candidate) == word.length()) {
                return "did you mean " + candidate + "?";
            }
        }
        String nearest = "";
        int best = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            boolean beginsAlike = distance == best && commonLength(word, candidate) > commonLength(word, nearest);
            if (distance < best || beginsAlike) {
                best = distance;
                nearest = candidate;
            }
        }
        if (best <= Math.max(2, word.length() / 2) || known.size() > FEW) {
            return "did you mean " + nearest + "?";
        }
        return "it is one of " + String.join(", ", known);
    }

    private static int commonLength(String a, String b) {
        int length = 0;
        while (length < Math.min(a.length(), b.length())
                && Character.toLowerCase(a.charAt(length)) == Character.toLowerCase(b.charAt(length))) {
            length++;
        }
        return length;
    }

    /** How many letters must be added, left out or changed to make one of the other. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
