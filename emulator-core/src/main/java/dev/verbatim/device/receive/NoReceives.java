// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The receives of a queue pair that has no receive queue of any kind: the sending end of an XRC connection. */
public class NoReceives extends ReceiveSource {

    public NoReceives(CqUser user, Supplier<QpIdentity> life) {
        super(user, life);
    }

    @Override
    @Nullable
    ReceiveWqe next() {
        return null;
    }

    @Override
    public ReceiveWqe take() {
        throw none();
    }

    @Override
    long completeOldest() {
        throw none();
    }

    @Override
    CompletionOutput completions() {
        throw none();
    }

    private static IllegalStateException none() {
        return new IllegalStateException("there is no receive queue here");
    }

    @Override
    public @Nullable ReceiveWqe oldestOwn() {
        return null;
    }

    @Override
    public void showCompletions() {}

    @Override
    public int size() {
        return 0;
    }

    @Override
    void clear() {}

    @Override
    public void forget() {}
}
