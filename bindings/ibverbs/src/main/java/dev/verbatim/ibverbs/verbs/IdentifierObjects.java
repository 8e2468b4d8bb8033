// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.util.function.Function;

/** What connection management makes for its identifiers. */
public final class IdentifierObjects {

    private IdentifierObjects() {}

    /**
     * A queue pair.
     *
     * @param attributes a {@code struct ibv_qp_init_attr}, which tells what was granted afterwards
     * @param extended whether they are a {@code struct ibv_qp_init_attr_ex}, so that it may have functions to post by
     * @param made makes it, as the identifier's
     */
    public static Qp queuePair(Pd pd, long attributes, boolean extended, Function<QpInitAttributes, QueuePair> made) {
        return QueuePairs.create(pd.context(), pd, attributes, extended, made);
    }

    /** Destroys the queue pair of an identifier by a call of the identifier. */
    public static void destroyQueuePair(Qp queuePair, Runnable destroy) {
        queuePair.close(destroy);
    }

    /** A completion queue with the identifier as its context. */
    public static Cq completionQueue(Context context, int entries, long id, Channel channel) {
        return new Cq(context, entries, id, channel, 0, 0);
    }

    public static void destroyCompletionQueue(Cq queue) {
        queue.close();
    }

    /**
     * Whether a {@code struct ibv_qp_init_attr_ex} asks for functions to post by.
     *
     * @throws dev.verbatim.ibverbs.call.Refused EOPNOTSUPP if it asks for what the device has not
     */
    public static boolean isExtended(Context context, long attributes) {
        return QueuePairs.isExtended(context, attributes);
    }

    /** A shared receive queue of the attributes in memory. */
    public static long sharedQueue(Pd pd, long attributes) {
        return SharedQueues.ibv_create_srq(pd.address(), attributes);
    }

    public static void destroySharedQueue(long srq) {
        int unused = SharedQueues.ibv_destroy_srq(srq);
    }
}
