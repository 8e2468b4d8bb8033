// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.BindChecks;
import dev.verbatim.device.memory.EmulatedMemoryWindow;
import dev.verbatim.device.memory.RegionHandle;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What posting a bind refuses at once; everything else is found when it executes, by {@link BindChecks}. */
final class WindowPosting {

    private WindowPosting() {}

    /**
     * The checks of {@code ibv_bind_mw}, in the order of section B.2.
     *
     * @return the window, which is of this device and of type 1
     */
    @SuppressWarnings("ReferenceEquality") // the same domain
    static EmulatedMemoryWindow checkVerb(DeviceContext device, @Nullable MemoryWindow window, BindInfo info) {
        EmulatedMemoryWindow own = own(device, window, info, 0);
        if (own.type() != MemoryWindowType.TYPE_1) {
            throw refuse(Errno.EINVAL, Rule.MW_10, 0, "%s cannot be bound by the verb; post BIND_MW", own);
        }
        MemoryRegion region = info.region();
        if (region == null && (info.address() != 0 || info.lengthBytes() != 0)) {
            throw refuse(Errno.EINVAL, Rule.MW_11, 0, "%s cannot be bound to %s: there is no region", own, info);
        }
        if (region != null && !region.pd().equals(own.pd())) {
            throw refuse(
                    Errno.EPERM, Rule.MW_12, 0, "%s belongs to %s but the region to %s", own, own.pd(), region.pd());
        }
        if ((info.access() & AccessFlags.ZERO_BASED) != 0) {
            throw refuse(Errno.EINVAL, Rule.MW_13, 0, "%s cannot be ZERO_BASED; only type 2 can", own);
        }
        if (region instanceof RegionHandle handle && handle.now().isNull()) {
            throw refuse(
                    Errno.EOPNOTSUPP, Rule.MR_76, 0, "the %s is a null region; no window can be bound to it", handle);
        }
        WindowSwitches switches = device.profile().windows();
        if (switches.zeroBasedMrRefusedAtPost()
                && region instanceof RegionHandle under
                && BindChecks.cannotBeUnder(switches, under.now())) {
            throw refuse(Errno.EINVAL, Rule.MW_14, 0, "the %s is ZERO_BASED; no window can be bound to it", under);
        }
        return own;
    }

    /** The checks of a posted BIND_MW: its window is there, and of type 2 (MW-25, MW-58). */
    static void checkRequest(DeviceContext device, SendWorkRequest request, int index) {
        BindInfo info = request.bindInfo() == null ? BindInfo.NOTHING : request.bindInfo();
        EmulatedMemoryWindow own = own(device, request.window(), info, index);
        if (own.type() != MemoryWindowType.TYPE_2) {
            throw refuse(
                    Errno.EINVAL, Rule.MW_25, index, "%s cannot be bound by BIND_MW; use the verb bindWindow", own);
        }
    }

    private static EmulatedMemoryWindow own(
            DeviceContext device, @Nullable MemoryWindow window, BindInfo info, int index) {
        if (!(window instanceof EmulatedMemoryWindow own) || own.domain().device() != device) {
            throw refuse(
                    Errno.EINVAL,
                    Rule.MW_58,
                    index,
                    "window=%s is not of device %s",
                    String.valueOf(window),
                    device.name());
        }
        // Whether the two are still there is looked at, and what programs see as the window's key may change.
        device.lane().touched(device.name(), DevicePart.KEYS);
        if (!own.isOpen()) {
            throw refuse(Errno.EINVAL, Rule.MW_58, index, "%s has been deallocated", own);
        }
        MemoryRegion region = info.region();
        if (region == null) {
            return own;
        }
        if (!(region instanceof RegionHandle under) || under.now().pd().device() != device) {
            throw refuse(Errno.EINVAL, Rule.MW_58, index, "%s is not of device %s", region, device.name());
        }
        if (!under.now().isRegistered()) {
            throw refuse(Errno.EINVAL, Rule.MW_58, index, "the %s has been deregistered", under);
        }
        return own;
    }

    private static VerbsException refuse(Errno errno, Rule rule, int index, String format, Object... values) {
        return VerbsException.ofRequest(errno, Refusal.of(rule, format, values), index);
    }
}
