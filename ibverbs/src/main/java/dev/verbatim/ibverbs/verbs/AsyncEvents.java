// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_async_event;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Asynchronous events: taken with the struct of the object that they are of, and acknowledged by it. */
final class AsyncEvents {

    private record Taken(long element, int type, AsyncEvent event) {}

    /** Those that were not acknowledged. Guarded by itself. */
    private static final List<Taken> TAKEN = new ArrayList<>();

    private AsyncEvents() {}

    /** After the descriptor was read: 0 if there was an event, 1 if there is none any more. */
    static int take_async_event(long context, long event) {
        AsyncEvent next = Context.TABLE.at(context).device().pollAsyncEvent();
        if (next == null) {
            return 1;
        }
        long element = elementOf(next);
        Native.putLong(event, element);
        ibv_async_event.event_type.set(event, next.type().number());
        synchronized (TAKEN) {
            TAKEN.add(new Taken(element, next.type().number(), next));
        }
        return 0;
    }

    private static long elementOf(AsyncEvent event) {
        QueuePair qp = event.queuePair();
        CompletionQueue cq = event.completionQueue();
        SharedReceiveQueue srq = event.sharedReceiveQueue();
        if (qp != null && qp.initAttributes().context() instanceof Qp of) {
            return of.address();
        }
        if (cq != null && cq.context() instanceof Cq of) {
            return of.address();
        }
        if (srq != null && srq.context() instanceof Srq of) {
            return of.address();
        }
        return event.portNumber();
    }

    static void ibv_ack_async_event(long event) {
        long element = Native.getLong(event);
        int type = ibv_async_event.event_type.get(event);
        AsyncEvent found = null;
        synchronized (TAKEN) {
            for (Iterator<Taken> each = TAKEN.iterator(); each.hasNext() && found == null; ) {
                Taken taken = each.next();
                if (taken.element() == element && taken.type() == type) {
                    found = taken.event();
                    each.remove();
                }
            }
        }
        if (found != null) {
            found.acknowledge();
        }
    }
}
