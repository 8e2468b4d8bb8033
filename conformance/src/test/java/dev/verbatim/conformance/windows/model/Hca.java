// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A device: its tables, and the verbs that change them. Keys mean something on one device only (KEY-07). */
public final class Hca {

    private static final int NEEDS_LOCAL_WRITE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int REMOTE_RIGHTS = NEEDS_LOCAL_WRITE | AccessFlags.REMOTE_READ;

    private final Conduct conduct;
    private final int mostWindows;
    private final int pathMtuBytes;
    private final Keys keys = new Keys();
    private final List<Region> regions = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final List<Qp> queuePairs = new ArrayList<>();

    /** A device without anything. */
    public Hca(Conduct conduct, int mostWindows, int pathMtuBytes) {
        this.conduct = conduct;
        this.mostWindows = mostWindows;
        this.pathMtuBytes = pathMtuBytes;
    }

    Conduct conduct() {
        return conduct;
    }

    Keys keys() {
        return keys;
    }

    /** A protection domain. */
    public Pd allocatePd(String name) {
        return new Pd(this, name);
    }

    /** {@code ibv_dealloc_pd}: not while it has children (PD-01). */
    @SuppressWarnings("ReferenceEquality") // Domains are themselves and nothing else.
    public Answer deallocatePd(Pd pd) {
        if (pd.isFreed) {
            return Answer.refuse(Errno.ENOENT, "PD-03");
        }
        boolean hasChildren = regions.stream().anyMatch(region -> region.pd() == pd)
                || windows.stream().anyMatch(window -> window.pd() == pd)
                || queuePairs.stream().anyMatch(qp -> qp.pd() == pd);
        if (hasChildren) {
            return Answer.refuse(Errno.EBUSY, "PD-01");
        }
        pd.isFreed = true;
        return Answer.OK;
    }

    /** A queue pair in RESET. */
    public Qp createQp(Pd pd, String name) {
        Qp qp = new Qp(pd, name);
        queuePairs.add(qp);
        return qp;
    }

    /** {@code ibv_destroy_qp}. */
    public Answer destroy(Qp qp) {
        Answer answer = qp.destroy();
        if (answer.isOk()) {
            queuePairs.remove(qp);
        }
        return answer;
    }

    boolean isBoundOver(Qp qp) {
        return windows.stream().anyMatch(window -> {
            Binding binding = window.binding;
            return window.isType2() && binding != null && binding.isOf(qp);
        });
    }

    /** Whether {@code ibv_reg_mr} will succeed. */
    public Answer register(Pd pd, int access) {
        if (pd.isFreed) {
            return Answer.refuse(Errno.ENOENT, "PD-02");
        }
        boolean lacksLocalWrite = (access & NEEDS_LOCAL_WRITE) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0;
        return lacksLocalWrite ? Answer.refuse(Errno.EINVAL, "MR-03") : Answer.OK;
    }

    /** The region that {@code ibv_reg_mr} made, and the keys that the device gave it. */
    public Region registered(Pd pd, Space space, int offset, int lengthBytes, int access, int lkey, int rkey) {
        Region region = new Region(pd, space, offset, lengthBytes, access, lkey, rkey);
        List<String> wrong = keys.issue(lkey, liveKeys());
        if ((access & REMOTE_RIGHTS) == 0 && rkey != 0) {
            wrong.add("comes with a remote key without a remote right [MR-13]");
        } else if (rkey != 0) {
            wrong.addAll(keys.issue(rkey, liveKeys())); // Another variant of the same index.
        }
        complainOf(wrong, "region", lkey);
        regions.add(region);
        return region;
    }

    /** {@code ibv_dereg_mr}: not while windows are bound to it (MR-50), or they lead nowhere from then on (MW-108). */
    @SuppressWarnings("ReferenceEquality") // As above.
    public Answer deregister(Region region) {
        if (!region.isRegistered) {
            return Answer.refuse(Errno.ENOENT, "MR-56");
        }
        long bound = windows.stream()
                .map(Window::binding)
                .filter(binding -> binding != null && binding.region() == region)
                .count();
        if (bound > 0 && conduct.boundRegion() != null) {
            return Answer.refuse(conduct.boundRegion(), "MR-50");
        }
        region.isRegistered = false;
        regions.remove(region);
        return Answer.OK;
    }

    /** Whether {@code ibv_alloc_mw} will succeed. */
    public Answer allocateWindow(Pd pd) {
        if (pd.isFreed) {
            return Answer.refuse(Errno.ENOENT, "PD-02");
        }
        return windows.size() == mostWindows ? Answer.refuse(Errno.ENOMEM, "MW-03") : Answer.OK;
    }

    /** The window that {@code ibv_alloc_mw} made, bound to nothing (MW-04), and the key that the device gave it. */
    public Window allocated(Pd pd, MemoryWindowType type, int rkey) {
        List<String> wrong = keys.issue(rkey, liveKeys());
        if (windowByIndex(rkey) != null || regions.stream().anyMatch(other -> isSameIndex(other.lkey(), rkey))) {
            wrong.add("has an index that is in use [KEY-P1]");
        }
        complainOf(wrong, "window", rkey);
        Window window = new Window(pd, type, rkey);
        windows.add(window);
        return window;
    }

    private static void complainOf(List<String> wrong, String of, int key) {
        if (!wrong.isEmpty()) {
            throw new AssertionError(
                    String.format(Locale.ROOT, "key 0x%08x of a new %s %s", key, of, String.join(", and ", wrong)));
        }
    }

    /** {@code ibv_dealloc_mw}: in every state (MW-06). */
    public Answer deallocate(Window window) {
        if (!window.isAllocated) {
            return Answer.refuse(Errno.ENOENT, "MW-06");
        }
        window.isAllocated = false;
        window.binding = null;
        windows.remove(window);
        return Answer.OK;
    }

    /** {@code ibv_bind_mw}. */
    public Answer bindByVerb(Qp qp, Bind bind) {
        return qp.isDestroyed() ? Answer.refuse(Errno.ENOENT, "QP-05") : Binds.byVerb(qp, bind);
    }

    /** {@code ibv_post_send} of BIND_MW. */
    public Answer bindByWorkRequest(Qp qp, Bind bind) {
        return qp.isDestroyed() ? Answer.refuse(Errno.ENOENT, "QP-05") : Binds.byWorkRequest(qp, bind);
    }

    /** {@code ibv_post_send} of WRITE, READ or an atomic. */
    public Answer post(Qp qp, Request request) {
        return posted(qp, () -> Requests.execute(qp, request, pathMtuBytes));
    }

    /** {@code ibv_post_send} of LOCAL_INV. */
    public Answer invalidate(Qp qp, long id, boolean signaled, int key) {
        return posted(qp, () -> Invalidations.local(qp, id, signaled, key));
    }

    /** {@code ibv_post_send} of SEND_WITH_INV. */
    public Answer sendWithInvalidate(
            Qp qp, long id, boolean signaled, int key, Space source, int offset, int lengthBytes) {
        return posted(qp, () -> Invalidations.remote(qp, id, signaled, key, source, offset, lengthBytes));
    }

    private static Answer posted(Qp qp, Runnable execution) {
        if (qp.isDestroyed()) {
            return Answer.refuse(Errno.ENOENT, "QP-05");
        }
        if (qp.state() == QpState.RESET) {
            return Answer.refuse(Errno.EINVAL, "QP-20");
        }
        execution.run();
        return Answer.OK;
    }

    @Nullable
    Region regionByRemoteKey(int key) {
        for (Region region : regions) {
            if (region.rkey() == key && key != 0) {
                return region;
            }
        }
        return null;
    }

    /** The window that has this index, whatever the variant. */
    @Nullable
    Window windowByIndex(int key) {
        for (Window window : windows) {
            if (isSameIndex(window.lastKey(), key)) {
                return window;
            }
        }
        return null;
    }

    private static boolean isSameIndex(int one, int other) {
        return Keys.index(one) == Keys.index(other);
    }

    /** All keys that open something, each once for each thing that it opens; there is no such thing twice (KEY-P1). */
    public List<Integer> liveKeys() {
        List<Integer> live = new ArrayList<>();
        for (Region region : regions) {
            live.add(region.lkey());
            if (region.rkey() != 0) {
                live.add(region.rkey());
            }
        }
        for (Window window : windows) {
            if (window.binding != null) {
                live.add(window.binding.key());
            }
        }
        return live;
    }
}
