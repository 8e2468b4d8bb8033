// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Something that may ask for attention on a {@link Lane}; ringing it twice before it is answered is ringing it once. */
public abstract class Doorbell {

    private static final VarHandle RUNG;

    static {
        try {
            RUNG = MethodHandles.lookup().findVarHandle(Doorbell.class, "rung", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Nullable
    Doorbell next;

    @SuppressWarnings("unused") // through RUNG
    private volatile boolean rung;

    /** What there is to do. On the lane. */
    protected abstract void answer();

    /** Whether the caller is the first to ring since the last answer, and so has to queue the doorbell. */
    final boolean markRung() {
        return !rung && RUNG.compareAndSet(this, false, true);
    }

    /** Rings from now on count anew. */
    final void clearRung() {
        rung = false;
    }
}
