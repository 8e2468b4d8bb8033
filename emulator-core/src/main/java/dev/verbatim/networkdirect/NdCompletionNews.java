// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells the completion queues of an adapter what their channel announces. */
final class NdCompletionNews implements NdNews {

    private final CompletionChannel channel;
    private volatile boolean gone;

    NdCompletionNews(CompletionChannel channel) {
        this.channel = channel;
    }

    /** Whether the channel went with its device. */
    boolean isGone() {
        return gone;
    }

    /** Lets the fabric go on, and takes what is there then. */
    void poll() {
        boolean isThere = takeOne();
        if (isThere) {
            take();
        }
    }

    @Override
    public void take() {
        while (!gone && channel.hasEvent() && takeOne()) {
            // The next one.
        }
    }

    private boolean takeOne() {
        if (gone) {
            return false;
        }
        try {
            CompletionEvent event = channel.pollEvent();
            if (event != null) {
                tell(event);
            }
            return event != null;
        } catch (VerbsException closed) {
            gone = true;
            return false;
        }
    }

    @Override
    public boolean park(Duration patience) {
        CompletionEvent event;
        try {
            event = channel.getEvent(patience);
        } catch (VerbsException nothing) {
            gone |= nothing.errno() == Errno.EINVAL;
            return NdNews.timedOut(nothing);
        }
        tell(event);
        return true;
    }

    private static void tell(CompletionEvent event) {
        @Nullable Object queue = event.cq().context();
        // Given back first: the queue may be released by who is told.
        event.acknowledge();
        if (queue instanceof NdCompletionQueue ours) {
            ours.announced();
        }
    }
}
