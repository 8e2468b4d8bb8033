// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.function.Supplier;
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
        tellAll(channel::pollEvent);
    }

    @Override
    public void take() {
        tellAll(() -> channel.getEvent(Duration.ZERO));
    }

    private void tellAll(Supplier<@Nullable CompletionEvent> source) {
        if (gone) {
            return;
        }
        try {
            CompletionEvent event = source.get();
            while (event != null) {
                tell(event);
                event = source.get();
            }
        } catch (VerbsException closed) {
            gone = true;
        }
    }

    @Override
    public boolean park(Duration patience) {
        CompletionEvent event = channel.getEvent(patience);
        if (event != null) {
            tell(event);
        }
        return event != null;
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
