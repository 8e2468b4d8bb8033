// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.fabric.Resolution;
import dev.verbatim.transport.netty.lane.Pause;
import dev.verbatim.transport.netty.socket.SocketErrors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Finds the device at an address where GIDs say where their devices listen. The socket at the address comes first; then that at
 * 127.0.0.1, if the address is another one of this machine, where nobody listens without authentication. If there is none, it is the
 * device whose GID the address is; and if there is none either and the address is of this machine, this machine's device, which
 * is the own one: the request for a connection then learns that no program listens, as with an adapter.
 */
final class LocatedPeer {

    /** How long a program of this machine may take to listen: of two that are started at the same time, either may be the first. */
    private static final long LATE_NANOS = 500_000_000;

    private final NettyPort port;
    private final InetSocketAddress address;
    private final InetAddress host;
    private final Resolution outcome;
    private final long deadlineNanos;
    private final long lateNanos;
    private final Pause pause;

    LocatedPeer(NettyPort port, InetSocketAddress address, long timeoutNanos, Resolution outcome) {
        this.port = port;
        this.address = address;
        this.host = address.getAddress();
        this.outcome = outcome;
        long nowNanos = port.lane().nowNanos();
        this.deadlineNanos = nowNanos + Math.min(timeoutNanos, Long.MAX_VALUE / 2);
        this.lateNanos = nowNanos + Math.min(timeoutNanos / 2, LATE_NANOS);
        this.pause = new Pause(port.lane(), this::dialSocket);
    }

    /** On the lane; so is the outcome. */
    void resolve() {
        Gid gid = Gid.of(host);
        if (!NettyPort.isGidOnly(host)) {
            dialSocket();
        } else if (port.links().hasMet(gid)) {
            outcome.found(gid);
        } else {
            InetSocketAddress place = Locator.addressOf(gid);
            if (place == null) {
                outcome.failed(unreachable(gid));
            } else {
                dial(place, gid, outcome::failed);
            }
        }
    }

    private void dialSocket() {
        dial(address, this::noSocket);
    }

    private void noSocket(VerbsException reason) {
        boolean isOwn = SocketErrors.isOwn(host);
        boolean isFree = reason.errno() == Errno.ECONNREFUSED || (isOwn && reason.errno() == Errno.EIO);
        if (!isFree) {
            outcome.failed(reason);
        } else if (isOwn && !host.isLoopbackAddress()) {
            dial(new InetSocketAddress(Locator.LOOPBACK, address.getPort()), unused -> nobodyListens(isOwn, reason));
        } else {
            nobodyListens(isOwn, reason);
        }
    }

    private void nobodyListens(boolean isOwn, VerbsException reason) {
        if (isOwn
                && address.getPort() != Locator.PORT
                && port.isOpen()
                && port.lane().nowNanos() < lateNanos) {
            pause.begin();
        } else {
            noSocketAtAll(isOwn, reason);
        }
    }

    private void noSocketAtAll(boolean isOwn, VerbsException reason) {
        if (host instanceof Inet4Address four && address.getPort() != Locator.PORT) {
            dial(new InetSocketAddress(four, Locator.PORT), unused -> noDevice(isOwn, reason));
        } else {
            noDevice(isOwn, reason);
        }
    }

    private void noDevice(boolean isOwn, VerbsException reason) {
        if (isOwn) {
            outcome.found(port.gid());
        } else {
            outcome.failed(reason);
        }
    }

    private void dial(InetSocketAddress place, Failure otherwise) {
        dial(place, null, otherwise);
    }

    /** What to do when nobody is there. */
    private interface Failure {
        void failed(VerbsException reason);
    }

    private void dial(InetSocketAddress place, @Nullable Gid wanted, Failure otherwise) {
        long leftNanos = Math.max(1, deadlineNanos - port.lane().nowNanos());
        new FirstDial(port, place, leftNanos, new Resolution() {
                    @Override
                    public void found(Gid peer) {
                        if (wanted == null || peer.equals(wanted)) {
                            outcome.found(peer);
                        } else {
                            otherwise.failed(unreachable(wanted));
                        }
                    }

                    @Override
                    public void failed(VerbsException reason) {
                        otherwise.failed(reason);
                    }
                })
                .begin();
    }

    private static VerbsException unreachable(Gid gid) {
        return VerbsException.of(
                Errno.EHOSTUNREACH,
                Rule.N_06,
                "gid=%s is that of no device that can be reached; it may have been closed",
                gid);
    }
}
