// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.link.Redial;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;

/**
 * The dials of a link whose peer has a {@linkplain Locator locating} GID: one when there is something to send and no connection, and
 * further ones as long as there is, after ever longer pauses. What is to be sent waits for the first one, and is lost if it fails.
 */
final class LocatingDial extends Dial {

    private final NettyLink link;
    private final Redial redial;

    /** For a link without a connection. */
    LocatingDial(NettyPort port, NettyLink link, InetSocketAddress place) {
        super(port, place);
        this.link = link;
        this.redial = Redial.whenWanted(port.lane(), port.options().redialPatienceNanos(), port::dials, this::tryOnce);
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
        return reached == link ? redial : new LocatingDial(port(), reached, address()).redial();
    }

    @Override
    void succeed(NettyLink reached) {
        redial.succeeded();
        link.dialEnded();
    }

    /** Where nobody listens, or somebody else, it is dialled when the link is wanted again; what passes is waited for. */
    @Override
    void fail(Errno errno, String reason, Verdict.Hope hope) {
        boolean rests = hope == Verdict.Hope.NONE ? redial.restAfterFailure() : redial.restsAfterFailure();
        if (rests) {
            port().lane().log().note("dialling address=" + address() + " rests until it is wanted: " + reason);
        }
        if (hope == Verdict.Hope.NONE && errno == Errno.ECONNREFUSED) {
            link.peerGone();
        }
        link.dialEnded();
    }
}
