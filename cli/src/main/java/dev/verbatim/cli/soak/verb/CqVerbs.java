// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.TrackedCq;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import java.util.List;

/** Taking completions and events. */
final class CqVerbs {

    private CqVerbs() {}

    static void poll(Worker worker) {
        TrackedCq cq = worker.side().cqs().any(worker.random());
        if (cq != null) {
            cq.poll(worker.holders());
        }
    }

    static void arm(Worker worker) {
        TrackedCq cq = worker.side().cqs().any(worker.random());
        if (cq != null) {
            cq.cq().requestNotify(worker.chance(0.3));
        }
    }

    @SuppressWarnings("ReferenceEquality") // a channel is its identity
    static void event(Worker worker) {
        CompletionChannel channel = worker.side().channels().any(worker.random());
        CompletionEvent event = channel == null ? null : channel.pollEvent();
        if (event != null) {
            if (event.cq().channel() != channel) {
                worker.world()
                        .failures()
                        .add(List.of(), "an event of %s came from another channel [NT-07]", event.cq());
            }
            worker.took(event);
        }
    }

    static void asyncEvent(Worker worker) {
        AsyncEvent event = worker.side().device().pollAsyncEvent();
        if (event != null) {
            worker.took(event);
        }
    }
}
