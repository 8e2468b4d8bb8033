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
 * <p>Its state as the device has executed it decides about access; the token is that of the requests that were posted. A Bind that fails
 * when it is executed changes nothing (MW-32): an older binding stays valid, its token is reported again, and the queue pair that bound it
 * can invalidate it.
 */
public final class NdMemoryWindow extends NdObject {

    /** Tokens of one index: the key has 8 bits that change. */
    private static final int VARIANTS = 256;

    private final NdContext context;
    private final Consumer<NdMemoryWindow> ended;

    /** Windows of the device that this was before it ran out of keys. */
    private final List<MemoryWindow> outworn = new ArrayList<>();

    /** Binds that have not failed, oldest first: those that may still be executed, and the last one executed of each queue pair. */
    private final List<Posted> posted = new ArrayList<>();

    private MemoryWindow verbs;

    /** The key of the last Bind that was posted, also if it failed; at first that of the device's window. */
    private int lastKey;

    private volatile int token;
    private long generation;

    /** Binds that were posted since the window has this index. */
    private long bindsOfIndex;

    /** A Bind that was posted, by the key that it gives. */
    final class Posted {

        private final MemoryWindow window;
        private final int key;
        private final QueuePair queuePair;
        private volatile boolean settled;
        private volatile @Nullable Posted nextOfQueuePair;
        private boolean invalidatePosted;

        private Posted(MemoryWindow window, int key, QueuePair queuePair) {
            this.window = window;
            this.key = key;
            this.queuePair = queuePair;
        }

        int key() {
            return key;
        }

        /** Whether it has been executed, or will not be; also known of silent Binds, by the key that the window has now. */
        boolean isSettled() {
            int executed = window.currentRkey();
            Posted bind = this;
            while (bind != null && !bind.settled && bind.key != executed) {
                bind = bind.nextOfQueuePair;
            }
            if (bind != null || queuePair.state() == QpState.ERR) {
                settled = true;
            }
            return settled;
        }

        /** Whether the window is bound by it when all that was posted has been executed. */
        private boolean willBeBound() {
            return !invalidatePosted && (!isSettled() || isBound());
        }

        private boolean isBound() {
            WindowBinding bound = binding(window);
            return bound != null && bound.rkey() == key;
        }

        /** It or its Invalidate has completed. */
        void completed(NdRequestType type, WorkCompletion completion) {
            NdMemoryWindow.this.completed(this, type, completion.isSuccess());
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
        this.lastKey = verbs.rkey();
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
     * which is valid once the Bind is executed. When the result of a Bind that failed is taken, its token is given up, and that of the Bind
     * before it is reported again. 0 if there is none.
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
        return bindsOfIndex > VARIANTS && context.profile().keyWrap();
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
        return posted.stream().anyMatch(Posted::willBeBound);
    }

    MemoryWindow verbs() {
        return verbs;
    }

    /** The Bind that is about to be posted by that queue pair. What is bound keeps its index: the Bind is to fail (MW-32). */
    Posted next(QueuePair queuePair) {
        if (!context.profile().keyWrap() && bindsOfIndex >= VARIANTS && !willBeBound()) {
            outworn.add(verbs);
            allocate();
        }
        return new Posted(verbs, Rkey.increment(lastKey), queuePair);
    }

    /** It was posted. */
    void posted(Posted bind) {
        int executedKey = bind.window.currentRkey();
        posted.stream().filter(each -> each.key == executedKey).findFirst().ifPresent(this::executed);
        Posted before = newestOf(bind.queuePair);
        if (before != null) {
            before.nextOfQueuePair = bind;
        }
        posted.add(bind);
        lastKey = bind.key;
        generation++;
        bindsOfIndex++;
        token = NdToken.fromRkey(bind.key);
    }

    /** The Bind that an Invalidate of that queue pair is for: its own newest one. Without one the Invalidate is to fail. */
    Posted toInvalidate(QueuePair queuePair) {
        Posted newest = newestOf(queuePair);
        return newest == null ? new Posted(verbs, lastKey, queuePair) : newest;
    }

    private @Nullable Posted newestOf(QueuePair queuePair) {
        Posted newest = null;
        for (Posted bind : posted) {
            newest = isOf(bind, queuePair) ? bind : newest;
        }
        return newest;
    }

    /** An Invalidate of it was posted. */
    void invalidatePosted(Posted bind) {
        bind.invalidatePosted = true;
    }

    private synchronized void completed(Posted bind, NdRequestType type, boolean isSuccess) {
        if (isSuccess) {
            executed(bind);
        } else if (type == NdRequestType.BIND) {
            failed(bind);
        } else {
            bind.invalidatePosted = false;
        }
        if (type == NdRequestType.INVALIDATE || !isSuccess) {
            context.sweep();
        }
    }

    /** It has been executed, and so have those before it of its queue pair, which are over. */
    private void executed(Posted bind) {
        bind.settled = true;
        int index = posted.indexOf(bind);
        if (index >= 0) {
            List<Posted> earlier = posted.subList(0, index);
            earlier.stream().filter(each -> isOf(each, bind.queuePair)).forEach(each -> each.settled = true);
            earlier.removeIf(each -> isOf(each, bind.queuePair));
        }
    }

    private void failed(Posted bind) {
        bind.settled = true;
        if (posted.remove(bind)) {
            token = posted.isEmpty() ? 0 : NdToken.fromRkey(posted.get(posted.size() - 1).key);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same queue pair
    private static boolean isOf(Posted bind, QueuePair queuePair) {
        return bind.queuePair == queuePair;
    }

    private static @Nullable WindowBinding binding(MemoryWindow window) {
        List<WindowBinding> life = window.life();
        WindowBinding last = life.isEmpty() ? null : life.get(life.size() - 1);
        return last != null && last.ordinal() > 0 && last.end() == null ? last : null;
    }

    /** The queue pair goes; what it bound is unbound with it. */
    synchronized void queuePairEnds(QueuePair queuePair) {
        WindowBinding bound = posted.removeIf(bind -> isOf(bind, queuePair)) && !isReleased() ? binding(verbs) : null;
        if (bound != null && bound.qpNumber() == queuePair.number()) {
            close(verbs);
            allocate();
        }
    }

    private void allocate() {
        verbs = context.pd().allocateWindow(MemoryWindowType.TYPE_2);
        lastKey = verbs.rkey();
        bindsOfIndex = 0;
    }

    @Override
    synchronized void end() {
        posted.forEach(bind -> bind.settled = true);
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
