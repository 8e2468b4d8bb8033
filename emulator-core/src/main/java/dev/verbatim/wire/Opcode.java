// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The one table of packet opcodes: what each packet is, and which headers it carries in which order (rule HD-01).
 *
 * <p>The three high bits of a code name the transport: reliable connection is 0x00. Rows of the other transports (UC at 0x20,
 * UD at 0x60, XRC at 0xa0) have the same columns. Every row lists its extension headers in wire order; the BTH comes first
 * and is not listed.
 */
public enum Opcode {
    SEND_FIRST(0x00, Kind.SEND, Position.FIRST),
    SEND_MIDDLE(0x01, Kind.SEND, Position.MIDDLE),
    SEND_LAST(0x02, Kind.SEND, Position.LAST),
    SEND_LAST_WITH_IMM(0x03, Kind.SEND, Position.LAST, Header.IMM_DT),
    SEND_ONLY(0x04, Kind.SEND, Position.ONLY),
    SEND_ONLY_WITH_IMM(0x05, Kind.SEND, Position.ONLY, Header.IMM_DT),
    RDMA_WRITE_FIRST(0x06, Kind.RDMA_WRITE, Position.FIRST, Header.RETH),
    RDMA_WRITE_MIDDLE(0x07, Kind.RDMA_WRITE, Position.MIDDLE),
    RDMA_WRITE_LAST(0x08, Kind.RDMA_WRITE, Position.LAST),
    RDMA_WRITE_LAST_WITH_IMM(0x09, Kind.RDMA_WRITE, Position.LAST, Header.IMM_DT),
    RDMA_WRITE_ONLY(0x0a, Kind.RDMA_WRITE, Position.ONLY, Header.RETH),
    RDMA_WRITE_ONLY_WITH_IMM(0x0b, Kind.RDMA_WRITE, Position.ONLY, Header.RETH, Header.IMM_DT),
    RDMA_READ_REQUEST(0x0c, Kind.RDMA_READ, Position.ONLY, Header.RETH),
    RDMA_READ_RESPONSE_FIRST(0x0d, Kind.READ_RESPONSE, Position.FIRST, Header.AETH),
    RDMA_READ_RESPONSE_MIDDLE(0x0e, Kind.READ_RESPONSE, Position.MIDDLE),
    RDMA_READ_RESPONSE_LAST(0x0f, Kind.READ_RESPONSE, Position.LAST, Header.AETH),
    RDMA_READ_RESPONSE_ONLY(0x10, Kind.READ_RESPONSE, Position.ONLY, Header.AETH),
    ACKNOWLEDGE(0x11, Kind.ACKNOWLEDGE, Position.ONLY, Header.AETH),
    ATOMIC_ACKNOWLEDGE(0x12, Kind.ATOMIC_ACKNOWLEDGE, Position.ONLY, Header.AETH, Header.ATOMIC_ACK_ETH),
    COMPARE_SWAP(0x13, Kind.ATOMIC, Position.ONLY, Header.ATOMIC_ETH),
    FETCH_ADD(0x14, Kind.ATOMIC, Position.ONLY, Header.ATOMIC_ETH),
    SEND_LAST_WITH_INVALIDATE(0x16, Kind.SEND, Position.LAST, Header.IETH),
    SEND_ONLY_WITH_INVALIDATE(0x17, Kind.SEND, Position.ONLY, Header.IETH),
    FLUSH(0x1c, Kind.FLUSH, Position.ONLY, Header.FETH, Header.RETH),
    ATOMIC_WRITE(0x1d, Kind.ATOMIC_WRITE, Position.ONLY, Header.RETH);

    /** What a packet is for. */
    public enum Kind {
        SEND(Role.REQUEST, true),
        RDMA_WRITE(Role.REQUEST, true),
        RDMA_READ(Role.REQUEST, false),
        READ_RESPONSE(Role.RESPONSE, true),
        ACKNOWLEDGE(Role.RESPONSE, false),
        ATOMIC_ACKNOWLEDGE(Role.RESPONSE, false),
        /** Compare-and-swap and fetch-and-add; their operands travel in a header, not as payload. */
        ATOMIC(Role.REQUEST, false),
        FLUSH(Role.REQUEST, false),
        /** Its eight bytes travel as payload. */
        ATOMIC_WRITE(Role.REQUEST, true);

        private final Role role;
        private final boolean payload;

        Kind(Role role, boolean payload) {
            this.role = role;
            this.payload = payload;
        }
    }

    /** Where a packet stands in its message. */
    public enum Position {
        FIRST,
        MIDDLE,
        LAST,
        ONLY
    }

    private enum Role {
        REQUEST,
        RESPONSE
    }

    /** No packet has longer headers, BTH included. */
    public static final int LONGEST_HEADERS_BYTES = 64;

    private static final int ABSENT = -1;
    private static final @Nullable Opcode[] BY_CODE = new Opcode[256];

    static {
        for (Opcode row : values()) {
            BY_CODE[row.code] = row;
        }
    }

    private final int code;
    private final Kind kind;
    private final Position position;
    private final int headerLengthBytes;
    private final byte[] offsets;

    Opcode(int code, Kind kind, Position position, Header... extensionsInWireOrder) {
        this.code = code;
        this.kind = kind;
        this.position = position;
        this.offsets = new byte[Header.values().length];
        Arrays.fill(offsets, (byte) ABSENT);
        offsets[Header.BTH.ordinal()] = 0;
        int next = Header.BTH.sizeBytes();
        for (Header extension : extensionsInWireOrder) {
            offsets[extension.ordinal()] = (byte) next;
            next += extension.sizeBytes();
        }
        this.headerLengthBytes = next;
    }

    /** Returns the row of a code, or null where the code is reserved or names a transport that is not in the table. */
    public static @Nullable Opcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    /** Returns the first byte of such a packet, 0x00 to 0xff. */
    public int code() {
        return code;
    }

    public Kind kind() {
        return kind;
    }

    public Position position() {
        return position;
    }

    /** Returns the length of all headers, BTH included: the offset of the payload. */
    public int headerLengthBytes() {
        return headerLengthBytes;
    }

    /** Returns true for what a requester sends. */
    public boolean isRequest() {
        return kind.role == Role.REQUEST;
    }

    /** Returns true for what a responder sends back. */
    public boolean isResponse() {
        return kind.role == Role.RESPONSE;
    }

    /** Returns true for the first or only packet of a message. */
    public boolean startsMessage() {
        return position == Position.FIRST || position == Position.ONLY;
    }

    /** Returns true for the last or only packet of a message. */
    public boolean endsMessage() {
        return position == Position.LAST || position == Position.ONLY;
    }

    /** Returns the opcode of a packet that is one of those which together would have this one. */
    Opcode inPart(boolean first, boolean last) {
        boolean starts = first && startsMessage();
        boolean ends = last && endsMessage();
        Position place = starts ? (ends ? Position.ONLY : Position.FIRST) : (ends ? Position.LAST : Position.MIDDLE);
        for (Opcode row : values()) {
            if (row.kind == kind
                    && row.position == place
                    && row.has(Header.IMM_DT) == (ends && has(Header.IMM_DT))
                    && row.has(Header.IETH) == (ends && has(Header.IETH))) {
                return row;
            }
        }
        throw new IllegalArgumentException(this + " is never one of several");
    }

    public boolean has(Header header) {
        return offsets[header.ordinal()] != ABSENT;
    }

    /**
     * Returns where a header lies, in bytes from the start of the packet.
     *
     * @throws IllegalArgumentException if such a packet does not carry the header
     */
    public int offsetOf(Header header) {
        int offset = offsets[header.ordinal()];
        if (offset == ABSENT) {
            throw new IllegalArgumentException(
                    "opcode=" + this + " carries no " + header + "; ask has(" + header + ") first");
        }
        return offset;
    }

    /** Returns true if payload may follow the headers; it may still be empty. */
    public boolean carriesPayload() {
        return kind.payload;
    }

    public boolean hasImmediate() {
        return has(Header.IMM_DT);
    }
}
