// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.device.event.EmulatedAsyncEvent;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** Events that no traffic brings about, for tests of the programs that have to live with them (AE-11, AE-12). */
final class InjectedEvents {

    private InjectedEvents() {}

    /** Lets the event happen. On the lane. */
    static void inject(
            DeviceContext device, AsyncEventQueue events, EmulatedPort port, StepFailures failures, EventType type) {
        switch (type) {
            case PORT_ACTIVE -> port.own().attachment().setCarrier(true);
            case PORT_ERR -> port.own().attachment().setCarrier(false);
            case LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                events.raise(type, port.number(), null);
            case DEVICE_FATAL ->
                failures.endDeviceFor(Refusal.of(
                        Rule.AE_12,
                        "device %s met a fatal error (DEVICE_FATAL); close it and open another",
                        device.name()));
            default ->
                throw VerbsException.of(
                        Errno.EINVAL,
                        EmulatedAsyncEvent.ruleOf(type),
                        "%s is about a queue or a queue pair, which has to give cause for it; only events of the port and"
                                + " DEVICE_FATAL can be injected",
                        type);
        }
    }
}
