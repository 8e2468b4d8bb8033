// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    /**
     * A work request was put on a send queue.
     *
     * @param signaled whether it has a completion when it succeeds, because it asks for one or the queue pair does
     */
    record SendPosted(long timeNanos, String device, int qp, SendWorkRequest request, boolean signaled)
            implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request;
        }
    }

    /** A work request was put on a receive queue. */
    record ReceivePosted(long timeNanos, String device, int qp, ReceiveWorkRequest request) implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request;
        }
    }

    /**
     * A work request was put on a shared receive queue.
     *
     * @param srq the queue's number
     */
    record SharedReceivePosted(long timeNanos, String device, int srq, ReceiveWorkRequest request)
            implements TraceEvent {
        @Override
        public int qp() {
            return 0;
        }

        @Override
        public String toString() {
            return "post     " + request + " to srq " + srq;
        }
    }

    /**
     * A queue pair took the oldest work request of a shared receive queue for a message: it is the queue pair's own now.
     *
     * @param srq the queue's number
     */
    record SharedReceiveTaken(long timeNanos, String device, int qp, int srq, long workRequestId)
            implements TraceEvent {
        @Override
        public String toString() {
            return "take     wr_id=" + workRequestId + " of srq " + srq;
        }
    }

    /**
     * A program armed the limit of a shared receive queue: an event follows, once, when fewer receives are left (SRQ-04).
     *
     * @param srq the queue's number
     * @param limit 0 for none, which is so too when the queue is destroyed that had one
     */
    record SharedReceiveLimited(long timeNanos, String device, int srq, int limit) implements TraceEvent {
        @Override
        public int qp() {
            return 0;
        }

        @Override
        public String toString() {
            return "limit    " + limit + " of srq " + srq;
        }
    }

    /** A queue pair was connected: from now on it takes packets of this peer, and of no other. */
    record Connected(long timeNanos, String device, int qp, Gid source, Gid destination, int destinationQp)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "connect  %s -> %s qp=0x%x", source, destination, destinationQp);
        }
    }

    /**
     * The oldest work request of a send queue that was not started yet is started: these packet sequence numbers are its
     * own, for a READ those of its responses.
     */
    record Started(long timeNanos, String device, int qp, long workRequestId, int firstPsn, int packets)
            implements TraceEvent {
        @Override
        public String toString() {
            return "start    wr_id=" + workRequestId + " psn=" + firstPsn + " packets=" + packets;
        }
    }

    /** An event that has a packet; what a checker needs of that can be asked without knowing packet formats. */
    interface OfPacket {

        /** The packet. */
        PacketRecord packet();

        /** Name of its opcode, such as {@code RDMA_READ_REQUEST}. */
        default String opcodeName() {
            return packet().opcode().name();
        }

        /** Whether it is what a responder sends. */
        default boolean isResponse() {
            return packet().opcode().isResponse();
        }

        /** Name of the transport that it belongs to, such as {@code UC}. */
        default String transportName() {
            return packet().opcode().transport().name();
        }

        /** Number of the queue pair that sent it, which only datagrams say; -1 for others. */
        default int sourceQp() {
            return packet().opcode().has(Header.DETH)
                    ? packet().extension(ExtensionHeader.Deth.class).sourceQp()
                    : -1;
        }

        /** Its sequence number, 24 bits. */
        default int psn() {
            return packet().psn();
        }

        /** The syndrome by which a response says yes, not yet or no (ACK-01); -1 if it has none. */
        default int syndrome() {
            return packet().opcode().has(Header.AETH)
                    ? packet().extension(ExtensionHeader.Aeth.class).syndrome()
                    : -1;
        }
    }

    /**
     * A packet left.
     *
     * @param source GID of this device
     * @param destination GID of the peer
     */
    record PacketSent(long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet)
            implements TraceEvent, OfPacket {
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
            implements TraceEvent, OfPacket {
        @Override
        public String toString() {
            return "receive  " + packet;
        }
    }

    /** A packet came and was dropped silently. */
    record PacketDropped(long timeNanos, String device, int qp, PacketRecord packet, Refusal reason)
            implements TraceEvent, OfPacket {
        @Override
        public String toString() {
            return "drop     " + packet + ": " + reason;
        }
    }

    /**
     * A link of a simulation did something to a packet.
     *
     * @param device the sender
     * @param fault what, as in "loses" or "delays by 500 ns"
     */
    record LinkFaulted(long timeNanos, String device, Gid source, Gid destination, String fault, PacketRecord packet)
            implements TraceEvent {
        @Override
        public int qp() {
            return 0;
        }

        @Override
        public String toString() {
            return "link     " + fault + " " + packet;
        }
    }

    /** What memory was touched for; in the words of the ordering model, which event it is. */
    enum MemoryEffect {
        /** The requester gathered bytes that it sends: S. */
        GATHERED,
        /** The responder fetched bytes for a READ: X. */
        FETCHED,
        /** The responder placed bytes of a SEND or WRITE: X. */
        PLACED,
        /** The responder changed a word atomically: X. */
        ATOMIC,
        /** The requester placed what a READ or atomic returned: L. */
        RETURNED;

        /** Whether memory was only looked at. */
        public boolean isRead() {
            return this == GATHERED || this == FETCHED;
        }
    }

    /**
     * A device touched memory for a packet.
     *
     * @param key the local or remote key by which it did; 0 for inline data, which is found by its address
     * @param psn the packet's sequence number; -1 for inline data, which is gathered when it is posted
     * @param address the first byte's
     * @param data the bytes that were read, or that stand there now
     * @param offset where in the payload of the packet the bytes go that are gathered or fetched for it, which may be done in
     *     parts and in any order (ORD-35, ORD-40); 0 for all others
     * @param held whether programs do not see them yet: a {@link MemoryShown} follows
     */
    record MemoryTouched(
            long timeNanos,
            String device,
            int qp,
            MemoryEffect effect,
            int key,
            int psn,
            long address,
            ByteBuffer data,
            int offset,
            boolean held)
            implements TraceEvent {
        /** Keeps a view that nobody can write through; the bytes themselves must not change any more. */
        public MemoryTouched {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }

        /** How many bytes. */
        public int lengthBytes() {
            return data.remaining();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "memory   %s %d bytes at 0x%x%s",
                    effect.name().toLowerCase(Locale.ROOT),
                    lengthBytes(),
                    address,
                    held ? ", not seen by programs yet" : "");
        }
    }

    /** Programs see bytes from now on that the device had placed before: P. */
    record MemoryShown(long timeNanos, String device, int qp, int psn, long address, ByteBuffer data)
            implements TraceEvent {
        /** Keeps a view that nobody can write through; the bytes themselves must not change any more. */
        public MemoryShown {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }

        /** How many bytes. */
        public int lengthBytes() {
            return data.remaining();
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "memory   shows %d bytes at 0x%x", lengthBytes(), address);
        }
    }

    /**
     * A program of a simulation loaded or stored bytes itself.
     *
     * @param device name of the program's node
     * @param store whether it stored them
     */
    record ProgramTouched(long timeNanos, String device, boolean store, long address, ByteBuffer data)
            implements TraceEvent {
        /** Keeps a view that nobody can write through; the bytes themselves must not change any more. */
        public ProgramTouched {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public int qp() {
            return 0;
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }

        /** How many bytes. */
        public int lengthBytes() {
            return data.remaining();
        }

        @Override
        public String toString() {
            String touched = String.format(
                    Locale.ROOT, "program  %s %d bytes at 0x%x", store ? "stores" : "loads", lengthBytes(), address);
            return lengthBytes() == Long.BYTES
                    ? touched + ": " + data().order(ByteOrder.nativeOrder()).getLong()
                    : touched;
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

    /**
     * An asynchronous event was raised.
     *
     * @param srq number of the shared receive queue that it is about; 0 for none
     */
    record EventRaised(
            long timeNanos,
            String device,
            int qp,
            int srq,
            EventType type,
            @Nullable Refusal reason) implements TraceEvent {
        @Override
        public String toString() {
            return "event    " + type + (srq == 0 ? "" : " srq " + srq) + (reason == null ? "" : ": " + reason);
        }
    }

    /**
     * A key began or ceased to be valid.
     *
     * @param address the first that the key understands
     * @param memoryAddress the memory's own address of the byte there
     * @param lengthBytes how many bytes it is for
     * @param what a line about it
     */
    record KeyChanged(
            long timeNanos,
            String device,
            int key,
            boolean valid,
            long address,
            long memoryAddress,
            long lengthBytes,
            String what)
            implements TraceEvent {
        @Override
        public int qp() {
            return 0;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "key      0x%08x %s: %s", key, valid ? "valid" : "revoked", what);
        }
    }

    /** What became of a memory window. */
    enum WindowChange {
        /** It came to be. */
        ALLOCATED,
        /** It was bound; of type 1 perhaps again, which revoked the key before. */
        BOUND,
        /** It was bound to nothing (type 1). */
        UNBOUND,
        /** LOCAL_INV revoked its key (type 2). */
        INVALIDATED,
        /** A SEND_WITH_INV of the peer revoked its key (type 2). */
        INVALIDATED_BY_PEER,
        /** It is gone. */
        DEALLOCATED
    }

    /**
     * A memory window was changed. What begins or ceases to be valid with it is told by {@link KeyChanged} as well, just
     * before.
     *
     * @param qp the queue pair whose work request or peer did it; 0 if none did
     * @param window the window's handle
     * @param binding how many times the window has been bound
     * @param rkey the key that it has now, or that was revoked
     * @param address the first byte, as the region has it; 0 as long as it is bound to nothing
     * @param memoryAddress the memory's own address of that byte
     * @param lengthBytes how many bytes; 0 as long as it is bound to nothing
     * @param access the window's access flags
     */
    record WindowChanged(
            long timeNanos,
            String device,
            int qp,
            WindowChange change,
            int window,
            MemoryWindowType type,
            int binding,
            int rkey,
            long address,
            long memoryAddress,
            long lengthBytes,
            int access)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "window   %d %s: key 0x%08x on [0x%x,0x%x) access=%s, %s",
                    window,
                    change.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    rkey,
                    address,
                    address + lengthBytes,
                    AccessFlags.describe(access),
                    type);
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
