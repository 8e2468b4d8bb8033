// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import io.netty.channel.socket.SocketChannel;

/** A connection that somebody opened to us, until it is known who that is. */
final class AcceptedGreeting extends Greeting {

    private final SocketChannel channel;

    AcceptedGreeting(NettyPort port, SocketChannel channel) {
        super(port, channel);
        this.channel = channel;
    }

    @Override
    String nameOf(Object remoteAddress) {
        return "connection from " + remoteAddress;
    }

    @Override
    void begin() {
        if (port().admit()) {
            channel.closeFuture().addListener(closed -> port().dismiss());
        } else {
            fail(
                    Errno.EBUSY,
                    "more than maxConnections=" + port().options().maxConnections()
                            + " at a time; raise the limit or close some");
        }
    }

    @Override
    void answer(Hello hello) {
        Verdict verdict = port().links().judge(hello);
        if (verdict == Verdict.WELCOME) {
            NettyLink link = port().links().linkOf(hello);
            say(verdict, port().links().ticketOf(link));
            open(link, hello, null);
            return;
        }
        String line = name() + " closed: gid=" + hello.gid() + " is refused: " + verdict.sentence();
        if (verdict == Verdict.ALREADY_CONNECTED) {
            port().lane().log().note(line);
        } else {
            port().lane().log().warn(line);
        }
        say(verdict, 0);
        close();
    }

    @Override
    void lose(Errno errno, String reason) {
        if (port().isOpen()) {
            port().lane().log().warn(name() + " closed: " + reason);
        }
    }
}
