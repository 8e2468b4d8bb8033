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
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An event of a device. */
public sealed interface TraceEvent {

    /** Time of the event, by the clock of the device's lane. */
    long timeNanos();

    /** Name of the device. */
    String device();

    /** Number of the queue pair; 0 for none. */
    default int qp() {
        return 0;
    }

    /**
     * A work request was posted to a send queue.
     *
     * @param signaled whether it has a completion on success, by its own flag or that of the queue pair
     */
    record SendPosted(long timeNanos, String device, int qp, SendWorkRequest request, boolean signaled)
            implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request;
        }
    }

    /** A work request was posted to a receive queue. */
    record ReceivePosted(long timeNanos, String device, int qp, ReceiveWorkRequest request) implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request;
        }
    }

    /**
     * A work request was posted to a shared receive queue.
     *
     * @param srq the queue's number
     */
    record SharedReceivePosted(long timeNanos, String device, int srq, ReceiveWorkRequest request)
            implements TraceEvent {
        @Override
        public String toString() {
            return "post     " + request + " to srq " + srq;
        }
    }

    /**
     * A queue pair took the oldest work request of a shared receive queue for a message; it now belongs to the queue
     * pair.
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
     * A program armed the limit of a shared receive queue: one event is raised when fewer receives are left (SRQ-04).
     *
     * @param srq the queue's number
     * @param limit the limit; 0 for none, also when a queue with a limit is destroyed
     */
    record SharedReceiveLimited(long timeNanos, String device, int srq, int limit) implements TraceEvent {
        @Override
        public String toString() {
            return "limit    " + limit + " of srq " + srq;
        }
    }

    /** A queue pair was connected: it accepts packets of this peer only. */
    record Connected(long timeNanos, String device, int qp, Gid source, Gid destination, int destinationQp)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "connect  %s -> %s qp=0x%x", source, destination, destinationQp);
        }
    }

    /**
     * The next work request of a send queue was started with these packet sequence numbers; for a READ they are those
     * of its responses.
     */
    record Started(long timeNanos, String device, int qp, long workRequestId, int firstPsn, int packets)
            implements TraceEvent {
        @Override
        public String toString() {
            return "start    wr_id=" + workRequestId + " psn=" + firstPsn + " packets=" + packets;
        }
    }

    /**
     * A packet was sent.
     *
     * @param source GID of this device
     * @param destination GID of the peer
     */
    record PacketSent(long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet)
            implements TraceEvent, TracedPacket {
        /** The packet in one or two words: its opcode, or what an acknowledgement says. */
        public String packetName() {
            return packet.name();
        }

        @Override
        public String toString() {
            return "send     " + packet;
        }
    }

    /**
     * A packet was received by its queue pair.
     *
     * @param source GID of the peer
     * @param destination GID of this device
     */
    record PacketReceived(long timeNanos, String device, int qp, Gid source, Gid destination, PacketRecord packet)
            implements TraceEvent, TracedPacket {
        @Override
        public String toString() {
            return "receive  " + packet;
        }
    }

    /** A packet was received and silently dropped. */
    record PacketDropped(long timeNanos, String device, int qp, PacketRecord packet, Refusal reason)
            implements TraceEvent, TracedPacket {
        @Override
        public String toString() {
            return "drop     " + packet + ": " + reason;
        }
    }

    /**
     * A fault that was injected affected a packet: on a simulated link, or by the carrier of a device.
     *
     * @param device the sender; on a carrier, the device that has it
     * @param fault the fault, as in "loses" or "delays by 500 ns"
     */
    record LinkFaulted(long timeNanos, String device, Gid source, Gid destination, String fault, PacketRecord packet)
            implements TraceEvent {
        /** What the packet is in one or two words, as {@link PacketSent#packetName}. */
        public String packetName() {
            return packet.name();
        }

        @Override
        public String toString() {
            return "link     " + fault + " " + packet;
        }
    }

    /**
     * The carrier of a device did something that no packet tells: it dropped a datagram that is no packet, or could not send one.
     *
     * @param peer where it came from or was to go; the device's own GID if that is not known
     * @param reason a word for it, such as {@code ICRC}
     * @param sentence an explanation
     */
    record CarrierReported(long timeNanos, String device, Gid peer, String reason, String sentence)
            implements TraceEvent {
        @Override
        public String toString() {
            return "carrier  " + reason + " " + peer + ": " + sentence;
        }
    }

    /** The kind of a memory access, with its letter in the ordering model. */
    enum MemoryEffect {
        /** The requester gathered bytes to send: S. */
        GATHERED,
        /** The responder fetched bytes for a READ: X. */
        FETCHED,
        /** The responder placed bytes of a SEND or WRITE: X. */
        PLACED,
        /** The responder changed a word atomically: X. */
        ATOMIC,
        /** The requester placed the result of a READ or atomic: L. */
        RETURNED;

        /** Whether memory was only read. */
        public boolean isRead() {
            return this == GATHERED || this == FETCHED;
        }
    }

    /**
     * A device accessed memory for a packet.
     *
     * @param key the local or remote key that was used; 0 for inline data, which is found by its address
     * @param psn the packet's sequence number; -1 for inline data, which is gathered when it is posted
     * @param address address of the first byte
     * @param data the bytes that were read or written
     * @param offset where in the payload of the packet the bytes go that are gathered or fetched for it, which may
     *     be done in parts and in any order (ORD-35, ORD-40); 0 for all others
     * @param held whether programs do not see the bytes yet; a {@link MemoryShown} follows
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
        /** Keeps a read-only view; the bytes themselves must not change any more. */
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

    /** Bytes that the device had placed became visible to programs: P. */
    record MemoryShown(long timeNanos, String device, int qp, int psn, long address, ByteBuffer data)
            implements TraceEvent {
        /** Keeps a read-only view; the bytes themselves must not change any more. */
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
        /** Keeps a read-only view; the bytes themselves must not change any more. */
        public ProgramTouched {
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
            String touched = String.format(
                    Locale.ROOT, "program  %s %d bytes at 0x%x", store ? "stores" : "loads", lengthBytes(), address);
            return lengthBytes() == Long.BYTES
                    ? touched + ": " + data().order(ByteOrder.nativeOrder()).getLong()
                    : touched;
        }
    }

    /**
     * Bytes of a memory domain arrived at their home, or what observers may see of them changed.
     *
     * @param device name of the node
     * @param domain name of the memory domain
     * @param persistent whether it keeps what is durable when power fails
     * @param behind the observers that may still see an older value, separated by blanks; {@code NODE/power} if they need not be durable
     */
    record ViewChanged(
            long timeNanos,
            String device,
            String domain,
            boolean persistent,
            long address,
            int lengthBytes,
            String behind)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "view     %d bytes at 0x%x of %s %s",
                    lengthBytes,
                    address,
                    domain,
                    behind.isEmpty() ? "are seen by all" : "may be unseen by " + behind);
        }
    }

    /**
     * An observer saw an older value of a word than memory held.
     *
     * @param device name of the node
     * @param observer who saw it
     * @param seen what it saw, in native byte order
     * @param missed what memory held
     */
    record OlderSeen(long timeNanos, String device, String observer, long address, long seen, long missed)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "older    %s sees %d at 0x%x and misses %d", observer, seen, address, missed);
        }
    }

    /**
     * A completion was added to a completion queue.
     *
     * @param cq the queue's number; 0 if it is not known
     */
    record Completed(
            long timeNanos,
            String device,
            int qp,
            int cq,
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

    /**
     * A program polled a completion: it took it from its completion queue. Where several threads poll one queue, two of these may be told
     * in another order than that of the completions.
     *
     * @param qp the queue pair of the completion
     * @param cq the queue's number
     * @param left how many completions it left in the queue
     */
    record Polled(long timeNanos, String device, int qp, int cq, long workRequestId, long left) implements TraceEvent {
        @Override
        public String toString() {
            return "poll     wr_id=" + workRequestId + " of cq " + cq + ", " + left + " left";
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
     * @param srq number of the affected shared receive queue; 0 for none
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
     * A key became valid or invalid.
     *
     * @param address first address for the key
     * @param memoryAddress address of this byte in its memory
     * @param lengthBytes length of the range in bytes
     * @param coherent whether programs and devices see all its bytes in one order: not in a memory domain besides the host's (VIS-04), nor in a region with
     *     relaxed ordering (MR-71)
     * @param what description in one line
     */
    record KeyChanged(
            long timeNanos,
            String device,
            int key,
            boolean valid,
            long address,
            long memoryAddress,
            long lengthBytes,
            boolean coherent,
            String what)
            implements TraceEvent {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "key      0x%08x %s: %s", key, valid ? "valid" : "revoked", what);
        }
    }

    /** A change of a memory window. */
    enum WindowChange {
        /** The window was allocated. */
        ALLOCATED,
        /** The window was bound; a rebind of type 1 also revoked the previous key. */
        BOUND,
        /** The window was bound with length 0 (type 1). */
        UNBOUND,
        /** LOCAL_INV revoked its key (type 2). */
        INVALIDATED,
        /** A SEND_WITH_INV of the peer revoked its key (type 2). */
        INVALIDATED_BY_PEER,
        /** The window was deallocated. */
        DEALLOCATED
    }

    /**
     * A memory window was changed. {@link KeyChanged} events for its keys precede this event.
     *
     * @param qp the queue pair whose work request or peer caused the change; 0 if none
     * @param window the window's handle
     * @param binding number of bindings of the window so far
     * @param rkey the current key, or the revoked one
     * @param address the first byte, as an address of the region; 0 while unbound
     * @param memoryAddress address of that byte in its memory
     * @param lengthBytes length in bytes; 0 while unbound
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

    /** The device applied a rule. */
    record Decided(long timeNanos, String device, int qp, String rule) implements TraceEvent {
        @Override
        public String toString() {
            return "rule     " + rule;
        }
    }
}
