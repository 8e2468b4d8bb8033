// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;

/** Small programs that do one thing which random ones seldom do. */
final class DirectedTraffic {

    private static final long SOME_NANOS = 10_000;

    private DirectedTraffic() {}

    @FunctionalInterface
    private interface Program {
        void run(LossyFabric fabric, Side left, Side right);
    }

    /** The right side's region goes, and the left side, who does not know, writes there once more. */
    static void writeAfterDeregistration(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, (fabric, left, right) -> {
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            left.sent();
            right.region.close();
            left.qp.postSend(SendWorkRequest.write(2, right.address(0), right.rkey(), left.sge(0, 100)));
            left.sent();
        });
    }

    /** Requests that are posted while the queue pair is drained wait until it is not. */
    static void postWhileDraining(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, (fabric, left, right) -> {
            left.qp.modify(new QpAttributes().state(QpState.SQD), QpAttributeMask.STATE);
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            fabric.passNanos(SOME_NANOS);
            left.qp.modify(new QpAttributes().state(QpState.RTS), QpAttributeMask.STATE);
            left.sent();
        });
    }

    /** The right side's queue pair is taken to ERR, and the left side writes there. */
    static void writeToQueuePairInError(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, (fabric, left, right) -> {
            right.qp.modify(new QpAttributes().state(QpState.ERR), QpAttributeMask.STATE);
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            left.sent();
        });
    }

    private static void run(long seed, Tap tap, Runnable end, Program program) {
        try (LossyFabric fabric = new LossyFabric(seed, LinkFaults.NONE);
                Verbatim door = Verbatim.over(fabric).tap(tap)) {
            Side left = new Side(door.open("left"), QpCapabilities.USUAL);
            Side right = new Side(door.open("right"), QpCapabilities.USUAL);
            RcConnection.USUAL.join(left.qp, right.qp);
            program.run(fabric, left, right);
            end.run();
        }
    }
}
