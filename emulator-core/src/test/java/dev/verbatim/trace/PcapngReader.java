// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.RoceRoute;
import dev.verbatim.wire.RoceView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads back what a {@link PcapngTap} wrote, packet by packet, and checks every length and every ICRC on the way.
 *
 * <p>What other programs made of such a file is read too, in either byte order and with blocks and options of other kinds
 * between, as long as it holds nothing but whole RoCEv2 datagrams over IPv6 in link type RAW, timed in nanoseconds. Anything
 * else is refused with a sentence; packets before it were already returned.
 */
public final class PcapngReader implements AutoCloseable {

    private static final int SIMPLE_PACKET = 3;
    private static final int OBSOLETE_PACKET = 2;

    private static final int SECTION_BODY_BYTES = 16;
    private static final int INTERFACE_BODY_BYTES = 8;

    private static final int INTERFACE_NUMBER = 0;
    private static final int TIME_HIGH = 4;
    private static final int TIME_LOW = 8;
    private static final int KEPT_LENGTH = 12;
    private static final int FULL_LENGTH = 16;
    private static final int PACKET_BODY_BYTES = 20;

    private final InputStream stream;
    private final PcapngInput blocks;
    private final List<String> interfaces = new ArrayList<>();
    private final RoceView datagram = new RoceView();

    /** Reads a stream, which is closed with this. */
    public PcapngReader(InputStream stream) {
        this.stream = stream;
        this.blocks = new PcapngInput(stream);
    }

    /**
     * Returns the next packet.
     *
     * @return a {@link TraceEvent.PacketSent} or {@link TraceEvent.PacketReceived}; null at the end of the capture
     * @throws PcapngException if the file is cut off, broken or foreign; its message says where and why
     * @throws IOException if the stream fails
     */
    public @Nullable TraceEvent next() throws IOException {
        for (ByteBuffer body = blocks.next(); body != null; body = blocks.next()) {
            switch (blocks.type()) {
                case PcapngFormat.SECTION_HEADER -> beginSection(body);
                case PcapngFormat.INTERFACE_DESCRIPTION -> addInterface(body);
                case PcapngFormat.ENHANCED_PACKET -> {
                    return packet(body);
                }
                case SIMPLE_PACKET, OBSOLETE_PACKET ->
                    throw blocks.refusal(
                            "type %d is a packet of another form; only enhanced packets are read", blocks.type());
                default -> {}
            }
        }
        return null;
    }

    private void beginSection(ByteBuffer body) throws PcapngException {
        requireBytes(body, SECTION_BODY_BYTES);
        int version = body.getShort(Integer.BYTES);
        if (version != PcapngFormat.MAJOR_VERSION) {
            throw blocks.refusal(
                    "it is of pcapng version %d != %d; only that one is read", version, PcapngFormat.MAJOR_VERSION);
        }
        interfaces.clear();
    }

    private void addInterface(ByteBuffer body) throws PcapngException {
        requireBytes(body, INTERFACE_BODY_BYTES);
        int linkType = body.getShort(0) & 0xffff;
        if (linkType != PcapngFormat.LINK_TYPE_RAW) {
            throw blocks.refusal(
                    "interface %d has linkType=%d != %d (RAW); only datagrams that begin with IP are read",
                    interfaces.size(), linkType, PcapngFormat.LINK_TYPE_RAW);
        }
        ByteBuffer resolution = blocks.option(body, INTERFACE_BODY_BYTES, PcapngFormat.INTERFACE_TIME_RESOLUTION);
        if (resolution == null || !resolution.hasRemaining() || resolution.get(0) != PcapngFormat.NANOSECONDS) {
            throw blocks.refusal(
                    "interface %d does not count nanoseconds; save it with their resolution", interfaces.size());
        }
        ByteBuffer name = blocks.option(body, INTERFACE_BODY_BYTES, PcapngFormat.INTERFACE_NAME);
        interfaces.add(
                name == null
                        ? "interface " + interfaces.size()
                        : StandardCharsets.UTF_8.decode(name).toString());
    }

    private TraceEvent packet(ByteBuffer body) throws PcapngException {
        requireBytes(body, PACKET_BODY_BYTES);
        int number = body.getInt(INTERFACE_NUMBER);
        if (number < 0 || number >= interfaces.size()) {
            throw blocks.refusal(
                    "it names interface %d, but there are %d; the file is broken", number, interfaces.size());
        }
        long timeNanos = (long) body.getInt(TIME_HIGH) << Integer.SIZE | Integer.toUnsignedLong(body.getInt(TIME_LOW));
        int lengthBytes = body.getInt(KEPT_LENGTH);
        readDatagram(body, lengthBytes);
        Packet packet = new Packet();
        datagram.readInto(packet);
        PacketRecord content = PacketRecord.of(packet);
        RoceRoute route = datagram.route();
        Gid source = new Gid(route.sourceHigh(), route.sourceLow());
        Gid destination = new Gid(route.destinationHigh(), route.destinationLow());
        int options = PACKET_BODY_BYTES + PcapngFormat.padded(lengthBytes);
        int qp = blocks.wordOption(body, options, PcapngFormat.PACKET_QUEUE);
        int direction = blocks.wordOption(body, options, PcapngFormat.PACKET_FLAGS) & PcapngFormat.DIRECTION_MASK;
        String device = interfaces.get(number);
        return direction == PcapngFormat.INBOUND
                ? new TraceEvent.PacketReceived(timeNanos, device, qp, source, destination, content)
                : new TraceEvent.PacketSent(timeNanos, device, qp, source, destination, content);
    }

    private void readDatagram(ByteBuffer body, int lengthBytes) throws PcapngException {
        int fullLengthBytes = body.getInt(FULL_LENGTH);
        if (lengthBytes != fullLengthBytes) {
            throw blocks.refusal(
                    "only %d of %d bytes of the packet were kept; capture without a snap length",
                    lengthBytes, fullLengthBytes);
        }
        if (lengthBytes < 0 || lengthBytes > body.limit() - PACKET_BODY_BYTES) {
            throw blocks.refusal(
                    "its packet is of lengthBytes=%d, not within the %d that are left; the file is broken",
                    lengthBytes, body.limit() - PACKET_BODY_BYTES);
        }
        String refusal = datagram.wrap(body, PACKET_BODY_BYTES, lengthBytes);
        if (refusal != null) {
            throw blocks.refusal("%s", refusal);
        }
    }

    private void requireBytes(ByteBuffer body, int neededBytes) throws PcapngException {
        if (body.limit() < neededBytes) {
            throw blocks.refusal("its body is of lengthBytes=%d < %d; the file is broken", body.limit(), neededBytes);
        }
    }

    /** Closes the stream. */
    @Override
    public void close() throws IOException {
        stream.close();
    }
}
