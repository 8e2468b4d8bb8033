// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection that somebody opened to us, until it is known who that is. */
final class AcceptedGreeting extends Greeting {

    private final SocketChannel channel;

    AcceptedGreeting(NettyPort port, SocketChannel channel) {
        super(port, channel, false);
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
    void answerChallenge() {
        challenge(Verdict.WELCOME);
    }

    @Override
    void refuseSecret(Challenge theirs) {
        say(Verdict.NO_SECRET, 0);
        fail(Verdict.NO_SECRET.errno(), Verdict.NO_SECRET.sentence());
    }

    @Override
    void refuseWithoutSecret(Verdict why) {
        if (why == Verdict.OTHER_SECRET) {
            challenge(why);
            fail(why.errno(), why.sentence());
        } else {
            challenge(Verdict.WELCOME);
            fail(
                    Errno.EACCES,
                    "who dialled does not prove that it knows the shared secret; give it the same by NettyOptions.withSecret,"
                            + " if it is a friend");
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
    byte[] acceptorsFingerprint(SslHandler tls) {
        return Objects.requireNonNull(port().options().tls(), "a handshake needs it")
                .fingerprint();
    }

    @Override
    @Nullable
    String expectedHost() {
        return null;
    }

    @Override
    void lose(Errno errno, String reason) {
        if (port().isOpen()) {
            port().lane().log().warn(name() + " closed: " + reason);
        }
    }
}
