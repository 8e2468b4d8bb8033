// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.event;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/**
 * The destruction of something that events may be about: refused, or where the profile has it so put off, as long as a program
 * owes an acknowledgement of one (NT-06, QP-06, AE-20).
 */
public final class Destruction {

    private final DeviceContext device;
    private final EventElement element;
    private final Rule rule;
    private final Runnable check;
    private final Runnable destroy;

    private Destruction(DeviceContext device, EventElement element, Rule rule, Runnable check, Runnable destroy) {
        this.device = device;
        this.element = element;
        this.rule = rule;
        this.check = check;
        this.destroy = destroy;
    }

    /**
     * Destroys an element. From any thread.
     *
     * @param rule says that its events have to be acknowledged first
     * @param check throws if something else forbids it
     * @param destroy does it; both on the lane
     */
    public static void of(DeviceContext device, EventElement element, Rule rule, Runnable check, Runnable destroy) {
        Destruction destruction = new Destruction(device, element, rule, check, destroy);
        while (!device.onLane(destruction::tryOnce)) {
            // Only this waits: the element is used as before, by others too.
            device.lane().await(element.eventDebt(), Long.MAX_VALUE);
        }
    }

    private boolean tryOnce() {
        check.run();
        EventDebt debt = element.eventDebt();
        if (debt.close()) {
            destroy.run();
            return true;
        }
        if (!device.profile().completions().blockingDestroy()) {
            throw VerbsException.of(
                    Errno.EBUSY, rule, "%s has %d unacknowledged events; acknowledge them first", element, debt.owed());
        }
        if (device.lane().isSimulated()) {
            throw VerbsException.of(
                    Errno.EDEADLK,
                    rule,
                    "%s has %d unacknowledged events, and where time is simulated its destruction cannot wait for them"
                            + " (blockingDestroy of profile %s); acknowledge them first",
                    element,
                    debt.owed(),
                    device.profile());
        }
        device.decided(element.tracedQp(), rule);
        return false;
    }
}
