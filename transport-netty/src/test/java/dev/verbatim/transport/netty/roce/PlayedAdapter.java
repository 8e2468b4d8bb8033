// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.roce.datagram.DatagramReader;
import dev.verbatim.transport.netty.roce.datagram.DatagramWriter;
import dev.verbatim.transport.netty.roce.datagram.IpUdpHeader;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A plain UDP socket at port 4791 of an address: the test reads each packet of a device, and sends what an adapter would. */
final class PlayedAdapter implements AutoCloseable {

    private final DatagramSocket socket;
    private final InetSocketAddress device;
    private final IpUdpHeader inward;
    private final IpUdpHeader outward;
    private final DatagramReader reader = new DatagramReader(true, false);
    private final DatagramWriter writer = new DatagramWriter(true);

    /** Plays an adapter at {@code local}, whose peer is the device at {@code peer}. */
    PlayedAdapter(InetAddress local, InetAddress peer) throws IOException {
        this.socket = new DatagramSocket(new InetSocketAddress(local, IpUdpHeader.ROCE_PORT));
        this.socket.setSoTimeout((int) Await.LIMIT.toMillis());
        this.device = new InetSocketAddress(peer, IpUdpHeader.ROCE_PORT);
        this.inward = new IpUdpHeader(peer, local);
        this.outward = new IpUdpHeader(local, peer);
    }

    /** The next packet of the device. */
    Packet next() throws IOException {
        DatagramPacket datagram = new DatagramPacket(new byte[DatagramReader.MOST_BYTES], DatagramReader.MOST_BYTES);
        socket.receive(datagram);
        ByteBuffer bytes = ByteBuffer.allocate(inward.sizeBytes() + DatagramReader.MOST_BYTES);
        bytes.put(inward.sizeBytes(), datagram.getData(), 0, datagram.getLength());
        Packet packet = new Packet();
        Object dropped = reader.read(bytes, datagram.getLength(), inward, datagram.getPort(), packet);
        if (dropped != null) {
            throw new AssertionError(dropped + ": " + reader.sentence());
        }
        return packet;
    }

    /** The next packet, which has this opcode. */
    Packet next(Opcode expected) throws IOException {
        Packet packet = next();
        if (packet.opcode() != expected) {
            throw new AssertionError(packet + " instead of " + expected);
        }
        return packet;
    }

    /** Sends a packet with the M bit, as adapters do. */
    void send(Packet packet) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(outward.sizeBytes() + DatagramReader.MOST_BYTES);
        packet.migRequest(true);
        int lengthBytes = writer.write(packet, outward, IpUdpHeader.ROCE_PORT, bytes);
        socket.send(new DatagramPacket(bytes.array(), outward.sizeBytes(), lengthBytes, device));
    }

    @Override
    public void close() {
        socket.close();
    }
}
