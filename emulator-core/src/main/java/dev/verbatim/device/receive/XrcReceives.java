// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.receive;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.device.cq.CompletionOutput;
import dev.verbatim.device.cq.CqUser;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The receives of the receiving end of an XRC connection: each message names the shared receive queue that it is for, which says
 * whose regions it may touch and where it completes (XRC-01).
 */
public final class XrcReceives extends NoReceives {

    /** What the queue pair takes out of one of the queues. */
    private static final class OfQueue extends SharedReceives {

        private final EmulatedSharedReceiveQueue srq;
        private final QpIdentity asker;

        OfQueue(CqUser user, Supplier<QpIdentity> life, EmulatedSharedReceiveQueue srq, EmulatedCompletionQueue cq) {
            super(user, life, srq, new CompletionOutput(user, cq, false, " receive of srq " + srq.number()));
            this.srq = srq;
            this.asker = new QpIdentity(srq.domain(), user.number());
        }

        /** Remote keys are compared with the domain of the shared receive queue; no window is bound over this end (XRC-02). */
        @Override
        public QpIdentity user() {
            return asker;
        }
    }

    private final CqUser user;
    private final Supplier<QpIdentity> life;
    private final EmulatedXrcDomain domain;
    private final Map<EmulatedSharedReceiveQueue, OfQueue> sources = new LinkedHashMap<>();
    /** The same once more, which nothing has to be made to go through. */
    private final List<OfQueue> inOrder = new ArrayList<>();

    private @Nullable OfQueue last;

    public XrcReceives(CqUser user, Supplier<QpIdentity> life, EmulatedXrcDomain domain) {
        super(user, life);
        this.user = user;
        this.life = life;
        this.domain = domain;
    }

    @Override
    public @Nullable ReceiveSource of(Packet request) {
        EmulatedSharedReceiveQueue srq = domain.queue(request.srqNumber());
        if (srq == null) {
            return null;
        }
        OfQueue source = last;
        if (source == null || source.srq != srq) {
            source = sources.get(srq);
        }
        if (source == null) {
            source = new OfQueue(user, life, srq, srq.cq());
            srq.cq().reserve(1);
            inOrder.add(source);
            sources.put(srq, source);
        }
        last = source;
        source.holdAs(this);
        return source;
    }

    @Override
    public void begin() {
        domain.add(this);
    }

    @Override
    public void end() {
        domain.remove(this);
    }

    @Override
    public void flushCausedBy(@Nullable Refusal cause) {
        sources.values().forEach(source -> source.flushCausedBy(cause));
    }

    @Override
    public void flush(Refusal reason) {
        for (int i = 0; i < inOrder.size(); i++) {
            inOrder.get(i).flush(reason);
        }
    }

    @Override
    public void showCompletions() {
        inOrder.forEach(ReceiveSource::showCompletions);
    }

    @Override
    public void forget() {
        sources.values().forEach(ReceiveSource::forget);
    }

    /** The queue is destroyed: what was taken out of it goes with it. */
    void forget(EmulatedSharedReceiveQueue srq) {
        OfQueue gone = sources.remove(srq);
        if (gone != null) {
            inOrder.remove(gone);
            gone.clear();
            gone.completions().discardHeld();
            last = null;
        }
    }
}
