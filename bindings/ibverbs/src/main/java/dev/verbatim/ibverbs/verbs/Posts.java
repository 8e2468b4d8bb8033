// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_recv_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_send_wr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.ibverbs.cause.PostedRequests;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a program posted the requests of its queue pairs and shared receive queues, while failures are to be told. Nobody else asks for
 * it: without that, none of this runs.
 */
final class Posts {

    static {
        Causes.atEnd(Posts::tellUnseen);
    }

    /** By adapter and number. */
    private static final Map<Long, Posts> ALL = new ConcurrentHashMap<>();

    private final PostedRequests sends;

    /** Null if the queue pair receives from a shared queue. */
    private final @Nullable PostedRequests receives;

    private final @Nullable SharedReceiveQueue shared;
    private volatile boolean isClosed;

    private Posts(QpInitAttributes attributes) {
        boolean receives = attributes.srq() == null && attributes.hasRecvCq();
        this.sends = new PostedRequests(attributes.capabilities().maxSendWr());
        this.receives = receives ? new PostedRequests(attributes.capabilities().maxRecvWr()) : null;
        this.shared = attributes.srq();
    }

    private static long key(Adapter adapter, int number) {
        return (long) adapter.index() << Integer.SIZE | number;
    }

    /** Those of a new queue pair. */
    static Posts opened(Context context, QueuePair queuePair) {
        Posts posts = new Posts(queuePair.initAttributes());
        ALL.put(key(context.adapter(), queuePair.number()), posts);
        return posts;
    }

    /** Where the last send request with an id was posted; null if that is not known. */
    static @Nullable NativeCallSite siteOf(Adapter adapter, int number, long id) {
        Posts posts = ALL.get(key(adapter, number));
        return posts == null ? null : posts.sends.findLast(id);
    }

    /** The queue pair is destroyed. */
    void close(Context context, int number) {
        isClosed = true;
        ALL.remove(key(context.adapter(), number), this);
    }

    /** Posts a chain of send requests of a program by {@code post}. */
    void send(long requests, long bad, Runnable post) {
        synchronized (sends) {
            NativeCallSite here = NativeCallSite.here();
            long before = sends.count();
            for (long at = requests; at != 0; at = ibv_send_wr.next.get(at)) {
                sends.add(ibv_send_wr.wr_id.get(at), here);
            }
            post(sends, before, requests, ibv_send_wr.next, bad, post);
        }
    }

    /** Posts one request by {@code post}. */
    void send(long id, Runnable post) {
        synchronized (sends) {
            long before = sends.count();
            sends.add(id, NativeCallSite.here());
            try {
                post.run();
            } catch (RuntimeException | Error refused) {
                sends.cutTo(before);
                throw refused;
            }
        }
    }

    /** The send queue, which one thread at a time posts to. */
    PostedRequests sends() {
        return sends;
    }

    /** Posts a chain of receives. */
    void receive(long requests, long bad, Runnable post) {
        if (receives == null) {
            post.run();
        } else {
            receive(receives, requests, bad, post);
        }
    }

    /** The same, to any queue. */
    static void receive(PostedRequests receives, long requests, long bad, Runnable post) {
        synchronized (receives) {
            NativeCallSite here = NativeCallSite.here();
            long before = receives.count();
            for (long at = requests; at != 0; at = ibv_recv_wr.next.get(at)) {
                receives.add(ibv_recv_wr.wr_id.get(at), here);
            }
            post(receives, before, requests, ibv_recv_wr.next, bad, post);
        }
    }

    /** If a request is refused, {@code bad} points to it, and it was not posted. */
    private static void post(PostedRequests to, long before, long requests, Field.I64 next, long bad, Runnable post) {
        try {
            post.run();
        } catch (RuntimeException | Error refused) {
            long first = Native.getLong(bad);
            long posted = before;
            for (long at = requests; at != 0 && at != first; at = next.get(at)) {
                posted++;
            }
            to.cutTo(posted);
            throw refused;
        }
    }

    /** Finds the queue pairs of the completions of a queue, the last one quickly. Guarded by the completion queue. */
    static final class Finder {

        private final Context context;
        private int number;
        private @Nullable Posts last;

        Finder(Context context) {
            this.context = context;
        }

        private @Nullable Posts of(int wanted) {
            Posts found = last;
            if (found == null || number != wanted || found.isClosed) {
                found = ALL.get(key(context.adapter(), wanted));
                last = found;
                number = wanted;
            }
            return found;
        }

        /**
         * The program polled a completion. If it failed, that is told.
         *
         * @param symbol the function that it polled by
         */
        void polled(WorkCompletion completion, String symbol) {
            if (!completion.isSuccess()) {
                tell(context.device(), of(completion.qpNumber()), completion, symbol);
            } else if (completion.opcode().isReceive()) {
                Posts posts = of(completion.qpNumber());
                if (posts != null) {
                    posts.takeReceive(completion.id());
                }
            }
        }
    }

    private @Nullable NativeCallSite siteOf(WorkCompletion completion) {
        boolean ofSend = completion.requestNumber() > 0;
        return ofSend ? sends.find(completion.requestNumber(), completion.id()) : takeReceive(completion.id());
    }

    private @Nullable NativeCallSite takeReceive(long id) {
        PostedRequests from = receives;
        if (from == null && shared != null && shared.context() instanceof Srq srq) {
            from = srq.posted();
        }
        if (from == null) {
            return null;
        }
        synchronized (shared == null ? this : shared) {
            return from.take(id);
        }
    }

    /** The queue pair changed its state to RESET: its queues are empty, and count anew. */
    void forget() {
        synchronized (sends) {
            sends.cutTo(0);
        }
    }

    private static void tell(Device device, @Nullable Posts posts, WorkCompletion completion, @Nullable String symbol) {
        NativeCallSite posted = posts == null ? null : posts.siteOf(completion);
        WcOpcode opcode = completion.opcode();
        Causes.failed(device.name(), completion, opcode == WcOpcode.TSO ? "" : opcode.name(), posted, symbol);
    }

    /** Failures that the program has not polled when it ends. */
    private static void tellUnseen() {
        for (Adapter adapter : Adapters.all()) {
            Device device = adapter.opened();
            if (device != null) {
                for (WorkCompletion completion : device.unpolledFailures()) {
                    tell(device, ALL.get(key(adapter, completion.qpNumber())), completion, null);
                }
            }
        }
    }
}
