// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Of a completion queue: what programs asked for, and whether they look behind it (S9, S16). */
final class Notification {

    /** Where it was armed while completions waited, and no program has polled since; empty if that is not known. */
    private CallSite armedTooLate = CallSite.UNKNOWN;

    private long waiting;
    private boolean isArmedTooLate;

    /** Who found nothing last, and how far it was. */
    private @Nullable ProgramClock looker;

    private long lookerDeeds;

    /** Whether it was armed next by the same program, with requests outstanding that may have completed in between. */
    private boolean isArmedBlindly;

    private long outstanding;

    /** Where it was armed first. */
    private CallSite armedAt = CallSite.UNKNOWN;

    private long arms;

    /** Whether it is armed, and a program found nothing since. */
    private boolean isAwaited;

    /** How often a completion was polled where an event could have told of it. */
    private long ignored;

    /** Whether a program waited for, or had, an event. */
    private boolean isListenedTo;

    /** A program asked for an event of a queue that has no channel. */
    static void armedInVain(String cq, CallSite site, Findings findings) {
        findings.report(Finding.at(
                Mistake.S16,
                cq,
                List.of(site),
                "requestNotify on " + cq + ", which has no channel, so no event can tell of anything"));
    }

    /**
     * A program asked for an event.
     *
     * @param count of completions that wait
     * @param under how many requests are outstanding that complete there
     */
    void armed(ProgramClock program, long count, long under, CallSite site) {
        if (arms == 0) {
            armedAt = site;
        }
        arms++;
        isAwaited = false;
        isArmedTooLate = count > 0;
        waiting = count;
        armedTooLate = site;
        outstanding = under;
        isArmedBlindly = outstanding > 0 && isAsBefore(program);
    }

    /** Whether the program has done nothing since it looked last. */
    private boolean isAsBefore(ProgramClock program) {
        return program.equals(looker) && program.deeds == lookerDeeds;
    }

    void polled() {
        isArmedTooLate = false;
        isArmedBlindly = false;
        looker = null;
        if (isAwaited) {
            isAwaited = false;
            ignored++;
        }
    }

    void foundNothing(ProgramClock program) {
        isArmedTooLate = false;
        isArmedBlindly = false;
        looker = program;
        lookerDeeds = program.deeds;
        isAwaited = arms > 0;
    }

    void listens() {
        isListenedTo = true;
    }

    /** A program waits for an event, whether there is one or not. */
    void waits(String cq, ProgramClock program, boolean isVain, CallSite site, Findings findings) {
        isListenedTo = true;
        if (isArmedBlindly && isAsBefore(program)) {
            findings.report(Finding.at(
                    Mistake.S9,
                    cq,
                    List.of(armedTooLate, site),
                    "requestNotify" + at(armedTooLate) + " behind a poll of " + cq + " that found nothing, with "
                            + outstanding + " requests outstanding, and then a wait for an event" + at(site)
                            + " without another poll: no event tells of what completed between the first two"));
        } else if (isVain && isArmedTooLate) {
            findings.report(Finding.at(
                    Mistake.S9,
                    cq,
                    List.of(armedTooLate, site),
                    "requestNotify" + at(armedTooLate) + " while " + waiting + " completions waited in " + cq
                            + ", and then a wait for an event" + at(site)
                            + " without a look at the queue: no event tells of those"));
        }
        isArmedTooLate &= !isVain;
        isArmedBlindly = false;
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

    private static String at(CallSite site) {
        return site.isEmpty() ? "" : " at " + site;
    }
}
