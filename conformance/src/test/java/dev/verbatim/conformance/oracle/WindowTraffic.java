// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;

/** Small programs that do one thing with windows which random ones seldom do. */
final class WindowTraffic {

    private static final int VARIANT = 0x41;

    /** More packets than may be on their way: the rest of such a message waits for what happens to the first of it. */
    private static final int LONG_BYTES = (DeviceLimits.MAX_UNACKNOWLEDGED_PACKETS + 512) * 256;

    private static final long LONG_NANOS = 1_000_000_000;
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private final LossyFabric fabric;
    private final Side left;
    private final Side right;
    private final MemoryRegion region;
    private final MemoryWindow window;
    private int ids;

    private WindowTraffic(LossyFabric fabric, Side left, Side right) {
        this.fabric = fabric;
        this.left = left;
        this.right = right;
        RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(8, 7, 7, 4).join(left.qp, right.qp);
        this.region = right.pd.register(Memory.allocate(LONG_BYTES), RandomWindows.REGION_RIGHTS);
        this.window = right.pd.allocateWindow(MemoryWindowType.TYPE_2);
    }

    @FunctionalInterface
    private interface Program {
        void run(WindowTraffic it);
    }

    private static void run(long seed, DeviceProfile profile, Tap tap, Runnable end, Program program) {
        try (LossyFabric fabric = new LossyFabric(seed, LinkFaults.NONE);
                Verbatim door = Verbatim.over(fabric).profile(profile).tap(tap)) {
            Side left = new Side(door.open("left"), QpCapabilities.USUAL);
            Side right = new Side(door.open("right"), QpCapabilities.USUAL);
            program.run(new WindowTraffic(fabric, left, right));
            end.run();
        }
    }

    private static void run(long seed, Tap tap, Runnable end, Program program) {
        run(seed, DeviceProfile.STRICT_IBTA, tap, end, program);
    }

    private SendWorkRequest bind(MemoryWindow bound, BindInfo info) {
        return SendWorkRequest.bindWindow(++ids, bound, VARIANT, info);
    }

    /** Binds the window to the region; its key. */
    private int binds(BindInfo info) {
        SendWorkRequest bind = bind(window, info);
        right.qp.postSend(bind);
        right.sent();
        return bind.boundKey();
    }

    private void write(QueuePair over, long address, int key, int lengthBytes) {
        over.postSend(SendWorkRequest.write(++ids, address, key, left.sge(0, lengthBytes)));
    }

    /** The window is revoked while a long WRITE goes through it, and bound again with the same key. */
    static void bindAgainAmidAMessage(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            MemoryRegion source = it.left.pd.register(Memory.allocate(LONG_BYTES), AccessFlags.LOCAL_WRITE);
            source.memory().buffer().put(0, (byte) 1);
            it.left.qp.postSend(SendWorkRequest.write(++it.ids, it.region.address(), key, source.sge()));
            while (it.region.memory().buffer().get(0) == 0) {
                it.fabric.step();
            }
            it.right.qp.postSend(SendWorkRequest.localInvalidate(++it.ids, key));
            it.right.qp.postSend(it.bind(it.window, BindInfo.of(it.region, RIGHTS)));
            it.left.sent();
        });
    }

    /** The ACK of a SEND_WITH_INV is lost, and the window bound again with the same key when the SEND comes once more. */
    static void repeatInvalidation(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            it.right.qp.postRecv(ReceiveWorkRequest.of(1));
            it.left.qp.postSend(SendWorkRequest.sendWithInvalidate(++it.ids, key));
            while (it.right.recvCq.poll(1).isEmpty()) {
                it.fabric.step();
            }
            it.fabric.cut(it.left.device.gid(), it.right.device.gid());
            it.binds(BindInfo.of(it.region, RIGHTS));
            it.fabric.heal(it.left.device.gid(), it.right.device.gid());
            it.left.sent();
        });
    }

    /** Regions and windows come and go on a device that has few indexes for their keys. */
    static void useIndexesAgain(long seed, Tap tap, Runnable end) {
        DeviceLimits few = DeviceLimits.DEFAULT.toBuilder().maxMr(3).maxMw(2).build();
        DeviceProfile profile =
                DeviceProfile.STRICT_IBTA.toBuilder().name("few").limits(few).build();
        run(seed, profile, tap, end, it -> {
            for (int i = 0; i < 20; i++) {
                it.left.pd.register(Memory.allocate(64), Side.ALL_RIGHTS).close();
                MemoryWindow next = it.right.pd.allocateWindow(MemoryWindowType.TYPE_2);
                it.right.qp.postSend(it.bind(next, BindInfo.of(it.region, RIGHTS)));
                it.right.sent();
                next.close();
            }
        });
    }

    /** On a device that permits it, the region goes before the window that is bound to it, which is used once more. */
    static void useOrphan(long seed, Tap tap, Runnable end) {
        WindowSwitches orphans = WindowSwitches.STRICT.toBuilder()
                .boundRegion(WindowSwitches.BoundRegion.ORPHAN)
                .build();
        DeviceProfile profile = DeviceProfile.STRICT_IBTA.toBuilder()
                .name("orphans")
                .windows(orphans)
                .build();
        run(seed, profile, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            it.region.close();
            it.write(it.left.qp, it.region.address(), key, 8);
            it.left.sent();
        });
    }

    /** A window is asked for that reaches beyond its region, in memory that does too, and used there. */
    static void useBeyondTheRegion(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            MemoryRegion half = it.right.pd.register(Memory.allocate(256), 0, 128, RandomWindows.REGION_RIGHTS);
            int key = it.binds(new BindInfo(half, half.address(), 129, RIGHTS));
            it.write(it.left.qp, half.address() + 128, key, 1);
            it.left.sent();
        });
    }

    /** The right side names its own window where a local key is wanted. */
    static void useKeyAsLocal(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            Sge throughWindow = new Sge(it.region.address(), 8, key);
            it.right.qp.postSend(SendWorkRequest.write(++it.ids, it.left.address(0), it.left.rkey(), throughWindow));
            it.right.sent();
        });
    }

    /** The peer of another queue pair knows the key. */
    static void useOverAnotherQueuePair(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            QueuePair second = it.left.newQueuePair();
            RcConnection.USUAL.join(second, it.right.newQueuePair());
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            it.write(second, it.region.address(), key, 8);
            it.left.sent();
        });
    }

    /** The peer has the right index, and another variant. */
    static void useAnotherVariant(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, RIGHTS));
            it.write(it.left.qp, it.region.address(), key ^ 1, 8);
            it.left.sent();
        });
    }

    /** The window permits READs, and the peer writes. */
    static void useWithoutRight(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            int key = it.binds(BindInfo.of(it.region, AccessFlags.REMOTE_READ));
            it.write(it.left.qp, it.region.address(), key, 8);
            it.left.sent();
        });
    }

    /** A window of type 1 that is invalidated, first by its owner and then by its user. */
    static void invalidateTypeOne(long seed, Tap tap, Runnable end) {
        run(seed, tap, end, it -> {
            MemoryWindow typeOne = it.right.pd.allocateWindow(MemoryWindowType.TYPE_1);
            it.right.qp.bindWindow(typeOne, WindowBind.signaled(1, BindInfo.of(it.region, RIGHTS)));
            it.right.sent();
            if ((seed & 1) == 0) {
                it.right.qp.postSend(SendWorkRequest.localInvalidate(2, typeOne.rkey()));
                it.right.sent();
            } else {
                it.right.qp.postRecv(ReceiveWorkRequest.of(3));
                it.left.qp.postSend(SendWorkRequest.sendWithInvalidate(4, typeOne.rkey()));
                it.right.received();
            }
            it.fabric.passNanos(LONG_NANOS);
        });
    }

    /** What a WRITE placed through a window is not seen by programs yet when the window goes, or is bound again. */
    static void endWindowOverHeldBytes(long seed, Tap tap, Runnable end) {
        Schedule schedule = Schedule.by(DirectedTraffic.AS_LATE_AS_CAN_BE, OpenChoices.of(ChoicePoint.PLACEMENT));
        try (Simulation simulation = new Simulation(schedule, SimulationOptions.USUAL).tap(tap)) {
            Side left = new Side(simulation.open("left"), QpCapabilities.USUAL);
            Side right = new Side(simulation.open("right"), QpCapabilities.USUAL);
            WindowTraffic it = new WindowTraffic(simulation.fabric(), left, right);
            simulation.node("program", node -> {
                int key = it.binds(BindInfo.of(it.region, RIGHTS));
                it.write(left.qp, it.region.address(), key, 8);
                left.sent();
                if ((seed & 1) == 0) {
                    it.window.close();
                } else {
                    right.qp.postSend(SendWorkRequest.localInvalidate(++it.ids, key));
                    right.sent();
                }
            });
            simulation.run();
            end.run();
        }
    }
}
