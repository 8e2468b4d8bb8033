// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.RoceRoute;
import dev.verbatim.wire.RoceView;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the RoCEv2 packets of a capture, those that {@link PcapngTap} wrote and those of real adapters, and checks every length
 * and every ICRC.
 *
 * <p>Files may be of the formats pcapng and pcap, in either byte order, and compressed with gzip. Times may be of any unit; they
 * are given in nanoseconds. Frames may begin with Ethernet (also with VLAN tags), with IP, with the headers of Linux for captures
 * of any interface (SLL, SLL2), or with those of loopback interfaces. Datagrams may be of IPv4 or IPv6; an IPv4 address is the
 * GID {@code ::ffff:a.b.c.d}.
 *
 * <p>Whatever else is in a capture is skipped and counted.
 */
public final class CaptureReader implements AutoCloseable {

    private static final int MAGIC_BYTES = 4;
    private static final int GZIP_MAGIC = 0x1f8b;

    private final InputStream stream;
    private @Nullable FrameSource frames;
    private boolean ended;
    private final RoceView datagram = new RoceView();
    private final Map<String, Integer> skipped = new TreeMap<>();

    /** Reads a stream, which is closed with this. */
    public CaptureReader(InputStream stream) {
        this.stream = stream;
    }

    /**
     * Returns the next packet. It is a received one only if the capture says so; the device is the name of the interface, and the
     * queue pair 0 unless the capture tells its number.
     *
     * @return a {@link TraceEvent.PacketSent} or {@link TraceEvent.PacketReceived}; null at the end of the capture
     * @throws CaptureException if a packet is cut off or broken, after which the next one can be read; or if the file is, after
     *     which there is none. Its message says where and why
     * @throws IOException if the stream fails
     */
    public @Nullable TraceEvent next() throws IOException {
        for (CapturedFrame frame = frame(); frame != null; frame = frame()) {
            String reason = skip(frame);
            if (reason == null) {
                return packet(frame);
            }
            skipped.merge(reason, 1, Integer::sum);
        }
        return null;
    }

    /** How many frames have been skipped, by what they are. */
    public Map<String, Integer> skipped() {
        return Collections.unmodifiableMap(skipped);
    }

    private @Nullable CapturedFrame frame() throws IOException {
        if (ended) {
            return null;
        }
        ended = true;
        FrameSource source = frames;
        CapturedFrame frame;
        try {
            if (source == null) {
                source = open(stream, true);
                frames = source;
            }
            frame = source.next();
        } catch (ZipException | EOFException e) {
            throw new CaptureException("the compressed capture is broken: " + e.getMessage() + "; unpack it with gzip");
        }
        ended = frame == null;
        return frame;
    }

    private static FrameSource open(InputStream stream, boolean mayBeCompressed) throws IOException {
        PushbackInputStream again = new PushbackInputStream(stream, MAGIC_BYTES);
        byte[] first = again.readNBytes(MAGIC_BYTES);
        again.unread(first);
        int magic = first.length < MAGIC_BYTES ? 0 : ByteBuffer.wrap(first).getInt(0);
        if (mayBeCompressed && magic >>> Short.SIZE == GZIP_MAGIC) {
            return open(new GZIPInputStream(again), false);
        }
        return PcapInput.isBegunBy(magic) ? new PcapInput(again) : new PcapngFrames(again);
    }

    /** Why a frame holds no packet that is to be read; null if it holds one. */
    private static @Nullable String skip(CapturedFrame frame) {
        if (!LinkFrame.isKnown(frame.linkType())) {
            return "of link type " + frame.linkType();
        }
        return IpFrame.skip(frame.bytes(), LinkFrame.ipOffset(frame.linkType(), frame.bytes()));
    }

    private TraceEvent packet(CapturedFrame frame) throws CaptureException {
        ByteBuffer bytes = frame.bytes();
        int ip = LinkFrame.ipOffset(frame.linkType(), bytes);
        // What follows the datagram is padding, or the checksum of the link.
        int lengthBytes = IpFrame.lengthBytes(bytes, ip);
        if (lengthBytes > bytes.limit() - ip) {
            throw new CaptureException(frame.where() + "only " + bytes.limit() + " of " + frame.fullLengthBytes()
                    + " bytes of the packet were kept, and its datagram needs " + (ip + lengthBytes)
                    + "; capture without a snap length");
        }
        String refusal = datagram.wrap(bytes, ip, lengthBytes);
        if (refusal != null) {
            throw new CaptureException(frame.where() + refusal);
        }
        Packet packet = new Packet();
        datagram.readInto(packet);
        PacketRecord content = PacketRecord.of(packet);
        RoceRoute route = datagram.route();
        Gid source = new Gid(route.sourceHigh(), route.sourceLow());
        Gid destination = new Gid(route.destinationHigh(), route.destinationLow());
        return isInbound(frame)
                ? new TraceEvent.PacketReceived(
                        frame.timeNanos(), frame.device(), frame.queue(), source, destination, content)
                : new TraceEvent.PacketSent(
                        frame.timeNanos(), frame.device(), frame.queue(), source, destination, content);
    }

    private static boolean isInbound(CapturedFrame frame) {
        if (frame.direction() != 0 || !LinkFrame.saysDirection(frame.linkType())) {
            return frame.direction() == PcapngFormat.INBOUND;
        }
        return !LinkFrame.isOutgoing(frame.linkType(), frame.bytes());
    }

    /** Closes the stream. */
    @Override
    public void close() throws IOException {
        stream.close();
    }
}
