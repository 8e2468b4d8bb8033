// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** How programs use objects, calls and keys: S7 to S13, S15, S16, S18, S19. */
final class Habits {

    private final Sanitizer sanitizer;
    private final Programs programs;

    Habits(Sanitizer sanitizer, Programs programs) {
        this.sanitizer = sanitizer;
        this.programs = programs;
    }

    void posted(Request request) {}

    void completed(Request request, WcStatus status) {}

    void released(Request request) {}

    void touched(Access.Kind kind, Range range, @Nullable Request request) {}

    void registered(DeviceWatch device, Region region) {}

    void deregistered(DeviceWatch device, Region region) {}

    void rkeyAsked(DeviceWatch device, int lkey) {}

    void keyRefused(QpWatch responder, int rkey, @Nullable Request request) {}

    void receiverNotReady(QpWatch responder, long receivesPosted) {}

    void made(DeviceWatch device, Object object) {}

    void closed(DeviceWatch device, Object object) {}

    void closedAll(DeviceWatch device) {}

    void polled(CqWatch cq, long id, boolean succeeded, ProgramClock program) {}

    void foundNothing(CqWatch cq) {}

    void armed(CqWatch cq, long waiting, ProgramClock program) {}

    void statusSeen(CqWatch cq) {}

    void waitsFor(CompletionChannel channel, ProgramClock program) {}

    void eventTaken(CompletionChannel channel, CompletionQueue cq) {}

    void raised(DeviceWatch device, EventType type) {}

    void eventTaken(DeviceWatch device, AsyncEvent event) {}
}
