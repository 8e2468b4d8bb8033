// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;

/** The dials of a link whose connection broke, each at the time of its {@link Redial}. */
final class RepeatedDial extends Dial {

    private final NettyLink link;
    private final Redial redial;

    /** For a link that has just been connected. */
    RepeatedDial(NettyPort port, NettyLink link, InetSocketAddress address) {
        super(port, address);
        this.link = link;
        this.redial = new Redial(port.lane(), port.options().redialPatienceNanos(), port::dials, this::tryOnce);
    }

    /** When it dials. */
    Redial redial() {
        return redial;
    }

    @Override
    boolean isWanted() {
        return !redial.isStopped();
    }

    @Override
    boolean mayReach(Gid peer) {
        return peer.equals(link.peer());
    }

    @Override
    long ticket() {
        return link.ticket();
    }

    @Override
    Redial redialOf(NettyLink reached) {
        return reached == link ? redial : new RepeatedDial(port(), reached, address()).redial();
    }

    @Override
    void succeed(NettyLink reached) {
        redial.succeeded();
    }

    @Override
    void fail(Errno errno, String reason, Verdict.Hope hope) {
        if (redial.restsAfterFailure()) {
            port().lane().log().note("dialling address=" + address() + " rests until it is wanted: " + reason);
        }
    }

    @Override
    void reachedAnother(Gid peer) {
        redial.stop();
        port().lane()
                .log()
                .warn(
                        "address=" + address() + " was dialled for gid=" + link.peer() + " but gid=" + peer
                                + " answers there now; it is not dialled again, so dial the address at which the device listens now");
    }
}
