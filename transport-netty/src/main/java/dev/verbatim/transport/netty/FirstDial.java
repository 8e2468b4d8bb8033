// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A dial that a thread waits for. It is tried anew only where the peer's refusal may pass. */
final class FirstDial extends Dial {

    private final CompletableFuture<Gid> outcome = new CompletableFuture<>();
    private final Pause pause;
    private long ticket;
    private volatile String lastReason = "it does not answer";

    FirstDial(NettyPort port, InetSocketAddress address) {
        super(port, address);
        this.pause = new Pause(port.lane(), this::tryOnce);
    }

    @Override
    boolean isWanted() {
        return !outcome.isDone();
    }

    @Override
    boolean mayReach(Gid peer) {
        return !peer.equals(port().gid());
    }

    @Override
    long ticket() {
        return ticket;
    }

    @Override
    Redial redialOf(NettyLink link) {
        return new Redial(port(), link, address());
    }

    @Override
    void succeed(NettyLink link) {
        outcome.complete(link.peer());
    }

    @Override
    void fail(Errno errno, String reason, boolean mayPass) {
        lastReason = reason;
        if (!mayPass || !port().isOpen()) {
            outcome.completeExceptionally(failure(errno, reason));
        } else if (isWanted()) {
            pause.begin();
        }
    }

    @Override
    void refused(Hello hello) {
        NettyLink link = port().links().at(hello.gid());
        ticket = link != null && link.isOf(hello.incarnation()) ? link.ticket() : 0;
        super.refused(hello);
    }

    /**
     * Waits for the outcome. Not on the lane.
     *
     * @throws VerbsException with the reason if there is no connection
     */
    Gid await(long timeoutNanos) {
        try {
            if (port().lane().await(outcome, timeoutNanos)) {
                return outcome.join();
            }
            throw failure(Errno.ETIMEDOUT, "dialTimeoutNanos=" + timeoutNanos + " are over; " + lastReason);
        } catch (CompletionException e) {
            if (e.getCause() instanceof VerbsException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, "NT-06", "the dialling thread was interrupted");
        } finally {
            giveUp();
        }
    }

    private void giveUp() {
        outcome.cancel(false);
        port().lane().call(pause::stop);
    }

    private VerbsException failure(Errno errno, String reason) {
        return VerbsException.of(
                errno,
                "N-06",
                "dialling address=%s failed: %s%s",
                address(),
                reason,
                errno == Errno.EACCES
                        ? ""
                        : "; let the peer listen first, dial the port that its listen returned, and look into its log");
    }
}
