// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_async_event;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous events: an event of an object is fetched from the context that the object was made in, one of the port from each context.
 * It is acknowledged by the struct that the program got; an object is destroyed when all that were fetched are.
 */
final class AsyncEvents {

    /** An event that was fetched. */
    private record Fetched(
            Context context,
            long element,
            int type,
            AsyncEvent event,
            @Nullable NativeCallSite place) {}

    /** Those that were not acknowledged. Guarded by the class, as the events of all contexts. */
    private static final List<Fetched> FETCHED = new ArrayList<>();

    /** How many the program has acknowledged. Guarded by the class. */
    private static long acknowledged;

    private AsyncEvents() {}

    /** After the descriptor was read: 0 if there was an event, 1 if there is none any more. */
    static int take_async_event(long context, long event) {
        Context of = Context.TABLE.at(context);
        synchronized (AsyncEvents.class) {
            if (of.events().isEmpty()) {
                collect(of);
            }
            AsyncEvent next = of.events().pollFirst();
            of.signalTaken();
            Context.TABLE.of(of.adapter()).forEach(Context::tellOfEvents);
            if (next == null) {
                return 1;
            }
            if (Causes.ON) {
                Causes.event(of.device().name(), next);
            }
            long element = elementOf(next);
            Native.putLong(event, element);
            ibv_async_event.event_type.set(event, next.type().number());
            fetched(of, element, next);
            return 0;
        }
    }

    /** The program has an event of that context, which it is to acknowledge. */
    static synchronized void fetched(Context context, long element, AsyncEvent event) {
        FETCHED.add(new Fetched(context, element, event.type().number(), event, NativeCallSite.ofCall()));
    }

    /**
     * An event waits at a device. Where there are several contexts it is found out which it is of, on another thread than the device's.
     * What is raised while contexts are opened and closed is told to those that are there then; a new one is told of all that wait.
     */
    static void raised(Adapter adapter) {
        List<Context> all = Context.TABLE.of(adapter);
        if (all.size() == 1) {
            all.get(0).tellOfEvent();
        } else if (!all.isEmpty()) {
            ForkJoinPool.commonPool().execute(() -> distribute(all.get(0)));
        }
    }

    /** An event is gone that waited at a device. Where there are several contexts none was told of it there. */
    static void dropped(Adapter adapter) {
        List<Context> all = Context.TABLE.of(adapter);
        if (all.size() == 1) {
            all.get(0).tellOfDrop();
        }
    }

    /** An event of a device that is closed meanwhile, as the program ends, is nobody's. */
    private static synchronized void distribute(Context one) {
        try {
            collect(one);
            Context.TABLE.of(one.adapter()).forEach(Context::tellOfEvents);
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
        }
    }

    /**
     * Takes events of a device to the contexts that they are of. Where there is only one context, this takes a single one: what was
     * not taken from the device goes with its object.
     */
    private static void collect(Context one) {
        List<Context> all = Context.TABLE.of(one.adapter());
        AsyncEvent event = all.isEmpty() ? null : one.device().pollAsyncEvent();
        while (event != null) {
            @Nullable Context owner = ownerOf(event);
            if (owner != null) {
                owner.events().addLast(event);
            } else if (event.queuePair() == null
                    && event.completionQueue() == null
                    && event.sharedReceiveQueue() == null) {
                for (Context each : all) {
                    each.events().addLast(event);
                }
            } else {
                event.acknowledge(); // of an object that no program knows
            }
            boolean isEnough = all.size() == 1 && !all.get(0).events().isEmpty();
            event = isEnough ? null : one.device().pollAsyncEvent();
        }
    }

    private static @Nullable Context ownerOf(AsyncEvent event) {
        QueuePair qp = event.queuePair();
        CompletionQueue cq = event.completionQueue();
        SharedReceiveQueue srq = event.sharedReceiveQueue();
        if (qp != null && qp.initAttributes().context() instanceof Qp of) {
            return of.context();
        }
        if (cq != null && cq.context() instanceof Cq of) {
            return of.context();
        }
        if (srq != null && srq.context() instanceof Srq of) {
            return of.context();
        }
        return null;
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
        synchronized (AsyncEvents.class) {
            for (Iterator<Fetched> each = FETCHED.iterator(); each.hasNext(); ) {
                Fetched fetched = each.next();
                if (fetched.element() == element && fetched.type() == type) {
                    each.remove();
                    acknowledge(fetched.event());
                    acknowledged++;
                    AsyncEvents.class.notifyAll();
                    return;
                }
            }
        }
        // Those of ports and devices are not counted, so another acknowledgement of one does nothing.
        for (EventType each : EventType.values()) {
            if (each.number() == type && isOfObject(each)) {
                throw new Refused(
                        Errno.EINVAL.number(),
                        each + " of the object at 0x" + Long.toHexString(element)
                                + " is not fetched, or was acknowledged before; with libibverbs the call that destroys the"
                                + " object would wait for ever, so acknowledge each event once");
            }
        }
    }

    private static boolean isOfObject(EventType type) {
        return switch (type) {
            case DEVICE_FATAL,
                    PORT_ACTIVE,
                    PORT_ERR,
                    LID_CHANGE,
                    PKEY_CHANGE,
                    SM_CHANGE,
                    CLIENT_REREGISTER,
                    GID_CHANGE -> false;
            default -> true;
        };
    }

    /** An event of the port was given to several contexts, and is acknowledged by the first. */
    private static void acknowledge(AsyncEvent event) {
        try {
            event.acknowledge();
        } catch (IllegalStateException acknowledgedBefore) {
            // By another context.
        }
    }

    /**
     * Destroys an object of the device. Events that the program did not fetch go with it; for those that it fetched and did not
     * acknowledge this waits, as it does on Linux.
     *
     * @param call the function that does so
     * @param element address of its struct
     */
    static void destroy(String call, long element, Runnable close) {
        while (true) {
            long before = acknowledged();
            try {
                close.run();
                return;
            } catch (VerbsException e) {
                if (e.errno() != Errno.EBUSY || !settle(call, element, before)) {
                    throw e;
                }
            }
        }
    }

    private static synchronized long acknowledged() {
        return acknowledged;
    }

    /** Whether events of the object were held, which are not any more; another thread may have acknowledged some since the count was taken. */
    private static synchronized boolean settle(String call, long element, long before) {
        boolean found = acknowledged != before;
        for (Context context : Context.TABLE.all()) {
            for (Iterator<AsyncEvent> each = context.events().iterator(); each.hasNext(); ) {
                AsyncEvent event = each.next();
                if (event.portNumber() == 0 && elementOf(event) == element) {
                    each.remove();
                    context.tellOfDrop();
                    event.acknowledge();
                    found = true;
                }
            }
        }
        if (owed(element).isEmpty()) {
            return found;
        }
        try {
            Waits.during(call, () -> awaited(element), () -> {
                while (!owed(element).isEmpty()) {
                    AsyncEvents.class.wait();
                }
            });
        } catch (InterruptedException e) {
            throw new Refused(Errno.EINTR.number(), "interrupted while events are not acknowledged");
        }
        return true;
    }

    private static List<Fetched> owed(long element) {
        return FETCHED.stream().filter(fetched -> fetched.element() == element).toList();
    }

    private static synchronized Waits.Wait awaited(long element) {
        List<Fetched> owed = owed(element);
        NativeCallSite place = owed.isEmpty() ? null : owed.get(0).place();
        return Waits.owed(owed.size(), "asynchronous events", "ibv_get_async_event", "ibv_ack_async_event", place);
    }

    /** The context is closed: nobody will acknowledge its events. */
    static synchronized void forget(Context context) {
        context.events().forEach(AsyncEvents::acknowledge);
        context.events().clear();
        for (Iterator<Fetched> each = FETCHED.iterator(); each.hasNext(); ) {
            Fetched fetched = each.next();
            if (fetched.context() == context) {
                each.remove();
                acknowledge(fetched.event());
            }
        }
        AsyncEvents.class.notifyAll();
    }
}
