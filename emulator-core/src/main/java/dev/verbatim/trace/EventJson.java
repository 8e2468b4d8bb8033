// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.PacketRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes an event as JSON: its kind, then each of its fields under the name that it has in the event. */
final class EventJson {

    private final PacketJson packets;
    private final Map<Class<? extends TraceEvent>, BiConsumer<TraceEvent, JsonLine>> writers = new LinkedHashMap<>();

    /** Shows at most so many bytes of each payload. */
    EventJson(int mostPayloadBytes) {
        packets = new PacketJson(mostPayloadBytes);
        writeRequests();
        writePackets();
        writeMemory();
        writeViews();
        writeStates();
    }

    void put(TraceEvent event, JsonLine line) {
        BiConsumer<TraceEvent, JsonLine> writer = writers.get(event.getClass());
        if (writer == null) {
            throw new IllegalArgumentException("there is no JSON for " + event.getClass() + "; add it here");
        }
        writer.accept(event, line);
    }

    private void writeRequests() {
        write(
                TraceEvent.SendPosted.class,
                "posted",
                (posted, line) ->
                        line.with("request", posted.request().toString()).with("signaled", posted.signaled()));
        write(
                TraceEvent.ReceivePosted.class,
                "posted",
                (posted, line) -> line.with("request", posted.request().toString()));
        write(
                TraceEvent.SharedReceivePosted.class,
                "posted",
                (posted, line) -> line.with("srq", posted.srq())
                        .with("request", posted.request().toString()));
        write(
                TraceEvent.SharedReceiveTaken.class,
                "taken",
                (taken, line) -> line.with("srq", taken.srq()).with("workRequestId", taken.workRequestId()));
        write(
                TraceEvent.SharedReceiveLimited.class,
                "limited",
                (limited, line) -> line.with("srq", limited.srq()).with("limit", limited.limit()));
        write(
                TraceEvent.Connected.class,
                "connected",
                (connected, line) -> line.with("source", connected.source().toString())
                        .with("destination", connected.destination().toString())
                        .with("destinationQp", connected.destinationQp()));
        write(
                TraceEvent.Started.class,
                "started",
                (started, line) -> line.with("workRequestId", started.workRequestId())
                        .with("firstPsn", started.firstPsn())
                        .with("packets", started.packets()));
        write(TraceEvent.Completed.class, "completed", (completed, line) -> {
            line.with("cq", completed.cq())
                    .with("workRequestId", completed.workRequestId())
                    .with("status", completed.status().name())
                    .with("opcode", completed.opcode().name())
                    .with("byteLength", Integer.toUnsignedLong(completed.byteLength()));
            put("refusal", completed.refusal(), line);
        });
        write(
                TraceEvent.Polled.class,
                "polled",
                (polled, line) -> line.with("cq", polled.cq())
                        .with("workRequestId", polled.workRequestId())
                        .with("left", polled.left()));
    }

    private void writePackets() {
        write(
                TraceEvent.PacketSent.class,
                "sent",
                (sent, line) -> packet(sent.source(), sent.destination(), sent.packet(), line));
        write(
                TraceEvent.PacketReceived.class,
                "received",
                (received, line) -> packet(received.source(), received.destination(), received.packet(), line));
        write(TraceEvent.PacketDropped.class, "dropped", (dropped, line) -> {
            packets.put(dropped.packet(), line);
            put("reason", dropped.reason(), line);
        });
        write(TraceEvent.LinkFaulted.class, "fault", (faulted, line) -> {
            packet(faulted.source(), faulted.destination(), faulted.packet(), line);
            line.with("fault", faulted.fault());
        });
        write(
                TraceEvent.CarrierReported.class,
                "carrier",
                (reported, line) -> line.with("peer", reported.peer().toString())
                        .with("reason", reported.reason())
                        .with("sentence", reported.sentence()));
    }

    private void writeViews() {
        write(
                TraceEvent.ViewChanged.class,
                "view",
                (changed, line) -> line.with("domain", changed.domain())
                        .with("persistent", changed.persistent())
                        .withHex64("address", changed.address())
                        .with("lengthBytes", changed.lengthBytes())
                        .with("behind", changed.behind()));
        write(
                TraceEvent.OlderSeen.class,
                "older",
                (older, line) -> line.with("observer", older.observer())
                        .withHex64("address", older.address())
                        .with("lengthBytes", Long.BYTES)
                        .with("seen", String.valueOf(older.seen()))
                        .with("missed", String.valueOf(older.missed())));
    }

    private void writeMemory() {
        write(TraceEvent.MemoryTouched.class, "memory", (touched, line) -> {
            line.with("effect", touched.effect().name())
                    .withHex32("key", touched.key())
                    .with("psn", touched.psn())
                    .withHex64("address", touched.address())
                    .with("lengthBytes", touched.lengthBytes())
                    .with("offset", touched.offset())
                    .with("held", touched.held());
            packets.putData(touched.data(), line);
        });
        write(TraceEvent.MemoryShown.class, "shown", (shown, line) -> {
            line.with("psn", shown.psn())
                    .withHex64("address", shown.address())
                    .with("lengthBytes", shown.lengthBytes());
            packets.putData(shown.data(), line);
        });
        write(TraceEvent.ProgramTouched.class, "program", (touched, line) -> {
            line.with("store", touched.store())
                    .withHex64("address", touched.address())
                    .with("lengthBytes", touched.lengthBytes());
            packets.putData(touched.data(), line);
        });
        write(
                TraceEvent.KeyChanged.class,
                "key",
                (changed, line) -> line.withHex32("key", changed.key())
                        .with("valid", changed.valid())
                        .withHex64("address", changed.address())
                        .withHex64("memoryAddress", changed.memoryAddress())
                        .with("lengthBytes", changed.lengthBytes())
                        .with("coherent", changed.coherent())
                        .with("what", changed.what()));
        write(
                TraceEvent.WindowChanged.class,
                "window",
                (changed, line) -> line.with("change", changed.change().name())
                        .with("window", changed.window())
                        .with("type", changed.type().name())
                        .with("binding", changed.binding())
                        .withHex32("rkey", changed.rkey())
                        .withHex64("address", changed.address())
                        .withHex64("memoryAddress", changed.memoryAddress())
                        .with("lengthBytes", changed.lengthBytes())
                        .with("access", AccessFlags.describe(changed.access())));
    }

    private void writeStates() {
        write(TraceEvent.StateChanged.class, "state", (changed, line) -> {
            line.with("from", changed.from().name()).with("to", changed.to().name());
            put("reason", changed.reason(), line);
        });
        write(TraceEvent.EventRaised.class, "event", (raised, line) -> {
            line.with("srq", raised.srq()).with("type", raised.type().name());
            put("reason", raised.reason(), line);
        });
        write(TraceEvent.Decided.class, "decided", (decided, line) -> line.with("rule", decided.rule()));
    }

    /** Events of that type have that kind, and behind what all events have their own fields. */
    private <E extends TraceEvent> void write(Class<E> type, String kind, BiConsumer<E, JsonLine> fields) {
        writers.put(type, (event, line) -> {
            line.with("kind", kind)
                    .with("timeNanos", event.timeNanos())
                    .with("device", event.device())
                    .with("qp", event.qp());
            fields.accept(type.cast(event), line);
        });
    }

    private void packet(Gid source, Gid destination, PacketRecord packet, JsonLine line) {
        line.with("source", source.toString()).with("destination", destination.toString());
        packets.put(packet, line);
    }

    private static void put(String name, @Nullable Refusal refusal, JsonLine line) {
        if (refusal == null) {
            line.with(name, null);
            return;
        }
        line.open(name).with("rule", refusal.rule()).with("sentence", refusal.sentence());
        Refusal cause = refusal.cause();
        if (cause != null) {
            put("cause", cause, line);
        }
        line.close();
    }
}
