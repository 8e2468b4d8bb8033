// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.OnDemandCapabilities;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/**
 * On-demand paging: the device never pins memory, so all that there is to it is what is said about it, and advice, which is checked and
 * has no effect.
 */
public final class OnDemandPaging {

    private static final int DATAGRAMS =
            OnDemandCapabilities.SEND | OnDemandCapabilities.RECEIVE | OnDemandCapabilities.SRQ_RECEIVE;
    private static final int UNRELIABLE = DATAGRAMS | OnDemandCapabilities.WRITE;
    private static final int RELIABLE = UNRELIABLE | OnDemandCapabilities.READ | OnDemandCapabilities.ATOMIC;

    private static final OnDemandCapabilities CAPABILITIES = new OnDemandCapabilities(
            OnDemandCapabilities.SUPPORTED | OnDemandCapabilities.IMPLICIT, RELIABLE, UNRELIABLE, DATAGRAMS, RELIABLE);

    private OnDemandPaging() {}

    static boolean isSupported(DeviceContext device) {
        return device.profile().onDemandPaging();
    }

    /** What the device says of it. */
    public static OnDemandCapabilities capabilities(DeviceContext device) {
        return isSupported(device) ? CAPABILITIES : OnDemandCapabilities.NONE;
    }

    /** Advice about elements of regions of a domain. On the lane. */
    public static void advise(
            DeviceContext device, KeyTable keys, PdIdentity pd, int advice, int flags, List<Sge> elements) {
        if (!isSupported(device)) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP,
                    Rule.MR_72,
                    "advice=%d: advice is for on-demand paging, which the device has not",
                    advice);
        }
        if (advice < ProtectionDomain.ADVICE_PREFETCH || advice > ProtectionDomain.ADVICE_PREFETCH_NO_FAULT) {
            throw VerbsException.of(Errno.EOPNOTSUPP, Rule.MR_74, "advice=%d is unknown", advice);
        }
        if ((flags & ~ProtectionDomain.ADVICE_FLUSH) != 0) {
            throw VerbsException.of(Errno.EINVAL, Rule.MR_74, "flags=0x%x has others than ADVICE_FLUSH", flags);
        }
        for (Sge element : elements) {
            check(keys, pd, advice, element);
        }
        device.decided(0, Rule.MR_74);
    }

    private static void check(KeyTable keys, PdIdentity pd, int advice, Sge element) {
        int lkey = element.lkey();
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        if (region == null || (region.access() & AccessFlags.ON_DEMAND) == 0) {
            throw VerbsException.of(Errno.ENOENT, Rule.MR_74, "lkey=0x%08x is not of a region with ON_DEMAND", lkey);
        }
        if (region.pd() != pd) {
            throw VerbsException.of(Errno.EPERM, Rule.MR_74, "%s is of %s, not of %s", region, region.pd(), pd);
        }
        if (advice == ProtectionDomain.ADVICE_PREFETCH_WRITE && (region.access() & AccessFlags.LOCAL_WRITE) == 0) {
            throw VerbsException.of(
                    Errno.EPERM, Rule.MR_74, "%s has no LOCAL_WRITE, which prefetching for writes needs", region);
        }
        long count = Integer.toUnsignedLong(element.lengthBytes());
        if (!region.covers(element.address(), count)) {
            throw VerbsException.of(
                    Errno.EFAULT, Rule.MR_74, "%d bytes at 0x%x leave %s", count, element.address(), region);
        }
    }
}
