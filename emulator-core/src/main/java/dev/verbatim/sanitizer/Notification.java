// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.List;

/** Of a completion queue: what programs asked for, and whether they look behind it (S9, S16). */
final class Notification {

    /** Where it was armed while completions waited, and nobody looked since; empty if that is not known. */
    private Site armedTooLate = Site.UNKNOWN;

    private long waiting;
    private boolean isArmedTooLate;

    /** Where it was armed first. */
    private Site armedAt = Site.UNKNOWN;

    private long arms;

    /** Whether it is armed, and a program found nothing since. */
    private boolean isAwaited;

    /** How often a completion was polled where an event could have told of it. */
    private long ignored;

    /** Whether a program waited for, or had, an event. */
    private boolean isListenedTo;

    void armed(String cq, boolean hasChannel, long count, Site site, Findings findings) {
        if (!hasChannel) {
            findings.report(Finding.at(
                    Mistake.S16,
                    cq,
                    List.of(site),
                    "requestNotify on " + cq + ", which has no channel, so no event can tell of anything"));
            return;
        }
        if (arms == 0) {
            armedAt = site;
        }
        arms++;
        isAwaited = false;
        isArmedTooLate = count > 0;
        waiting = count;
        armedTooLate = site;
    }

    void polled() {
        isArmedTooLate = false;
        if (isAwaited) {
            isAwaited = false;
            ignored++;
        }
    }

    void foundNothing() {
        isArmedTooLate = false;
        isAwaited = arms > 0;
    }

    void listens() {
        isListenedTo = true;
    }

    /** A program waits for an event, and there is none. */
    void waits(String cq, Site site, Findings findings) {
        isListenedTo = true;
        if (isArmedTooLate) {
            isArmedTooLate = false;
            findings.report(Finding.at(
                    Mistake.S9,
                    cq,
                    List.of(armedTooLate, site),
                    "requestNotify" + at(armedTooLate) + " while " + waiting + " completions waited in " + cq
                            + ", and then a wait for an event" + at(site)
                            + " without a look at the queue: no event tells of those"));
        }
    }

    void end(String cq, Findings findings) {
        if (ignored > 0 && !isListenedTo) {
            isListenedTo = true;
            findings.report(Finding.at(
                    Mistake.S16,
                    cq,
                    List.of(armedAt),
                    cq + " was armed " + arms + " times, first" + at(armedAt)
                            + ", and no event of its channel was ever read: it was polled instead"));
        }
    }

    private static String at(Site site) {
        return site.isEmpty() ? "" : " at " + site;
    }
}
