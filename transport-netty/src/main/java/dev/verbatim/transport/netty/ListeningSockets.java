// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.ChannelFuture;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Where the device is listened for. What is listened at once stays so until the device goes: asking again changes nothing. */
final class ListeningSockets {

    private final NettyLane lane;
    private final Function<InetSocketAddress, ChannelFuture> binder;
    private final List<InetSocketAddress> addresses = new CopyOnWriteArrayList<>();

    ListeningSockets(NettyLane lane, Function<InetSocketAddress, ChannelFuture> binder) {
        this.lane = lane;
        this.binder = binder;
    }

    /**
     * Listens at an address. Not on the lane.
     *
     * @return the address with its port
     */
    InetSocketAddress listen(InetSocketAddress address) {
        if (covers(address)) {
            return address;
        }
        ChannelFuture binding = binder.apply(address);
        awaitEnd(binding);
        Throwable cause = binding.cause();
        if (cause != null) {
            throw VerbsException.of(
                    SocketErrors.ofBind(address.getAddress(), cause),
                    Rule.N_05,
                    "listening at address=%s failed: %s; choose an address of this machine and a free port, or port 0",
                    address,
                    String.valueOf(cause.getMessage()));
        }
        InetSocketAddress bound = (InetSocketAddress) binding.channel().localAddress();
        addresses.add(bound);
        return bound;
    }

    private boolean covers(InetSocketAddress address) {
        return addresses.stream()
                .anyMatch(bound -> bound.getPort() == address.getPort()
                        && (bound.equals(address) || bound.getAddress().isAnyLocalAddress()));
    }

    private void awaitEnd(ChannelFuture binding) {
        boolean interrupted = false;
        while (!binding.isDone()) {
            try {
                lane.await(binding, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
