// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.TrackedCq;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.List;

/** Making and destroying domains, completion queues and channels. */
final class ObjectVerbs {

    private static final int USUAL_ENTRIES = 4096;
    private static final int FEW_ENTRIES = 24;

    private ObjectVerbs() {}

    static void allocatePd(Worker worker) {
        Side side = worker.side();
        if (!side.domains().isFull()) {
            side.domains().add(side.device().allocatePd());
        }
    }

    static void deallocatePd(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().any(worker.random());
        if (pd != null) {
            pd.close();
            side.domains().remove(pd);
        }
    }

    static void createCq(Worker worker) {
        Side side = worker.side();
        if (side.cqs().isFull()) {
            return;
        }
        boolean small = worker.chance(0.1);
        int entries = small ? 1 + worker.random().nextInt(FEW_ENTRIES) : USUAL_ENTRIES;
        CompletionChannel channel = worker.chance(0.6) ? side.channels().any(worker.random()) : null;
        CompletionQueue cq =
                side.device().createCq(entries, null, channel, worker.random().nextInt(2));
        side.cqs().add(new TrackedCq(worker.world(), cq, small, worker.random().nextBoolean()));
    }

    static void createCqWrongly(Worker worker) {
        Side side = worker.side();
        int wrong = worker.oneOf(List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        IllegalVerbs.refusal(
                worker,
                "create_cq with cqe=" + wrong,
                () -> side.device().createCq(wrong).close());
        IllegalVerbs.refusal(
                worker,
                "create_cq with comp_vector=" + (wrong - 1),
                () -> side.device()
                        .createCq(1, null, null, wrong == 0 ? -1 : wrong)
                        .close());
    }

    static void resizeCq(Worker worker) {
        TrackedCq cq = worker.side().cqs().any(worker.random());
        if (cq != null) {
            int more = worker.random().nextInt(USUAL_ENTRIES);
            cq.cq().resize(cq.isSmall() ? worker.random().nextInt(FEW_ENTRIES) : USUAL_ENTRIES + more);
        }
    }

    static void openXrcDomain(Worker worker) {
        Side side = worker.side();
        String name = worker.oneOf(List.of("one", "two"));
        (worker.random().nextBoolean()
                        ? side.device().openXrcDomain(name)
                        : side.device().openXrcDomain())
                .close();
    }

    static void createAddressHandle(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (pd != null && !side.addressHandles().isFull()) {
            Side to = worker.side();
            AddressVector vector = worker.chance(0.9)
                    ? AddressVector.to(to.device().gid())
                    : new AddressVector(
                            to.device().gid(),
                            worker.random().nextBoolean(),
                            worker.random().nextInt(3),
                            0,
                            worker.random().nextInt(1 << 20),
                            worker.random().nextInt(256),
                            worker.random().nextInt(256),
                            0);
            side.addressHandles().add(pd.createAddressHandle(vector));
        }
    }

    static void destroyAddressHandle(Worker worker) {
        Side side = worker.side();
        AddressHandle handle = side.addressHandles().any(worker.random());
        if (handle != null) {
            handle.close();
            side.addressHandles().remove(handle);
        }
    }

    static void destroyCq(Worker worker) {
        Side side = worker.side();
        TrackedCq cq = side.cqs().any(worker.random());
        if (cq != null) {
            cq.cq().close();
            side.cqs().remove(cq);
        }
    }

    static void createChannel(Worker worker) {
        Side side = worker.side();
        if (!side.channels().isFull()) {
            side.channels().add(side.device().createCompletionChannel());
        }
    }

    static void destroyChannel(Worker worker) {
        Side side = worker.side();
        CompletionChannel channel = side.channels().any(worker.random());
        if (channel != null) {
            channel.close();
            side.channels().remove(channel);
        }
    }

    /** The port goes down and comes back, or something else happens to it. */
    static void inject(Worker worker) {
        Side side = worker.side();
        if (worker.random().nextBoolean()) {
            side.device().inject(EventType.PORT_ERR);
            side.device().inject(EventType.PORT_ACTIVE);
        } else {
            side.device().inject(worker.oneOf(List.of(EventType.GID_CHANGE, EventType.LID_CHANGE, EventType.QP_FATAL)));
        }
    }

    static void query(Worker worker) {
        Side side = worker.side();
        side.device().query();
        side.device().queryPort(1);
        side.device().queryPort(worker.random().nextInt(3));
        side.device().queryGid(1, worker.random().nextInt(2));
        side.device().queryPkey(1, worker.random().nextInt(2));
    }
}
