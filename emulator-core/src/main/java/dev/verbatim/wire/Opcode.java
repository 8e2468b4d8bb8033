// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one table of packet opcodes: what each packet is, and which headers it carries in which order (rule HD-01).
 *
 * <p>The three high bits of a code name the {@link Transport}, the others the operation. The rows of RC list their extension
 * headers in wire order (the BTH comes first and is not listed); the rows of the other transports are {@linkplain #base()
 * based} on them, and begin with the header that their transport adds: XRCETH in XRC requests, DETH in UD.
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
    ATOMIC_WRITE(0x1d, Kind.ATOMIC_WRITE, Position.ONLY, Header.RETH),

    UC_SEND_FIRST(Transport.UC, SEND_FIRST),
    UC_SEND_MIDDLE(Transport.UC, SEND_MIDDLE),
    UC_SEND_LAST(Transport.UC, SEND_LAST),
    UC_SEND_LAST_WITH_IMM(Transport.UC, SEND_LAST_WITH_IMM),
    UC_SEND_ONLY(Transport.UC, SEND_ONLY),
    UC_SEND_ONLY_WITH_IMM(Transport.UC, SEND_ONLY_WITH_IMM),
    UC_RDMA_WRITE_FIRST(Transport.UC, RDMA_WRITE_FIRST),
    UC_RDMA_WRITE_MIDDLE(Transport.UC, RDMA_WRITE_MIDDLE),
    UC_RDMA_WRITE_LAST(Transport.UC, RDMA_WRITE_LAST),
    UC_RDMA_WRITE_LAST_WITH_IMM(Transport.UC, RDMA_WRITE_LAST_WITH_IMM),
    UC_RDMA_WRITE_ONLY(Transport.UC, RDMA_WRITE_ONLY),
    UC_RDMA_WRITE_ONLY_WITH_IMM(Transport.UC, RDMA_WRITE_ONLY_WITH_IMM),

    UD_SEND_ONLY(Transport.UD, SEND_ONLY),
    UD_SEND_ONLY_WITH_IMM(Transport.UD, SEND_ONLY_WITH_IMM),

    XRC_SEND_FIRST(Transport.XRC, SEND_FIRST),
    XRC_SEND_MIDDLE(Transport.XRC, SEND_MIDDLE),
    XRC_SEND_LAST(Transport.XRC, SEND_LAST),
    XRC_SEND_LAST_WITH_IMM(Transport.XRC, SEND_LAST_WITH_IMM),
    XRC_SEND_ONLY(Transport.XRC, SEND_ONLY),
    XRC_SEND_ONLY_WITH_IMM(Transport.XRC, SEND_ONLY_WITH_IMM),
    XRC_RDMA_WRITE_FIRST(Transport.XRC, RDMA_WRITE_FIRST),
    XRC_RDMA_WRITE_MIDDLE(Transport.XRC, RDMA_WRITE_MIDDLE),
    XRC_RDMA_WRITE_LAST(Transport.XRC, RDMA_WRITE_LAST),
    XRC_RDMA_WRITE_LAST_WITH_IMM(Transport.XRC, RDMA_WRITE_LAST_WITH_IMM),
    XRC_RDMA_WRITE_ONLY(Transport.XRC, RDMA_WRITE_ONLY),
    XRC_RDMA_WRITE_ONLY_WITH_IMM(Transport.XRC, RDMA_WRITE_ONLY_WITH_IMM),
    XRC_RDMA_READ_REQUEST(Transport.XRC, RDMA_READ_REQUEST),
    XRC_RDMA_READ_RESPONSE_FIRST(Transport.XRC, RDMA_READ_RESPONSE_FIRST),
    XRC_RDMA_READ_RESPONSE_MIDDLE(Transport.XRC, RDMA_READ_RESPONSE_MIDDLE),
    XRC_RDMA_READ_RESPONSE_LAST(Transport.XRC, RDMA_READ_RESPONSE_LAST),
    XRC_RDMA_READ_RESPONSE_ONLY(Transport.XRC, RDMA_READ_RESPONSE_ONLY),
    XRC_ACKNOWLEDGE(Transport.XRC, ACKNOWLEDGE),
    XRC_ATOMIC_ACKNOWLEDGE(Transport.XRC, ATOMIC_ACKNOWLEDGE),
    XRC_COMPARE_SWAP(Transport.XRC, COMPARE_SWAP),
    XRC_FETCH_ADD(Transport.XRC, FETCH_ADD),
    XRC_SEND_LAST_WITH_INVALIDATE(Transport.XRC, SEND_LAST_WITH_INVALIDATE),
    XRC_SEND_ONLY_WITH_INVALIDATE(Transport.XRC, SEND_ONLY_WITH_INVALIDATE),
    XRC_FLUSH(Transport.XRC, FLUSH),
    XRC_ATOMIC_WRITE(Transport.XRC, ATOMIC_WRITE);

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

    private final Transport transport;
    private final Opcode base;
    private final int code;
    private final Kind kind;
    private final Position position;
    private final List<Header> extensions;
    private final int headerLengthBytes;
    private final byte[] offsets;

    Opcode(int code, Kind kind, Position position, Header... extensionsInWireOrder) {
        this.transport = Transport.RC;
        this.base = this;
        this.code = code;
        this.kind = kind;
        this.position = position;
        this.extensions = List.of(extensionsInWireOrder);
        this.offsets = offsets(extensions);
        this.headerLengthBytes = length(extensions);
    }

    Opcode(Transport transport, Opcode base) {
        this.transport = transport;
        this.base = base;
        this.code = transport.prefix() | base.code;
        this.kind = base.kind;
        this.position = base.position;
        this.extensions = withHeaderOf(transport, base);
        this.offsets = offsets(extensions);
        this.headerLengthBytes = length(extensions);
    }

    private static List<Header> withHeaderOf(Transport transport, Opcode base) {
        List<Header> headers = new ArrayList<>(base.extensions);
        if (transport == Transport.UD) {
            headers.add(0, Header.DETH);
        } else if (transport == Transport.XRC && base.isRequest()) {
            headers.add(0, Header.XRCETH);
        }
        return List.copyOf(headers);
    }

    private static byte[] offsets(List<Header> extensionsInWireOrder) {
        byte[] offsets = new byte[Header.values().length];
        Arrays.fill(offsets, (byte) ABSENT);
        offsets[Header.BTH.ordinal()] = 0;
        int next = Header.BTH.sizeBytes();
        for (Header extension : extensionsInWireOrder) {
            offsets[extension.ordinal()] = (byte) next;
            next += extension.sizeBytes();
        }
        return offsets;
    }

    private static int length(List<Header> extensions) {
        return Header.BTH.sizeBytes()
                + extensions.stream().mapToInt(Header::sizeBytes).sum();
    }

    /** Returns the row of a code, or null where the code is reserved or names a transport that is not in the table. */
    public static @Nullable Opcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    /** Returns the first byte of such a packet, 0x00 to 0xff. */
    public int code() {
        return code;
    }

    /** Returns the transport service that such packets belong to. */
    public Transport transport() {
        return transport;
    }

    /** Returns the row of the reliable connection for the same operation: this one if it is one. */
    public Opcode base() {
        return base;
    }

    /**
     * Returns the row of a transport for the same operation.
     *
     * @throws IllegalArgumentException if the transport has no such operation
     */
    public Opcode over(Transport service) {
        Opcode row = BY_CODE[service.prefix() | base.code];
        if (row == null) {
            throw new IllegalArgumentException(service + " has no " + base);
        }
        return row;
    }

    public Kind kind() {
        return kind;
    }

    public Position position() {
        return position;
    }

    /** Returns the headers behind the BTH, in wire order. */
    List<Header> extensions() {
        return extensions;
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
            if (row.transport == transport
                    && row.kind == kind
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
