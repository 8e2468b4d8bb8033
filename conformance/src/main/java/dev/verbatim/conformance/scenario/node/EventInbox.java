// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a node: the one that was seen and not taken, and those that were taken. */
final class EventInbox {

    private final Device device;
    private final List<AsyncEvent> taken = new ArrayList<>();
    private @Nullable AsyncEvent next;

    EventInbox(Device device) {
        this.device = device;
    }

    /** The next event; null if none has occurred. It stays the next. */
    @Nullable
    AsyncEvent peek() {
        if (next == null) {
            next = await();
        }
        return next;
    }

    private @Nullable AsyncEvent await() {
        try {
            return device.getAsyncEvent(Duration.ZERO);
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return null;
            }
            throw e;
        }
    }

    /** The next event if a program that looks finds it already (N11); null if not. It stays the next. */
    @Nullable
    AsyncEvent poll() {
        if (next == null) {
            next = device.pollAsyncEvent();
        }
        return next;
    }

    /** Takes the event that was seen last; null if none was. */
    @Nullable
    AsyncEvent take() {
        AsyncEvent seen = next;
        next = null;
        if (seen != null) {
            taken.add(seen);
        }
        return seen;
    }

    /** All that were taken, in that order. */
    List<AsyncEvent> taken() {
        return List.copyOf(taken);
    }
}
