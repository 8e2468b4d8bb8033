// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How right connects: it waits for left, on a thread of its own, so that left can be told meanwhile that it may come. */
final class PassiveConnect implements ConnectMethod {

    private final DemoEndpoint right;
    private final DemoListener listener;
    private @Nullable FutureTask<Void> awaited;

    PassiveConnect(DemoEndpoint right, DemoListener listener) {
        this.right = right;
        this.listener = listener;
    }

    @Override
    public void begin() {
        FutureTask<Void> task = new FutureTask<>(this::meet, null);
        Thread thread = new Thread(task, "verbatim-answering");
        thread.setDaemon(true);
        thread.start();
        awaited = task;
    }

    private void meet() {
        Gid known = right.awaitDisconnected();
        right.accept(known == null ? listener.await() : listener.await(known), 0);
    }

    @Override
    public void complete() {
        FutureTask<Void> task = awaited;
        awaited = null;
        if (task == null) {
            throw new IllegalStateException("complete() without begin()");
        }
        try {
            task.get(DemoEndpoint.PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            right.tidy();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof VerbsException failure ? failure : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "left did not connect again within %d s; see whether it still runs",
                    DemoEndpoint.PATIENCE.toSeconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, Rule.N_05, "interrupted while left connects again");
        }
    }
}
