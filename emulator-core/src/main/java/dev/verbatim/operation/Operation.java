// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.operation;

import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PlainFormat;
import dev.verbatim.wire.Transport;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one table of operations, a row for each {@link WrOpcode}, of the same name: over which queue pairs it may be posted (E.1), what the device
 * must be able to do (NW-04), what is done and thereby right, answer and repetition ({@link Effect}), what its completion says, its
 * packets, and its short word.
 *
 * <p>{@code OperationPlacesTest} lists the places that word an operation once more and cannot read this table. Columns are fields, since
 * the device reads them for every request.
 */
public enum Operation {
    SEND(
            WcOpcode.SEND,
            Over.ALL,
            Needs.NOTHING,
            Effect.RECEIVE,
            null,
            "send",
            Opcode.SEND_FIRST,
            Opcode.SEND_MIDDLE,
            Opcode.SEND_LAST,
            Opcode.SEND_ONLY),
    SEND_WITH_IMM(
            WcOpcode.SEND,
            Over.ALL,
            Needs.NOTHING,
            Effect.RECEIVE,
            null,
            "send_imm",
            Opcode.SEND_FIRST,
            Opcode.SEND_MIDDLE,
            Opcode.SEND_LAST_WITH_IMM,
            Opcode.SEND_ONLY_WITH_IMM),
    SEND_WITH_INV(
            WcOpcode.SEND,
            Over.RELIABLE,
            DeviceCapabilities.MEM_MGT_EXTENSIONS,
            Effect.RECEIVE,
            null,
            null,
            Opcode.SEND_FIRST,
            Opcode.SEND_MIDDLE,
            Opcode.SEND_LAST_WITH_INVALIDATE,
            Opcode.SEND_ONLY_WITH_INVALIDATE),
    RDMA_WRITE(
            WcOpcode.RDMA_WRITE,
            Over.CONNECTED,
            Needs.NOTHING,
            Effect.WRITE,
            null,
            "write",
            Opcode.RDMA_WRITE_FIRST,
            Opcode.RDMA_WRITE_MIDDLE,
            Opcode.RDMA_WRITE_LAST,
            Opcode.RDMA_WRITE_ONLY),
    RDMA_WRITE_WITH_IMM(
            WcOpcode.RDMA_WRITE,
            Over.CONNECTED,
            Needs.NOTHING,
            Effect.WRITE,
            null,
            "write_imm",
            Opcode.RDMA_WRITE_FIRST,
            Opcode.RDMA_WRITE_MIDDLE,
            Opcode.RDMA_WRITE_LAST_WITH_IMM,
            Opcode.RDMA_WRITE_ONLY_WITH_IMM),
    RDMA_READ(WcOpcode.RDMA_READ, Over.RELIABLE, Needs.NOTHING, Effect.READ, null, "read", Opcode.RDMA_READ_REQUEST),
    ATOMIC_CMP_AND_SWP(
            WcOpcode.COMP_SWAP,
            Over.RELIABLE,
            Needs.NOTHING,
            Effect.ATOMIC,
            Atomic.COMPARE_AND_SWAP,
            "cas",
            Opcode.COMPARE_SWAP),
    ATOMIC_FETCH_AND_ADD(
            WcOpcode.FETCH_ADD,
            Over.RELIABLE,
            Needs.NOTHING,
            Effect.ATOMIC,
            Atomic.FETCH_AND_ADD,
            "faa",
            Opcode.FETCH_ADD),
    ATOMIC_WRITE(
            WcOpcode.ATOMIC_WRITE,
            Over.RELIABLE,
            DeviceCapabilities.ATOMIC_WRITE,
            Effect.ATOMIC_WRITE,
            null,
            "atomic_write",
            Opcode.ATOMIC_WRITE),
    FLUSH(WcOpcode.FLUSH, Over.RELIABLE, DeviceCapabilities.FLUSH_GLOBAL, Effect.FLUSH, null, "flush", Opcode.FLUSH),
    BIND_MW(WcOpcode.BIND_MW, Over.CONNECTED, Needs.NOTHING, Effect.BIND, null, null),
    LOCAL_INV(WcOpcode.LOCAL_INV, Over.CONNECTED, DeviceCapabilities.MEM_MGT_EXTENSIONS, Effect.INVALIDATE, null, null),
    /** Its completion, which is always a failure, says SEND. */
    TSO(WcOpcode.SEND, Over.NONE, Needs.NOTHING, Effect.NOTHING, null, null),
    /** Its completion, which is always a failure, says SEND. */
    DRIVER1(WcOpcode.SEND, Over.NONE, Needs.NOTHING, Effect.NOTHING, null, null);

    /** Over which queue pairs a request may be posted. */
    private enum Over {
        NONE,
        RELIABLE(QpType.RC, QpType.XRC_SEND),
        CONNECTED(QpType.RC, QpType.XRC_SEND, QpType.UC),
        ALL(QpType.RC, QpType.XRC_SEND, QpType.UC, QpType.UD);

        private final Set<QpType> types = EnumSet.noneOf(QpType.class);

        Over(QpType... types) {
            Collections.addAll(this.types, types);
        }
    }

    private static final class Needs {
        /** Of an operation that every device has. */
        private static final long NOTHING = 0;
    }

    /** A message of any length has one of each; what always is one packet has only that. */
    private static final int PACKETS_OF_MESSAGE = 4;

    private static final Map<QpType, Set<Operation>> BY_TYPE = byType();
    private static final @Nullable Operation[] BY_PACKET = byPacket();

    /** What the program names it. */
    public final WrOpcode opcode;

    /** What its completion says it was. */
    public final WcOpcode completion;

    /** The {@link DeviceCapabilities} of a device that has it; 0 if every device does. */
    public final long capability;

    public final Effect effect;

    /** What it makes of a word; null for what is no atomic. */
    public final @Nullable Atomic atomic;

    /** Its short word in scenarios; null if it has none. */
    public final @Nullable String word;

    /** Whether its elements may be sent INLINE (WR-22). */
    public final boolean mayBeInline;

    /** Whether its packet has a form for the fast path. */
    public final boolean isPlain;

    /** Whether it brings immediate data. */
    public final boolean hasImmediate;

    /** Whether it invalidates a key, here or at the peer. */
    public final boolean invalidates;

    /** Whether it takes a receive request of the peer. */
    public final boolean takesReceive;

    private final Set<QpType> types;
    private final @Nullable Opcode first;
    private final @Nullable Opcode middle;
    private final @Nullable Opcode last;
    private final @Nullable Opcode only;

    /**
     * A row.
     *
     * @param packets of the reliable connection: first, middle, last and only; or the only one; or none if it is done here
     */
    Operation(
            WcOpcode completion,
            Over over,
            long capability,
            Effect effect,
            @Nullable Atomic atomic,
            @Nullable String word,
            Opcode... packets) {
        boolean isMessage = packets.length == PACKETS_OF_MESSAGE;
        this.opcode = WrOpcode.valueOf(name());
        this.completion = completion;
        this.types = Collections.unmodifiableSet(over.types);
        this.capability = capability;
        this.effect = effect;
        this.atomic = atomic;
        this.word = word;
        this.first = isMessage ? packets[0] : null;
        this.middle = isMessage ? packets[1] : null;
        this.last = isMessage ? packets[2] : null;
        this.only = packets.length == 0 ? null : packets[packets.length - 1];
        this.mayBeInline = effect.data == Effect.Data.SENT && only != null;
        this.isPlain = only != null && PlainFormat.hasRequest(only);
        this.hasImmediate = only != null && only.hasImmediate();
        this.invalidates = effect == Effect.INVALIDATE || (only != null && only.has(Header.IETH));
        this.takesReceive = effect == Effect.RECEIVE || hasImmediate;
    }

    private static Map<QpType, Set<Operation>> byType() {
        Map<QpType, Set<Operation>> all = new EnumMap<>(QpType.class);
        for (QpType type : QpType.values()) {
            Set<Operation> taken = EnumSet.noneOf(Operation.class);
            for (Operation row : values()) {
                if (row.types.contains(type)) {
                    taken.add(row);
                }
            }
            all.put(type, Collections.unmodifiableSet(taken));
        }
        return all;
    }

    private static @Nullable Operation[] byPacket() {
        @Nullable Operation[] rows = new Operation[Opcode.values().length];
        for (Opcode packet : Opcode.values()) {
            for (Operation row : values()) {
                if (rows[packet.ordinal()] == null && row.has(packet.base())) {
                    rows[packet.ordinal()] = row;
                }
            }
        }
        return rows;
    }

    private boolean has(Opcode packet) {
        return packet == first || packet == middle || packet == last || packet == only;
    }

    /** The row of what a program posts. */
    public static Operation of(WrOpcode opcode) {
        return switch (opcode) {
            case SEND -> SEND;
            case SEND_WITH_IMM -> SEND_WITH_IMM;
            case SEND_WITH_INV -> SEND_WITH_INV;
            case RDMA_WRITE -> RDMA_WRITE;
            case RDMA_WRITE_WITH_IMM -> RDMA_WRITE_WITH_IMM;
            case RDMA_READ -> RDMA_READ;
            case ATOMIC_CMP_AND_SWP -> ATOMIC_CMP_AND_SWP;
            case ATOMIC_FETCH_AND_ADD -> ATOMIC_FETCH_AND_ADD;
            case ATOMIC_WRITE -> ATOMIC_WRITE;
            case FLUSH -> FLUSH;
            case BIND_MW -> BIND_MW;
            case LOCAL_INV -> LOCAL_INV;
            case TSO -> TSO;
            case DRIVER1 -> DRIVER1;
        };
    }

    /**
     * The row of a request that arrives. A packet that begins several, as that of a message whose end says more, is of the first of them.
     *
     * @throws IllegalArgumentException if it is no request
     */
    public static Operation of(Opcode packet) {
        Operation row = BY_PACKET[packet.ordinal()];
        if (row == null) {
            throw new IllegalArgumentException(packet + " is no request");
        }
        return row;
    }

    /** What a queue pair of the type takes; not to be changed. */
    public static Set<Operation> over(QpType type) {
        return BY_TYPE.getOrDefault(type, Set.of());
    }

    /** The queue pairs that it may be posted to; not to be changed. */
    public Set<QpType> types() {
        return types;
    }

    /**
     * The opcode of one of its packets, or of several that cross as one.
     *
     * @param isFirst whether the message begins with it
     * @param isLast whether the message ends with it
     * @throws IllegalArgumentException if it has no such packet, or not over that transport
     */
    public Opcode packet(Transport transport, boolean isFirst, boolean isLast) {
        Opcode packet = isFirst ? (isLast ? only : first) : (isLast ? last : middle);
        if (packet == null) {
            throw new IllegalArgumentException(this + " has no such packet");
        }
        return transport == Transport.RC ? packet : packet.over(transport);
    }
}
