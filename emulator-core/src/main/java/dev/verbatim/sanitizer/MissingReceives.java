// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Messages that found no receive at a queue pair, and whose senders were told so (S11, S18). */
final class MissingReceives {

    /** Fewer that ended are flow control. */
    private static final long MANY = 7;

    private final QpWatch responder;
    private final long firstNanos;
    private final @Nullable Request firstMessage;

    /** How many receives had been posted when the first came, and the last. */
    private final long postedBefore;

    private long posted;
    private long lastNanos;
    private long count;
    private boolean isToldLate;
    private boolean isTold;

    MissingReceives(QpWatch responder, @Nullable Request firstMessage, long nowNanos) {
        this.responder = responder;
        this.firstMessage = firstMessage;
        this.firstNanos = nowNanos;
        this.postedBefore = responder.receivesPosted();
    }

    void count(long nowNanos) {
        count++;
        lastNanos = nowNanos;
        posted = responder.receivesPosted();
    }

    private String sender() {
        return firstMessage == null ? "" : ", first for " + firstMessage.posted();
    }

    private CallSite sendSite() {
        return firstMessage == null ? CallSite.UNKNOWN : firstMessage.site;
    }

    /** A receive is posted. */
    void posted(Request receive, Findings findings) {
        if (postedBefore > 0 || isToldLate) {
            return;
        }
        isToldLate = true;
        findings.report(Finding.at(
                Mistake.S18,
                responder.toString(),
                List.of(sendSite(), receive.site),
                "the first receive of " + responder + " was posted"
                        + (receive.site.isEmpty() ? "" : " at " + receive.site) + " when a message had come already"
                        + (firstMessage == null ? "" : ": " + firstMessage.posted()) + "; its sender was told to wait "
                        + count + " times"));
    }

    private boolean isLasting() {
        return responder.receivesPosted() == posted;
    }

    /** Says what lasts by now. */
    void settle(Findings findings) {
        if (isLasting() && count >= MANY) {
            report(findings);
        }
    }

    void end(Findings findings) {
        if (isLasting() || count >= MANY) {
            report(findings);
        }
    }

    private void report(Findings findings) {
        if (isTold) {
            return;
        }
        isTold = true;
        findings.report(Finding.at(
                Mistake.S11,
                responder.toString(),
                List.of(sendSite()),
                String.format(
                        Locale.ROOT,
                        "no receive at %s, %,d times, from t=%.3f ms to t=%.3f ms%s",
                        responder,
                        count,
                        firstNanos / 1e6,
                        lastNanos / 1e6,
                        sender())));
    }
}
