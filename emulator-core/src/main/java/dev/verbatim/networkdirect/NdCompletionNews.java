// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells the completion queues of an adapter what their channel announces. */
final class NdCompletionNews implements NdNews {

    private final CompletionChannel channel;

    NdCompletionNews(CompletionChannel channel) {
        this.channel = channel;
    }

    /** Lets the fabric go on, and takes what is there then. */
    void poll() {
        CompletionEvent event = channel.pollEvent();
        while (event != null) {
            tell(event);
            event = channel.pollEvent();
        }
    }

    @Override
    public void take() {
        CompletionEvent event = channel.getEvent(Duration.ZERO);
        while (event != null) {
            tell(event);
            event = channel.getEvent(Duration.ZERO);
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
