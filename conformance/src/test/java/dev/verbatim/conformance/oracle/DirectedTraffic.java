// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.function.BiConsumer;

/** Small programs that do one thing which random ones seldom do. */
final class DirectedTraffic {

    private static final long SOME_NANOS = 10_000;

    private DirectedTraffic() {}

    /** Takes the last alternative always. */
    static final Choices AS_LATE_AS_CAN_BE = new Choices() {
        @Override
        public int choose(ChoicePoint point, int alternatives) {
            return alternatives - 1;
        }

        @Override
        public boolean chance(ChoicePoint point, int perMille) {
            return false;
        }
    };

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

    /** A WRITE and a READ of something else, while programs see placed bytes as late as they may. */
    static void writeThenRead(long seed, Tap tap, Runnable end) {
        simulate(seed, tap, end, (left, right) -> {
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            left.qp.postSend(SendWorkRequest.read(2, right.address(200), right.rkey(), left.sge(200, 8)));
            left.sent();
            left.sent();
        });
    }

    /** A WRITE of one queue pair into a word, and a FETCH_ADD of another one there. */
    static void writeAndAddElsewhere(long seed, Tap tap, Runnable end) {
        simulate(seed, tap, end, (left, right) -> {
            QueuePair second = left.newQueuePair();
            RcConnection.USUAL.join(second, right.newQueuePair());
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            left.sent();
            second.postSend(SendWorkRequest.fetchAndAdd(2, right.address(16), right.rkey(), 1, left.sge(200, 8)));
            left.sent();
        });
    }

    /** What a WRITE placed is not seen by programs yet when the region goes. */
    static void deregisterOverHeldBytes(long seed, Tap tap, Runnable end) {
        simulate(seed, tap, end, (left, right) -> {
            left.qp.postSend(SendWorkRequest.write(1, right.address(0), right.rkey(), left.sge(0, 100)));
            left.sent();
            right.region.close();
        });
    }

    private static void simulate(long seed, Tap tap, Runnable end, BiConsumer<Side, Side> program) {
        Schedule schedule = Schedule.by(AS_LATE_AS_CAN_BE, OpenChoices.of(ChoicePoint.PLACEMENT));
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL).tap(tap)) {
            Side left = new Side(simulation.open("left"), QpCapabilities.USUAL);
            Side right = new Side(simulation.open("right"), QpCapabilities.USUAL);
            RcConnection.USUAL.join(left.qp, right.qp);
            simulation.node("program", node -> program.accept(left, right));
            simulation.run();
            end.run();
        }
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
