// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.inspect.DeviceInspector;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.visibility.MemoryDomain;
import dev.verbatim.visibility.MemorySystem;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The regions and windows of a device: they come and go here, and what their keys name changes here and by the
 * window operations of queue pairs. On the lane.
 */
public final class DeviceMemory {

    /** How many indexes may be left out, less one, where numbers are left to choice (N14). */
    private static final int MOST_INDEXES_LEFT_OUT = 4;

    private final DeviceContext device;
    private final Function<ProtectionDomain, @Nullable PdIdentity> identities;
    private final KeyTable keys;
    private final CurrentPacket currentPacket = new CurrentPacket();
    private final PlacementBuffer placements;
    private int windowsMade;

    /**
     * The memory of a device, without regions and windows.
     *
     * @param identities which domain of a device a program names; null if none
     */
    public DeviceMemory(DeviceContext device, Function<ProtectionDomain, @Nullable PdIdentity> identities) {
        this.device = device;
        this.identities = identities;
        this.keys = new KeyTable(device);
        this.placements = new PlacementBuffer(device);
    }

    DeviceContext device() {
        return device;
    }

    /** The domain of this device that a program names; null if it is none. */
    @Nullable
    PdIdentity identityOf(ProtectionDomain pd) {
        PdIdentity identity = identities.apply(pd);
        return identity != null && identity.device() == device ? identity : null;
    }

    public KeyTable keys() {
        return keys;
    }

    public CurrentPacket currentPacket() {
        return currentPacket;
    }

    public PlacementBuffer placements() {
        return placements;
    }

    public EmulatedMemoryRegion register(
            PdIdentity pd, Memory memory, long offset, long lengthBytes, long address, int access) {
        requireRoomForRegion();
        int lkey = requireKey(keys.nextRegionKey(indexesLeftOut()), Rule.MR_16);
        int rkey = remoteKey(lkey, access);
        EmulatedMemoryRegion region =
                new EmulatedMemoryRegion(pd, memory, offset, lengthBytes, address, access, lkey, rkey, 0);
        // Other regions of the same bytes are not looked at.
        device.decided(0, Rule.MR_15);
        keys.add(region);
        inspectNew(region);
        pd.countRegions(1);
        traceKeys(region, true);
        return region;
    }

    /**
     * Makes a null region, which is there for local elements only (MR-75).
     *
     * @param nothing a memory of no bytes
     */
    public EmulatedMemoryRegion registerNull(PdIdentity pd, Memory nothing) {
        if (!device.profile().nullRegions()) {
            throw VerbsException.of(Errno.EOPNOTSUPP, Rule.MR_75, "profile %s has no null regions", device.profile());
        }
        requireRoomForRegion();
        int lkey = requireKey(keys.nextRegionKey(indexesLeftOut()), Rule.MR_16);
        EmulatedMemoryRegion region = new EmulatedMemoryRegion(pd, nothing, lkey);
        keys.add(region);
        pd.countRegions(1);
        device.decided(0, Rule.MR_75);
        return region;
    }

    private void requireRoomForRegion() {
        GrantedSizes.requireRoom(
                "max_mr",
                Rule.MR_16,
                keys.regionCount(),
                device.profile().limits().maxMr());
    }

    private void inspectNew(EmulatedMemoryRegion region) {
        DeviceInspector inspector = device.inspector();
        if (inspector != null) {
            inspector.registered(
                    region.lkey(),
                    region.rkey(),
                    region.memory(),
                    region.offset(),
                    region.lengthBytes(),
                    region.address(),
                    region.access());
        }
    }

    private void inspectKey(int rkey, boolean valid, int qpNumber) {
        DeviceInspector inspector = device.inspector();
        if (inspector != null) {
            inspector.windowKey(rkey, valid, qpNumber, device.lane().nowNanos());
        }
    }

    /** What belongs to that local key. */
    private int remoteKey(int lkey, int access) {
        device.decided(0, Rule.MR_13);
        if (device.profile().lkeyEqualsRkey()) {
            return lkey;
        }
        return Registration.grantsRemote(access) || device.profile().rkeyWithoutRights() ? Rkey.increment(lkey) : 0;
    }

    private int indexesLeftOut() {
        return device.choose(ChoicePoint.KEY_INDEX, MOST_INDEXES_LEFT_OUT);
    }

    private static int requireKey(int key, Rule rule) {
        if (key == KeyTable.NO_KEY) {
            throw VerbsException.of(Errno.ENOMEM, rule, "no key index is free");
        }
        return key;
    }

    /**
     * A region is to be deregistered although windows are bound to it (MR-50).
     *
     * @throws VerbsException EBUSY or EINVAL, unless the profile has it that the windows are orphans from then on
     */
    void deregisteringBound(EmulatedMemoryRegion region) {
        device.decided(0, Rule.MR_50);
        Errno errno = switch (device.profile().windows().boundRegion()) {
            case EBUSY -> Errno.EBUSY;
            case EINVAL -> Errno.EINVAL;
            case ORPHAN -> null;
        };
        if (errno != null) {
            throw VerbsException.of(
                    errno,
                    Rule.MR_50,
                    "%s has windows=%d bound to it; invalidate, rebind or deallocate them first",
                    region,
                    region.windows());
        }
    }

    void deregister(EmulatedMemoryRegion region) {
        // Neither posted receives nor requests in progress delay it.
        device.decided(0, Rule.MR_52);
        device.decided(0, Rule.MR_53);
        end(region, Revocation.DEREGISTRATION);
        keys.remove(region);
        device.decided(0, Rule.MR_55);
    }

    /** The device is closed with all that it has. */
    public void endAll() {
        keys.forEachWindow(EmulatedMemoryWindow::end);
        keys.forEachRegion(this::deregister);
    }

    /** From now on nothing comes by the keys of a region: not to be seen, not to be sent, and not any more. */
    private void end(EmulatedMemoryRegion region, Revocation revocation) {
        placements.showAll(region);
        region.end();
        DeviceInspector inspector = device.inspector();
        if (inspector != null && !region.isNull()) {
            inspector.deregistered(region.lkey(), device.lane().nowNanos());
        }
        keys.revoke(region, revocation);
        device.decided(0, Rule.KEY_P2);
        letGo(region);
        device.decided(0, Rule.MR_54);
        device.decided(0, Rule.N_01);
        traceKeys(region, false);
    }

    /** One region ends and another begins in its place; its keys are new, unless the device keeps them (MR-65 to MR-67). */
    EmulatedMemoryRegion reregister(
            EmulatedMemoryRegion old,
            PdIdentity pd,
            Memory memory,
            long offset,
            long lengthBytes,
            long address,
            int access) {
        end(old, Revocation.REREGISTRATION);
        int lkey = device.profile().reregKeepsKeys() ? old.lkey() : keys.renewedRegionKey(old.lkey());
        EmulatedMemoryRegion region = new EmulatedMemoryRegion(
                pd, memory, offset, lengthBytes, address, access, lkey, remoteKey(lkey, access), old.binding() + 1);
        keys.replace(region);
        inspectNew(region);
        traceKeys(region, true);
        return region;
    }

    public EmulatedMemoryWindow allocate(PdIdentity pd, MemoryWindowType type) {
        WindowTypes.require(device, type);
        GrantedSizes.requireRoom(
                "max_mw",
                Rule.MW_03,
                keys.windowCount(),
                device.profile().limits().maxMw());
        int rkey = requireKey(keys.nextWindowKey(indexesLeftOut()), Rule.MW_03);
        if (type == MemoryWindowType.TYPE_2) {
            device.decided(0, Rule.KEY_06);
        }
        device.decided(0, Rule.MW_01);
        boolean comparesDomain = WindowTypes.comparesDomain(device.profile().windows(), type);
        EmulatedMemoryWindow window = new EmulatedMemoryWindow(this, pd, type, comparesDomain, ++windowsMade, rkey);
        device.decided(0, Rule.MW_04);
        keys.addWindow(window);
        pd.countWindows(1);
        device.decided(0, Rule.MW_05);
        trace(WindowChange.ALLOCATED, window, 0);
        return window;
    }

    /** Ends a window in whatever state; what it was bound to is free of it (MW-06). */
    void deallocate(EmulatedMemoryWindow window) {
        if (window.isBound()) {
            device.decided(0, Rule.MW_07);
            revoke(window, Revocation.DEALLOCATION, 0, 0);
        } else if (window.binding() == 0 || window.type() == MemoryWindowType.TYPE_1) {
            // Its key was not revoked before.
            keys.history().add(window, Revocation.DEALLOCATION, 0);
            inspectKey(window.key(), false, 0);
        }
        trace(WindowChange.DEALLOCATED, window, 0);
        window.unbind();
        keys.removeWindow(window);
        window.domain().countWindows(-1);
        device.decided(0, Rule.MW_06);
        device.decided(0, Rule.MW_08);
    }

    /**
     * A bound window's key is not valid from now on: nothing that came by it is left to be seen, nothing that goes out
     * shows its bytes still, and what it was is remembered (MW-92, P(i) of F.2). The window is still as it was.
     *
     * @param revoker number of the queue pair that asked for it, which is the peer's for SEND_WITH_INV; 0 for a program
     * @param executing number of the queue pair of this device that executes it; 0 for a program
     */
    public void revoke(EmulatedMemoryWindow window, Revocation revocation, int revoker, int executing) {
        EmulatedMemoryRegion region = window.region();
        if (region.isRegistered()) {
            if (window.isWithinRegion()) {
                placements.showRange(memoryAddress(window), window.boundBytes());
            } else {
                placements.showAll(region);
            }
            letGo(region);
        }
        keys.history().add(window, revocation, revoker);
        traceKey(window, false);
        inspectKey(window.key(), false, executing);
        device.decided(executing, Rule.KEY_P2);
        device.decided(executing, Rule.MW_92);
    }

    /** Nothing that is on its way refers to the region any more. */
    private void letGo(EmulatedMemoryRegion region) {
        currentPacket.detach(region);
        for (DevicePort port : device.ports()) {
            region.forEachBuffer(port.attachment()::letGo);
        }
    }

    private static long memoryAddress(EmulatedMemoryWindow window) {
        return window.region().memoryAddressOf(window.address());
    }

    private void traceKeys(EmulatedMemoryRegion region, boolean valid) {
        if (device.isTraced() && !region.isNull()) {
            traceKey(region, region.lkey(), valid);
            if (region.rkey() != 0 && region.rkey() != region.lkey()) {
                traceKey(region, region.rkey(), valid);
            }
        }
    }

    private void traceKey(EmulatedMemoryRegion region, int key, boolean valid) {
        long address = region.address();
        long memoryAddress = region.memoryAddressOf(address);
        traceKey(key, valid, address, memoryAddress, region.lengthBytes(), isCoherent(region), region);
    }

    /** A window was bound by a request on a queue pair, and its key is valid from now on. */
    public void bound(EmulatedMemoryWindow window, int qpNumber) {
        if (device.isObserved()) {
            traceKey(window, true);
            inspectKey(window.key(), true, qpNumber);
            trace(WindowChange.BOUND, window, qpNumber);
        }
    }

    private void traceKey(EmulatedMemoryWindow window, boolean valid) {
        if (device.isTraced()) {
            traceKey(
                    window.key(),
                    valid,
                    window.firstAddress(),
                    memoryAddress(window),
                    window.boundBytes(),
                    isCoherent(window.region()),
                    window);
        }
    }

    /** Whether its bytes are seen in one order by all, in any run. */
    private boolean isCoherent(EmulatedMemoryRegion region) {
        MemorySystem system = device.memorySystem();
        boolean isOfHost =
                system == null || system.domainOf(region.memory().address()).kind() == MemoryDomain.Kind.HOST;
        return isOfHost && !region.isRelaxed();
    }

    private void traceKey(
            int key, boolean valid, long address, long memoryAddress, long lengthBytes, boolean coherent, Object what) {
        device.trace(new TraceEvent.KeyChanged(
                device.lane().nowNanos(),
                device.name(),
                key,
                valid,
                address,
                memoryAddress,
                lengthBytes,
                coherent,
                what.toString()));
    }

    /** A window was changed, by a request on or from a queue pair, or 0. */
    public void trace(WindowChange change, EmulatedMemoryWindow window, int qpNumber) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.WindowChanged(
                    device.lane().nowNanos(),
                    device.name(),
                    qpNumber,
                    change,
                    window.handle(),
                    window.type(),
                    window.binding(),
                    window.key(),
                    window.address(),
                    window.isBound() ? memoryAddress(window) : 0,
                    window.boundBytes(),
                    window.access()));
        }
    }
}
