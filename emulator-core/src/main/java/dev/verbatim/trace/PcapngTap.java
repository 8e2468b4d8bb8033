// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.RoceRoute;
import dev.verbatim.wire.RoceWriter;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes packets as a capture for Wireshark: a pcapng file of RoCEv2 datagrams, with a correct ICRC. They are over IPv4 if both
 * GIDs are IPv4 addresses ({@code ::ffff:a.b.c.d}), otherwise over IPv6.
 *
 * <p>Each device is an interface of the capture, of link type RAW, which starts with the IP header, because devices
 * have no Ethernet address. The interface has the device's name, and its GID as address. Each packet has its time in
 * nanoseconds, by the clock of the device's lane, which does not count from 1970; its direction; and the device's queue
 * pair number as the number of the interface queue. {@link #of} writes other formats for programs that need them.
 *
 * <p>By default the tap writes sent packets, so that devices that share it have every packet once in the capture.
 * {@link #ofBothDirections} also writes received packets, for a device whose peers are in other processes.
 *
 * <p>The same events give the same bytes. Every packet is written immediately, on the device's lane, which blocks on
 * the stream. If the stream fails, the tap logs it once and stops writing. Can be shared by several devices.
 */
public final class PcapngTap implements Tap, AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger(PcapngTap.class.getName());

    private final TraceOutput output;
    private final boolean arrivals;
    private final CaptureFormat.Link link;
    private final CaptureFile file;
    private final RoceWriter datagrams = new RoceWriter();
    private final Map<Interface, Integer> interfaces = new LinkedHashMap<>();
    private boolean toldOfTooLong;

    /** Writes to a stream, which is closed with the tap. */
    public PcapngTap(OutputStream stream) {
        this(stream, CaptureFormat.USUAL, false);
    }

    private PcapngTap(OutputStream stream, CaptureFormat format, boolean arrivals) {
        this.output = new TraceOutput(stream, "capture");
        this.arrivals = arrivals;
        this.link = format.link();
        this.file = format.container() == CaptureFormat.Container.PCAP ? new PcapFile(format) : new PcapngFile(format);
        output.write(file.head());
    }

    /** A tap that also writes received packets, including those that the device drops as out of sequence. */
    public static PcapngTap ofBothDirections(OutputStream stream) {
        return of(stream, CaptureFormat.USUAL, true);
    }

    /**
     * A tap that writes captures of any format, also the classic pcap.
     *
     * @param arrivals whether received packets are written, too
     */
    public static PcapngTap of(OutputStream stream, CaptureFormat format, boolean arrivals) {
        return new PcapngTap(stream, format, arrivals);
    }

    @Override
    public synchronized void on(TraceEvent event) {
        if (output.isStopped()) {
            return;
        }
        if (event instanceof TraceEvent.PacketSent sent) {
            Interface device = new Interface(sent.device(), sent.source());
            write(sent, device, PcapngFormat.OUTBOUND, route(sent.source(), sent.destination()), sent.packet());
        } else if (arrivals && event instanceof TraceEvent.PacketReceived received) {
            Interface device = new Interface(received.device(), received.destination());
            RoceRoute route = route(received.source(), received.destination());
            write(received, device, PcapngFormat.INBOUND, route, received.packet());
        }
    }

    private static RoceRoute route(Gid source, Gid destination) {
        return new RoceRoute(source.prefix(), source.interfaceId(), destination.prefix(), destination.interfaceId());
    }

    private void write(TraceEvent event, Interface device, int direction, RoceRoute route, PacketRecord record) {
        Packet packet = record.toPacket();
        int datagramBytes = RoceWriter.encodedLengthBytes(packet, route);
        if (datagramBytes > RoceWriter.mostDatagramBytes(route)) {
            tooLong(record, datagramBytes, RoceWriter.mostDatagramBytes(route));
            return;
        }
        int number = numberOf(device);
        int linkBytes = LinkHeader.sizeBytes(link);
        ByteBuffer target = file.begin(event.timeNanos(), number, linkBytes + datagramBytes);
        int etherType = route.isIpv4() ? LinkFrame.ETHER_TYPE_IPV4 : LinkFrame.ETHER_TYPE_IPV6;
        LinkHeader.write(link, route, etherType, direction, target, target.position());
        datagrams.write(packet, route, target, target.position() + linkBytes);
        output.write(file.end(linkBytes + datagramBytes, direction, event.qp()));
    }

    private int numberOf(Interface device) {
        Integer known = interfaces.get(device);
        if (known != null) {
            return known;
        }
        output.write(file.device(device.name(), device.gid()));
        int number = interfaces.size();
        interfaces.put(device, number);
        return number;
    }

    private void tooLong(PacketRecord packet, int lengthBytes, int mostBytes) {
        if (!toldOfTooLong) {
            toldOfTooLong = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the capture leaves out [{0}] and all others that are too long: lengthBytes={1} > {2} of a datagram",
                    packet,
                    Integer.toString(lengthBytes),
                    Integer.toString(mostBytes));
        }
    }

    /** Flushes the stream. */
    public synchronized void flush() {
        output.flush();
    }

    /** Closes the stream; later packets are not written. */
    @Override
    public synchronized void close() {
        output.close();
    }

    /** A device as an interface of the capture; two devices may have one name. */
    private record Interface(String name, Gid gid) {}

    @Override
    public String toString() {
        return "capture to " + output;
    }
}
