// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.TrackedCq;
import dev.verbatim.cli.soak.world.TrackedSrq;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import java.util.List;

/** Making, filling, changing and destroying shared receive queues. */
final class SrqVerbs {

    private static final int LONGEST_CHAIN = 12;
    private static final int MOST_RECEIVES = 200;

    private SrqVerbs() {}

    static void create(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (pd != null && !side.srqs().isFull()) {
            TrackedCq cq = worker.chance(0.4) ? side.cqs().any(worker.random()) : null;
            int size = 1 + worker.random().nextInt(MOST_RECEIVES);
            SrqInitAttributes attributes = cq == null || cq.isSmall()
                    ? SrqInitAttributes.basic(size)
                    : SrqInitAttributes.xrc(size, side.xrcDomain(), cq.cq());
            side.srqs().add(new TrackedSrq(side, pd, pd.createSrq(attributes)));
        }
    }

    static void createWrongly(Worker worker) {
        ProtectionDomain pd = worker.side().domains().usual(worker.random());
        int wrong = worker.oneOf(List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        if (pd != null) {
            for (SrqAttributes sizes : List.of(new SrqAttributes(wrong, 1, 0), new SrqAttributes(1, wrong, 0))) {
                IllegalVerbs.refusal(
                        worker,
                        "create_srq with " + sizes,
                        () -> pd.createSrq(new SrqInitAttributes(sizes, null, null, null))
                                .close());
            }
        }
    }

    static void receive(Worker worker) {
        TrackedSrq srq = worker.side().srqs().any(worker.random());
        if (srq != null) {
            int count = worker.random().nextInt(LONGEST_CHAIN);
            srq.postReceives(
                    worker, count, id -> ReceiveWorkRequest.of(id, PostVerbs.room(worker, worker.side(), srq.pd())));
        }
    }

    static void modify(Worker worker) {
        TrackedSrq srq = worker.side().srqs().any(worker.random());
        if (srq != null) {
            int mask = worker.random().nextInt(8) == 0
                    ? worker.random().nextInt(8)
                    : worker.oneOf(List.of(SrqAttributes.LIMIT, SrqAttributes.MAX_WR));
            srq.srq()
                    .modify(
                            new SrqAttributes(
                                    worker.random().nextInt(MOST_RECEIVES),
                                    4,
                                    worker.random().nextInt(MOST_RECEIVES)),
                            mask);
            srq.srq().query();
        }
    }

    static void destroy(Worker worker) {
        Side side = worker.side();
        TrackedSrq srq = side.srqs().any(worker.random());
        if (srq != null) {
            srq.close();
            side.srqs().remove(srq);
        }
    }
}
