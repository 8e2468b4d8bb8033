// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.PacketRecord;
import org.jspecify.annotations.Nullable;

/** Writes an event as JSON: its kind, then each of its fields under the name that it has in the event. */
final class EventJson {

    private final PacketJson packets;

    /** Shows at most so many bytes of each payload. */
    EventJson(int mostPayloadBytes) {
        packets = new PacketJson(mostPayloadBytes);
    }

    void put(TraceEvent event, JsonLine line) {
        if (event instanceof TraceEvent.SendPosted posted) {
            head("posted", event, line)
                    .with("request", posted.request().toString())
                    .with("signaled", posted.signaled());
        } else if (event instanceof TraceEvent.ReceivePosted posted) {
            head("posted", event, line).with("request", posted.request().toString());
        } else if (event instanceof TraceEvent.SharedReceivePosted posted) {
            head("posted", event, line)
                    .with("srq", posted.srq())
                    .with("request", posted.request().toString());
        } else if (event instanceof TraceEvent.SharedReceiveTaken taken) {
            head("taken", event, line).with("srq", taken.srq()).with("workRequestId", taken.workRequestId());
        } else if (event instanceof TraceEvent.SharedReceiveLimited limited) {
            head("limited", event, line).with("srq", limited.srq()).with("limit", limited.limit());
        } else if (event instanceof TraceEvent.Connected connected) {
            head("connected", event, line)
                    .with("source", connected.source().toString())
                    .with("destination", connected.destination().toString())
                    .with("destinationQp", connected.destinationQp());
        } else if (event instanceof TraceEvent.Started started) {
            head("started", event, line)
                    .with("workRequestId", started.workRequestId())
                    .with("firstPsn", started.firstPsn())
                    .with("packets", started.packets());
        } else if (event instanceof TraceEvent.PacketSent sent) {
            packet("sent", event, sent.source(), sent.destination(), sent.packet(), line);
        } else if (event instanceof TraceEvent.PacketReceived received) {
            packet("received", event, received.source(), received.destination(), received.packet(), line);
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            packets.put(dropped.packet(), head("dropped", event, line));
            put("reason", dropped.reason(), line);
        } else if (event instanceof TraceEvent.LinkFaulted faulted) {
            packet("fault", event, faulted.source(), faulted.destination(), faulted.packet(), line);
            line.with("fault", faulted.fault());
        } else if (event instanceof TraceEvent.MemoryTouched touched) {
            head("memory", event, line)
                    .with("effect", touched.effect().name())
                    .withHex32("key", touched.key())
                    .with("psn", touched.psn())
                    .withHex64("address", touched.address())
                    .with("lengthBytes", touched.lengthBytes())
                    .with("offset", touched.offset())
                    .with("held", touched.held());
            packets.putData(touched.data(), line);
        } else if (event instanceof TraceEvent.MemoryShown shown) {
            head("shown", event, line)
                    .with("psn", shown.psn())
                    .withHex64("address", shown.address())
                    .with("lengthBytes", shown.lengthBytes());
            packets.putData(shown.data(), line);
        } else if (event instanceof TraceEvent.ProgramTouched touched) {
            head("program", event, line)
                    .with("store", touched.store())
                    .withHex64("address", touched.address())
                    .with("lengthBytes", touched.lengthBytes());
            packets.putData(touched.data(), line);
        } else if (event instanceof TraceEvent.Completed completed) {
            head("completed", event, line)
                    .with("workRequestId", completed.workRequestId())
                    .with("status", completed.status().name())
                    .with("opcode", completed.opcode().name())
                    .with("byteLength", Integer.toUnsignedLong(completed.byteLength()));
            put("refusal", completed.refusal(), line);
        } else if (event instanceof TraceEvent.StateChanged changed) {
            head("state", event, line)
                    .with("from", changed.from().name())
                    .with("to", changed.to().name());
            put("reason", changed.reason(), line);
        } else if (event instanceof TraceEvent.EventRaised raised) {
            head("event", event, line)
                    .with("srq", raised.srq())
                    .with("type", raised.type().name());
            put("reason", raised.reason(), line);
        } else if (event instanceof TraceEvent.KeyChanged changed) {
            head("key", event, line)
                    .withHex32("key", changed.key())
                    .with("valid", changed.valid())
                    .withHex64("address", changed.address())
                    .withHex64("memoryAddress", changed.memoryAddress())
                    .with("lengthBytes", changed.lengthBytes())
                    .with("what", changed.what());
        } else if (event instanceof TraceEvent.WindowChanged changed) {
            head("window", event, line)
                    .with("change", changed.change().name())
                    .with("window", changed.window())
                    .with("type", changed.type().name())
                    .with("binding", changed.binding())
                    .withHex32("rkey", changed.rkey())
                    .withHex64("address", changed.address())
                    .withHex64("memoryAddress", changed.memoryAddress())
                    .with("lengthBytes", changed.lengthBytes())
                    .with("access", AccessFlags.describe(changed.access()));
        } else if (event instanceof TraceEvent.Decided decided) {
            head("decided", event, line).with("rule", decided.rule());
        } else {
            throw new IllegalArgumentException("there is no JSON for " + event.getClass() + "; add it here");
        }
    }

    private static JsonLine head(String kind, TraceEvent event, JsonLine line) {
        return line.with("kind", kind)
                .with("timeNanos", event.timeNanos())
                .with("device", event.device())
                .with("qp", event.qp());
    }

    private void packet(
            String kind, TraceEvent event, Gid source, Gid destination, PacketRecord packet, JsonLine line) {
        head(kind, event, line).with("source", source.toString()).with("destination", destination.toString());
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
