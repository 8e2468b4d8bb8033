// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.Device;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of a node and the notifications of its completion channels, taken and acknowledged. */
public final class NodeEvents {

    private final EventInbox inbox;
    private final NamedObjects<CompletionChannel> channels;
    private final Map<String, CompletionEvent> notified = new LinkedHashMap<>();
    private final Deque<Runnable> unacknowledged = new ArrayDeque<>();

    NodeEvents(Device device, NamedObjects<CompletionChannel> channels) {
        this.inbox = new EventInbox(device);
        this.channels = channels;
    }

    /** The next asynchronous event; null if none has occurred. It stays the next. */
    @Nullable
    public AsyncEvent peek() {
        return inbox.peek();
    }

    /** The next asynchronous event if a program that looks finds it already (N11); null if not. It stays the next. */
    @Nullable
    public AsyncEvent poll() {
        return inbox.poll();
    }

    /** Takes the event that was seen last, and acknowledges it unless that is left for later. */
    public void take(boolean acknowledged) {
        AsyncEvent taken = inbox.take();
        if (taken != null) {
            acknowledge(taken::acknowledge, acknowledged);
        }
    }

    /** Takes all events that have occurred, and returns every one that was taken since the beginning, in that order. */
    public List<AsyncEvent> takeAllEvents() {
        while (inbox.peek() != null) {
            take(true);
        }
        return inbox.taken();
    }

    /** Whether the channel of that completion queue has a notification. */
    public boolean isNotified(String cq) {
        CompletionChannel channel = channels.get(cq);
        if (!notified.containsKey(cq)) {
            CompletionEvent fresh = channel.pollEvent();
            if (fresh != null) {
                notified.put(cq, fresh);
            }
        }
        return notified.containsKey(cq);
    }

    /** Takes the notification that {@link #isNotified} shows, and acknowledges it unless that is left for later. */
    public void takeNotification(String cq, boolean acknowledged) {
        CompletionEvent taken = notified.remove(cq);
        if (taken != null) {
            acknowledge(taken::acknowledge, acknowledged);
        }
    }

    private void acknowledge(Runnable call, boolean now) {
        if (now) {
            call.run();
        } else {
            unacknowledged.addLast(call);
        }
    }

    /** Acknowledges what was taken and not acknowledged; returns how many. */
    public int acknowledgeAll() {
        int count = unacknowledged.size();
        while (!unacknowledged.isEmpty()) {
            unacknowledged.removeFirst().run();
        }
        return count;
    }

    /** Takes and acknowledges everything, so that what it is about can be destroyed. */
    void takeAll() {
        takeAllEvents();
        acknowledgeAll();
        List.copyOf(notified.keySet()).forEach(cq -> takeNotification(cq, true));
    }
}
