// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.request;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request on a send queue, and which of its events S, X, L and C were seen. */
public final class Request {

    /** What its effect is. */
    public enum Kind {
        SEND,
        WRITE,
        READ,
        ATOMIC,
        /** It has a packet, and no bytes: what it does is to wait for those of others. */
        FLUSH,
        /** Windows and keys of its own device: it has no packet. */
        LOCAL;

        static Kind of(SendWorkRequest posted) {
            return switch (posted.opcode()) {
                case SEND, SEND_WITH_IMM, SEND_WITH_INV -> SEND;
                case RDMA_WRITE, RDMA_WRITE_WITH_IMM, ATOMIC_WRITE -> WRITE;
                case FLUSH -> FLUSH;
                case RDMA_READ -> READ;
                case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> ATOMIC;
                case BIND_MW, LOCAL_INV, TSO, DRIVER1 -> LOCAL;
            };
        }
    }

    /** Stands for the packet number where all data are known when the request is posted. */
    public static final int INLINE = -1;

    private static final int ATOMIC_BYTES = 8;
    private static final int SMALLEST_MTU_BYTES = 256;

    /** Its place on the send queue, from 0. */
    public final long number;

    public final SendWorkRequest posted;
    public final Kind kind;
    public final boolean signaled;
    public final long postedAt;
    public final long lengthBytes;

    public long startedAt = -1;
    public long firstPsn;
    public int packets;
    private int packetBytes;

    public final PacketProgress executed = new PacketProgress();
    public final PacketProgress landed = new PacketProgress();
    public final PacketProgress responded = new PacketProgress();
    private final Map<Integer, PacketData> data = new HashMap<>(2);
    private int inlineBytes;
    public long executedAt = -1;
    /** Which of the messages that take a receive it is; -1 if none. */
    public long message = -1;
    /** Whether what happens to it at the responder can be known. */
    public boolean judged = true;

    /** Whether it touches bytes of which observers may see different values: then it shows nothing of other memory. */
    public boolean ofSeveralViews;

    public long completedAt = -1;

    @Nullable
    public WcStatus status;

    /** Where a SEND_WITH_INV invalidated its key; -1 if it did not yet. */
    public long invalidatedAt = -1;

    /** What it revoked, a bind or an invalidation of either kind. */
    @Nullable
    public KeyLife revoked;

    /** The life of the key under which its first byte was placed. */
    @Nullable
    public KeyLife placedUnder;

    /** What an atomic found, once that is known. */
    @Nullable
    public Long original;

    public Request(long number, SendWorkRequest posted, boolean signaled, long postedAt) {
        this.number = number;
        this.posted = posted;
        this.kind = Kind.of(posted);
        this.signaled = signaled;
        this.postedAt = postedAt;
        this.lengthBytes = kind == Kind.ATOMIC ? ATOMIC_BYTES : posted.lengthBytes();
    }

    public boolean isFenced() {
        return posted.has(SendFlags.FENCE);
    }

    /** Whether the request itself names its destination, instead of a connected peer. */
    public boolean isDatagram() {
        return posted.datagram() != null;
    }

    public boolean isInline() {
        return posted.has(SendFlags.INLINE);
    }

    /** Whether responders execute it in its place: READs may wait, and what has no packet is not theirs. */
    public boolean isInOrder() {
        return kind != Kind.READ && kind != Kind.FLUSH && kind != Kind.LOCAL;
    }

    /** Whether it brings bytes back. */
    public boolean hasResult() {
        return kind == Kind.READ || kind == Kind.ATOMIC;
    }

    /** Whether the atomic adds; if not, it compares and swaps. */
    public boolean adds() {
        return switch (posted.opcode()) {
            case ATOMIC_FETCH_AND_ADD -> true;
            case ATOMIC_CMP_AND_SWP -> false;
            default -> throw new IllegalStateException(posted + " is no atomic that the oracle knows");
        };
    }

    public boolean takesReceive() {
        return switch (posted.opcode()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            case RDMA_WRITE, RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, ATOMIC_WRITE, FLUSH -> false;
            case BIND_MW, LOCAL_INV, TSO, DRIVER1 -> false;
        };
    }

    /** The MTU is what makes so many packets of so many bytes; there is only one that does if they are two or more. */
    public void start(long psn, int packetCount, long position) {
        startedAt = position;
        firstPsn = psn;
        packets = packetCount;
        packetBytes = SMALLEST_MTU_BYTES;
        while ((lengthBytes + packetBytes - 1) / packetBytes > packetCount && packetBytes < 1 << 30) {
            packetBytes *= 2;
        }
    }

    public boolean isStarted() {
        return startedAt >= 0;
    }

    boolean covers(long psn) {
        return isStarted() && psn >= firstPsn && psn < firstPsn + packets;
    }

    /** Where in the message a packet begins. */
    public long offsetOf(int packet) {
        return (long) packet * packetBytes;
    }

    public int bytesOf(int packet) {
        return (int) Math.max(0, Math.min(packetBytes, lengthBytes - offsetOf(packet)));
    }

    /** Whether all of its effect was seen: at the responder, or on its own device. Without bytes there is none to see. */
    public boolean isExecuted() {
        return kind == Kind.LOCAL
                ? executedAt >= 0
                : lengthBytes == 0 || (isStarted() && executed.contiguous() >= packets);
    }

    /** Whether all that it brings back has landed. */
    public boolean isLanded() {
        return !hasResult() || lengthBytes == 0 || (isStarted() && landed.contiguous() >= packets);
    }

    public boolean isCompleted() {
        return completedAt >= 0;
    }

    public PacketData dataOf(int packet) {
        return data.computeIfAbsent(packet, key -> new PacketData());
    }

    /** The next bytes of inline data. */
    public void inlineData(ByteBuffer piece) {
        dataOf(INLINE).add(piece, inlineBytes, (int) lengthBytes);
        inlineBytes += piece.remaining();
    }

    /** The bytes of a packet are not needed any more. */
    public void forgetData(int packet) {
        data.remove(packet);
    }

    /** The element that has the byte at that offset of the message; null if none has. */
    public static @Nullable Sge elementAt(SendWorkRequest posted, long offset) {
        long begin = 0;
        for (int i = 0; i < posted.elementCount(); i++) {
            Sge element = posted.element(i);
            long length = Integer.toUnsignedLong(element.lengthBytes());
            if (offset < begin + length) {
                return new Sge(element.address() + offset - begin, (int) (length - (offset - begin)), element.lkey());
            }
            begin += length;
        }
        return null;
    }

    /** Whether a READ or atomic will fill bytes of that range. */
    public boolean fills(long address, long count) {
        for (int i = 0; i < posted.elementCount(); i++) {
            Sge element = posted.element(i);
            if (element.address() < address + count
                    && address < element.address() + Integer.toUnsignedLong(element.lengthBytes())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return posted.opcode() + " wr_id=" + posted.id();
    }
}
