// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;

/** An attempt to connect to the device at an address, with one or more tries. All on the lane. */
abstract class Dial {

    private final NettyPort port;
    private final InetSocketAddress address;

    Dial(NettyPort port, InetSocketAddress address) {
        this.port = port;
        this.address = address;
    }

    /** Whether a connection would still be welcome. */
    abstract boolean isWanted();

    /** Whether the peer is one that was dialled for. */
    abstract boolean mayReach(Gid peer);

    /** What proves that this end dialled the last connection; 0 if nothing does. */
    abstract long ticket();

    /** Who dials anew when a connection for the link breaks. */
    abstract Redial redialOf(NettyLink link);

    /** The link has a connection, by this dial or otherwise. */
    abstract void succeed(NettyLink link);

    /** A try failed; the reason has the remedy. */
    abstract void fail(Errno errno, String reason, Verdict.Hope hope);

    final NettyPort port() {
        return port;
    }

    final InetSocketAddress address() {
        return address;
    }

    /** The address has taken the connection, and this end says its hello. */
    void greets() {}

    /** Tries once; {@link #succeed} or {@link #fail} follows. */
    final void tryOnce() {
        port.sockets()
                .connect(address, channel -> new DialledGreeting(port, channel, this))
                .addListener(this::connected);
    }

    /** The peer said why it does not take the connection. */
    void refused(Hello hello) {
        Verdict verdict = hello.verdict();
        fail(
                verdict.errno(),
                "gid=" + hello.gid() + " refuses gid=" + port.gid() + ": " + hello.sentence(),
                verdict.hope());
    }

    /** The device that answered is not the one that was dialled. */
    void reachedAnother(Gid peer) {
        fail(
                Errno.EINVAL,
                "gid=" + peer + " answers there; dial the address at which the device listens",
                Verdict.Hope.NONE);
    }

    private void connected(Future<?> connecting) {
        Throwable cause = connecting.cause();
        if (cause != null) {
            port.lane().enter();
            try {
                fail(SocketErrors.ofConnect(cause), cause.getMessage() + FirstDial.LOOK, Verdict.Hope.NONE);
            } finally {
                port.lane().leave();
            }
        }
    }
}
