// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The windows of one queue pair. Some stay bound to the whole region for the peer to use, some are there for the peer to
 * invalidate, and two are bound and revoked while nobody uses them. With errors any of them is bound and revoked at any time.
 */
final class RandomWindows {

    /** Registration flags of a region that windows are bound to. */
    static final int REGION_RIGHTS = Side.ALL_RIGHTS | AccessFlags.MW_BIND;

    private static final int ALL_RIGHTS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int VARIANTS = 4;
    private static final int ID = 7_000;

    /**
     * What a peer can name memory by.
     *
     * @param base the address of the region's first byte, as the key counts
     */
    record Target(int key, long base) {}

    private final SplittableRandom random;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final boolean withErrors;
    private final List<MemoryWindow> windows = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final List<Target> opened = new ArrayList<>();
    private final List<Integer> bound = new ArrayList<>();
    private final ArrayDeque<Integer> toInvalidate = new ArrayDeque<>();
    private final MemoryWindow ownOfTypeOne;
    private final MemoryWindow ownOfTypeTwo;
    private int ownKey;

    RandomWindows(SplittableRandom random, QueuePair qp, MemoryRegion region, boolean withErrors) {
        this.random = random;
        this.qp = qp;
        this.region = region;
        this.withErrors = withErrors;
        this.ownOfTypeOne = allocate(MemoryWindowType.TYPE_1);
        this.ownOfTypeTwo = allocate(MemoryWindowType.TYPE_2);
        targets.add(new Target(region.rkey(), region.address()));
    }

    private MemoryWindow allocate(MemoryWindowType type) {
        MemoryWindow window = region.pd().allocateWindow(type);
        windows.add(window);
        return window;
    }

    /** Posts the binds of what the peer may use and invalidate once it is shared; the last one is signaled. */
    void bindAll() {
        open(bindOfTypeOne(allocate(MemoryWindowType.TYPE_1), BindInfo.of(region, ALL_RIGHTS), 0), region.address());
        BindInfo fromZero = BindInfo.of(region, ALL_RIGHTS | AccessFlags.ZERO_BASED);
        open(bindOfTypeTwo(allocate(MemoryWindowType.TYPE_2), fromZero, 0), 0);
        for (int flags : new int[] {0, SendFlags.SIGNALED}) {
            int key = bindOfTypeTwo(allocate(MemoryWindowType.TYPE_2), BindInfo.of(region, ALL_RIGHTS), flags);
            bound.add(key);
            if (withErrors) {
                open(key, region.address());
            }
        }
    }

    private void open(int key, long base) {
        opened.add(new Target(key, base));
    }

    /** The peer knows of what was bound. */
    void shareAll() {
        targets.addAll(opened);
        opened.clear();
        toInvalidate.addAll(bound);
        bound.clear();
    }

    /** What peers use. */
    List<Target> targets() {
        return targets;
    }

    /** A key for the peer to invalidate now, each once if nothing is to fail; 0 if there is none. */
    int takeKeyToInvalidate() {
        if (withErrors && random.nextInt(4) == 0) {
            return targets.get(random.nextInt(targets.size())).key();
        }
        return toInvalidate.isEmpty() ? 0 : toInvalidate.remove();
    }

    /** Posts a bind or an invalidation. */
    void post() {
        int flags = (random.nextBoolean() ? SendFlags.SIGNALED : 0) | (random.nextInt(3) == 0 ? SendFlags.FENCE : 0);
        if (withErrors && random.nextInt(2) == 0) {
            postAnything(flags);
        } else if (random.nextInt(3) == 0) {
            bindOfTypeOne(ownOfTypeOne, random.nextInt(4) == 0 ? BindInfo.NOTHING : part(), flags);
        } else if (ownKey == 0) {
            ownKey = bindOfTypeTwo(ownOfTypeTwo, part(), flags);
        } else {
            qp.postSend(SendWorkRequest.localInvalidate(ID, ownKey).withFlags(flags));
            ownKey = 0;
        }
    }

    private void postAnything(int flags) {
        if (windows.isEmpty()) {
            return;
        }
        shareAll();
        MemoryWindow window = windows.get(random.nextInt(windows.size()));
        if (random.nextInt(8) == 0) {
            windows.remove(window);
            window.close();
            allocate(window.type());
        } else if (window.type() == MemoryWindowType.TYPE_1) {
            open(bindOfTypeOne(window, part(), flags), region.address());
        } else if (random.nextBoolean()) {
            open(bindOfTypeTwo(window, part(), flags), region.address());
        } else {
            int key = targets.get(random.nextInt(targets.size())).key();
            qp.postSend(SendWorkRequest.localInvalidate(ID, key).withFlags(flags));
        }
    }

    private BindInfo part() {
        int offset = random.nextInt(RandomRequests.AREA_BYTES / 2);
        int length = 1 + random.nextInt(RandomRequests.AREA_BYTES / 2);
        int access = random.nextInt(4) == 0 ? random.nextInt(16) & ALL_RIGHTS : ALL_RIGHTS;
        return new BindInfo(region, region.address() + offset, length, access);
    }

    private int bindOfTypeOne(MemoryWindow window, BindInfo info, int flags) {
        unlessClosed(() -> qp.bindWindow(window, new WindowBind(ID, flags, info)));
        return window.rkey();
    }

    private int bindOfTypeTwo(MemoryWindow window, BindInfo info, int flags) {
        SendWorkRequest bind = SendWorkRequest.bindWindow(ID, window, random.nextInt(VARIANTS), info);
        unlessClosed(() -> qp.postSend(bind.withFlags(flags)));
        return bind.boundKey();
    }

    /** With errors the window may have been deallocated or the region deregistered before. */
    private void unlessClosed(Runnable post) {
        try {
            post.run();
        } catch (VerbsException e) {
            if (!withErrors || e.errno() != Errno.EINVAL) {
                throw e;
            }
        }
    }

    /** Gives up all windows, so that the region can go. Whoever posts meanwhile may be about to give up one of them. */
    void deallocate() {
        while (!windows.isEmpty()) {
            windows.remove(0).close();
        }
    }
}
