// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Right's way: it waits for left, on a thread of its own, so that left can be told meanwhile that it may come. */
final class Answering implements Way {

    private final Party right;
    private final Door door;
    private @Nullable FutureTask<Void> awaited;

    Answering(Party right, Door door) {
        this.right = right;
        this.door = door;
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
        right.accept(known == null ? door.await() : door.await(known), 0);
    }

    @Override
    public void complete() {
        FutureTask<Void> task = awaited;
        awaited = null;
        if (task == null) {
            throw new IllegalStateException("complete() without begin()");
        }
        try {
            task.get(Party.PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            right.tidy();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof VerbsException failure ? failure : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "left did not connect again within %d s; see whether it still runs",
                    Party.PATIENCE.toSeconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VerbsException.of(Errno.EINTR, Rule.N_05, "interrupted while left connects again");
        }
    }
}
