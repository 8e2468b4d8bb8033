// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a device did, in words: what {@link Narrator} makes of a trace event, and what crosses from one process
 * to another as JSON.
 *
 * @param step number of the step of the demo, 0 before the first
 * @param side name of the device
 * @param timeNanos when, by the clock of its own process
 * @param text what, in a few words
 * @param rule id of the rule that decided it, if the device names one
 * @param explanation the device's own sentence, if it has one
 * @param details the same as single values, in the order in which they are printed
 */
public record NarratedEvent(
        int step,
        String side,
        long timeNanos,
        Kind kind,
        String text,
        @Nullable String rule,
        @Nullable String explanation,
        Map<String, Object> details) {

    /** What sort of thing it was, and the verb that a diagram uses for it. */
    public enum Kind {
        CONNECTED("connects"),
        POSTED("posts"),
        TAKEN("takes"),
        LIMITED("limits"),
        STARTED("starts"),
        SENT("sends"),
        RECEIVED("receives"),
        DROPPED("drops"),
        FAULT("link"),
        CARRIER("carrier"),
        MEMORY("memory"),
        COMPLETED("completes"),
        POLLED("polls"),
        STATE("state"),
        EVENT("event"),
        KEY("key"),
        WINDOW("window"),
        DECIDED("decides"),
        CALLED("calls"),
        RETURNED("gets");

        private final String verb;

        Kind(String verb) {
            this.verb = verb;
        }

        /** The verb for it, at most nine characters. */
        public String verb() {
            return verb;
        }

        /** Its name in JSON. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String PACKET = "packet";

    /** What a program did, and not its device. */
    public static NarratedEvent ofProgram(int step, String side, Kind kind, String text) {
        return new NarratedEvent(step, side, 0, kind, text, null, null, Map.of());
    }

    /** The packet as one line, for those that are about one; what tells two packets apart. */
    @Nullable
    String packet() {
        return (String) details.get(PACKET);
    }

    /** One JSON object, flat: what all have in common first, then the details. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind.word());
        json.put("step", step);
        json.put("side", side);
        json.put("timeNanos", timeNanos);
        json.put("text", text);
        if (rule != null) {
            json.put("rule", rule);
        }
        if (explanation != null) {
            json.put("explanation", explanation);
        }
        json.putAll(details);
        return json;
    }

    /** Whether a JSON object is one of these. */
    public static boolean isOne(Map<String, Object> json) {
        return kindOf(json) != null;
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static NarratedEvent ofJson(Map<String, Object> json) {
        Kind kind = kindOf(json);
        if (kind == null) {
            throw new IllegalArgumentException("kind=" + json.get("kind") + " is no happening; ask isOne first");
        }
        Map<String, Object> details = new LinkedHashMap<>(json);
        details.keySet().removeAll(List.of("kind", "step", "side", "timeNanos", "text", "rule", "explanation"));
        return new NarratedEvent(
                number(json, "step").intValue(),
                Objects.toString(json.get("side")),
                number(json, "timeNanos").longValue(),
                kind,
                Objects.toString(json.get("text")),
                (String) json.get("rule"),
                (String) json.get("explanation"),
                details);
    }

    private static @Nullable Kind kindOf(Map<String, Object> json) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(json.get("kind"))) {
                return kind;
            }
        }
        return null;
    }

    private static Number number(Map<String, Object> json, String name) {
        if (json.get(name) instanceof Number number) {
            return number;
        }
        throw new IllegalArgumentException(name + "=" + json.get(name) + " is not a number; both ends must run alike");
    }
}
