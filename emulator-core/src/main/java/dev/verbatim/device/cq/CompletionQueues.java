// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
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

    private static final int PRIME = 31;

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
        checkEntries(profile.limits(), Rule.CQ_01, entries);
        checkVector(profile.limits(), completionVector);
        boolean stamped = isStamped(fields);
        GrantedSizes.requireRoom(
                "max_cq", Rule.MR_16, queues.size(), profile.limits().maxCq());
        EmulatedCompletionChannel own = own(device, channel);
        EmulatedCompletionQueue cq =
                new EmulatedCompletionQueue(this, ++created, granted(profile, entries), context, own, stamped);
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

    /** Adds those whose completions nobody has polled. */
    public void addUnpolled(List<Standstill> standstills) {
        for (EmulatedCompletionQueue cq : queues) {
            WorkCompletion oldest = cq.oldestUnpolled();
            if (oldest != null) {
                standstills.add(new Standstill(
                        Standstill.Kind.COMPLETION, oldest.qpNumber(), oldest.id(), cq.reasonOfUnpolled(oldest)));
            }
        }
    }

    /** A number that is another one when completions were added or polled. */
    public long progress() {
        long sum = 0;
        for (EmulatedCompletionQueue cq : queues) {
            sum = sum * PRIME + cq.progress();
        }
        return sum;
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

    /** The completion queue of this device that a program names for a queue pair or a shared receive queue (QP-04). */
    public static EmulatedCompletionQueue own(DeviceContext device, CompletionQueue cq) {
        if (cq instanceof EmulatedCompletionQueue candidate && candidate.isOf(device)) {
            if (!candidate.isOpen()) {
                throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s was destroyed before", cq);
            }
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.QP_04, "%s is not a completion queue of %s", cq, device);
    }

    static void checkEntries(DeviceLimits limits, Rule rule, int entries) {
        int most = limits.maxCqe();
        if (entries < 1 || entries > most) {
            throw VerbsException.of(Errno.EINVAL, rule, "cqe=%d is not in 1..%d", entries, most);
        }
    }

    /** How many entries a queue has that was asked for with so many. */
    static int granted(DeviceProfile profile, int asked) {
        return GrantedSizes.queue(profile, asked, profile.limits().maxCqe());
    }

    static void checkVector(DeviceLimits limits, int completionVector) {
        if (completionVector < 0 || completionVector >= limits.completionVectors()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CQ_01,
                    "comp_vector=%d is not in 0..%d",
                    completionVector,
                    limits.completionVectors() - 1);
        }
    }

    /** Whether completions are to have a timestamp, which is all that they can have beside the usual. */
    static boolean isStamped(int fields) {
        if ((fields & ~CompletionQueue.WITH_TIMESTAMP) != 0) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.CQ_06,
                    "fields=0x%x has others than WITH_TIMESTAMP=0x%x",
                    fields,
                    CompletionQueue.WITH_TIMESTAMP);
        }
        return fields != 0;
    }

    static @Nullable EmulatedCompletionChannel own(DeviceContext device, @Nullable CompletionChannel channel) {
        if (channel == null) {
            return null;
        }
        if (channel instanceof EmulatedCompletionChannel candidate && candidate.device() == device) {
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.CQ_01, "the completion channel is not of device %s", device.name());
    }
}
