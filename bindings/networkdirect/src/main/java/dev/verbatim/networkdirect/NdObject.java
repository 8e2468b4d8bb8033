// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The base of all objects ({@code IUnknown}): it counts references, and ends when the last one is released. Objects may be released in
 * any order; what an object needs of another one is destroyed after the object itself.
 */
public abstract class NdObject implements AutoCloseable {

    private final AtomicInteger references = new AtomicInteger(1);

    NdObject() {}

    /** Adds a reference; returns how many there are. */
    public final int addRef() {
        calls().touched();
        return references.updateAndGet(count -> count == 0 ? 0 : count + 1);
    }

    /** Releases a reference; returns how many are left. With the last one the object ends. */
    public final int release() {
        return calls().run(this::releaseOne);
    }

    private int releaseOne() {
        int before = references.getAndUpdate(count -> Math.max(0, count - 1));
        if (before == 1) {
            end();
        }
        return Math.max(0, before - 1);
    }

    /** As {@link #release()}. */
    @Override
    public final void close() {
        release();
    }

    /** Whether the last reference was released; then calls return INVALID_HANDLE. */
    public final boolean isReleased() {
        calls().touched();
        return references.get() == 0;
    }

    /** What its calls begin and end with. */
    abstract ObjectCalls calls();

    /** The last reference is gone. Within a call. */
    abstract void end();

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }
}
