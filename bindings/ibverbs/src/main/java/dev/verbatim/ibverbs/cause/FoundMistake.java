// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.JsonText;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A finding of the sanitizer, in the words of C. */
record FoundMistake(Finding finding) implements Report.Entry {

    /** What programs have many of is told once, with a count. */
    private static final Set<Mistake> COUNTED = EnumSet.of(Mistake.S15, Mistake.S16, Mistake.S19);

    @Override
    public Object likeness() {
        return isCounted() ? finding.mistake() : finding;
    }

    private boolean isCounted() {
        return COUNTED.contains(finding.mistake());
    }

    @Override
    public String place() {
        return isCounted() && !places().isEmpty() ? places().get(0) : "";
    }

    @Override
    public String inGeneral() {
        return what();
    }

    private String what() {
        return (finding.isError() ? "error " : "note ") + finding.mistake() + " "
                + finding.mistake().title();
    }

    private String sentence() {
        return WordsOfC.of(finding.sentence());
    }

    private String remedy() {
        return finding.mistake() == Mistake.S3
                ? "give each outstanding request bytes of its own; post what sends the result of a READ or atomic of its queue pair"
                        + " with IBV_SEND_FENCE"
                : WordsOfC.of(finding.mistake().remedy());
    }

    private List<String> places() {
        return finding.places().stream()
                .filter(place -> !place.isEmpty())
                .distinct()
                .toList();
    }

    @Override
    public String asText() {
        StringBuilder text = new StringBuilder("verbatim: ").append(what()).append('\n');
        Report.line(text, "what", sentence() + " [" + finding.rule().id() + "]");
        List<String> places = places();
        for (int i = 0; i < places.size(); i++) {
            Report.line(text, i == 0 ? "at" : "and", places.get(i));
        }
        Report.line(text, "change", remedy());
        return text.toString();
    }

    @Override
    public String asJson() {
        List<String> places = places().stream().map(JsonText::quoted).toList();
        return "{\"kind\":\"mistake\",\"text\":" + JsonText.quoted(what()) + ",\"mistake\":"
                + JsonText.quoted(finding.mistake().name()) + ",\"error\":" + finding.isError() + ",\"sentence\":"
                + JsonText.quoted(sentence()) + ",\"rule\":"
                + JsonText.quoted(finding.rule().id()) + ",\"places\":["
                + String.join(",", places) + "],\"change\":" + JsonText.quoted(remedy()) + "}\n";
    }
}
