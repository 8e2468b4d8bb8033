// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Uninterrupted;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sockets at which peers find the device. The system lets those who connect wait until the device listens there. What is bound more than once
 * stays so until each of that is unbound, or the device goes.
 */
final class ListeningSockets {

    /** Times that a port is looked for which is free at all loopback addresses. */
    private static final int MOST_PORTS_TRIED = 16;

    /** An address, and the sockets for it. */
    private record Place(InetSocketAddress address, List<Channel> channels, AtomicInteger users) {

        boolean covers(InetSocketAddress other) {
            return address.getPort() == other.getPort()
                    && (address.equals(other) || address.getAddress().isAnyLocalAddress());
        }

        /** Whether somebody still used it, and the caller does, too. */
        boolean use() {
            return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
        }

        void accept() {
            channels.forEach(channel -> channel.config().setAutoRead(true));
        }
    }

    private final NettyLane lane;
    private final Function<InetSocketAddress, ChannelFuture> binder;
    private final List<Place> places = new CopyOnWriteArrayList<>();

    ListeningSockets(NettyLane lane, Function<InetSocketAddress, ChannelFuture> binder) {
        this.lane = lane;
        this.binder = binder;
    }

    /**
     * Binds a socket. Not on the lane.
     *
     * @return the address with its port
     */
    InetSocketAddress bind(InetSocketAddress address) {
        if (isBound(address)) {
            return address;
        }
        Channel channel = socketAt(address);
        InetSocketAddress bound = (InetSocketAddress) channel.localAddress();
        places.add(new Place(bound, List.of(channel), new AtomicInteger(1)));
        return bound;
    }

    private boolean isBound(InetSocketAddress address) {
        return places.stream().anyMatch(place -> place.covers(address) && place.use());
    }

    /**
     * Binds sockets to 127.0.0.1, to ::1 if there is one, and to the device's GID if that is a loopback address. Not on the lane.
     *
     * @param address the wildcard, or another address of this machine that these stand for, with the port; 0 for one that is free at
     *     all of them
     * @return the address with the port
     */
    InetSocketAddress bindAtLoopback(Gid own, InetSocketAddress address) {
        if (isBound(address)) {
            return address;
        }
        List<Channel> channels = null;
        for (int tried = 1; channels == null; tried++) {
            channels = bindAll(loopbacks(own), address.getPort(), tried == MOST_PORTS_TRIED);
        }
        int port = ((InetSocketAddress) channels.get(0).localAddress()).getPort();
        InetSocketAddress bound = new InetSocketAddress(address.getAddress(), port);
        places.add(new Place(bound, channels, new AtomicInteger(1)));
        return bound;
    }

    private static Set<InetAddress> loopbacks(Gid own) {
        Set<InetAddress> hosts = new LinkedHashSet<>();
        hosts.add(Locator.LOOPBACK);
        InetAddress ofGid = own.toInetAddress();
        if (ofGid.isLoopbackAddress()) {
            hosts.add(ofGid);
        }
        hosts.add(Locator.LOOPBACK_OF_IPV6);
        return hosts;
    }

    /** Binds the same port of all; null if another one has to be chosen. */
    private @Nullable List<Channel> bindAll(Set<InetAddress> hosts, int wanted, boolean isLast) {
        List<Channel> channels = new ArrayList<>();
        int port = wanted;
        for (InetAddress host : hosts) {
            try {
                Channel channel = socketAt(new InetSocketAddress(host, port));
                port = ((InetSocketAddress) channel.localAddress()).getPort();
                channels.add(channel);
            } catch (VerbsException e) {
                boolean isTaken = e.errno() == Errno.EADDRINUSE;
                if (isTaken && wanted == 0 && !isLast) {
                    close(channels);
                    return null;
                }
                // IPv6 may be switched off.
                if (isTaken || !(host instanceof Inet6Address)) {
                    close(channels);
                    throw e;
                }
            }
        }
        return channels;
    }

    /** Accepts those who wait and those who come at the address, or at the wildcard for it. From any thread. */
    void listen(InetSocketAddress address) {
        Place there = placeOf(address);
        if (there != null) {
            there.accept();
        }
    }

    private @Nullable Place placeOf(InetSocketAddress address) {
        return places.stream()
                .filter(place -> place.covers(address))
                .findFirst()
                .orElse(null);
    }

    /** Undoes what was bound to the address, or to the wildcard for it. Waits until the port is free, but not on the lane. */
    void unbind(InetSocketAddress address) {
        Place ended = placeOf(address);
        if (ended != null && ended.users().decrementAndGet() == 0) {
            places.remove(ended);
            close(ended.channels());
        }
    }

    private void close(List<Channel> channels) {
        for (Channel channel : channels) {
            ChannelFuture closing = channel.close();
            if (!lane.isCurrent()) {
                Uninterrupted.await(lane, closing);
                awaitNextTurn(channel.eventLoop());
            }
        }
    }

    /**
     * Waits until the loop has asked its selector again: a socket of NIO that is closed listens until then, since the selector has it
     * registered. What a task of the loop schedules runs in a later turn than the task, and each turn begins at the selector.
     */
    private void awaitNextTurn(EventLoop loop) {
        Future<ScheduledFuture<?>> turn;
        try {
            turn = loop.submit(() -> loop.schedule(() -> {}, 0, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and its selector with it.
            return;
        }
        Uninterrupted.await(lane, turn);
        if (turn.isSuccess()) {
            Uninterrupted.await(lane, turn.getNow());
        }
    }

    private Channel socketAt(InetSocketAddress address) {
        ChannelFuture binding = binder.apply(address);
        Uninterrupted.await(lane, binding);
        Throwable cause = binding.cause();
        if (cause != null) {
            throw VerbsException.of(
                    SocketErrors.ofBind(address.getAddress(), cause),
                    Rule.N_05,
                    "listening at address=%s failed: %s; choose an address of this machine and a free port, or port 0",
                    address,
                    String.valueOf(cause.getMessage()));
        }
        return binding.channel();
    }
}
