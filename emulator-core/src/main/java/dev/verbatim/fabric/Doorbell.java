// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something that may ask for attention on a {@link Lane}; ringing it twice before it is answered is ringing it once.
 *
 * <p>Whatever a thread wrote before it rang is seen by the answer, also when the doorbell was rung already. That is why
 * both sides exchange the flag instead of reading or writing it: a ringer that only looked, and found it rung, could
 * have its own writes still under way while the answer reads; so the answer takes the flag from the last ringer.
 */
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
        return !(boolean) RUNG.getAndSet(this, true);
    }

    /** Rings from now on count anew; what came before them is visible. */
    final void clearRung() {
        RUNG.getAndSet(this, false);
    }
}
