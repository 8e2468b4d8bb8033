// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.context;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Why steps of the lane failed: the reason as programs read it, and the first throwable. The heap may be full, so there are spare
 * reasons that were made before. On the lane.
 */
public final class StepFailureLog {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.device");

    private static final String HEAP = "the heap was full in a step of the device; give the JVM a larger one";

    private final String device;
    private final Refusal spareOfQueuePair = Refusal.of(Rule.AE_02, HEAP);
    private final Refusal spareOfDevice = Refusal.of(Rule.AE_12, HEAP);
    private @Nullable Throwable first;
    private boolean quiet;

    /** Of a device with that name. */
    StepFailureLog(String device) {
        this.device = device;
    }

    /** What the first step threw that failed; null if none has. */
    @Nullable
    public Throwable first() {
        return first;
    }

    /** Why the device fails when a step throws this. */
    public Refusal reasonOfDevice(Throwable thrown) {
        try {
            return Refusal.of(Rule.AE_12, "a step of device %s threw %s", device, thrown.toString());
        } catch (RuntimeException | Error unsaid) {
            return spareOfDevice;
        }
    }

    /** Why a queue pair fails when a step for it throws this. */
    public Refusal reasonOfQueuePair(int number, Throwable thrown) {
        try {
            return Refusal.of(Rule.AE_02, "a step for qp %d threw %s", number, thrown.toString());
        } catch (RuntimeException | Error unsaid) {
            return spareOfQueuePair;
        }
    }

    /** The same step threw once more on its way out, where it made no difference. */
    public void alsoThrown(Throwable thrown) {
        if (first == null) {
            first = thrown;
        }
    }

    /** Nothing is logged from now on. */
    public void silence() {
        quiet = true;
    }

    /** Keeps what a failed step threw, and logs it. */
    public void note(Throwable thrown, Refusal reason) {
        alsoThrown(thrown);
        if (quiet) {
            return;
        }
        try {
            LOGGER.log(System.Logger.Level.ERROR, reason.toString(), thrown);
        } catch (RuntimeException | Error unsaid) {
            // The heap is full; the reason is in a completion, or in an event.
        }
    }
}
