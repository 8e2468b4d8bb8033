// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.memory.EmulatedDeviceMemory;
import dev.verbatim.device.memory.EmulatedMemoryRegion;
import dev.verbatim.device.memory.OnDemandPaging;
import dev.verbatim.device.memory.RegionHandle;
import dev.verbatim.device.memory.Registration;
import dev.verbatim.device.qp.EmulatedAddressHandle;
import dev.verbatim.device.qp.QpAttributeChecks;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protection domain as programs have it: what makes objects in it. */
public final class EmulatedProtectionDomain implements ProtectionDomain {

    private final EmulatedDevice owner;
    private final DeviceContext device;
    private final PdIdentity identity;

    EmulatedProtectionDomain(EmulatedDevice owner, int number) {
        this.owner = owner;
        this.device = owner.context();
        this.identity = new PdIdentity(device, number, this);
    }

    /** Which domain of a device a program names; null if none. */
    static @Nullable PdIdentity identityOf(ProtectionDomain pd) {
        return pd instanceof EmulatedProtectionDomain own ? own.identity : null;
    }

    /** The domain as the device compares it. */
    public PdIdentity identity() {
        return identity;
    }

    @Override
    public Device device() {
        return owner;
    }

    @Override
    public MemoryRegion register(Memory memory, long offset, long lengthBytes, int access) {
        VerbsException.requireNonNull(memory, "memory");
        return registerIova(memory, offset, lengthBytes, memory.address() + offset, access);
    }

    @Override
    public MemoryRegion registerIova(Memory memory, long offset, long lengthBytes, long iova, int access) {
        VerbsException.requireNonNull(memory, "memory");
        long address = (access & AccessFlags.ZERO_BASED) != 0 ? 0 : iova;
        return device.onLane(() -> {
            if (!identity.isOpen()) {
                device.decided(0, Rule.MR_09);
            }
            identity.requireOpenForNew("memory region");
            return device.made(
                    new RegionHandle(owner.memory(), registered(memory, offset, lengthBytes, address, access)));
        });
    }

    private EmulatedMemoryRegion registered(Memory memory, long offset, long lengthBytes, long address, int access) {
        Registration.check(device, memory, offset, lengthBytes, address, access);
        return owner.memory().register(identity, memory, offset, lengthBytes, address, access);
    }

    @Override
    public MemoryRegion register(DeviceMemory memory, int offset, int lengthBytes, int access) {
        VerbsException.requireNonNull(memory, "memory");
        return device.onLane(() -> {
            identity.requireOpenForNew("memory region");
            if (!(memory instanceof EmulatedDeviceMemory onboard)) {
                throw VerbsException.of(Errno.EINVAL, Rule.DM_03, "%s is not of device %s", memory, device.name());
            }
            Memory bytes = onboard.forRegion(device, offset, lengthBytes, access);
            EmulatedMemoryRegion region = registered(bytes, offset, lengthBytes, 0, access);
            onboard.countRegions(1);
            return device.made(new RegionHandle(owner.memory(), region, onboard));
        });
    }

    @Override
    public MemoryRegion allocateNullRegion() {
        Memory nothing = Memory.allocate(0);
        return device.onLane(() -> {
            identity.requireOpenForNew("memory region");
            return device.made(new RegionHandle(owner.memory(), owner.memory().registerNull(identity, nothing)));
        });
    }

    @Override
    public MemoryWindow allocateWindow(MemoryWindowType type) {
        VerbsException.requireNonNull(type, "type");
        return device.onLane(() -> {
            identity.requireOpenForNew("memory window");
            return device.made(owner.memory().allocate(identity, type));
        });
    }

    @Override
    public void advise(int advice, int flags, List<Sge> elements) {
        VerbsException.requireNonNull(elements, "elements");
        device.callTold(() -> {
            identity.requireOpenForNew("advice");
            OnDemandPaging.advise(device, owner.memory().keys(), identity, advice, flags, elements);
        });
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector addressVector) {
        VerbsException.requireNonNull(addressVector, "addressVector");
        return device.onLane(() -> {
            identity.requireOpenForNew("address handle");
            QpAttributeChecks.checkAddressVector(device.profile().limits(), addressVector);
            identity.countAddressHandles(1);
            return device.made(new EmulatedAddressHandle(identity, addressVector));
        });
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) {
        VerbsException.requireNonNull(attributes, "attributes");
        return device.onLane(() -> {
            identity.requireOpenForNew("shared receive queue");
            return device.made(owner.sharedQueues().create(identity, attributes));
        });
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) {
        VerbsException.requireNonNull(attributes, "attributes");
        return device.onLane(() -> {
            identity.requireOpenForNew("queue pair");
            if (attributes.type() == QpType.XRC_RECV) {
                throw VerbsException.of(
                        Errno.EINVAL,
                        Rule.XRC_01,
                        "qp_type=XRC_RECV is made in an XRC domain, which has no keys of its own");
            }
            return device.made(owner.queuePairs().create(identity, null, attributes));
        });
    }

    @Override
    public void close() {
        device.lane().call(() -> {
            identity.close();
            owner.release(this);
            device.closed(this);
        });
    }

    @Override
    public String toString() {
        return identity.toString();
    }
}
