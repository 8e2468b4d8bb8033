// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.account.RequestId;
import dev.verbatim.cli.soak.world.QpSlot;
import dev.verbatim.cli.soak.world.QpSlotPair;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.Target;
import dev.verbatim.cli.soak.world.TrackedQp;
import dev.verbatim.cli.soak.world.TrackedRegion;
import dev.verbatim.cli.soak.world.TrackedSrq;
import dev.verbatim.cli.soak.world.TrackedWindow;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;
import java.util.random.RandomGenerator;

/** Posting requests. */
final class PostVerbs {

    private static final int LONGEST_CHAIN = 6;
    private static final int TRIES = 8;
    private static final int ROOM_BYTES = 20_000;

    private PostVerbs() {}

    static void send(Worker worker) {
        send(worker, 1);
    }

    static void sendChain(Worker worker) {
        send(worker, worker.random().nextInt(LONGEST_CHAIN + 1));
    }

    private static void send(Worker worker, int count) {
        QpSlotPair pair = worker.pair();
        QpSlot end = worker.end(pair);
        TrackedQp qp = end.qp();
        if (qp == null) {
            return;
        }
        QpSlot peer = pair.other(end);
        qp.postSends(worker, count, id -> {
            RequestKind kind = draw(worker.random(), qp.type());
            worker.world().figures().requests.add(kind.opcode().name());
            int length = RandomAddresses.length(worker.random());
            boolean datagram = qp.type() == QpType.UD && worker.chance(0.98);
            SendWorkRequest request = kind.maker()
                    .make(new RequestKind.Draw(worker, qp, qp.pd(), peer, id, datagram ? length & 0xff : length))
                    .withFlags(flags(worker));
            return addressed(worker, qp, peer, request);
        });
    }

    /** What is said of the receiver where that is not the queue pair's peer. */
    private static SendWorkRequest addressed(Worker worker, TrackedQp qp, QpSlot peer, SendWorkRequest request) {
        if (qp.type() == QpType.UD) {
            AddressHandle way = qp.side().addressHandles().any(worker.random());
            TrackedQp to = peer.qp();
            int key = worker.chance(0.97) ? QpVerbs.QUEUE_KEY : worker.random().nextInt();
            return way == null
                    ? request
                    : request.to(way, to == null ? 1 : to.qp().number(), key);
        }
        if (qp.type() == QpType.XRC_SEND) {
            TrackedSrq to = peer.side().srqs().any(worker.random());
            for (int i = 0; i < TRIES && (to == null || !to.isXrc()); i++) {
                to = peer.side().srqs().any(worker.random());
            }
            return request.toSrq(
                    to == null || !to.isXrc()
                            ? worker.random().nextInt(100)
                            : to.srq().number());
        }
        return request;
    }

    private static int flags(Worker worker) {
        int flags = worker.chance(0.7) ? SendFlags.SIGNALED : 0;
        flags |= worker.chance(0.1) ? SendFlags.FENCE : 0;
        flags |= worker.chance(0.2) ? SendFlags.SOLICITED : 0;
        return flags | (worker.chance(0.1) ? SendFlags.INLINE : 0);
    }

    private static RequestKind draw(RandomGenerator random, QpType type) {
        boolean fits = random.nextInt(100) > 0;
        int sum = 0;
        for (RequestKind kind : RequestKind.TABLE) {
            sum += kind.types().contains(type) == fits ? kind.weight() : 0;
        }
        int at = random.nextInt(Math.max(1, sum));
        for (RequestKind kind : RequestKind.TABLE) {
            at -= kind.types().contains(type) == fits ? kind.weight() : 0;
            if (at < 0) {
                return kind;
            }
        }
        return RequestKind.TABLE.get(0);
    }

    static void bindTypeOne(Worker worker) {
        TrackedQp qp = worker.end(worker.pair()).qp();
        TrackedWindow window = qp == null ? null : qp.side().windows().any(worker.random());
        TrackedRegion under = qp == null ? null : qp.side().regions().any(worker.random());
        if (qp == null || window == null || under == null) {
            return;
        }
        int flags = flags(worker);
        BindInfo info = RequestKind.bindInfo(worker, under.region());
        qp.bind(
                worker,
                (flags & SendFlags.SIGNALED) != 0,
                id -> "bind_mw " + RequestId.describe(id) + " " + info,
                id -> {
                    qp.qp().bindWindow(window.window(), new WindowBind(id, flags, info));
                    window.bound(new Target(
                            info.address(), info.lengthBytes(), window.window().rkey()));
                });
    }

    static void receive(Worker worker) {
        receive(worker, 1);
    }

    static void receiveChain(Worker worker) {
        receive(worker, worker.random().nextInt(2 * LONGEST_CHAIN));
    }

    private static void receive(Worker worker, int count) {
        TrackedQp qp = worker.end(worker.pair()).qp();
        if (qp != null) {
            qp.postReceives(worker, count, id -> ReceiveWorkRequest.of(id, room(worker, qp.side(), qp.pd())));
        }
    }

    /** Of usual receives. */
    static Sge[] room(Worker worker, Side side, ProtectionDomain pd) {
        return RandomAddresses.local(
                worker, side, pd, worker.chance(0.99) ? ROOM_BYTES : RandomAddresses.length(worker.random()));
    }
}
