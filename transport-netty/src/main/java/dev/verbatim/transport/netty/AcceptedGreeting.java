// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An accepted connection until the peer is identified. */
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
        port().newcomers().add(this);
    }

    /** There are too many who have not said a hello, and this is the one who had most time for it. */
    void giveWay() {
        fail(
                Errno.EBUSY,
                "it had not said its hello when more than " + TransportLimits.MOST_NEWCOMERS + " others came");
    }

    @Override
    void answerChallenge() {
        challenge(Verdict.WELCOME);
    }

    @Override
    void refuseSecret(Challenge theirs) {
        fail(Verdict.NO_SECRET.errno(), Verdict.NO_SECRET.sentence(), () -> say(Verdict.NO_SECRET, 0));
    }

    /** Sends the version only, so that the message of the dialler has it, too. */
    @Override
    void meetOtherVersion() {
        challenge(Verdict.NO_SECRET);
    }

    @Override
    void refuseWithoutSecret(Verdict why) {
        if (why == Verdict.OTHER_SECRET) {
            fail(why.errno(), why.sentence(), () -> challenge(why));
        } else {
            fail(
                    Errno.EACCES,
                    "the dialing side is not authenticated by the shared secret; give it the same by NettyOptions.withSecret,"
                            + " if it is to be accepted",
                    () -> challenge(Verdict.WELCOME));
        }
    }

    @Override
    void answer(Hello hello) {
        port().newcomers().remove(this);
        if (!port().links().isPlugged()) {
            close();
            return;
        }
        Verdict verdict = port().links().judge(hello);
        if (verdict == Verdict.WELCOME && !port().admit(replaces(hello))) {
            verdict = Verdict.FULL;
        }
        if (verdict == Verdict.WELCOME) {
            channel.closeFuture().addListener(closed -> port().dismiss());
            NettyLink link = port().links().linkOf(hello);
            say(verdict, port().links().ticketOf(link));
            open(link, hello, null);
            return;
        }
        Hello answer =
                port().hello(verdict, verdict == Verdict.FULL ? port().options().maxConnections() : 0);
        String line = name() + " closed: gid=" + hello.gid() + " is refused: " + answer.sentence();
        if (verdict == Verdict.ALREADY_CONNECTED || port().isSelf(hello)) {
            port().lane().log().note(line);
        } else {
            port().lane().log().warn(line);
        }
        say(answer);
        close();
    }

    /** Whether a connection that is counted in ends when that of the dialler who is welcome opens. */
    private boolean replaces(Hello welcome) {
        NettyLink link = port().links().at(welcome.gid());
        return link != null && link.connection() != null;
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
        port().newcomers().remove(this);
        if (port().isOpen()) {
            port().lane().log().warn(name() + " closed: " + reason);
        }
    }
}
