// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for every request of one queue: each completes once, or is told of by a later success, or is discarded by RESET or the
 * end of the queue.
 */
public final class Ledger {

    /** Which queue. */
    public enum Kind {
        SENDS,
        RECEIVES,
        SHARED_RECEIVES
    }

    private record Completed(
            long id, WcStatus status, @Nullable Object why) {

        @Override
        public String toString() {
            return RequestId.describe(id) + " " + status + (why == null ? "" : ": " + why);
        }
    }

    private final int number;
    private final Kind kind;
    private final String name;
    private final int qpNumber;
    private final boolean failsForGood;
    private final Discards discards;
    private final QueueHistory history;
    private final SoakFailures failures;
    private final Totals totals;
    private final PendingRequests[] pending;
    private final Totals own = new Totals();
    private @Nullable Posted failed;
    private volatile boolean failing;

    /**
     * A ledger of an empty queue.
     *
     * @param qpNumber whose completions these are; 0 for those of several
     * @param failsForGood whether behind a failure everything is flushed until RESET
     */
    public Ledger(
            int number,
            Kind kind,
            String name,
            int qpNumber,
            boolean failsForGood,
            Watch watch,
            SoakFailures failures,
            Totals totals,
            int threads) {
        this.number = number;
        this.kind = kind;
        this.name = name;
        this.qpNumber = qpNumber;
        this.failsForGood = failsForGood;
        this.discards = watch.discards();
        this.history = watch.history();
        this.failures = failures;
        this.totals = totals;
        this.pending = new PendingRequests[threads];
        Arrays.setAll(pending, i -> new PendingRequests());
    }

    /** What the queues of one object share. */
    public record Watch(Discards discards, QueueHistory history) {}

    public int number() {
        return number;
    }

    /** What kind of queue it is, and of what type of queue pair. */
    public String label() {
        int end = name.indexOf(" qp ");
        return end < 0 ? name : name.substring(0, end);
    }

    public long nextId(int thread) {
        return RequestId.of(number, thread, pending[thread].nextSequence());
    }

    /** Before the verb is called, since completions may overtake its return. */
    public Posted posting(long id, boolean signaled, Object request) {
        Posted posted = new Posted(id, signaled);
        history.mark("posts", request);
        pending(id).put(posted);
        return posted;
    }

    public void accepted(Posted posted) {
        posted.returned();
        own.posted.increment();
    }

    public void refused(Posted posted, Object why) {
        history.mark("refused " + RequestId.describe(posted.id()), why);
        if (pending(posted.id()).take(posted.id()) == null) {
            find("%s was refused, but completed", RequestId.describe(posted.id()));
        }
    }

    /**
     * A completion was polled.
     *
     * @param pollNanos before it was polled
     * @param ordered whether nobody else polls the completion queue meanwhile
     */
    public void completed(WorkCompletion completion, long pollNanos, boolean ordered) {
        long id = completion.id();
        WcStatus status = completion.status();
        history.mark("completed", new Completed(id, status, completion.refusal()));
        PendingRequests pending = pending(id);
        Posted posted = pending.take(id);
        if (posted == null) {
            find("%s completed with %s but is not outstanding: never posted, or completed before", text(id), status);
            return;
        }
        check(posted, completion, pollNanos);
        own.count(status);
        if (kind == Kind.SENDS && status != WcStatus.WR_FLUSH_ERR) {
            own.silent.add(pending.takeSilentBefore(posted, earlier -> discards.noneBetween(earlier, posted)));
        }
        if (status != WcStatus.SUCCESS) {
            pending.failed(posted, earlier -> discards.noneBetween(earlier, posted));
        }
        if (ordered && kind != Kind.SHARED_RECEIVES) {
            checkOrder(pending, posted, status);
        }
    }

    private void check(Posted posted, WorkCompletion completion, long pollNanos) {
        boolean good = completion.status() == WcStatus.SUCCESS;
        WcOpcode opcode = completion.opcode();
        // A shared queue may go before the completions of what was taken out of it are polled.
        if (kind != Kind.SHARED_RECEIVES && discards.hadTaken(posted, pollNanos)) {
            find("%s was polled after RESET or destruction had discarded it [QP-06, QP-24]", text(posted.id()));
        }
        if (good && opcode.isReceive() != (kind != Kind.SENDS)) {
            find("%s completed as %s [WC-02]", text(posted.id()), opcode);
        }
        if (good && !posted.isSignaled()) {
            find("%s is unsignaled and succeeded, but has a completion [WR-16]", text(posted.id()));
        }
        if (qpNumber != 0 && completion.qpNumber() != qpNumber) {
            find("%s completed for qp 0x%x [WC-02]", text(posted.id()), completion.qpNumber());
        }
    }

    private synchronized void checkOrder(PendingRequests pending, Posted posted, WcStatus status) {
        if (pending.isOvertaken(posted.id())) {
            find("%s completed after a request that the same thread posted later [ORD-10, ORD-30]", text(posted.id()));
        }
        Posted before = failed;
        if (failsForGood && before != null && discards.noneBetween(before, posted)) {
            if (status != WcStatus.WR_FLUSH_ERR) {
                find("%s completed with %s behind a failure, %s [WC-05]", text(posted.id()), status, text(before.id()));
            }
        } else {
            failed = status == WcStatus.SUCCESS ? null : posted;
        }
    }

    /** Whether a request is outstanding that must complete if the queue works. */
    public boolean isWaiting() {
        return Arrays.stream(pending)
                .flatMap(pending -> pending.all().stream())
                .anyMatch(posted -> posted.isSignaled() && !discards.mayHaveTaken(posted));
    }

    /** How many requests have not completed, as far as anybody has polled. */
    public int outstanding() {
        return Arrays.stream(pending).mapToInt(pending -> pending.all().size()).sum();
    }

    /**
     * The queue is no more, or all that is left in it was flushed and polled.
     *
     * @param overrun whether completions were lost because nobody polled in time (CQ-03)
     */
    public void settle(boolean overrun) {
        for (PendingRequests pending : pending) {
            for (Posted posted : pending.all()) {
                pending.take(posted.id());
                settle(pending, posted, overrun);
            }
        }
        if (own.missing() != 0 && !failing) {
            find("%d of %d requests are not accounted for: %s", own.missing(), own.posted.sum(), own.all());
        }
        totals.add(own);
        own.clear();
    }

    private void settle(PendingRequests pending, Posted posted, boolean overrun) {
        Posted failure = failsForGood ? pending.failureBefore(posted) : null;
        if (discards.mayHaveTaken(posted)) {
            own.discarded.increment();
        } else if (overrun) {
            own.overrun.increment();
        } else if (posted.isSignaled()) {
            find("%s was posted and never completed [WC-03]", text(posted.id()));
        } else if (failure != null && discards.noneBetween(failure, posted)) {
            find("%s has no completion behind a failure, %s [QP-22, WC-05]", text(posted.id()), text(failure.id()));
        } else {
            own.silent.increment();
        }
    }

    private PendingRequests pending(long id) {
        return pending[RequestId.thread(id)];
    }

    private static String text(long id) {
        return RequestId.describe(id);
    }

    private void find(String format, Object... values) {
        failing = true;
        failures.add(history.lines(), "%s: " + format, withName(values));
    }

    private Object[] withName(Object... values) {
        Object[] all = new Object[values.length + 1];
        all[0] = name;
        System.arraycopy(values, 0, all, 1, values.length);
        return all;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "queue %d, %s", number, name);
    }
}
