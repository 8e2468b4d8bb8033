// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.EndsRun;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a step of the lane that throws: an assertion, a full heap, a mistake of this library. The lane goes on. The
 * queue pair that the step was for goes to ERR, and whatever is queued on it is flushed with what was thrown as the reason
 * (AE-02); where there is none to blame the device fails (AE-12).
 *
 * <p>The heap may be full. So nothing is made here that was not made before, but for the reason, for which there is a spare;
 * and nobody is told what happens meanwhile, since events would have to be made. That is also why this code has no lambdas, and
 * why there is a {@link Rehearsal}.
 *
 * <p>All on the lane.
 */
final class StepFailures {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.device");
    private static final String HEAP = "the heap was full in a step of the device; give the JVM a larger one";

    private final EmulatedDevice device;
    private final NumberedTable<EmulatedQueuePair> queuePairs;
    private final Set<EmulatedCompletionQueue> completionQueues;
    private final ManagementQueuePair management;
    private final Refusal spareOfQueuePair = Refusal.of("AE-02", HEAP);
    private final Refusal spareOfDevice = Refusal.of("AE-12", HEAP);
    private final EmulatedAsyncEvent preparedEvent = new EmulatedAsyncEvent(EventType.DEVICE_FATAL, null, 0, null);
    private final Consumer<EmulatedQueuePair> preparedVisit = this::endWithDevice;
    private Refusal reasonOfDevice = spareOfDevice;
    private @Nullable Throwable first;
    private boolean quiet;

    /** Of a device that has, or will have, these. */
    StepFailures(
            EmulatedDevice device,
            NumberedTable<EmulatedQueuePair> queuePairs,
            Set<EmulatedCompletionQueue> completionQueues,
            ManagementQueuePair management) {
        this.device = device;
        this.queuePairs = queuePairs;
        this.completionQueues = completionQueues;
        this.management = management;
    }

    /** What the first step threw that failed; null if none has. */
    @Nullable
    Throwable first() {
        return first;
    }

    /** A step for a queue pair threw something; without one, a step of the device. */
    void failed(@Nullable EmulatedQueuePair queuePair, Throwable thrown) {
        if (queuePair == null) {
            failed(thrown);
            return;
        }
        passOn(thrown);
        Refusal reason = reason(queuePair, thrown);
        Tap watching = thrown instanceof VirtualMachineError ? device.unwatch() : null;
        try {
            queuePair.endAfter(reason, false);
        } catch (RuntimeException | Error again) {
            watching = watching == null ? device.unwatch() : watching;
            queuePair.endAfter(reason, false);
        } finally {
            device.watch(watching);
        }
        note(thrown, reason);
    }

    private void failed(Throwable thrown) {
        passOn(thrown);
        Refusal reason = reason(null, thrown);
        Tap watching = thrown instanceof VirtualMachineError ? device.unwatch() : null;
        try {
            endDevice(reason);
        } finally {
            device.watch(watching);
        }
        note(thrown, reason);
    }

    /** A fatal error that was asked for: whatever is queued fails, in order. */
    void endDeviceFor(Refusal reason) {
        device.raise(EventType.DEVICE_FATAL, 0, reason);
        queuePairs.forEach(queuePair -> queuePair.die(reason));
        completionQueues.forEach(cq -> cq.die(reason));
        management.die();
    }

    /** A fatal error in the middle of something: whatever part of its end fails, the others are done. */
    private void endDevice(Refusal reason) {
        if (!device.failsFor(reason)) {
            return;
        }
        reasonOfDevice = reason;
        device.raise(preparedEvent.because(reason));
        queuePairs.forEach(preparedVisit);
        for (EmulatedCompletionQueue cq : completionQueues) {
            cq.die(reason);
        }
        try {
            management.die();
        } catch (RuntimeException | Error e) {
            alsoThrown(e);
        }
    }

    private void endWithDevice(EmulatedQueuePair queuePair) {
        try {
            queuePair.endAfter(reasonOfDevice, true);
        } catch (RuntimeException | Error again) {
            Tap watching = device.unwatch();
            try {
                queuePair.endAfter(reasonOfDevice, true);
            } finally {
                device.watch(watching);
            }
        }
    }

    /** What ends a run is no failure of the step in which it was thrown. */
    private static void passOn(Throwable thrown) {
        if (thrown instanceof EndsRun) {
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            if (thrown instanceof Error error) {
                throw error;
            }
        }
    }

    /** As {@link #failed}, when nothing has: nobody is told. */
    void rehearse(@Nullable EmulatedQueuePair queuePair, Throwable thrown) {
        quiet = true;
        failed(queuePair, thrown);
    }

    /** Why a step failed, with what it threw. */
    Refusal reason(@Nullable EmulatedQueuePair queuePair, Throwable thrown) {
        try {
            return queuePair == null
                    ? Refusal.of("AE-12", "a step of device %s threw %s", device.name(), thrown.toString())
                    : Refusal.of("AE-02", "a step for qp %d threw %s", queuePair.number(), thrown.toString());
        } catch (RuntimeException | Error unsaid) {
            return queuePair == null ? spareOfDevice : spareOfQueuePair;
        }
    }

    /** The same step threw once more on its way out, where it made no difference. */
    void alsoThrown(Throwable thrown) {
        if (first == null) {
            first = thrown;
        }
    }

    private void note(Throwable thrown, Refusal reason) {
        if (first == null) {
            first = thrown;
        }
        if (quiet) {
            return;
        }
        try {
            LOGGER.log(System.Logger.Level.ERROR, reason.toString(), thrown);
        } catch (RuntimeException | Error unsaid) {
            // The heap is full; who reads a completion, or an event, learns it there.
        }
    }
}
