// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** What posting refuses of ATOMIC_WRITE and FLUSH (section J), and on some devices of atomics. */
final class NewRequests {

    private static final int ALL_TYPES = FlushTarget.GLOBAL | FlushTarget.PERSISTENT;

    private NewRequests() {}

    static void check(DeviceContext device, SendWorkRequest request, int index) {
        WrOpcode opcode = request.opcode();
        if (opcode == WrOpcode.ATOMIC_WRITE) {
            requireKnown(device, DeviceCapabilities.ATOMIC_WRITE, request, index);
            if (request.lengthBytes() != Long.BYTES) {
                throw refuse(index, Rule.NW_01, "%s: an ATOMIC_WRITE is of 8 bytes", request);
            }
        } else if (isAtomic(opcode)) {
            checkAtomic(device.profile(), request, index);
        } else if (opcode == WrOpcode.FLUSH) {
            requireKnown(device, DeviceCapabilities.FLUSH_GLOBAL, request, index);
            checkTarget(request.flushTarget(), index);
        }
    }

    private static boolean isAtomic(WrOpcode opcode) {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    private static void checkAtomic(DeviceProfile profile, SendWorkRequest request, int index) {
        if (profile.posting().atomicSizeRefusedAtPost() && !AtomicSize.isLegal(profile, request.lengthBytes())) {
            throw refuse(index, Rule.WR_34, "%s: an atomic needs elements of 8 bytes in all", request);
        }
        if (profile.posting().misalignedAtomicRefusedAtPost() && request.remoteAddress() % Long.BYTES != 0) {
            throw refuse(
                    index, Rule.WR_35, "%s: remote address 0x%x is no multiple of 8", request, request.remoteAddress());
        }
    }

    private static void requireKnown(DeviceContext device, long capability, SendWorkRequest request, int index) {
        if (!device.can(capability)) {
            throw refuse(
                    index, Rule.NW_04, "profile %s has no %s", device.profile().name(), request.opcode());
        }
    }

    private static void checkTarget(@Nullable FlushTarget target, int index) {
        if (target == null) {
            throw refuse(index, Rule.NW_02, "the FLUSH does not say what it is to reach; post SendWorkRequest.flush");
        }
        if ((target.type() & ALL_TYPES) == 0 || (target.type() & ~ALL_TYPES) != 0) {
            throw refuse(
                    index, Rule.NW_02, "placement type=0x%x is no set of GLOBAL=1 and PERSISTENT=2", target.type());
        }
        if (target.level() != FlushTarget.RANGE && target.level() != FlushTarget.REGION) {
            throw refuse(index, Rule.NW_02, "level=%d is neither RANGE=0 nor REGION=1", target.level());
        }
    }

    private static VerbsException refuse(int index, Rule rule, String format, Object... values) {
        return VerbsException.ofRequest(Errno.EINVAL, Refusal.of(rule, format, values), index);
    }
}
