// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_qp;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_ex$46;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@code struct ibv_qp}, which always has the room of a {@code struct ibv_qp_ex}. */
public final class Qp extends Struct {

    /** All queue pairs. */
    public static final Table<Qp> TABLE = new Table<>(ibv_qp.context, ibv_qp.handle, "ibv_qp");

    private final Context context;
    private final QueuePair queuePair;
    private final Sends sends;
    private final Receives receives;
    private final @Nullable Batch batch;

    /** Where requests were posted, while failures are told. */
    private final @Nullable Posts posts;

    /** Which entry of the GID table the program chose, and which form of the peer's GID. */
    private final ChosenGids path = new ChosenGids();

    /** The sizes that the program is told. */
    private final QpCapabilities sizes;

    /** Whether the struct stands for a queue pair that another made (ibv_open_qp). */
    private final boolean isOpened;

    /**
     * Makes a queue pair.
     *
     * @param extended whether the program posts by the functions of {@code struct ibv_qp_ex}
     * @param made gives the queue pair for attributes whose context is this object
     */
    Qp(
            Context context,
            QpInitAttributes attributes,
            boolean extended,
            boolean isOpened,
            Function<QpInitAttributes, QueuePair> made) {
        super(ibv_qp_ex$46.SIZE);
        this.context = context;
        this.isOpened = isOpened;
        queuePair = made.apply((Lab.ON ? fewer(attributes) : attributes).withContext(this));
        sizes = promised(attributes.capabilities());
        sends = new Sends(queuePair);
        receives = new Receives(queuePair::postRecv);
        if (Lab.ON && !isOpened) {
            Lab.created(context.adapter().index(), queuePair);
        }
        posts = Causes.ON && !isOpened ? Posts.opened(context, queuePair) : null;
        batch = extended ? new Batch(queuePair, posts) : null;
        ibv_qp.context.set(address(), context.address());
        ibv_qp.qp_num.set(address(), queuePair.number());
        ibv_qp.state.set(address(), queuePair.state().number());
        ibv_qp.qp_type.set(address(), queuePair.initAttributes().type().number());
        if (extended) {
            ExtendedPosts.FUNCTIONS.fill(address());
        }
        TABLE.add(this);
    }

    /** The same with queues that take fewer requests, where a fault says so. */
    private static QpInitAttributes fewer(QpInitAttributes asked) {
        QpCapabilities sizes = asked.capabilities();
        return asked.withCapabilities(new QpCapabilities(
                Lab.taken("send_wr", sizes.maxSendWr()),
                Lab.taken("recv_wr", sizes.maxRecvWr()),
                sizes.maxSendSge(),
                sizes.maxRecvSge(),
                sizes.maxInlineDataBytes()));
    }

    /** What was granted, and no fewer requests than were asked for, whatever the queues take. */
    private QpCapabilities promised(QpCapabilities asked) {
        QpCapabilities granted = queuePair.initAttributes().capabilities();
        return Lab.ON
                ? new QpCapabilities(
                        Math.max(granted.maxSendWr(), asked.maxSendWr()),
                        Math.max(granted.maxRecvWr(), asked.maxRecvWr()),
                        granted.maxSendSge(),
                        granted.maxRecvSge(),
                        granted.maxInlineDataBytes())
                : granted;
    }

    ChosenGids path() {
        return path;
    }

    /** The sizes that the program is told. */
    QpCapabilities sizes() {
        return sizes;
    }

    Context context() {
        return context;
    }

    /** The queue pair of the device. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** Says in the struct which state it is in now. */
    public void stateChanged() {
        QpState state = queuePair.state();
        ibv_qp.state.set(address(), state.number());
        if (Causes.ON && posts != null && state == QpState.RESET) {
            posts.forget();
        }
    }

    void postSend(long requests, long bad) {
        if (Causes.ON && posts != null) {
            posts.send(requests, bad, () -> sends.post(requests, bad));
        } else {
            sends.post(requests, bad);
        }
    }

    void postReceive(long requests, long bad) {
        if (Causes.ON && posts != null) {
            posts.receive(requests, bad, () -> receives.post(requests, bad));
        } else {
            receives.post(requests, bad);
        }
    }

    /** Where requests were posted; null if failures are not told. */
    @Nullable
    Posts posts() {
        return posts;
    }

    /** What the program collects between wr_start and wr_complete; null if it was not made for that. */
    @Nullable
    Batch batch() {
        return batch;
    }

    void close() {
        close(isOpened ? () -> {} : queuePair::close);
    }

    /** Destroys it by a call of its identifier's, if it has one. */
    void close(Runnable destroy) {
        AsyncEvents.destroy("ibv_destroy_qp", address(), destroy);
        if (batch != null) {
            batch.free();
        }
        if (posts != null) {
            posts.close(context, queuePair.number());
        }
        if (Lab.ON && !isOpened) {
            Lab.destroyed(context.adapter().index(), queuePair);
        }
        TABLE.remove(this);
    }
}
