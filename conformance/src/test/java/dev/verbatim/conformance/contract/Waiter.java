// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;

/** The two ways in which a program waits for a completion. */
enum Waiter {
    /** Polls again and again. */
    SPINNING {
        @Override
        WorkCompletion next(CompletionQueue cq) {
            return cq.awaitCompletion(Await.LIMIT);
        }
    },

    /** Arms the queue, polls once more, and sleeps until the completion channel has an event. */
    PARKED {
        @Override
        WorkCompletion next(CompletionQueue cq) {
            CompletionChannel channel = cq.channel();
            assertThat(channel).isNotNull();
            while (true) {
                cq.requestNotify(false);
                List<WorkCompletion> completions = cq.poll(1);
                if (!completions.isEmpty()) {
                    return completions.get(0);
                }
                CompletionEvent event = channel.getEvent(Await.LIMIT);
                event.acknowledge();
            }
        }
    };

    /** The next completion of the queue; fails if none comes. */
    abstract WorkCompletion next(CompletionQueue cq);
}
