// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.GrhFields;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;

/** A peer in plain socket calls, which says what it likes when it likes. */
final class RawPeer implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        this.in = new DataInputStream(socket.getInputStream());
    }

    static RawPeer dial(InetSocketAddress address) throws IOException {
        return new RawPeer(new Socket(address.getAddress(), address.getPort()));
    }

    static RawPeer accept(ServerSocket server) throws IOException {
        server.setSoTimeout((int) Await.LIMIT.toMillis());
        return new RawPeer(server.accept());
    }

    /** A peer that speaks through that socket, such as one that does TLS. */
    static RawPeer over(Socket socket) throws IOException {
        return new RawPeer(socket);
    }

    static ServerSocket listen() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(Node.loopback(0));
        return server;
    }

    /** A dialler's first hello. */
    static Hello hello(Gid gid, long incarnation) {
        return new Hello(Verdict.WELCOME, false, TransportLimits.LARGEST_PACKET_BYTES, gid, incarnation, 0);
    }

    static byte[] bytes(Hello hello) {
        ByteBuffer bytes = ByteBuffer.allocate(Hello.SIZE_BYTES);
        hello.write(bytes);
        return bytes.array();
    }

    static byte[] frame(PacketRecord packet) {
        return packet.opcode().has(Header.DETH) ? datagramFrame(packet) : frame(packet.emit());
    }

    private static byte[] datagramFrame(PacketRecord packet) {
        byte[] bytes = packet.emit();
        GrhFields grh = packet.grh();
        return ByteBuffer.allocate(12 + bytes.length)
                .putInt(1 << 31 | bytes.length)
                .putInt(grh.trafficClass() << 20 | grh.flowLabel())
                .putInt(grh.hopLimit())
                .put(bytes)
                .array();
    }

    static byte[] frame(byte[] packet) {
        return ByteBuffer.allocate(4 + packet.length)
                .putInt(packet.length)
                .put(packet)
                .array();
    }

    /** A hello, and packets right behind it. */
    static byte[] together(Hello hello, List<PacketRecord> packets) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(bytes(hello));
        packets.forEach(packet -> bytes.writeBytes(frame(packet)));
        return bytes.toByteArray();
    }

    /** Says something that the other end may have refused to hear meanwhile. */
    RawPeer sayIfItCan(byte[] bytes) {
        try {
            return say(bytes);
        } catch (IOException refused) {
            return this;
        }
    }

    RawPeer say(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawPeer say(Hello hello) throws IOException {
        return say(bytes(hello));
    }

    Hello hear() throws IOException {
        return Hello.read(ByteBuffer.wrap(hearBytes(Hello.SIZE_BYTES)));
    }

    byte[] hearBytes(int count) throws IOException {
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }

    PacketRecord hearPacket() throws IOException {
        int head = in.readInt();
        int way = head < 0 ? in.readInt() : 0;
        int hopLimit = head < 0 ? in.readInt() : GrhFields.USUAL_HOP_LIMIT;
        byte[] bytes = new byte[head & 0xff_ffff];
        in.readFully(bytes);
        Packet packet = PacketRecord.parse(bytes).toPacket();
        new GrhFields(way >>> 20, way & 0xf_ffff, hopLimit).putInto(packet);
        return PacketRecord.of(packet);
    }

    /** Waits until the other end has closed the connection; whatever comes until then is ignored. */
    void awaitEnd() throws IOException {
        try {
            while (in.read() >= 0) {
                continue;
            }
        } catch (SocketException | SSLException reset) {
            // Closed with our bytes unread, or by an alert: an end as good as any.
            return;
        }
    }

    /** What the other end sees as the address of this one. */
    String name() {
        return String.valueOf(socket.getLocalSocketAddress());
    }

    /** Closes the connection before its time. */
    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    static byte[] firstOf(byte[] bytes, int count) {
        return Arrays.copyOf(bytes, count);
    }
}
