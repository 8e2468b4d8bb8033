// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.qp.EmulatedQueuePair;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;

/**
 * Goes the way of {@link StepFailures} once in each JVM, on a device that nobody sees: code that runs for the first time is
 * loaded and linked, which takes heap, and there may be none when it is needed.
 */
final class FailurePathWarmUp {

    private static final QpCapabilities SMALL = new QpCapabilities(1, 1, 1, 1, 0);

    private static boolean begun;

    private FailurePathWarmUp() {}

    /** Unless it was done before, or is under way. */
    static synchronized void once() {
        if (!begun) {
            begun = true;
            rehearse();
        }
    }

    private static void rehearse() {
        try (InProcessFabric fabric = new InProcessFabric()) {
            EmulatedDevice device = EmulatedDevice.open(fabric, "rehearsal", 1, DeviceProfile.STRICT_IBTA, event -> {});
            EmulatedProtectionDomain pd = (EmulatedProtectionDomain) device.allocatePd();
            CompletionQueue cq = device.createCq(2);
            EmulatedQueuePair qp = newQueuePair(pd, cq);
            device.context()
                    .lane()
                    .call(() -> device.stepFailures().rehearse(qp.context(), new StackOverflowError("a rehearsal")));
            newQueuePair(pd, cq);
            device.context()
                    .lane()
                    .call(() -> device.stepFailures().rehearse(null, new StackOverflowError("a rehearsal")));
            device.closeAll();
        }
    }

    private static EmulatedQueuePair newQueuePair(EmulatedProtectionDomain pd, CompletionQueue cq) {
        EmulatedQueuePair qp =
                (EmulatedQueuePair) pd.createQp(new QpInitAttributes(QpType.RC, cq, cq, SMALL, true, null));
        qp.modify(
                new QpAttributes()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNumber(1)
                        .accessFlags(0),
                QpAttributeMask.STATE
                        | QpAttributeMask.PKEY_INDEX
                        | QpAttributeMask.PORT
                        | QpAttributeMask.ACCESS_FLAGS);
        qp.postRecv(ReceiveWorkRequest.of(1));
        return qp;
    }
}
