// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** How a region becomes another (section A.7): first what the library checks, then what the device does. On the lane. */
final class Reregistration {

    private final DeviceContext device;
    private final DeviceMemory deviceMemory;
    private final EmulatedMemoryRegion region;

    Reregistration(DeviceMemory deviceMemory, EmulatedMemoryRegion region) {
        this.device = deviceMemory.device();
        this.deviceMemory = deviceMemory;
        this.region = region;
    }

    /** What the region is from now on; the arguments are those of the verb. */
    EmulatedMemoryRegion become(
            int flags,
            @Nullable ProtectionDomain pd,
            @Nullable Memory memory,
            long offset,
            long lengthBytes,
            int access) {
        checkInput(flags, pd, memory, lengthBytes, access);
        refuseInUse();
        try {
            PdIdentity newPd = pd == null ? region.pd() : own(pd);
            requireSupported(flags);
            if (memory == null) {
                // Where addresses begin is a matter of the translation, which stays.
                int zeroBased = region.access() & AccessFlags.ZERO_BASED;
                int newAccess = (newAccess(flags, access) & ~AccessFlags.ZERO_BASED) | zeroBased;
                return replace(
                        newPd, region.memory(), region.offset(), region.lengthBytes(), region.address(), newAccess);
            }
            device.decided(0, Rule.MR_65);
            int newAccess = newAccess(flags, access);
            long address = (newAccess & AccessFlags.ZERO_BASED) != 0 ? 0 : memory.address() + offset;
            return replace(newPd, memory, offset, lengthBytes, address, newAccess);
        } catch (VerbsException refused) {
            throw refusedByDevice(refused);
        }
    }

    private int newAccess(int flags, int access) {
        if (!has(flags, ReregistrationFlags.CHANGE_ACCESS)) {
            return region.access();
        }
        device.decided(0, Rule.MR_66);
        return access;
    }

    private static boolean has(int flags, int flag) {
        return (flags & flag) != 0;
    }

    /** What the library finds by itself: nothing has happened to the region. */
    private static void checkInput(
            int flags, @Nullable ProtectionDomain pd, @Nullable Memory memory, long lengthBytes, int access) {
        int unknown = flags & ~ReregistrationFlags.ALL;
        if (unknown != 0) {
            throw input(Rule.MR_60, "flags=0x%x has the unknown bits 0x%x", flags, unknown);
        }
        boolean translates = has(flags, ReregistrationFlags.CHANGE_TRANSLATION);
        if (translates && (memory == null || lengthBytes == 0)) {
            throw input(
                    Rule.MR_61, "CHANGE_TRANSLATION needs memory and at least one byte; lengthBytes=%d", lengthBytes);
        }
        if (access != 0 && !has(flags, ReregistrationFlags.CHANGE_ACCESS)) {
            throw input(Rule.MR_62, "access=%s without CHANGE_ACCESS; add it", AccessFlags.describe(access));
        }
        if (has(flags, ReregistrationFlags.CHANGE_PD) && pd == null) {
            throw input(Rule.MR_69, "CHANGE_PD needs a protection domain");
        }
    }

    private static ReregistrationException input(Rule rule, String format, Object... values) {
        return new ReregistrationException(ReregistrationError.INPUT, Errno.EINVAL, Refusal.of(rule, format, values));
    }

    /** Windows hold on to the region: it stays as it is for them, whatever becomes of other refused ones. */
    private void refuseInUse() {
        if (region.windows() > 0) {
            throw new ReregistrationException(
                    ReregistrationError.CMD,
                    Errno.EBUSY,
                    Refusal.of(
                            Rule.MR_64,
                            "%s has windows=%d bound to it; invalidate, rebind or deallocate them first",
                            region,
                            region.windows()));
        }
    }

    private PdIdentity own(ProtectionDomain pd) {
        PdIdentity own = deviceMemory.identityOf(pd);
        if (own != null) {
            own.requireOpenForNew("re-registered memory region");
            device.decided(0, Rule.MR_67);
            return own;
        }
        throw VerbsException.of(Errno.EINVAL, Rule.PD_02, "%s is not of device %s", pd, device.name());
    }

    private void requireSupported(int flags) {
        DeviceProfile profile = device.profile();
        if (has(flags, ReregistrationFlags.CHANGE_ACCESS) && !profile.reregChangesAccess()) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.MR_63,
                    "profile %s cannot change the rights of a region; deregister it and register it with others",
                    profile.name());
        }
        if (has(flags, ReregistrationFlags.CHANGE_TRANSLATION) && !profile.reregChangesTranslation()) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.MR_68,
                    "profile %s cannot change what a region names; deregister it and register the other memory",
                    profile.name());
        }
    }

    private EmulatedMemoryRegion replace(
            PdIdentity pd, Memory memory, long offset, long lengthBytes, long address, int access) {
        if (!region.isRegistered()) {
            throw VerbsException.of(Errno.EINVAL, Rule.MR_63, "%s failed to be re-registered before; close it", region);
        }
        Registration.check(device, memory, offset, lengthBytes, address, access);
        EmulatedMemoryRegion other = deviceMemory.reregister(region, pd, memory, offset, lengthBytes, address, access);
        region.pd().countRegions(-1);
        pd.countRegions(1);
        return other;
    }

    /** The region cannot be used any more, but is to be closed; some devices keep it as it was (MR-63). */
    private ReregistrationException refusedByDevice(VerbsException refused) {
        DeviceProfile profile = device.profile();
        boolean keeps = profile.reregFailureKeepsRegion();
        if (!keeps && region.isRegistered()) {
            deviceMemory.deregister(region);
        }
        Refusal why = refused.refusal();
        Rule rule = why.brokenRule() == Rule.MR_68 ? Rule.MR_68 : Rule.MR_63;
        return new ReregistrationException(
                ReregistrationError.CMD,
                refused.errno(),
                Refusal.of(
                        rule,
                        "%s [%s]; the region is %s",
                        why.sentence(),
                        why.brokenRule(),
                        keeps ? "as it was" : "not to be used any more, only closed"));
    }
}
