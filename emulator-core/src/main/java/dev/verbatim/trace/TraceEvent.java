// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.PacketRecord;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Something that happened in a device. */
public sealed interface TraceEvent {

    /** When, in the time of the device's lane. */
    long timeNanos();

    /** Where. */
    String device();

    /** Number of the queue pair it is about; 0 for none. */
    int qp();

    /** A work request was taken off a queue to be worked on, or put on it. */
    record WorkPosted(long timeNanos, String device, int qp, String request) implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request;
        }
    }

    /**
     * A packet left.
     *
     * @param source GID of this device
     * @param destination GID of the peer
     */
    record PacketSent(long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet)
            implements TraceEvent {
        @Override
        public String toString() {
            return "send     " + packet;
        }
    }

    /**
     * A packet came and found its queue pair.
     *
     * @param source GID of the peer
     * @param destination GID of this device
     */
    record PacketReceived(long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet)
            implements TraceEvent {
        @Override
        public String toString() {
            return "receive  " + packet;
        }
    }

    /** A packet came and was dropped silently. */
    record PacketDropped(long timeNanos, String device, int qp, PacketRecord packet, Refusal reason)
            implements TraceEvent {
        @Override
        public String toString() {
            return "drop     " + packet + ": " + reason;
        }
    }

    /** What memory was touched for. */
    enum MemoryEffect {
        /** Bytes were gathered or fetched. */
        READ,
        /** Bytes were placed. */
        WRITE,
        /** A word was changed atomically. */
        ATOMIC
    }

    /** Memory was touched; the address is that of the region. */
    record MemoryTouched(long timeNanos, String device, int qp, MemoryEffect effect, long address, int lengthBytes)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "memory   %s %d bytes at 0x%x",
                    effect.name().toLowerCase(Locale.ROOT),
                    lengthBytes,
                    address);
        }
    }

    /** A completion was put on a completion queue. */
    record Completed(
            long timeNanos,
            String device,
            int qp,
            long workRequestId,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            @Nullable Refusal refusal)
            implements TraceEvent {
        @Override
        public String toString() {
            String outcome = "complete wr_id=" + workRequestId + " " + opcode + " " + status;
            return refusal == null ? outcome + " byte_len=" + byteLength : outcome + ": " + refusal;
        }
    }

    /** A queue pair changed its state. */
    record StateChanged(
            long timeNanos,
            String device,
            int qp,
            QpState from,
            QpState to,
            @Nullable Refusal reason) implements TraceEvent {
        @Override
        public String toString() {
            return "state    " + from + " -> " + to + (reason == null ? "" : ": " + reason);
        }
    }

    /** An asynchronous event was raised. */
    record EventRaised(
            long timeNanos,
            String device,
            int qp,
            EventType type,
            @Nullable Refusal reason) implements TraceEvent {
        @Override
        public String toString() {
            return "event    " + type + (reason == null ? "" : ": " + reason);
        }
    }

    /** A key began or ceased to be valid. */
    record KeyChanged(long timeNanos, String device, int key, boolean valid, String what) implements TraceEvent {
        @Override
        public int qp() {
            return 0;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "key      0x%08x %s: %s", key, valid ? "valid" : "revoked", what);
        }
    }

    /** The device came to a point where a rule decides, and did what the rule says. */
    record Decided(long timeNanos, String device, int qp, String rule) implements TraceEvent {
        @Override
        public String toString() {
            return "rule     " + rule;
        }
    }
}
