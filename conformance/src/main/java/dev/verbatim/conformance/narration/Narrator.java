// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.conformance.narration.NarratedEvent.Kind;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.PacketRecord;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts trace events into words. */
public final class Narrator {

    private Narrator() {}

    /** What the event says, as part of a step. */
    public static NarratedEvent tell(int step, TraceEvent event) {
        NarratedEvent told = request(step, event);
        told = told == null ? packetOrMemory(step, event) : told;
        told = told == null ? stateOrKey(step, event) : told;
        if (told == null) {
            throw new IllegalArgumentException("there are no words for " + event.getClass() + "; add them here");
        }
        return told;
    }

    private static @Nullable NarratedEvent request(int step, TraceEvent event) {
        if (event instanceof TraceEvent.SendPosted posted) {
            return new Story(step, event, Kind.POSTED).tell(posted.request().toString());
        } else if (event instanceof TraceEvent.ReceivePosted posted) {
            return new Story(step, event, Kind.POSTED).tell(posted.request().toString());
        } else if (event instanceof TraceEvent.SharedReceivePosted posted) {
            return new Story(step, event, Kind.POSTED)
                    .with("srq", posted.srq())
                    .tell(posted.request() + " to srq " + posted.srq());
        } else if (event instanceof TraceEvent.SharedReceiveTaken taken) {
            return new Story(step, event, Kind.TAKEN)
                    .with("srq", taken.srq())
                    .tell("wr_id=" + taken.workRequestId() + " of srq " + taken.srq());
        } else if (event instanceof TraceEvent.SharedReceiveLimited limited) {
            return new Story(step, event, Kind.LIMITED)
                    .with("srq", limited.srq())
                    .with("limit", limited.limit())
                    .tell(limited.limit() + " of srq " + limited.srq());
        } else if (event instanceof TraceEvent.Started started) {
            return new Story(step, event, Kind.STARTED)
                    .with("psn", started.firstPsn())
                    .with("packets", started.packets())
                    .tell("wr_id=" + started.workRequestId()
                            + (started.packets() == 0 ? ", without a packet" : " psn=" + started.firstPsn()));
        } else if (event instanceof TraceEvent.Connected connected) {
            return new Story(step, event, Kind.CONNECTED)
                    .with("destination", connected.destination().toString())
                    .tell(String.format(
                            Locale.ROOT, "to qp 0x%x of %s", connected.destinationQp(), connected.destination()));
        }
        return null;
    }

    private static @Nullable NarratedEvent packetOrMemory(int step, TraceEvent event) {
        if (event instanceof TraceEvent.MemoryShown shown) {
            return memory(step, event, "SHOWN", "shows", shown.address(), shown.lengthBytes());
        } else if (event instanceof TraceEvent.ProgramTouched touched) {
            return memory(
                    step,
                    event,
                    touched.store() ? "STORED" : "LOADED",
                    touched.store() ? "program stores" : "program loads",
                    touched.address(),
                    touched.lengthBytes());
        } else if (event instanceof TraceEvent.ViewChanged changed) {
            return new Story(step, event, Kind.MEMORY)
                    .with("effect", "VIEW")
                    .with("address", String.format(Locale.ROOT, "0x%x", changed.address()))
                    .with("lengthBytes", changed.lengthBytes())
                    .with("behind", changed.behind())
                    .tell(String.format(
                            Locale.ROOT,
                            "%d B at 0x%x of %s %s",
                            changed.lengthBytes(),
                            changed.address(),
                            changed.domain(),
                            changed.behind().isEmpty() ? "are seen by all" : "may be unseen by " + changed.behind()));
        } else if (event instanceof TraceEvent.OlderSeen older) {
            return new Story(step, event, Kind.MEMORY)
                    .with("effect", "OLDER")
                    .with("address", String.format(Locale.ROOT, "0x%x", older.address()))
                    .with("seen", older.seen())
                    .with("missed", older.missed())
                    .tell(String.format(
                            Locale.ROOT,
                            "%s sees %d at 0x%x and misses %d",
                            older.observer(),
                            older.seen(),
                            older.address(),
                            older.missed()));
        } else if (event instanceof TraceEvent.PacketSent sent) {
            return packet(step, event, Kind.SENT, sent.packet()).tell(PacketLabel.of(sent.packet()));
        } else if (event instanceof TraceEvent.PacketReceived received) {
            return packet(step, event, Kind.RECEIVED, received.packet()).tell(PacketLabel.of(received.packet()));
        } else if (event instanceof TraceEvent.PacketDropped dropped) {
            return packet(step, event, Kind.DROPPED, dropped.packet())
                    .because(dropped.reason())
                    .tell(PacketLabel.of(dropped.packet()));
        } else if (event instanceof TraceEvent.LinkFaulted faulted) {
            return packet(step, event, Kind.FAULT, faulted.packet())
                    .with("fault", faulted.fault())
                    .tell(faulted.fault() + " " + PacketLabel.of(faulted.packet()));
        } else if (event instanceof TraceEvent.CarrierReported reported) {
            return new Story(step, event, Kind.CARRIER)
                    .with("peer", reported.peer().toString())
                    .with("reason", reported.reason())
                    .tell(reported.reason() + ": " + reported.sentence());
        } else if (event instanceof TraceEvent.MemoryTouched touched) {
            return memory(
                    step, event, touched.effect().name(), verb(touched), touched.address(), touched.lengthBytes());
        }
        return null;
    }

    private static @Nullable NarratedEvent stateOrKey(int step, TraceEvent event) {
        if (event instanceof TraceEvent.Completed completed) {
            return completion(step, completed);
        } else if (event instanceof TraceEvent.Polled polled) {
            return new Story(step, event, Kind.POLLED)
                    .with("cq", polled.cq())
                    .with("workRequestId", polled.workRequestId())
                    .with("left", polled.left())
                    .tell("wr_id=" + polled.workRequestId() + " of cq " + polled.cq());
        } else if (event instanceof TraceEvent.StateChanged changed) {
            return new Story(step, event, Kind.STATE)
                    .with("from", changed.from().name())
                    .with("to", changed.to().name())
                    .because(changed.reason())
                    .tell(changed.from() + " -> " + changed.to());
        } else if (event instanceof TraceEvent.EventRaised raised) {
            return new Story(step, event, Kind.EVENT)
                    .with("type", raised.type().name())
                    .because(raised.reason())
                    .tell(raised.type().name() + (raised.srq() == 0 ? "" : " of srq " + raised.srq()));
        } else if (event instanceof TraceEvent.KeyChanged changed) {
            return new Story(step, event, Kind.KEY)
                    .with("key", String.format(Locale.ROOT, "0x%08x", changed.key()))
                    .with("valid", changed.valid())
                    .tell((changed.valid() ? "valid: " : "revoked: ") + changed.what());
        } else if (event instanceof TraceEvent.WindowChanged changed) {
            return window(step, changed);
        } else if (event instanceof TraceEvent.Decided decided) {
            return new Story(step, event, Kind.DECIDED).under(decided.rule()).tell(decided.rule());
        }
        return null;
    }

    private static NarratedEvent window(int step, TraceEvent.WindowChanged changed) {
        String key = String.format(Locale.ROOT, "0x%08x", changed.rkey());
        String address = String.format(Locale.ROOT, "0x%x", changed.memoryAddress());
        String text = switch (changed.change()) {
            case ALLOCATED -> " is there, of type " + changed.type().number() + ", with key " + key;
            case BOUND ->
                " bound: key " + key + " leads to " + changed.lengthBytes() + " B at " + address + " for "
                        + AccessFlags.describe(changed.access());
            case UNBOUND -> " unbound: key " + key + " leads nowhere";
            case INVALIDATED -> " invalidated: key " + key + " is revoked";
            case INVALIDATED_BY_PEER -> " invalidated by the peer: key " + key + " is revoked";
            case DEALLOCATED -> " is gone, and with it key " + key;
        };
        return new Story(step, changed, Kind.WINDOW)
                .with("change", changed.change().name())
                .with("window", changed.window())
                .with("type", changed.type().name())
                .with("binding", changed.binding())
                .with("rkey", key)
                .with("address", address)
                .with("lengthBytes", changed.lengthBytes())
                .with("access", AccessFlags.describe(changed.access()))
                .tell(changed.window() + text);
    }

    private static Story packet(int step, TraceEvent event, Kind kind, PacketRecord packet) {
        return new Story(step, event, kind)
                .with("packet", packet.toString())
                .with("opcode", packet.opcode().name())
                .with("psn", packet.psn())
                .with("payloadBytes", packet.payload().lengthBytes());
    }

    private static NarratedEvent memory(
            int step, TraceEvent event, String effect, String verb, long memoryAddress, int lengthBytes) {
        String address = String.format(Locale.ROOT, "0x%x", memoryAddress);
        return new Story(step, event, Kind.MEMORY)
                .with("effect", effect)
                .with("address", address)
                .with("lengthBytes", lengthBytes)
                .tell(verb + " " + lengthBytes + " B at " + address);
    }

    private static String verb(TraceEvent.MemoryTouched touched) {
        return switch (touched.effect()) {
            case GATHERED, FETCHED -> "reads";
            case PLACED, RETURNED -> touched.held() ? "holds" : "writes";
            case ATOMIC -> "changes";
        };
    }

    private static NarratedEvent completion(int step, TraceEvent.Completed completed) {
        String text = completed.opcode() + " wr_id=" + completed.workRequestId() + " " + completed.status();
        return new Story(step, completed, Kind.COMPLETED)
                .with("workRequestId", completed.workRequestId())
                .with("opcode", completed.opcode().name())
                .with("status", completed.status().name())
                .with("byteLength", completed.byteLength())
                .because(completed.refusal())
                .tell(completed.byteLength() == 0 ? text : text + " " + completed.byteLength() + " B");
    }

    /** Gathers what is said about one event. */
    private static final class Story {

        private final int step;
        private final TraceEvent event;
        private final Kind kind;
        private final Map<String, Object> details = new LinkedHashMap<>();
        private @Nullable String rule;
        private @Nullable String explanation;

        Story(int step, TraceEvent event, Kind kind) {
            this.step = step;
            this.event = event;
            this.kind = kind;
            if (event.qp() != 0) {
                details.put("qp", event.qp());
            }
        }

        Story with(String name, Object value) {
            details.put(name, value);
            return this;
        }

        Story under(String id) {
            rule = id;
            return this;
        }

        Story because(@Nullable Refusal refusal) {
            if (refusal != null) {
                rule = refusal.rule();
                explanation = refusal.sentence();
            }
            return this;
        }

        NarratedEvent tell(String text) {
            return new NarratedEvent(step, event.device(), event.timeNanos(), kind, text, rule, explanation, details);
        }
    }
}
