// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.carrier.LocalIdentifiers;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.lane.Uninterrupted;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The socket at which a device with a {@linkplain Locator locating} GID listens. It is opened before the device, since the system decides
 * who has an address; whoever connects before there is the device waits.
 */
final class LocatedSocket {

    private final NettyLane lane;
    private final NettyOptions options;
    private final Sockets sockets;
    private @Nullable Gid gid;
    private @Nullable Channel channel;
    private volatile @Nullable Function<SocketChannel, Greeting> greetings;

    private LocatedSocket(NettyLane lane, NettyOptions options, Sockets sockets) {
        this.lane = lane;
        this.options = options;
        this.sockets = sockets;
    }

    /**
     * Opens one for the next device of a fabric with such options. Not on the lane.
     *
     * @throws VerbsException EADDRINUSE if all loopback addresses are taken, EADDRNOTAVAIL if an address is not of this machine, EACCES
     *     if the options do not allow to listen there
     */
    static LocatedSocket open(NettyLane lane, NettyOptions options, Sockets sockets) {
        LocatedSocket socket = new LocatedSocket(lane, options, sockets);
        List<Inet4Address> named = Objects.requireNonNull(options.locations(), "the options have locating GIDs");
        if (named.isEmpty()) {
            socket.openAtOwn(Locator.firstLid(ProcessHandle.current().pid()));
        } else {
            socket.openAtOneOf(named);
        }
        return socket;
    }

    private void openAtOwn(int firstLid) {
        int lid = firstLid;
        for (int tried = 0; tried < LocalIdentifiers.LARGEST; tried++) {
            if (isFree(Locator.loopback(lid))) {
                return;
            }
            lid = Locator.nextLid(lid);
        }
        throw VerbsException.of(
                Errno.EADDRINUSE,
                Rule.N_05,
                "TCP port %d is taken at each of the %d loopback addresses of locating GIDs; close a device",
                Locator.PORT,
                LocalIdentifiers.LARGEST);
    }

    private void openAtOneOf(List<Inet4Address> addresses) {
        for (Inet4Address address : addresses) {
            if (isFree(address)) {
                return;
            }
        }
        Inet4Address first = addresses.get(0);
        Throwable refusal = bind(first, 0);
        if (refusal != null) {
            throw failed(first, refusal);
        }
        InetSocketAddress bound =
                (InetSocketAddress) Objects.requireNonNull(channel).localAddress();
        gid = Locator.at(first, bound.getPort(), (int) options.draw());
    }

    /** Whether the address had no device of its GID, and has this one now. */
    private boolean isFree(Inet4Address address) {
        Throwable refusal = bind(address, Locator.PORT);
        if (refusal == null) {
            gid = Locator.at(address);
        } else if (SocketErrors.ofBind(address, refusal) != Errno.EADDRINUSE) {
            throw failed(address, refusal);
        }
        return refusal == null;
    }

    /** Returns why it cannot listen there; null if it does. */
    private @Nullable Throwable bind(Inet4Address address, int port) {
        InetSocketAddress wanted = new InetSocketAddress(address, port);
        options.requireMayListen(wanted);
        ChannelFuture binding = sockets.bind(wanted, this::greet);
        Uninterrupted.await(lane, binding);
        channel = binding.channel();
        return binding.cause();
    }

    private static VerbsException failed(Inet4Address address, Throwable cause) {
        return VerbsException.of(
                SocketErrors.ofBind(address, cause),
                Rule.N_05,
                "a device with a locating GID cannot listen at address=%s: %s; name an IPv4 address of this machine, or none"
                        + " for a loopback address of its own",
                address.getHostAddress(),
                String.valueOf(cause.getMessage()));
    }

    private Greeting greet(SocketChannel accepted) {
        return Objects.requireNonNull(greetings, "nothing is accepted before").apply(accepted);
    }

    /** The GID that says where it is. */
    Gid gid() {
        return Objects.requireNonNull(gid);
    }

    /** There is the device: who connects is greeted by it. */
    void accept(Function<SocketChannel, Greeting> by) {
        greetings = by;
        Objects.requireNonNull(channel).config().setAutoRead(true);
    }
}
