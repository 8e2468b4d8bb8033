// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_srq;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.PostedRequests;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.XrcDomain;
import org.jspecify.annotations.Nullable;

/** A {@code struct ibv_srq}. */
public final class Srq extends Struct {

    /** All shared receive queues. */
    public static final Table<Srq> TABLE = new Table<>(ibv_srq.context, ibv_srq.handle, "ibv_srq");

    private final SharedReceiveQueue queue;
    private final Receives receives;
    private final Context context;

    /** Where requests were posted, while failures are told. */
    private final @Nullable PostedRequests posted;

    Srq(Context context, Pd pd, long programs, SrqAttributes attributes, @Nullable XrcDomain domain, @Nullable Cq cq) {
        super(ibv_srq.SIZE);
        this.context = context;
        queue = pd.domain().createSrq(new SrqInitAttributes(attributes, domain, cq == null ? null : cq.queue(), this));
        receives = new Receives(queue::postRecv);
        posted = Causes.ON ? new PostedRequests(queue.query().maxWr()) : null;
        ibv_srq.context.set(address(), context.address());
        ibv_srq.srq_context.set(address(), programs);
        ibv_srq.pd.set(address(), pd.address());
        TABLE.add(this);
    }

    Context context() {
        return context;
    }

    /** The queue of the device. */
    public SharedReceiveQueue queue() {
        return queue;
    }

    @Nullable
    PostedRequests posted() {
        return posted;
    }

    void post(long requests, long bad) {
        if (Causes.ON && posted != null) {
            Posts.receive(posted, requests, bad, () -> receives.post(requests, bad));
        } else {
            receives.post(requests, bad);
        }
    }
}
