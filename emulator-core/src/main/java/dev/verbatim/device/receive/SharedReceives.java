// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The receives that one queue pair takes out of a shared queue. What it took is its own until its message completes, or it
 * fails or is reset (SRQ-07). A message that did not keep what it took, because it has to be looked at packet by packet or was
 * dropped half-way, leaves it to the next: nothing that was taken goes back.
 */
public class SharedReceives extends ReceiveSource {

    private final QpTrace trace;
    private final Supplier<QpIdentity> life;
    private final EmulatedSharedReceiveQueue srq;
    private final CompletionOutput completions;
    private @Nullable ReceiveWqe taken;

    /** The object of the last one; it goes into the queue when the next is taken out, so that none has to be made. */
    private @Nullable ReceiveWqe spare;

    public SharedReceives(
            CqUser user, Supplier<QpIdentity> life, EmulatedSharedReceiveQueue srq, CompletionOutput completions) {
        super(user, life);
        this.trace = user.trace();
        this.life = life;
        this.srq = srq;
        this.completions = completions;
    }

    @Override
    @Nullable
    ReceiveWqe next() {
        return taken != null ? taken : srq.oldest();
    }

    @Override
    public ReceiveWqe take() {
        ReceiveWqe own = taken;
        if (own == null) {
            own = srq.take(spare);
            spare = null;
            taken = own;
            srq.took(trace, life.get().pd(), own);
        }
        return own;
    }

    @Override
    long completeOldest() {
        ReceiveWqe done = take();
        taken = null;
        spare = done;
        return done.id();
    }

    @Override
    public @Nullable ReceiveWqe oldestOwn() {
        return taken;
    }

    @Override
    public int size() {
        return taken == null ? 0 : 1;
    }

    @Override
    void clear() {
        if (taken != null) {
            spare = taken;
            taken = null;
        }
    }

    @Override
    CompletionOutput completions() {
        return completions;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void begin() {
        srq.countUsers(1);
    }

    @Override
    public void end() {
        srq.countUsers(-1);
    }
}
