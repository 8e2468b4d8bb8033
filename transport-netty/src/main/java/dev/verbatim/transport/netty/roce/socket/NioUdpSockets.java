// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

import dev.verbatim.transport.netty.lane.DirectSocket;
import dev.verbatim.transport.netty.lane.NettyLane;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoOps;
import io.netty.channel.nio.NioSelectableChannelIoHandle;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sockets of {@code java.nio}: one system call for each datagram, and no object. */
final class NioUdpSockets extends UdpSockets {

    /** Datagrams that are received before others have their turn. */
    private static final int MOST_RECEIVED_IN_A_ROW = 64;

    private final NettyLane lane;
    private final InetAddress local;
    private final SocketSettings settings;
    private final DatagramHandler handler;
    private final ByteBuffer incoming;
    private final ByteBuffer outgoing;
    private final List<Socket> sockets = new ArrayList<>();
    private int mostInARow = 1;
    private final Socket receiving;
    private final DirectSocket direct = new Direct();

    /** The socket that is full; the datagram that it did not take is in the outgoing buffer. */
    private @Nullable Socket full;

    private @Nullable InetSocketAddress delayedTo;

    private NioUdpSockets(NettyLane lane, InetAddress local, SocketSettings settings, DatagramHandler handler)
            throws IOException {
        super(settings.headerBytes(), settings.mostSources());
        this.lane = lane;
        this.local = local;
        this.settings = settings;
        this.handler = handler;
        this.incoming = ByteBuffer.allocateDirect(settings.headerBytes() + settings.mostBytes() + 1);
        this.outgoing = ByteBuffer.allocateDirect(settings.headerBytes() + settings.mostBytes());
        this.receiving = bind(settings.port());
        addSource(receiving);
    }

    /**
     * Opens the receiving socket, which is not read until {@link #start}.
     *
     * @throws IOException if the address is not of this machine, or its port is taken
     */
    public static NioUdpSockets open(
            NettyLane lane, InetAddress local, SocketSettings settings, DatagramHandler handler) throws IOException {
        return new NioUdpSockets(lane, local, settings, handler);
    }

    @Override
    public Future<?> start() {
        lane.call(() -> lane.beginDirect(direct));
        return receiving.interest(NioIoOps.READ);
    }

    @Override
    Socket bind(int port) throws IOException {
        boolean ipv4 = local instanceof Inet4Address;
        DatagramChannel channel =
                DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        try {
            channel.configureBlocking(false);
            NioSocketOptions.dontFragment(channel);
            if (settings.bufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.bufferBytes());
                channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.bufferBytes());
            }
            channel.bind(new InetSocketAddress(local, port));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        Socket socket = new Socket(channel);
        sockets.add(socket);
        return socket;
    }

    @Override
    public @Nullable ByteBuffer room() {
        return full == null ? outgoing.clear() : null;
    }

    @Override
    public void send(SendingSocket from, int offset, int lengthBytes, InetSocketAddress to) {
        Socket socket = (Socket) from;
        outgoing.limit(offset + lengthBytes).position(offset);
        if (!trySend(socket, to)) {
            full = socket;
            delayedTo = to;
            socket.interest(socket.interest.with(NioIoOps.WRITE));
        }
    }

    /** Whether it was sent, or never will be. */
    private boolean trySend(Socket socket, InetSocketAddress to) {
        try {
            return socket.channel.send(outgoing, to) > 0;
        } catch (IOException | RuntimeException e) {
            handler.failed(e);
            return true;
        }
    }

    @Override
    public void flush() {}

    @Override
    public boolean areDirect() {
        return true;
    }

    @Override
    public void close() {
        lane.call(() -> {
            lane.endDirect(direct);
            for (Socket socket : sockets) {
                socket.close();
            }
        });
    }

    @Override
    public boolean areFree() {
        return sockets.stream().noneMatch(socket -> socket.channel.isRegistered());
    }

    /**
     * Reads what has come, or the first of it: the answer to a datagram that comes alone leaves before a system call finds that there
     * is no other. While more come than are read at a time, more are read the next time.
     */
    private void read() {
        lane.enter();
        int received = 0;
        try {
            while (received < mostInARow && receiving.channel.isOpen()) {
                incoming.clear().position(headerBytes());
                SocketAddress from = receiving.channel.receive(incoming);
                if (from == null) {
                    break;
                }
                received++;
                lane.arrived();
                handler.received((InetSocketAddress) from, incoming, incoming.position() - headerBytes());
            }
        } catch (IOException e) {
            handler.failed(e);
        } finally {
            mostInARow =
                    received < mostInARow ? Math.max(1, received) : Math.min(MOST_RECEIVED_IN_A_ROW, 2 * mostInARow);
            lane.leave();
        }
    }

    /** What it reads is always the whole truth, so that a thread that drives the loop need not ask for it. */
    private final class Direct implements DirectSocket {

        @Override
        public boolean readNow() {
            read();
            return true;
        }

        @Override
        public boolean isAllOf(Object identity) {
            return receiving.channel.equals(identity) && full == null;
        }

        /** A channel of Java knows itself that it is closed. */
        @Override
        public void retire(Object identity) {}

        /** The loop is told at once when a socket is full. */
        @Override
        public void leaveToLoop() {}
    }

    /** A socket that was full can take a datagram. */
    private void sendDelayed(Socket socket) {
        lane.enter();
        try {
            InetSocketAddress to = delayedTo;
            if (full == socket && to != null && trySend(socket, to)) {
                full = null;
                socket.interest(socket.interest.without(NioIoOps.WRITE));
                handler.hasRoom();
            }
        } finally {
            lane.leave();
        }
    }

    /** One socket on the loop; one that only sends is registered when it is full for the first time. */
    final class Socket extends NioSelectableChannelIoHandle<DatagramChannel> implements SendingSocket {

        private final DatagramChannel channel;
        private final int port;
        private NioIoOps interest = NioIoOps.NONE;
        private int trafficClass;
        private @Nullable Future<IoRegistration> registering;

        Socket(DatagramChannel channel) throws IOException {
            super(channel);
            this.channel = channel;
            this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        @Override
        public int port() {
            return port;
        }

        /** The JDK has no option for the hop limit of unicast datagrams. */
        @Override
        public void path(int newTrafficClass, int hopLimit) {
            if (newTrafficClass != trafficClass) {
                trafficClass = newTrafficClass;
                try {
                    channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
                } catch (IOException | UnsupportedOperationException e) {
                    handler.failed(e);
                }
            }
        }

        /** From now on the loop reports these events. */
        Future<?> interest(NioIoOps wanted) {
            interest = wanted;
            Future<IoRegistration> registered = registering;
            if (registered == null) {
                registered = lane.loop().netty().register(this);
                registering = registered;
            }
            if (registered.isSuccess() && !lane.isLoops()) {
                IoRegistration registration = registered.getNow();
                return lane.loop().netty().submit(() -> registration.submit(interest));
            }
            if (registered.isSuccess()) {
                registered.getNow().submit(interest);
                return registered;
            }
            return registered.addListener(done -> {
                if (done.isSuccess()) {
                    ((IoRegistration) done.getNow()).submit(interest);
                }
            });
        }

        @Override
        protected void handle(DatagramChannel ready, SelectionKey key) {
            if (key.isValid() && key.isWritable()) {
                sendDelayed(this);
            }
            if (key.isValid() && key.isReadable()) {
                read();
            }
        }

        /** The loop lets go of the port when it looks at its sockets next. */
        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                lane.log().warn("closing the socket at " + local + ":" + port + " failed: " + e.getMessage());
            }
        }
    }
}
