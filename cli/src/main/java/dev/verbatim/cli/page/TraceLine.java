// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.page;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of a trace.
 *
 * @param text as it stands there
 * @param event its fields
 */
public record TraceLine(String text, Map<String, Object> event) {

    /** The fields that say most of an event, of whatever kind. */
    private static final List<String> DESCRIBING = List.of(
            "request",
            "workRequestId",
            "opcode",
            "status",
            "effect",
            "fault",
            "from",
            "to",
            "type",
            "change",
            "key",
            "valid",
            "address",
            "lengthBytes");

    /** Numbers that say nothing without their name. */
    private static final List<String> NAMED = List.of("cq", "left");

    boolean isOf(String kind) {
        return kind.equals(event.get("kind"));
    }

    String device() {
        return String.valueOf(event.get("device"));
    }

    /** The same event of a device of another name. */
    TraceLine ofDevice(String name) {
        Map<String, Object> renamed = new LinkedHashMap<>(event);
        renamed.put("device", name);
        try {
            return new TraceLine(JSON.std.asString(renamed), renamed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What happened, in a few words. */
    String describe() {
        StringBuilder words = new StringBuilder(String.valueOf(event.get("kind")));
        for (String field : DESCRIBING) {
            Object value = event.get(field);
            if (value != null) {
                words.append(' ').append(value);
            }
        }
        for (String field : NAMED) {
            Object value = event.get(field);
            if (value != null) {
                words.append(' ').append(field).append('=').append(value);
            }
        }
        if (event.get("packet") instanceof Map<?, ?> packet) {
            words.append(' ').append(packet.get("opcode")).append(" psn=").append(packet.get("psn"));
        }
        return words.toString().replaceAll("\\p{Cntrl}", " ");
    }

    long timeNanos() {
        return event.get("timeNanos") instanceof Number time ? time.longValue() : 0;
    }

    /** What packets have that are the same one: its way, opcode and PSN; null if the event is of no packet with a way. */
    @Nullable
    String flow() {
        if (!(event.get("packet") instanceof Map<?, ?> packet) || event.get("source") == null) {
            return null;
        }
        return event.get("source") + " " + event.get("destination") + " " + packet.get("destQp") + " "
                + packet.get("opcode") + " " + packet.get("psn");
    }
}
