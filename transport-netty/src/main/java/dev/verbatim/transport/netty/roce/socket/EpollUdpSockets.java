// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Uninterrupted;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sockets of Netty's epoll transport: many datagrams in one system call, and the options of Linux that the JDK does not have. */
final class EpollUdpSockets extends UdpSockets {

    private static final int BATCH = 32;
    private static final int WATER_MARK_BYTES = 1 << 28;
    private static final long PAUSE_NANOS = 100_000;

    private static final int LEVEL_SOCKET = 1;
    private static final int LEVEL_IP = 0;
    private static final int LEVEL_IPV6 = 41;
    private static final int LEVEL_UDP = 17;
    private static final int PMTUDISC_DO = 2;

    private static final ChannelOption<Integer> IP_MTU_DISCOVER =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", LEVEL_IP, 10);
    private static final ChannelOption<Integer> IPV6_MTU_DISCOVER =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", LEVEL_IPV6, 23);
    private static final ChannelOption<Integer> UDP_NO_CHECK6_RX =
            new IntegerUnixChannelOption("UDP_NO_CHECK6_RX", LEVEL_UDP, 102);
    private static final ChannelOption<Integer> IP_TOS = new IntegerUnixChannelOption("IP_TOS", LEVEL_IP, 1);
    private static final ChannelOption<Integer> IP_TTL = new IntegerUnixChannelOption("IP_TTL", LEVEL_IP, 2);
    private static final ChannelOption<Integer> IPV6_TCLASS =
            new IntegerUnixChannelOption("IPV6_TCLASS", LEVEL_IPV6, 67);
    private static final ChannelOption<Integer> IPV6_UNICAST_HOPS =
            new IntegerUnixChannelOption("IPV6_UNICAST_HOPS", LEVEL_IPV6, 16);
    private static final ChannelOption<Integer> SO_RCVBUFFORCE =
            new IntegerUnixChannelOption("SO_RCVBUFFORCE", LEVEL_SOCKET, 33);
    private static final ChannelOption<Integer> SO_SNDBUFFORCE =
            new IntegerUnixChannelOption("SO_SNDBUFFORCE", LEVEL_SOCKET, 32);

    private final NettyLane lane;
    private final InetAddress local;
    private final SocketSettings settings;
    private final DatagramHandler handler;
    private final ByteBuffer incoming;
    private final Slot[] outgoing = new Slot[BATCH];
    private final List<Socket> sockets = new ArrayList<>();
    private final Socket receiving;
    private int next;
    private boolean pausing;

    private EpollUdpSockets(NettyLane lane, InetAddress local, SocketSettings settings, DatagramHandler handler)
            throws IOException {
        super(settings.headerBytes(), settings.mostSources());
        this.lane = lane;
        this.local = local;
        this.settings = settings;
        this.handler = handler;
        this.incoming = ByteBuffer.allocateDirect(settings.headerBytes() + settings.mostBytes() + 1);
        for (int i = 0; i < BATCH; i++) {
            outgoing[i] = new Slot(settings.headerBytes() + settings.mostBytes());
        }
        this.receiving = bind(settings.port());
        addSource(receiving);
    }

    /**
     * Opens the receiving socket, which is not read until {@link #start}.
     *
     * @throws IOException if the address is not of this machine, or its port is taken
     */
    public static EpollUdpSockets open(
            NettyLane lane, InetAddress local, SocketSettings settings, DatagramHandler handler) throws IOException {
        return new EpollUdpSockets(lane, local, settings, handler);
    }

    @Override
    public Future<?> start() {
        return lane.loop().netty().submit(() -> receiving.channel.config().setAutoRead(true));
    }

    @Override
    Socket bind(int port) throws IOException {
        EpollDatagramChannel channel = new EpollDatagramChannel(
                local instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
        try {
            configure(channel);
            channel.pipeline().addLast(new Receiver());
            EventLoopGroup loop = lane.loop().netty();
            awaitSuccess(loop.register(channel));
            awaitSuccess(channel.bind(new InetSocketAddress(local, port)));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        Socket socket = new Socket(channel, local instanceof Inet4Address);
        sockets.add(socket);
        return socket;
    }

    private void configure(EpollDatagramChannel channel) {
        int longest = settings.mostBytes() + 1;
        channel.config()
                .setAutoRead(false)
                .setMaxDatagramPayloadSize(longest)
                .setRecvByteBufAllocator(new FixedRecvByteBufAllocator(BATCH * longest))
                .setWriteBufferWaterMark(new WriteBufferWaterMark(WATER_MARK_BYTES, WATER_MARK_BYTES));
        if (settings.bufferBytes() > 0) {
            channel.config().setReceiveBufferSize(settings.bufferBytes()).setSendBufferSize(settings.bufferBytes());
            setIfPermitted(channel, SO_RCVBUFFORCE, settings.bufferBytes());
            setIfPermitted(channel, SO_SNDBUFFORCE, settings.bufferBytes());
        }
        if (local instanceof Inet4Address) {
            channel.config().setOption(IP_MTU_DISCOVER, PMTUDISC_DO);
        } else {
            channel.config().setOption(IPV6_MTU_DISCOVER, PMTUDISC_DO);
            channel.config().setOption(UDP_NO_CHECK6_RX, 1);
        }
    }

    /** Only root may exceed the limits of the system; others have what they got before. */
    private static void setIfPermitted(EpollDatagramChannel channel, ChannelOption<Integer> option, int value) {
        try {
            channel.config().setOption(option, value);
        } catch (ChannelException e) {
            return;
        }
    }

    /** On the loop it is done at once; a turn that another thread has, since a device closes, opens no sockets. */
    private void awaitSuccess(ChannelFuture future) throws IOException {
        if (!future.isDone() && lane.isCurrent()) {
            throw new IOException("the loop opens sockets, and this thread has its turn");
        }
        Uninterrupted.await(lane, future);
        Throwable cause = future.cause();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause != null) {
            throw new IOException(cause);
        }
    }

    @Override
    public @Nullable ByteBuffer room() {
        if (outgoing[next].isFree()) {
            return outgoing[next].bytes.clear();
        }
        flush();
        if (outgoing[next].isFree()) {
            return outgoing[next].bytes.clear();
        }
        if (!pausing) {
            pausing = true;
            lane.loop().netty().schedule(this::endPause, PAUSE_NANOS, TimeUnit.NANOSECONDS);
        }
        return null;
    }

    private void endPause() {
        lane.enter();
        try {
            pausing = false;
            handler.hasRoom();
        } finally {
            lane.leave();
        }
    }

    @Override
    public void send(SendingSocket from, int offset, int lengthBytes, InetSocketAddress to) {
        Socket socket = (Socket) from;
        ByteBuf datagram = outgoing[next].datagram.setIndex(offset, offset + lengthBytes);
        next = (next + 1) % BATCH;
        socket.written = true;
        socket.channel.write(new DatagramPacket(datagram.retain(), to), socket.channel.voidPromise());
    }

    @Override
    public void flush() {
        for (int i = 0; i < sockets.size(); i++) {
            Socket socket = sockets.get(i);
            if (socket.written) {
                socket.written = false;
                socket.channel.flush();
            }
        }
    }

    /** Netty's channels send on the loop. */
    @Override
    public boolean areDirect() {
        return false;
    }

    @Override
    public void close() {
        flush();
        for (Socket socket : sockets) {
            socket.channel.close();
        }
    }

    @Override
    public boolean areFree() {
        return sockets.stream().allMatch(socket -> socket.channel.closeFuture().isDone());
    }

    /** One socket, and whether something was written to it that was not flushed. */
    static final class Socket implements SendingSocket {

        private final EpollDatagramChannel channel;
        private final int port;
        private final boolean ipv4;
        private boolean written;
        private int trafficClass;
        private int hopLimit = USUAL_HOP_LIMIT;

        Socket(EpollDatagramChannel channel, boolean ipv4) {
            this.ipv4 = ipv4;
            this.channel = channel;
            this.port = channel.localAddress().getPort();
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void path(int newTrafficClass, int newHopLimit) {
            if (newTrafficClass != trafficClass || newHopLimit != hopLimit) {
                channel.flush();
                trafficClass = newTrafficClass;
                hopLimit = newHopLimit;
                channel.config().setOption(ipv4 ? IP_TOS : IPV6_TCLASS, trafficClass);
                channel.config().setOption(ipv4 ? IP_TTL : IPV6_UNICAST_HOPS, Math.max(1, hopLimit));
            }
        }
    }

    /** Memory of one datagram, twice: as it is filled and as it is sent. */
    private static final class Slot {

        private final ByteBuffer bytes;
        private final ByteBuf datagram;

        Slot(int capacity) {
            this.bytes = ByteBuffer.allocateDirect(capacity);
            this.datagram = Unpooled.wrappedBuffer(bytes);
        }

        /** Whether the operating system has what was sent from it. */
        boolean isFree() {
            return datagram.refCnt() == 1;
        }
    }

    /** Takes what was received in one system call in one step of the lane. */
    private final class Receiver extends ChannelInboundHandlerAdapter {

        private boolean inStep;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket datagram = (DatagramPacket) message;
            if (!inStep) {
                inStep = true;
                lane.enter();
            }
            try {
                ByteBuf content = datagram.content();
                int lengthBytes = content.readableBytes();
                incoming.clear().position(headerBytes()).limit(headerBytes() + lengthBytes);
                content.readBytes(incoming);
                incoming.clear();
                handler.received(datagram.sender(), incoming, lengthBytes);
            } finally {
                datagram.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (inStep) {
                inStep = false;
                lane.leave();
            }
        }

        /** A datagram could not be sent, or the socket not read. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            lane.enter();
            try {
                handler.failed(cause);
            } finally {
                lane.leave();
            }
        }
    }
}
