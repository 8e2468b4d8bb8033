// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.Rule;
import org.jspecify.annotations.Nullable;

/** What is checked when a bind executes, in the order of section B.4; changes nothing. */
public final class BindChecks {

    private static final int REMOTE_RIGHTS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int THAT_WRITE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private BindChecks() {}

    /**
     * Whether a bind may be done.
     *
     * @param trace of that queue pair
     * @param binder the queue pair on which it executes
     * @param region what the window is to be bound to, if that is a region of this device
     * @param newKey the key that it is to have
     * @return null if it may
     */
    public static @Nullable Refusal check(
            QpTrace trace,
            WindowSwitches switches,
            QpIdentity binder,
            EmulatedMemoryWindow window,
            @Nullable EmulatedMemoryRegion region,
            int newKey,
            BindInfo info) {
        Refusal refusal = checkObjects(switches, window, region, newKey, info);
        if (refusal == null) {
            refusal = checkAccess(switches, window, info.access());
        }
        if (refusal == null) {
            refusal = checkState(switches, binder, window, newKey);
        }
        if (refusal != null) {
            return refusal;
        }
        if (region != null && info.lengthBytes() != 0) {
            return checkRegion(trace, switches, binder, window, region, info);
        }
        if (window.type() == MemoryWindowType.TYPE_2) {
            return Refusal.of(
                    Rule.MW_47, "%s needs a region and at least one byte; LOCAL_INV is what unbinds it", window);
        }
        return null;
    }

    private static @Nullable Refusal checkObjects(
            WindowSwitches switches,
            EmulatedMemoryWindow window,
            @Nullable EmulatedMemoryRegion region,
            int newKey,
            BindInfo info) {
        if (!window.isOpen()) {
            return Refusal.of(Rule.MW_40, "%s has been deallocated", window);
        }
        if (switches.currentKeyCompared() && isFromAnotherKey(window, newKey)) {
            return Refusal.of(
                    Rule.MW_41,
                    "the bind to key 0x%08x does not go out from the present key 0x%08x of %s",
                    newKey,
                    window.key(),
                    window);
        }
        if (info.lengthBytes() != 0 && region != null && !region.isRegistered()) {
            return Refusal.of(Rule.MW_42, "the %s has been deregistered", region);
        }
        return null;
    }

    private static boolean isFromAnotherKey(EmulatedMemoryWindow window, int newKey) {
        return window.type() == MemoryWindowType.TYPE_1 && Rkey.increment(window.key()) != newKey;
    }

    private static @Nullable Refusal checkAccess(WindowSwitches switches, EmulatedMemoryWindow window, int access) {
        int supported = REMOTE_RIGHTS | AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED;
        if (window.domain().device().can(DeviceCapabilities.FLUSH_GLOBAL)) {
            supported |= AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;
        }
        if (switches.mwBindRight()) {
            supported |= AccessFlags.MW_BIND;
        }
        if (!switches.zeroBased()) {
            supported &= ~AccessFlags.ZERO_BASED;
        }
        if ((access & ~supported) != 0) {
            return Refusal.of(
                    Rule.MW_43,
                    "access=%s has %s, which a window of this device cannot have",
                    AccessFlags.describe(access),
                    AccessFlags.describe(access & ~supported));
        }
        if (window.type() == MemoryWindowType.TYPE_1 && (access & AccessFlags.ZERO_BASED) != 0) {
            return Refusal.of(Rule.MW_44, "%s cannot be ZERO_BASED; only type 2 can", window);
        }
        return null;
    }

    private static @Nullable Refusal checkState(
            WindowSwitches switches, QpIdentity binder, EmulatedMemoryWindow window, int newKey) {
        boolean type2 = window.type() == MemoryWindowType.TYPE_2;
        if (type2 && window.isBound()) {
            return Refusal.of(
                    Rule.MW_45,
                    "%s is bound already, with key 0x%08x by qp 0x%x; invalidate it first",
                    window,
                    window.key(),
                    window.boundBy());
        }
        if (type2 && !switches.sameKeyRebind() && window.binding() > 0 && window.key() == newKey) {
            return Refusal.of(Rule.MW_33, "%s had key 0x%08x last; ask for another", window, newKey);
        }
        if (window.domain() != binder.pd()) {
            return Refusal.of(
                    Rule.MW_46,
                    "%s belongs to %s but qp 0x%x to %s",
                    window,
                    window.domain(),
                    binder.qpNumber(),
                    binder.pd());
        }
        return null;
    }

    /** Whether no window can be bound to the region since that counts addresses from 0. */
    public static boolean cannotBeUnder(WindowSwitches switches, EmulatedMemoryRegion region) {
        return region.isZeroBased() && !switches.bindZeroBasedMr();
    }

    private static @Nullable Refusal checkRegion(
            QpTrace trace,
            WindowSwitches switches,
            QpIdentity binder,
            EmulatedMemoryWindow window,
            EmulatedMemoryRegion region,
            BindInfo info) {
        if (region.pd() != binder.pd()) {
            return Refusal.of(
                    Rule.MW_48,
                    "the %s belongs to %s but %s and qp 0x%x to %s",
                    region,
                    region.pd(),
                    window,
                    binder.qpNumber(),
                    binder.pd());
        }
        if (cannotBeUnder(switches, region)) {
            return Refusal.of(Rule.MW_49, "the %s is ZERO_BASED; no window can be bound to it", region);
        }
        if ((region.access() & AccessFlags.MW_BIND) == 0) {
            return Refusal.of(Rule.MW_50, "the %s has no MW_BIND; register the memory with it", region);
        }
        if ((info.access() & THAT_WRITE) != 0 && (region.access() & AccessFlags.LOCAL_WRITE) == 0) {
            return Refusal.of(
                    Rule.MW_51,
                    "%s needs LOCAL_WRITE of the region underneath; the %s has none",
                    AccessFlags.describe(info.access() & THAT_WRITE),
                    region);
        }
        // Remote rights are required of neither the region nor the queue pair.
        trace.decided(Rule.MW_53);
        trace.decided(Rule.MW_54);
        if ((info.access() & ~AccessFlags.LOCAL_WRITE) == 0) {
            trace.decided(Rule.MW_55);
        }
        if ((info.access() & AccessFlags.FLUSH_PERSISTENT) != 0
                && !region.memory().isPersistent()) {
            return Refusal.of(Rule.MW_113, "the %s is not of a file, so nothing makes it persistent", region);
        }
        if (switches.rangeCheckedAtBind() && !region.covers(info.address(), info.lengthBytes())) {
            return Refusal.of(
                    Rule.MW_52,
                    "[0x%x,0x%x) is not within the %s",
                    info.address(),
                    info.address() + info.lengthBytes(),
                    region);
        }
        return null;
    }
}
