// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.UcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;

/** Programs over UC and UD, whose packets may be lost for good, and with receives that queue pairs share. */
final class UnreliableTraffic {

    private static final int MESSAGES = 30;
    private static final int BYTES = 700;
    private static final int SLOT_BYTES = 1024;
    private static final int SENT_FROM = 1 << 15;
    private static final int LOST_PER_MILLE = 150;
    private static final int QUEUE_KEY = 0x1234;
    private static final long SOME_NANOS = 1_000_000;

    private UnreliableTraffic() {}

    /** SENDs and WRITEs with immediate data of three packets each over UC. */
    static void overUc(long seed, Tap tap, Runnable end) {
        run(seed, QpType.UC, tap, end, (fabric, left, right) -> {
            UcConnection.USUAL.withPathMtu(PathMtu.MTU_256).join(left.qp, right.qp);
            for (int i = 0; i < MESSAGES; i++) {
                right.qp.postRecv(ReceiveWorkRequest.of(i, right.sge(i % 8 * SLOT_BYTES, SLOT_BYTES)));
            }
            for (int i = 0; i < MESSAGES; i++) {
                int slot = SENT_FROM + i % 8 * SLOT_BYTES;
                left.qp.postSend(
                        i % 3 == 0
                                ? SendWorkRequest.writeWithImmediate(
                                        i, right.address(slot), right.rkey(), i, left.sge(slot, BYTES))
                                : SendWorkRequest.send(i, left.sge(slot, BYTES - i)));
                left.sent();
            }
            fabric.passNanos(SOME_NANOS);
        });
    }

    /** Datagrams of different lengths. */
    static void overUd(long seed, Tap tap, Runnable end) {
        run(seed, QpType.UD, tap, end, (fabric, left, right) -> {
            ready(left.qp);
            ready(right.qp);
            AddressHandle handle = left.pd.createAddressHandle(AddressVector.to(right.device.gid()));
            for (int i = 0; i < MESSAGES; i++) {
                right.qp.postRecv(ReceiveWorkRequest.of(i, right.sge(i % 8 * SLOT_BYTES, SLOT_BYTES)));
            }
            for (int i = 0; i < MESSAGES; i++) {
                int slot = SENT_FROM + i % 8 * SLOT_BYTES;
                left.qp.postSend(
                        SendWorkRequest.send(i, left.sge(slot, BYTES - i)).to(handle, right.qp.number(), QUEUE_KEY));
                left.sent();
            }
            fabric.passNanos(SOME_NANOS);
        });
    }

    /** Two RC queue pairs whose peers share their receives. */
    static void withSharedReceives(long seed, Tap tap, Runnable end) {
        run(seed, QpType.RC, tap, end, (fabric, left, right) -> {
            SharedReceiveQueue shared = right.pd.createSrq(SrqInitAttributes.basic(MESSAGES));
            QueuePair[] senders = {left.qp, left.newQueuePair()};
            QueuePair[] receivers = new QueuePair[senders.length];
            for (int i = 0; i < senders.length; i++) {
                QpInitAttributes attributes = QpInitAttributes.rc(right.sendCq, right.recvCq, QpCapabilities.USUAL);
                receivers[i] = right.pd.createQp(attributes.withSrq(shared));
                readyToReceive(senders[i], receivers[i]);
            }
            for (int i = 0; i < MESSAGES; i++) {
                shared.postRecv(ReceiveWorkRequest.of(i, right.sge(i * SLOT_BYTES, SLOT_BYTES)));
            }
            shared.modify(SrqAttributes.ofLimit(MESSAGES / 2), SrqAttributes.LIMIT);
            for (int i = 0; i < MESSAGES; i++) {
                senders[i % 2].postSend(SendWorkRequest.send(i, left.sge(SENT_FROM + i * 8, BYTES)));
                left.sent();
            }
            for (QueuePair receiver : receivers) {
                receiver.modify(new QpAttributes().state(QpState.ERR));
            }
        });
    }

    /** The receiver stays in RTR, where its first message is an event. */
    private static void readyToReceive(QueuePair sender, QueuePair receiver) {
        RcConnection.USUAL.readyToReceive(sender, RcConnection.Endpoint.of(receiver, 1));
        RcConnection.USUAL.readyToReceive(receiver, RcConnection.Endpoint.of(sender, 2));
        RcConnection.USUAL.readyToSend(sender, 2);
    }

    private static void ready(QueuePair queuePair) {
        queuePair.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(1)
                .queueKey(QUEUE_KEY));
        queuePair.modify(new QpAttributes().state(QpState.RTR));
        queuePair.modify(new QpAttributes().state(QpState.RTS).sqPsn(1));
    }

    @FunctionalInterface
    private interface Program {
        void run(LossyFabric fabric, Side left, Side right);
    }

    private static void run(long seed, QpType type, Tap tap, Runnable end, Program program) {
        LinkFaults links = type == QpType.RC ? LinkFaults.NONE : LinkFaults.NONE.dropping(LOST_PER_MILLE);
        try (LossyFabric fabric = new LossyFabric(seed, links);
                Verbatim door = Verbatim.over(fabric).tap(tap)) {
            Side left = new Side(door.open("left"), QpCapabilities.USUAL, null, type);
            Side right = new Side(door.open("right"), QpCapabilities.USUAL, null, type);
            for (int i = 0; i < Side.REGION_BYTES; i++) {
                left.bytes().put(i, (byte) (i * 31 + i / 251));
            }
            program.run(fabric, left, right);
            end.run();
        }
    }
}
