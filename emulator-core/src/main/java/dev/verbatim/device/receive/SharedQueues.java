// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.context.NumberedTable;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.cq.CompletionQueues;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The shared receive queues and the XRC domains of a device. On the lane. */
public final class SharedQueues {

    private static final int LAST_NUMBER = (1 << 24) - 1;

    private final DeviceContext device;
    private final AsyncEventQueue events;
    private final BiFunction<EmulatedXrcDomain, QpInitAttributes, QueuePair> receivers;
    private final NumberedTable<EmulatedSharedReceiveQueue> queues = new NumberedTable<>(1, LAST_NUMBER);
    private final Set<EmulatedXrcDomain> domains = new LinkedHashSet<>();

    /**
     * None yet.
     *
     * @param receivers makes a queue pair of type XRC_RECV in an XRC domain
     */
    public SharedQueues(
            DeviceContext device,
            AsyncEventQueue events,
            BiFunction<EmulatedXrcDomain, QpInitAttributes, QueuePair> receivers) {
        this.device = device;
        this.events = events;
        this.receivers = receivers;
    }

    /** The asynchronous events of the device. */
    AsyncEventQueue events() {
        return events;
    }

    QueuePair createReceiver(EmulatedXrcDomain domain, QpInitAttributes attributes) {
        return receivers.apply(domain, attributes);
    }

    public EmulatedSharedReceiveQueue create(PdIdentity pd, SrqInitAttributes attributes) {
        DeviceLimits limits = device.profile().limits();
        SrqChecks.checkSizes(limits, attributes.attributes());
        EmulatedXrcDomain domain = own(attributes.xrcDomain());
        CompletionQueue named = attributes.cq();
        if ((domain == null) != (named == null)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.XRC_01,
                    "a queue of type XRC has an XRC domain and a completion queue, a basic one neither");
        }
        EmulatedCompletionQueue cq = named == null ? null : CompletionQueues.own(device, named);
        GrantedSizes.requireRoom("max_srq", Rule.SRQ_01, queues.size(), limits.maxSrq());
        device.decided(0, Rule.SRQ_01);
        int number = queues.nextFree();
        EmulatedSharedReceiveQueue queue = new EmulatedSharedReceiveQueue(this, pd, number, attributes, domain, cq);
        queues.put(number, queue);
        pd.countSharedReceiveQueues(1);
        queue.begin();
        return queue;
    }

    private @Nullable EmulatedXrcDomain own(@Nullable XrcDomain domain) {
        if (domain == null) {
            return null;
        }
        if (domain instanceof EmulatedXrcDomain candidate && candidate.isOf(device)) {
            candidate.requireOpen();
            return candidate;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.XRC_01, "%s is not of device %s", domain, device.name());
    }

    /** A domain of its own, or, by a name, the same for all. */
    public EmulatedXrcDomain open(@Nullable String name) {
        device.requireOpen();
        if (!device.can(DeviceCapabilities.XRC)) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.XRC_01,
                    "profile %s has no XRC domains",
                    device.profile().name());
        }
        for (EmulatedXrcDomain domain : domains) {
            if (name != null && name.equals(domain.name())) {
                domain.openAgain();
                return domain;
            }
        }
        GrantedSizes.requireRoom(
                "max_xrcd",
                Rule.XRC_01,
                domains.size(),
                device.profile().limits().maxXrcd());
        device.decided(0, Rule.XRC_01);
        EmulatedXrcDomain domain = new EmulatedXrcDomain(this, device, name);
        domains.add(domain);
        return domain;
    }

    void release(EmulatedXrcDomain domain) {
        domains.remove(domain);
    }

    public int domainCount() {
        return domains.size();
    }

    /** The queue of that number; null if there is none. */
    @Nullable
    EmulatedSharedReceiveQueue get(int number) {
        return queues.get(number);
    }

    public int count() {
        return queues.size();
    }

    void release(EmulatedSharedReceiveQueue queue) {
        queues.remove(queue.tableNumber());
        events.forget(queue);
    }

    /** The device goes. */
    public void destroyAll() {
        queues.forEach(EmulatedSharedReceiveQueue::destroy);
        domains.forEach(EmulatedXrcDomain::abandon);
        domains.clear();
    }
}
