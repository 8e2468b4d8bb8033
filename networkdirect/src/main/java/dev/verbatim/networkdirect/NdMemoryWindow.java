// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBinding;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Access rights to a part of a region that can be granted to the peer of one queue pair, and revoked ({@code IND2MemoryWindow}): a window
 * of type 2 of the device. It is created unbound; {@link NdQueuePair#bind} and {@link NdQueuePair#invalidate} change it any number of
 * times.
 *
 * <p>Its state as the device has executed it decides about access; the token is that of the requests that were posted.
 */
public final class NdMemoryWindow extends NdObject {

    /** Tokens of one index: the key has 8 bits that change. */
    private static final int VARIANTS = 256;

    private final NdContext context;
    private final Consumer<NdMemoryWindow> ended;

    /** Windows of the device that this was before it ran out of keys. */
    private final List<MemoryWindow> outworn = new ArrayList<>();

    private MemoryWindow verbs;
    private @Nullable Posted newest;
    private @Nullable QueuePair boundBy;
    private boolean isBoundWhenPostedIsDone;
    private volatile int token;
    private long generation;

    /** Binds that were posted since the window has this index. */
    private long bindsOfIndex;

    /** A Bind that was posted, by the key that it gives. */
    static final class Posted {

        private final MemoryWindow window;
        private final int key;
        private final QueuePair queuePair;

        Posted(MemoryWindow window, int key, QueuePair queuePair) {
            this.window = window;
            this.key = key;
            this.queuePair = queuePair;
        }

        int key() {
            return key;
        }

        /** Whether it has been executed, or will not be; by the window's key, so also for silent Binds and old ones. */
        boolean isSettled() {
            int later = window.currentRkey() - key & VARIANTS - 1;
            return later < VARIANTS / 2 || queuePair.state() == QpState.ERR;
        }
    }

    /**
     * An invalidated window.
     *
     * @param ended is called when it was released
     */
    NdMemoryWindow(NdContext context, Consumer<NdMemoryWindow> ended) {
        this.context = context;
        this.ended = ended;
        this.verbs = context.pd().allocateWindow(MemoryWindowType.TYPE_2);
    }

    NdContext context() {
        return context;
    }

    @Override
    ObjectCalls calls() {
        return context.calls();
    }

    /**
     * The token for the peer's Reads and Writes, in network byte order: that of the Bind that was posted last. Each Bind has another one,
     * which is valid once the Bind is executed. 0 before the first Bind.
     */
    public int getRemoteToken() {
        calls().touched();
        return token;
    }

    /** How many Binds were posted. Not part of NetworkDirect. */
    public synchronized long generation() {
        calls().touched();
        return generation;
    }

    /**
     * Whether an earlier Bind had the same token: a key has 256 variants, so a peer with the token of 256 Binds ago can use this one. Not
     * part of NetworkDirect.
     */
    public synchronized boolean isTokenUsedAgain() {
        calls().touched();
        return bindsOfIndex > VARIANTS;
    }

    /** The bindings of the window, oldest first, as the device has executed them. Not part of NetworkDirect. */
    public List<WindowBinding> life() {
        return calls().run(this::bindings);
    }

    private synchronized List<WindowBinding> bindings() {
        return verbs.life();
    }

    /** Whether it is bound when all that was posted has been executed. */
    boolean willBeBound() {
        return isBoundWhenPostedIsDone;
    }

    MemoryWindow verbs() {
        return verbs;
    }

    /** The Bind that is about to be posted by that queue pair. */
    Posted next(QueuePair queuePair) {
        if (!context.profile().keyWrap() && bindsOfIndex == VARIANTS) {
            outworn.add(verbs);
            allocate();
        }
        Posted last = newest;
        int before = last == null ? verbs.rkey() : last.key;
        return new Posted(verbs, Rkey.increment(before), queuePair);
    }

    /** It was posted. */
    void posted(Posted bind) {
        newest = bind;
        generation++;
        bindsOfIndex++;
        token = NdToken.fromRkey(bind.key);
        boundBy = bind.queuePair;
        isBoundWhenPostedIsDone = true;
    }

    /** What an Invalidate that is posted now invalidates. */
    int keyToInvalidate() {
        Posted last = newest;
        return last == null ? verbs.rkey() : last.key;
    }

    /** An Invalidate was posted. */
    void invalidatePosted() {
        isBoundWhenPostedIsDone = false;
    }

    /** One of its Binds or Invalidates has completed. */
    synchronized void completed(NdRequestType type, WorkCompletion completion) {
        if (type == NdRequestType.BIND) {
            Posted last = newest;
            if (!completion.isSuccess() && last != null) {
                isBoundWhenPostedIsDone &= isBound();
            }
        } else if (!completion.isSuccess()) {
            isBoundWhenPostedIsDone = isBound();
        } else {
            context.sweep();
        }
    }

    private boolean isBound() {
        List<WindowBinding> life = verbs.life();
        WindowBinding last = life.isEmpty() ? null : life.get(life.size() - 1);
        return last != null && last.ordinal() > 0 && last.end() == null;
    }

    /** The queue pair goes; what it bound is unbound with it. */
    @SuppressWarnings("ReferenceEquality") // the same queue pair
    synchronized void queuePairEnds(QueuePair queuePair) {
        if (boundBy == queuePair && !isReleased()) {
            close(verbs);
            allocate();
            boundBy = null;
            isBoundWhenPostedIsDone = false;
        }
    }

    private void allocate() {
        verbs = context.pd().allocateWindow(MemoryWindowType.TYPE_2);
        newest = null;
        bindsOfIndex = 0;
    }

    @Override
    synchronized void end() {
        outworn.forEach(NdMemoryWindow::close);
        close(verbs);
        ended.accept(this);
    }

    private static void close(MemoryWindow window) {
        try {
            window.close();
        } catch (VerbsException goneWithTheDevice) {
            // Nothing is left to close.
        }
    }

    @Override
    public String toString() {
        return "NdMemoryWindow with " + verbs;
    }
}
