// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The receives of a queue pair that has a receive queue of its own. */
public final class OwnReceives extends ReceiveSource {

    private final ReceiveQueue queue;
    private final CompletionOutput completions;

    public OwnReceives(CqUser user, Supplier<QpIdentity> life, ReceiveQueue queue, CompletionOutput completions) {
        super(user, life);
        this.queue = queue;
        this.completions = completions;
    }

    @Override
    CompletionOutput completions() {
        return completions;
    }

    @Override
    @Nullable
    ReceiveWqe next() {
        return queue.oldest();
    }

    @Override
    public ReceiveWqe take() {
        ReceiveWqe oldest = queue.oldest();
        if (oldest == null) {
            throw new IllegalStateException("there is no receive to take; ask oldest() first");
        }
        return oldest;
    }

    @Override
    long completeOldest() {
        return queue.completeOldest();
    }

    @Override
    public @Nullable ReceiveWqe oldestOwn() {
        return queue.oldest();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    void clear() {
        queue.clear();
    }
}
