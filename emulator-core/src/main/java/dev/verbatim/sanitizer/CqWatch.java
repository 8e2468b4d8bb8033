// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.CqInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A completion queue: what programs learn from it. */
final class CqWatch implements CqInspector {

    final DeviceWatch device;
    final CompletionQueue cq;
    private final Engine engine;
    private final Runnable statusSeen = this::statusSeen;

    CqWatch(Engine engine, DeviceWatch device, CompletionQueue cq) {
        this.engine = engine;
        this.device = device;
        this.cq = cq;
    }

    @Override
    public void polled(@Nullable QpInspector user, WorkCompletion completion, boolean ofReceive, long sendsDone) {
        boolean succeeded = completion.isSuccess();
        completion.watchStatus(statusSeen);
        synchronized (engine) {
            ProgramClock program = engine.programs.current();
            program.deeds++;
            if (user instanceof QpWatch queuePair) {
                if (ofReceive) {
                    queuePair.polledReceive(program);
                } else {
                    queuePair.polledSend(program, queuePair.reset + sendsDone, succeeded);
                }
            }
            engine.habits.polled(this, completion.id(), succeeded, program);
        }
    }

    @Override
    public void foundNothing() {
        synchronized (engine) {
            engine.habits.foundNothing(this);
        }
    }

    @Override
    public void armed(boolean solicitedOnly, long waiting) {
        synchronized (engine) {
            engine.habits.armed(this, waiting, engine.programs.current());
        }
    }

    @Override
    public void statusSeen() {
        synchronized (engine) {
            engine.habits.statusSeen(this);
        }
    }

    @Override
    public String toString() {
        return cq.toString();
    }
}
