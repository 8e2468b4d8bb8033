// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.JsonText;
import dev.verbatim.verbs.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that failed, as it is reported.
 *
 * @param kind {@code verb}, {@code completion}, {@code event}, {@code connection}, {@code wait} or {@code drop}
 * @param what one line: the call or the request, and how it failed
 * @param facts further members of the object in JSON: numbers, or texts
 * @param refusal the reason, with its causes; null if {@code reason} is all that is known
 * @param posted where the request was posted; null if it is none, or that is not known
 * @param call the function that told the program; null if the program ended without a call that did
 * @param seen where the program called it
 */
record Failure(
        String kind,
        String what,
        Map<String, Object> facts,
        @Nullable Refusal refusal,
        @Nullable String reason,
        @Nullable NativeCallSite posted,
        @Nullable String call,
        @Nullable NativeCallSite seen)
        implements Report.Entry {

    /** Whether it is the same mistake at the same lines. */
    record Likeness(String what, String rule, List<SourceLine> posted, List<SourceLine> seen) {}

    @Override
    public Likeness likeness() {
        String rule = refusal == null ? String.valueOf(reason) : refusal.root().rule();
        return new Likeness(what.replaceAll("wr_id=\\d+ ", ""), rule, linesOf(posted), linesOf(seen));
    }

    @Override
    public String inGeneral() {
        return likeness().what();
    }

    private static List<SourceLine> linesOf(@Nullable NativeCallSite site) {
        return site == null ? List.of() : site.lines();
    }

    /** The refusals from the first cause on, each by its own sentence. */
    private List<String> causes() {
        List<String> causes = new ArrayList<>();
        for (Refusal each = refusal; each != null; each = each.cause()) {
            String sentence = kind.equals("wait") ? WordsOfC.of(each.ownSentence()) : each.ownSentence();
            causes.add(each.rule().isEmpty() ? sentence : sentence + " [" + each.rule() + "]");
        }
        if (causes.isEmpty() && reason != null) {
            causes.add(reason);
        }
        Collections.reverse(causes);
        return causes;
    }

    @Override
    public String asText() {
        StringBuilder text = new StringBuilder("verbatim: ").append(what).append('\n');
        List<String> causes = causes();
        for (int i = 0; i < causes.size(); i++) {
            Report.line(text, i == 0 ? "cause" : "then", causes.get(i));
        }
        boolean waits = kind.equals("wait") || kind.equals("drop");
        if (posted != null) {
            Report.line(text, waits && refusal == null ? "fetched" : "posted", posted.toString());
        }
        if (waits && seen != null) {
            Report.line(text, "waits", seen.toString());
        } else if (waits) {
            return text.toString();
        } else if (seen != null) {
            Report.line(
                    text,
                    kind.equals("verb") ? "called" : "seen",
                    kind.equals("verb") ? seen.toString() : seen + ", by " + call);
        } else {
            Report.line(text, "seen", "by no call until the program ended");
        }
        return text.toString();
    }

    @Override
    public String asJson() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", kind);
        members.put("text", what);
        members.putAll(facts);
        Refusal known = refusal;
        if (known != null) {
            members.put("rule", known.root().rule());
            members.put("number", known.root().brokenRule().number());
        }
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) ->
                member(text, name, value instanceof Number ? value.toString() : JsonText.quoted(value.toString())));
        member(text, "causes", causes().stream().map(JsonText::quoted).toList().toString());
        if (call != null) {
            member(text, "call", JsonText.quoted(call));
        }
        if (posted != null) {
            member(text, "posted", json(posted.lines().get(0)));
        }
        if (seen != null) {
            member(text, "seen", json(seen.lines().get(0)));
        }
        return text.append("}\n").toString();
    }

    private static String json(SourceLine line) {
        StringBuilder text = new StringBuilder("{");
        member(text, "address", JsonText.quoted(line.address()));
        if (line.function() != null) {
            member(text, "function", JsonText.quoted(line.function()));
        }
        if (line.file() != null) {
            member(text, "file", JsonText.quoted(line.file()));
            member(text, "line", String.valueOf(line.line()));
        }
        return text.append('}').toString();
    }

    private static void member(StringBuilder text, String name, String value) {
        text.append(text.length() > 1 ? "," : "")
                .append(JsonText.quoted(name))
                .append(':')
                .append(value);
    }
}
