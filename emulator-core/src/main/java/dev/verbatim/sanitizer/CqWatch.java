// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.inspect.CqInspector;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** A completion queue: what programs learn from it. */
final class CqWatch implements CqInspector {

    final DeviceWatch device;
    final CompletionQueue cq;

    /** What programs did with its completions. */
    final Outcomes outcomes = new Outcomes();

    /** What they asked for. */
    final Notification notification = new Notification();

    /** Requests that were not polled and will complete into it. */
    int outstanding;

    /** How often programs polled. */
    long looks;

    /** Whether it was said that they are too many. */
    boolean isToldSmall;

    private final Judges judges;
    private final Runnable statusSeen = this::statusSeen;

    CqWatch(Judges judges, DeviceWatch device, CompletionQueue cq) {
        this.judges = judges;
        this.device = device;
        this.cq = cq;
    }

    @Override
    public void polled(@Nullable QpInspector user, WorkCompletion completion, boolean ofReceive, long sendsDone) {
        WcStatus status = completion.status();
        boolean succeeded = status == WcStatus.SUCCESS;
        synchronized (judges) {
            ProgramClock program = judges.programs.current();
            program.deeds++;
            program.tidings++;
            notification.polled();
            judges.habits.polled(this);
            QpWatch queuePair = user instanceof QpWatch known ? known : null;
            if (status == WcStatus.SUCCESS || status == WcStatus.WR_FLUSH_ERR) {
                if (outcomes.isFirst()) {
                    outcomes.began(judges.programs.site(program));
                }
                outcomes.polled(succeeded);
                if (succeeded) {
                    completion.watchStatus(statusSeen);
                }
            } else {
                Outcomes.Failure failure =
                        outcomes.failed(queuePair, completion.id(), status, judges.programs.site(program));
                completion.watchStatus(() -> seen(failure));
                if (queuePair != null && queuePair.failure == null) {
                    queuePair.failedAt = this;
                    queuePair.failure = new PolledFailure(failure.toString(), toString(), failure.site(), looks);
                }
            }
            if (queuePair != null && ofReceive) {
                queuePair.polledReceive(program, succeeded);
            } else if (queuePair != null) {
                queuePair.polledSend(program, queuePair.reset + sendsDone, succeeded);
            }
        }
    }

    @Override
    public void looks() {
        synchronized (judges) {
            looks++;
            judges.programs.arrives(judges.programs.current());
        }
    }

    private void seen(Outcomes.Failure failure) {
        synchronized (judges) {
            outcomes.seen(failure);
        }
    }

    @Override
    public void foundNothing() {
        synchronized (judges) {
            notification.foundNothing(judges.programs.current());
        }
    }

    @Override
    public void armed(boolean solicitedOnly, long waiting) {
        synchronized (judges) {
            judges.habits.armed(this, waiting, judges.programs.current());
        }
    }

    @Override
    public void statusSeen() {
        outcomes.seen();
    }

    @Override
    public String toString() {
        return cq.toString();
    }
}
