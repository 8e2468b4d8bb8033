// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.Errno;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A connection that we opened, until it is known who answers. */
final class DialledGreeting extends Greeting {

    private final Dial dial;

    DialledGreeting(NettyPort port, SocketChannel channel, Dial dial) {
        super(port, channel, true);
        this.dial = dial;
    }

    @Override
    String nameOf(Object remoteAddress) {
        return "connection to " + remoteAddress;
    }

    @Override
    void begin() {
        dial.greets();
        if (hasSecret()) {
            challenge(Verdict.WELCOME);
        } else {
            say(Verdict.WELCOME, dial.ticket());
        }
    }

    @Override
    void answerChallenge() {
        say(Verdict.WELCOME, dial.ticket());
    }

    @Override
    void refuseSecret(Challenge theirs) {
        fail(
                Errno.EACCES,
                "the listener requires a shared secret and this end has none; give it the same by"
                        + " NettyOptions.withSecret");
    }

    /** It has said its own already. */
    @Override
    void meetOtherVersion() {}

    @Override
    void refuseWithoutSecret(Verdict why) {
        fail(
                Errno.EACCES,
                why == Verdict.NO_SECRET
                        ? "the listener has no shared secret and this end has one; give both the same by"
                                + " NettyOptions.withSecret, or neither"
                        : "the listener does not know the shared secret although it claims to; check which process listens there");
    }

    @Override
    void answer(Hello hello) {
        NettyLink link = port().links().at(hello.gid());
        boolean standing = link != null && link.isStanding();
        if (!dial.isWanted()) {
            close();
        } else if (!port().links().isPlugged()) {
            close();
            dial.fail(Errno.EHOSTUNREACH, "the port of this end is down", Verdict.Hope.SOON);
        } else if (hello.verdict() != Verdict.WELCOME && !(hello.verdict() == Verdict.ALREADY_CONNECTED && standing)) {
            close();
            dial.refused(hello);
        } else if (!dial.mayReach(hello.gid())) {
            close();
            dial.reachedAnother(hello.gid());
        } else if (link != null && standing && !link.isOf(hello.incarnation())) {
            close();
            dial.fail(
                    Errno.EBUSY,
                    "another device of gid=" + hello.gid()
                            + " is connected already; give one of the two another GUID, or close the other first",
                    Verdict.Hope.SOON);
        } else if (link != null
                && (hello.verdict() != Verdict.WELCOME || port().links().givesWay(link))) {
            close();
            dial.succeed(link);
        } else {
            welcomed(hello);
        }
    }

    @Override
    byte[] acceptorsFingerprint(SslHandler tls) throws SSLException {
        return Tls.fingerprintOf(tls.engine().getSession().getPeerCertificates()[0]);
    }

    @Override
    @Nullable
    String expectedHost() {
        Tls tls = port().options().tls();
        return tls == null ? null : tls.expectedHost(dial.address());
    }

    @Override
    void lose(Errno errno, String reason) {
        dial.fail(errno, errno == Errno.EACCES ? reason : reason + FirstDial.LOOK, Verdict.Hope.NONE);
    }

    private void welcomed(Hello hello) {
        NettyLink link = port().links().linkOf(hello);
        link.agreeOn(hello.ticket());
        open(link, hello, dial.redialOf(link));
        dial.succeed(link);
    }
}
