// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.JsonText;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A mistake that is not told, of the whole program or of one program file or library, with the reason.
 *
 * @param binary name of the file, without what follows {@code .so}; null for all
 */
public record Silence(Mistake mistake, @Nullable String binary, String reason) {

    private static final Pattern FORM = Pattern.compile("(S\\d+)(?::([^=]+))?=(.*\\S.*)");

    /**
     * Of {@code S16=REASON} or {@code S16:libgpi.so=REASON}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Silence parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither MISTAKE=REASON nor MISTAKE:LIBRARY=REASON, as in"
                            + " 'S16:libgpi.so=it never reads wr_id'");
        }
        Mistake mistake = Arrays.stream(Mistake.values())
                .filter(each -> each.name().equals(matcher.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        matcher.group(1) + " is no mistake: docs/sanitizer.md lists them"));
        return new Silence(mistake, matcher.group(2), matcher.group(3).strip());
    }

    /** Those of a variable, a line each. */
    static List<Silence> parseAll(@Nullable String lines) {
        return lines == null || lines.isBlank()
                ? List.of()
                : lines.lines().map(Silence::parse).toList();
    }

    /** Whether it is the mistake, and all its known places are in the file. */
    boolean covers(Finding finding) {
        List<String> places =
                finding.places().stream().filter(place -> !place.isEmpty()).toList();
        return finding.mistake() == mistake
                && (binary == null || (!places.isEmpty() && places.stream().allMatch(this::isIn)));
    }

    private boolean isIn(String place) {
        String file = NativeCallSite.binaryOf(place);
        return file != null && binary != null && (file.equals(binary) || file.startsWith(binary + "."));
    }

    private String what() {
        return mistake + (binary == null ? "" : " of " + binary);
    }

    String asText(long count) {
        return "verbatim: silenced " + what() + ", found " + count + (count == 1 ? " time: " : " times: ") + reason
                + "\n";
    }

    String asJson(long count) {
        return "{\"kind\":\"silenced\",\"mistake\":" + JsonText.quoted(mistake.name())
                + (binary == null ? "" : ",\"binary\":" + JsonText.quoted(binary)) + ",\"count\":" + count
                + ",\"reason\":"
                + JsonText.quoted(reason) + "}\n";
    }
}
