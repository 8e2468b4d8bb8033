// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The completion queues and completion channels of a device. On the lane. */
public final class CompletionQueues {

    /** So many failures are kept that were not polled and can no longer be polled. */
    static final int MOST_DROPPED_FAILURES = 64;

    private final DeviceContext device;
    private final AsyncEventQueue events;
    private final Set<EmulatedCompletionQueue> queues = new LinkedHashSet<>();
    private final Set<EmulatedCompletionChannel> channels = new LinkedHashSet<>();
    /** Completions that failed and went with their queue pair or queue before anybody polled them: the oldest few. */
    private final List<WorkCompletion> droppedFailures = new ArrayList<>();

    /** How many completion queues there were; they are numbered from 1. */
    private int created;

    public CompletionQueues(DeviceContext device, AsyncEventQueue events) {
        this.device = device;
        this.events = events;
    }

    public EmulatedCompletionChannel createChannel() {
        device.requireOpen();
        EmulatedCompletionChannel channel = new EmulatedCompletionChannel(device, channels::remove);
        channels.add(channel);
        return channel;
    }

    public EmulatedCompletionQueue create(
            int entries,
            @Nullable Object context,
            @Nullable CompletionChannel channel,
            int completionVector,
            int fields) {
        device.requireOpen();
        DeviceProfile profile = device.profile();
        CqCreation.checkEntries(profile.limits(), Rule.CQ_01, entries);
        CqCreation.checkVector(profile.limits(), completionVector);
        boolean stamped = CqCreation.isStamped(fields);
        GrantedSizes.requireRoom(
                "max_cq", Rule.MR_16, queues.size(), profile.limits().maxCq());
        EmulatedCompletionChannel own = CqCreation.own(device, channel);
        EmulatedCompletionQueue cq = new EmulatedCompletionQueue(
                this, ++created, CqCreation.granted(profile, entries), context, own, stamped);
        if (own != null) {
            own.addUser(cq);
        }
        queues.add(cq);
        return cq;
    }

    DeviceContext device() {
        return device;
    }

    /** The asynchronous events of the device. */
    AsyncEventQueue events() {
        return events;
    }

    /** A completion that was not polled and can no longer be polled. */
    void dropFailure(WorkCompletion failure) {
        if (droppedFailures.size() < MOST_DROPPED_FAILURES) {
            droppedFailures.add(failure);
        }
    }

    /** Completions that failed and were not polled. */
    public List<WorkCompletion> unpolledFailures() {
        List<WorkCompletion> failures = new ArrayList<>(droppedFailures);
        queues.forEach(cq -> cq.forEachFailure(failures::add));
        return failures;
    }

    void release(EmulatedCompletionQueue cq) {
        queues.remove(cq);
        events.forget(cq);
    }

    public int count() {
        return queues.size();
    }

    public int channelCount() {
        return channels.size();
    }

    /** The device dies; nothing is made here, since the heap may be full. */
    public void die(Refusal reason) {
        for (EmulatedCompletionQueue cq : queues) {
            cq.die(reason);
        }
    }

    /** The device is closed with all that it has. */
    public void abandonAll() {
        queues.forEach(EmulatedCompletionQueue::abandon);
        queues.clear();
        channels.forEach(EmulatedCompletionChannel::abandon);
        channels.clear();
    }
}
