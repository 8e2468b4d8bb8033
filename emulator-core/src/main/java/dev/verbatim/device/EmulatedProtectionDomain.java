// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import java.util.Objects;

/** A protection domain and what was made in it. */
public final class EmulatedProtectionDomain implements ProtectionDomain {

    private final EmulatedDevice device;
    private final int number;
    private int regions;
    private int windows;
    private int queuePairs;
    private int sharedReceiveQueues;
    private int addressHandles;
    private boolean open = true;

    EmulatedProtectionDomain(EmulatedDevice device, int number) {
        this.device = device;
        this.number = number;
    }

    @Override
    public EmulatedDevice device() {
        return device;
    }

    @Override
    public MemoryRegion register(Memory memory, int offset, int lengthBytes, int access) {
        return registerIova(memory, offset, lengthBytes, memory.address() + offset, access);
    }

    @Override
    public MemoryRegion registerIova(Memory memory, int offset, int lengthBytes, long iova, int access) {
        long address = (access & AccessFlags.ZERO_BASED) != 0 ? 0 : iova;
        return device.onLane(() -> {
            if (!open) {
                device.decided(0, "MR-09");
            }
            requireOpenForNew("memory region");
            Registration.check(device, memory, offset, lengthBytes, address, access);
            EmulatedMemoryRegion region = device.memory().register(this, memory, offset, lengthBytes, address, access);
            regions++;
            return new RegionHandle(region);
        });
    }

    @Override
    public MemoryWindow allocateWindow(MemoryWindowType type) {
        Objects.requireNonNull(type, "type");
        return device.onLane(() -> {
            requireOpenForNew("memory window");
            EmulatedMemoryWindow window = device.memory().allocate(this, type);
            windows++;
            return window;
        });
    }

    void deallocate(EmulatedMemoryWindow window) {
        device.memory().deallocate(window);
        windows--;
    }

    void regionGone() {
        regions--;
    }

    /** A region of this domain is one of the other from now on (MR-67). */
    void regionMoved(EmulatedProtectionDomain other) {
        regions--;
        other.regions++;
    }

    @Override
    public void advise(int advice, int flags, List<Sge> elements) {
        throw VerbsException.of(
                Errno.EOPNOTSUPP,
                "MR-72",
                "advice=%d: advice is for on-demand paging, which the device has not",
                advice);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector addressVector) {
        return device.onLane(() -> {
            requireOpenForNew("address handle");
            QpAttributeChecks.checkAddressVector(addressVector);
            device.countAddressHandles(1);
            addressHandles++;
            return new EmulatedAddressHandle(this, addressVector);
        });
    }

    void addressHandleGone() {
        device.countAddressHandles(-1);
        addressHandles--;
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) {
        return device.onLane(() -> {
            requireOpenForNew("shared receive queue");
            SharedReceiveQueue srq = device.sharedQueues().create(this, attributes);
            sharedReceiveQueues++;
            return srq;
        });
    }

    void sharedReceiveQueueGone() {
        sharedReceiveQueues--;
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) {
        return device.onLane(() -> {
            requireOpenForNew("queue pair");
            if (attributes.type() == QpType.XRC_RECV) {
                throw VerbsException.of(
                        Errno.EINVAL,
                        "XRC-01",
                        "qp_type=XRC_RECV is made in an XRC domain, which has no keys of its own");
            }
            return device.createQueuePair(this, null, attributes);
        });
    }

    void countQueuePairs(int change) {
        queuePairs += change;
    }

    @Override
    public void close() {
        device.lane().call(() -> {
            if (!open || !device.isOpen()) {
                throw VerbsException.of(Errno.ENOENT, "PD-03", "%s was freed before", this);
            }
            if (regions + windows + queuePairs + sharedReceiveQueues + addressHandles > 0) {
                throw VerbsException.of(
                        Errno.EBUSY,
                        "PD-01",
                        "%s has regions=%d windows=%d queue pairs=%d shared receive queues=%d address handles=%d; close them"
                                + " first",
                        this,
                        regions,
                        windows,
                        queuePairs,
                        sharedReceiveQueues,
                        addressHandles);
            }
            open = false;
            device.release(this);
        });
    }

    void requireOpenForNew(String what) {
        device.requireOpen();
        if (!open) {
            throw VerbsException.of(
                    Errno.ENOENT, "PD-02", "no %s can be made in %s: it was freed; allocate another", what, this);
        }
    }

    @Override
    public String toString() {
        return "pd " + number;
    }
}
