// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An XRC domain: the receiving ends of XRC connections, and the shared receive queues that they reach by number. On the lane. */
public final class EmulatedXrcDomain implements XrcDomain {

    private final SharedQueues owner;
    private final DeviceContext device;
    private final @Nullable String name;

    /** Its queue pairs have no domain of their own: in this one there is nothing else, so no key is good in it. */
    private final PdIdentity hiddenPd;

    private final Set<XrcReceives> receivers = new LinkedHashSet<>();
    private int sharedReceiveQueues;
    private int openings = 1;

    EmulatedXrcDomain(SharedQueues owner, DeviceContext device, @Nullable String name) {
        this.owner = owner;
        this.device = device;
        this.name = name;
        this.hiddenPd = new PdIdentity(device, 0, null);
    }

    @Override
    public Device device() {
        return device.handle();
    }

    /** Whether it is an XRC domain of that device. */
    boolean isOf(DeviceContext candidate) {
        return device == candidate;
    }

    /** The protection domain of its queue pairs, in which no key is valid. */
    public PdIdentity hiddenPd() {
        return hiddenPd;
    }

    /** The name under which others open it too; null if none can. */
    @Nullable
    String name() {
        return name;
    }

    void openAgain() {
        openings++;
    }

    void requireOpen() {
        device.requireOpen();
        requireNotClosed();
    }

    private void requireNotClosed() {
        if (!isOpen() || !device.isOpen()) {
            throw VerbsException.of(Errno.ENOENT, Rule.XRC_01, "%s was closed before", this);
        }
    }

    boolean isOpen() {
        return openings > 0;
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) {
        return device.onLane(() -> {
            requireOpen();
            if (attributes.type() != QpType.XRC_RECV) {
                throw VerbsException.of(
                        Errno.EINVAL,
                        Rule.XRC_01,
                        "qp_type=%s is not made in an XRC domain; only XRC_RECV is",
                        attributes.type());
            }
            return owner.createReceiver(this, attributes);
        });
    }

    /** One of its queue pairs comes to be. */
    void add(XrcReceives receives) {
        receivers.add(receives);
    }

    /** One of its queue pairs is destroyed. */
    void remove(XrcReceives receives) {
        receivers.remove(receives);
    }

    void add(EmulatedSharedReceiveQueue srq) {
        sharedReceiveQueues++;
    }

    /** The queue is destroyed: none of the queue pairs has anything of it any more. */
    void release(EmulatedSharedReceiveQueue srq) {
        sharedReceiveQueues--;
        for (XrcReceives receives : receivers) {
            receives.forget(srq);
        }
    }

    /** The shared receive queue that requests name by this number; null if there is none in this domain. */
    @Nullable
    EmulatedSharedReceiveQueue queue(int number) {
        EmulatedSharedReceiveQueue srq = owner.get(number);
        return srq == null || srq.xrcDomain() != this || srq.isBroken() ? null : srq;
    }

    @Override
    public void close() {
        device.lane().call(() -> {
            requireNotClosed();
            if (openings == 1 && receivers.size() + sharedReceiveQueues > 0) {
                throw VerbsException.of(
                        Errno.EBUSY,
                        Rule.XRC_01,
                        "%s has queue pairs=%d shared receive queues=%d; destroy them first",
                        this,
                        receivers.size(),
                        sharedReceiveQueues);
            }
            openings--;
            device.closed(this);
            if (openings == 0) {
                owner.release(this);
            }
        });
    }

    /** The device goes. */
    void abandon() {
        openings = 0;
    }

    @Override
    public String toString() {
        return "xrc domain " + (name == null ? "" : name + " ") + "of " + device.name();
    }
}
