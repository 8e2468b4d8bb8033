// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.QpSlot;
import dev.verbatim.cli.soak.world.QpSlotPair;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.TrackedCq;
import dev.verbatim.cli.soak.world.TrackedQp;
import dev.verbatim.cli.soak.world.TrackedSrq;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Making, connecting, changing and destroying queue pairs. */
final class QpVerbs {

    private static final int RIGHTS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC | AccessFlags.FLUSH_GLOBAL;
    static final int QUEUE_KEY = 0x1234;

    private static final int BITS_OF_MASK = 21;

    private QpVerbs() {}

    static void connectIfBroken(Worker worker) {
        QpSlotPair pair = worker.pair();
        if (isBroken(pair.near()) || isBroken(pair.far())) {
            connect(worker, pair);
        }
    }

    private static boolean isBroken(QpSlot end) {
        TrackedQp qp = end.qp();
        return qp == null
                || qp.isOverrun()
                || qp.qp().state() == QpState.ERR
                || qp.qp().state() == QpState.SQE
                || qp.qp().state() == QpState.RESET;
    }

    static void connect(Worker worker) {
        connect(worker, worker.pair());
    }

    private static void connect(Worker worker, QpSlotPair pair) {
        TrackedQp near = present(worker, pair.near());
        TrackedQp far = present(worker, pair.far());
        if (near == null || far == null) {
            return;
        }
        near.modify(new QpAttributes().state(QpState.RESET));
        far.modify(new QpAttributes().state(QpState.RESET));
        int nearPsn = worker.random().nextInt();
        int farPsn = worker.random().nextInt();
        become(near, initial());
        become(far, initial());
        PathMtu mtu = worker.oneOf(List.of(PathMtu.values()));
        PathMtu mtuOfFar = worker.chance(0.98) ? mtu : PathMtu.MTU_512;
        become(near, readyToReceive(worker.random(), far, farPsn).pathMtu(mtu));
        become(far, readyToReceive(worker.random(), near, nearPsn).pathMtu(mtuOfFar));
        become(near, readyToSend(worker.random(), nearPsn));
        become(far, readyToSend(worker.random(), farPsn));
    }

    /** Changes what its type has of these attributes. */
    private static void become(TrackedQp qp, QpAttributes values) {
        qp.modify(values.queueKey(QUEUE_KEY), StateMasks.of(qp.type(), values.state()));
    }

    /** The queue pair of that place; a new one if there is none, or it lost completions. */
    private static @Nullable TrackedQp present(Worker worker, QpSlot end) {
        TrackedQp present = end.qp();
        if (present != null && present.isOverrun()) {
            close(end, present);
            present = null;
        }
        if (present != null) {
            return present;
        }
        TrackedQp fresh = create(worker, end.side(), end.type());
        if (fresh != null && !end.replace(null, fresh)) {
            fresh.close();
        }
        return end.qp();
    }

    private static @Nullable TrackedQp create(Worker worker, Side side, QpType type) {
        RandomGenerator random = worker.random();
        ProtectionDomain pd = side.domains().usual(random);
        TrackedCq sendCq = side.cqs().any(random);
        TrackedCq recvCq = side.cqs().any(random);
        if (pd == null || sendCq == null || recvCq == null) {
            return null;
        }
        QpCapabilities size = new QpCapabilities(
                1 + random.nextInt(32),
                1 + random.nextInt(64),
                random.nextInt(10) == 0 ? 1 : 4,
                random.nextInt(10) == 0 ? 1 : 4,
                256);
        boolean signaling = worker.chance(0.2);
        return switch (type) {
            case XRC_SEND ->
                new TrackedQp(side, pd, pd.createQp(QpInitAttributes.xrcSend(sendCq.cq(), size)), sendCq, null, null);
            case XRC_RECV ->
                new TrackedQp(side, pd, side.xrcDomain().createQp(QpInitAttributes.xrcReceive()), null, null, null);
            default -> {
                TrackedSrq srq =
                        worker.chance(0.3) && !recvCq.isSmall() ? side.srqs().any(random) : null;
                QpInitAttributes own =
                        new QpInitAttributes(type, sendCq.cq(), recvCq.cq(), size, signaling, null, null);
                QpInitAttributes attributes = srq == null ? own : own.withSrq(srq.srq());
                yield new TrackedQp(side, pd, pd.createQp(attributes), sendCq, recvCq, srq);
            }
        };
    }

    @SuppressWarnings("ReferenceEquality") // an object is its identity
    static void createWrongly(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        TrackedCq tracked = side.cqs().any(worker.random());
        TrackedCq strange = worker.oneOf(worker.world().sides()).cqs().any(worker.random());
        if (pd == null || tracked == null || strange == null) {
            return;
        }
        CompletionQueue cq = tracked.cq();
        int wrong = worker.oneOf(List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        for (QpCapabilities size : List.of(
                new QpCapabilities(wrong, 1, 1, 1, 0),
                new QpCapabilities(1, wrong, 1, 1, 0),
                new QpCapabilities(1, 1, wrong, 1, 0),
                new QpCapabilities(1, 1, 1, wrong, 0),
                new QpCapabilities(1, 1, 1, 1, wrong))) {
            IllegalVerbs.refusal(
                    worker,
                    "create_qp with " + size,
                    () -> pd.createQp(QpInitAttributes.rc(cq, cq, size)).close());
        }
        if (strange.cq().device() != side.device()) {
            IllegalVerbs.refusal(
                    worker,
                    "create_qp with a completion queue of another device",
                    () -> pd.createQp(QpInitAttributes.rc(cq, strange.cq(), QpCapabilities.USUAL))
                            .close());
        }
    }

    static void destroy(Worker worker) {
        QpSlot end = worker.end(worker.pair());
        TrackedQp qp = end.qp();
        if (qp != null) {
            close(end, qp);
        }
    }

    private static void close(QpSlot end, TrackedQp qp) {
        qp.close();
        end.replace(qp, null);
    }

    static void reset(Worker worker) {
        modify(worker, new QpAttributes().state(QpState.RESET));
    }

    static void toError(Worker worker) {
        modify(worker, new QpAttributes().state(QpState.ERR));
    }

    static void drain(Worker worker) {
        QpAttributes values = new QpAttributes().state(QpState.SQD);
        modify(
                worker,
                worker.random().nextBoolean()
                        ? values
                        : values.notifyDrained(worker.random().nextBoolean()));
    }

    static void resume(Worker worker) {
        modify(worker, new QpAttributes().state(QpState.RTS));
    }

    static void query(Worker worker) {
        TrackedQp qp = worker.end(worker.pair()).qp();
        if (qp != null) {
            qp.qp().query();
        }
    }

    /** Any attributes with any values, though such that what waits for an answer does not wait for long. */
    static void modifyAnyhow(Worker worker) {
        RandomGenerator random = worker.random();
        QpAttributes values = readyToReceive(random, null, random.nextInt());
        values.assign(readyToSend(random, random.nextInt()), -1);
        values.assign(initial(), -1);
        values.currentState(worker.oneOf(List.of(QpState.values()))).queueKey(random.nextInt());
        List<Integer> legal = List.of(
                QpAttributeMask.STATE,
                QpAttributeMask.STATE | QpAttributeMask.ACCESS_FLAGS,
                QpAttributeMask.ACCESS_FLAGS | QpAttributeMask.MIN_RNR_TIMER,
                initial().mask(),
                readyToReceive(random, null, 0).mask(),
                readyToSend(random, 0).mask());
        int mask = worker.oneOf(legal) ^ (worker.chance(0.5) ? 1 << random.nextInt(BITS_OF_MASK) : 0);
        modify(worker, values.state(worker.oneOf(List.of(QpState.values()))), mask);
    }

    /** What is legal in no state. */
    static void modifyWrongly(Worker worker) {
        TrackedQp qp = worker.end(worker.pair()).qp();
        if (qp == null) {
            return;
        }
        int wrong = worker.oneOf(List.of(-1, 99, Integer.MIN_VALUE, Integer.MAX_VALUE));
        RandomGenerator random = worker.random();
        for (QpAttributes values : List.of(
                initial().portNumber(wrong),
                initial().pkeyIndex(wrong),
                initial().maxRdAtomic(1),
                readyToReceive(random, null, 0).minRnrTimer(wrong),
                readyToReceive(random, null, 0).maxDestRdAtomic(wrong == 99 ? 1 << 20 : wrong),
                readyToReceive(random, null, 0).destinationQp(wrong | 1 << 24),
                readyToSend(random, 0).timeout(wrong),
                readyToSend(random, 0).retryCount(wrong),
                readyToSend(random, 0).rnrRetry(wrong))) {
            IllegalVerbs.refusal(worker, "modify_qp with a wrong value", () -> qp.modify(values));
        }
    }

    private static void modify(Worker worker, QpAttributes values) {
        modify(worker, values, values.mask());
    }

    private static void modify(Worker worker, QpAttributes values, int mask) {
        TrackedQp qp = worker.end(worker.pair()).qp();
        if (qp != null) {
            qp.modify(values, mask);
        }
    }

    private static QpAttributes initial() {
        return new QpAttributes().state(QpState.INIT).pkeyIndex(0).portNumber(1).accessFlags(RIGHTS);
    }

    private static QpAttributes readyToReceive(RandomGenerator random, @Nullable TrackedQp peer, int psn) {
        Gid gid = peer == null
                ? Gid.ofGuid(random.nextInt(3))
                : peer.qp().device().gid();
        return new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(gid))
                .pathMtu(PathMtu.values()[random.nextInt(PathMtu.values().length)])
                .destinationQp(
                        peer == null ? random.nextInt(1 << 24) : peer.qp().number())
                .rqPsn(psn)
                .maxDestRdAtomic(random.nextInt(50) == 0 ? 0 : 16)
                .minRnrTimer(1 + random.nextInt(12));
    }

    private static QpAttributes readyToSend(RandomGenerator random, int psn) {
        return new QpAttributes()
                .state(QpState.RTS)
                .timeout(9 + random.nextInt(6))
                .retryCount(random.nextInt(8))
                .rnrRetry(random.nextInt(7))
                .sqPsn(psn)
                .maxRdAtomic(random.nextInt(50) == 0 ? 0 : 1 + random.nextInt(16));
    }
}
