// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLedger;
import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.key.KeyVariants;
import dev.verbatim.conformance.oracle.key.WindowModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.WindowChange;
import dev.verbatim.trace.TraceEvent.WindowChanged;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The memory windows of one device: what became of each, and whether it might. */
public final class WindowLedger {

    private static final int VARIANT_BITS = 8;

    private final String device;
    private final Findings findings;
    private final KeyLedger keys;
    private final KeyVariants variants;
    private final WindowRequests requests;
    private final Map<Integer, WindowModel> windows = new HashMap<>();
    private final Map<Integer, WindowModel> byIndex = new HashMap<>();

    WindowLedger(String device, Findings findings, KeyLedger keys, KeyVariants variants) {
        this.device = device;
        this.findings = findings;
        this.keys = keys;
        this.variants = variants;
        this.requests = new WindowRequests(findings, keys);
    }

    /** Whether the key has the index of a window. */
    public boolean has(int key) {
        return !byIndex.isEmpty() && byIndex.containsKey(key >>> VARIANT_BITS);
    }

    /** Whether the index is that of a window of type 2 that is free. */
    boolean isFree(int key) {
        WindowModel window = byIndex.get(key >>> VARIANT_BITS);
        return window != null && window.type == MemoryWindowType.TYPE_2 && !window.bound;
    }

    /** A bind was posted: of type 1 it asks for the next key (MW-20). */
    void posted(SendWorkRequest bind, long position) {
        MemoryWindow of = bind.window();
        WindowModel window = of == null ? null : windows.get(of.handle());
        if (window == null || window.type != MemoryWindowType.TYPE_1) {
            return;
        }
        int key = bind.boundKey();
        findings.checked(Check.KEY_ADVANCES);
        boolean restored = window.failed && key == Rkey.increment(window.goodKey);
        if (key != Rkey.increment(window.postedKey) && !restored) {
            findings.violated(
                    Check.KEY_ADVANCES,
                    Text.of(
                            "%s: a bind of %s asks for %s, where %s follows",
                            device, window, Text.key(key), Text.key(Rkey.increment(window.postedKey))),
                    position);
        }
        window.postedKey = key;
        variants.follows(key);
    }

    /** A bind of that window failed. */
    void failed(SendWorkRequest bind) {
        MemoryWindow of = bind.window();
        WindowModel window = of == null ? null : windows.get(of.handle());
        if (window != null) {
            window.failed = true;
        }
    }

    /**
     * A window was changed.
     *
     * @param by over which queue pair; null if over none
     */
    public void changed(WindowChanged event, @Nullable QueuePairModel by, long position) {
        WindowModel window =
                windows.computeIfAbsent(event.window(), handle -> new WindowModel(handle, event.type(), event.rkey()));
        byIndex.putIfAbsent(event.rkey() >>> VARIANT_BITS, window);
        switch (event.change()) {
            case ALLOCATED -> variants.given(event.rkey(), position);
            case BOUND, UNBOUND -> bound(window, event, by, position);
            case INVALIDATED, INVALIDATED_BY_PEER -> invalidated(window, event, by, position);
            case DEALLOCATED -> gone(window, event, position);
        }
    }

    private void bound(WindowModel window, WindowChanged event, @Nullable QueuePairModel by, long position) {
        KeyLife before = window.life;
        if (window.type == MemoryWindowType.TYPE_1) {
            findings.checked(Check.REBOUND_AT_ONCE);
            if (before != null && !before.isRevoked()) {
                findings.violated(
                        Check.REBOUND_AT_ONCE,
                        Text.of("%s: %s is bound again while %s is valid", device, window, before),
                        before.since,
                        position);
            }
            window.goodKey = event.rkey();
            window.failed = false;
        } else {
            findings.checked(Check.BOUND_WHEN_FREE);
            if (window.bound) {
                findings.violated(
                        Check.BOUND_WHEN_FREE,
                        Text.of("%s: %s is bound while it is bound with %s", device, window, String.valueOf(before)),
                        before == null ? -1 : before.since,
                        position);
            }
            variants.chosen(event.rkey());
        }
        window.bound = event.lengthBytes() > 0;
        Request request = by == null ? null : requests.bound(by, window, event, position);
        if (request != null && window.type == MemoryWindowType.TYPE_1) {
            request.revoked = before;
        }
        if (window.bound) {
            window.life = begun(window, event, by, request);
        }
    }

    private KeyLife begun(
            WindowModel window, WindowChanged event, @Nullable QueuePairModel by, @Nullable Request request) {
        KeyLife life = keys.life(event.rkey());
        life.window = window;
        life.access = event.access();
        life.owner = window.type == MemoryWindowType.TYPE_2 && by != null ? by.life() : null;
        life.region = request == null ? null : requests.regionOf(request);
        return life;
    }

    private void invalidated(WindowModel window, WindowChanged event, @Nullable QueuePairModel by, long position) {
        boolean byPeer = event.change() == WindowChange.INVALIDATED_BY_PEER;
        Check check = byPeer ? Check.REMOTELY_INVALIDATED_OWN : Check.INVALIDATED_OWN;
        findings.checked(check);
        KeyLife life = window.life;
        String wrong = wrong(window, event, by);
        if (wrong != null) {
            findings.violated(
                    check,
                    Text.of(
                            "%s: %s invalidates %s, which %s",
                            device, String.valueOf(by), Text.key(event.rkey()), wrong),
                    life == null ? -1 : life.since,
                    position);
        }
        window.bound = false;
        if (by != null) {
            Request request = byPeer
                    ? requests.invalidatedByPeer(by, event, position)
                    : requests.invalidated(by, window, event, position);
            if (request != null) {
                request.revoked = life;
            }
        }
    }

    /** Why that queue pair may not invalidate the window by that key; null if it may. */
    private static @Nullable String wrong(WindowModel window, WindowChanged event, @Nullable QueuePairModel by) {
        KeyLife life = window.life;
        if (window.type != MemoryWindowType.TYPE_2) {
            return "is of a window of type 1";
        }
        if (life == null) {
            return null;
        }
        if (!window.bound) {
            return "is of a window that is free";
        }
        if (life.key != event.rkey()) {
            return "is not the key that the window has: " + life;
        }
        if (life.owner != null && (by == null || !life.owner.equals(by.life()))) {
            return "is of a window that was bound over " + life.owner;
        }
        return life.isRevoked() ? null : "is valid still";
    }

    private void gone(WindowModel window, WindowChanged event, long position) {
        findings.checked(Check.WINDOW_GONE);
        KeyLife life = window.life;
        if (life != null && !life.isRevoked()) {
            findings.violated(
                    Check.WINDOW_GONE,
                    Text.of("%s: %s is deallocated, but %s is valid", device, window, life),
                    life.since,
                    position);
        }
        if (life != null) {
            life.close(position);
        }
        window.gone = true;
        windows.remove(event.window());
        byIndex.remove(event.rkey() >>> VARIANT_BITS);
    }
}
