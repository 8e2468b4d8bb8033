// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.StepFailureLog;
import dev.verbatim.device.cq.CompletionQueues;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.device.event.EmulatedAsyncEvent;
import dev.verbatim.device.qp.EmulatedQueuePair;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.QueuePairs;
import dev.verbatim.fabric.EndsRun;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a step of the lane that throws: an assertion, a full heap, a mistake of this library. The lane goes on. The
 * queue pair that the step was for goes to ERR, and whatever is queued on it is flushed with what was thrown as the reason
 * (AE-02); where there is none to blame the device fails (AE-12).
 *
 * <p>The heap may be full. So nothing is made here that was not made before, but for the reason, for which there is a spare;
 * and nobody is told what happens meanwhile, since events would have to be made. That is also why this code has no lambdas, and
 * why there is a {@link FailurePathWarmUp}.
 *
 * <p>All on the lane.
 */
final class StepFailures {

    private final DeviceContext device;
    private final AsyncEventQueue events;
    private final QueuePairs queuePairs;
    private final CompletionQueues completionQueues;
    private final EmulatedPorts ports;
    private final StepFailureLog log;
    private final EmulatedAsyncEvent preparedEvent = new EmulatedAsyncEvent(EventType.DEVICE_FATAL, null, 0, null);
    private final Consumer<EmulatedQueuePair> preparedVisit = this::endWithDevice;

    private @Nullable Refusal reasonOfDevice;

    /** Of a device that has these. */
    StepFailures(
            DeviceContext device,
            AsyncEventQueue events,
            QueuePairs queuePairs,
            CompletionQueues completionQueues,
            EmulatedPorts ports) {
        this.device = device;
        this.events = events;
        this.queuePairs = queuePairs;
        this.completionQueues = completionQueues;
        this.ports = ports;
        this.log = device.stepFailures();
    }

    /** A step for a queue pair threw something; without one, a step of the device. */
    void failed(@Nullable QpContext queuePair, Throwable thrown) {
        if (queuePair == null) {
            failed(thrown);
            return;
        }
        passOn(thrown);
        Refusal reason = log.reasonOfQueuePair(queuePair.number(), thrown);
        Tap watching = thrown instanceof VirtualMachineError ? device.unwatch() : null;
        try {
            queuePair.endAfter(reason, false);
        } catch (RuntimeException | Error again) {
            watching = watching == null ? device.unwatch() : watching;
            queuePair.endAfter(reason, false);
        } finally {
            device.watch(watching);
        }
        log.note(thrown, reason);
    }

    /** A step of the device threw something. */
    void failed(Throwable thrown) {
        passOn(thrown);
        Refusal reason = log.reasonOfDevice(thrown);
        Tap watching = thrown instanceof VirtualMachineError ? device.unwatch() : null;
        try {
            endDevice(reason);
        } finally {
            device.watch(watching);
        }
        log.note(thrown, reason);
    }

    /** A fatal error that was asked for: whatever is queued fails, in order (AE-12, WC-42). */
    void endDeviceFor(Refusal reason) {
        device.die(reason);
        events.raise(EventType.DEVICE_FATAL, 0, reason);
        queuePairs.forEach(queuePair -> queuePair.context().die(reason));
        completionQueues.die(reason);
        ports.die();
    }

    /** A fatal error in the middle of something: whatever part of its end fails, the others are done. */
    private void endDevice(Refusal reason) {
        if (!device.canDie()) {
            return;
        }
        device.die(reason);
        reasonOfDevice = reason;
        events.occurred(preparedEvent.because(reason));
        queuePairs.forEach(preparedVisit);
        completionQueues.die(reason);
        try {
            ports.die();
        } catch (RuntimeException | Error e) {
            log.alsoThrown(e);
        }
    }

    private void endWithDevice(EmulatedQueuePair queuePair) {
        Refusal reason = Objects.requireNonNull(reasonOfDevice);
        QpContext context = queuePair.context();
        try {
            context.endAfter(reason, true);
        } catch (RuntimeException | Error again) {
            Tap watching = device.unwatch();
            try {
                context.endAfter(reason, true);
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

    /** As {@link #failed}, when nothing has: it is not logged. */
    void rehearse(@Nullable QpContext queuePair, Throwable thrown) {
        log.silence();
        failed(queuePair, thrown);
    }
}
