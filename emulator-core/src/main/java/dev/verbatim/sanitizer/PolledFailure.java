// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.List;

/**
 * The first failed completion of a queue pair that a program has polled. Whether it looks at the status is not seen where the program is
 * not Java, but what it does then (S7).
 */
final class PolledFailure {

    private final String completion;
    private final String cq;
    private final CallSite site;
    private final long look;
    private final Thread poller = Thread.currentThread();
    private boolean isTold;

    /**
     * A completion that this thread has polled there.
     *
     * @param completion in a sentence
     * @param cq the queue, for the finding
     * @param look how often programs had polled the queue
     */
    PolledFailure(String completion, String cq, CallSite site, long look) {
        this.completion = completion;
        this.cq = cq;
        this.site = site;
        this.look = look;
    }

    /**
     * A program posts to the queue pair, which is in ERR: a mistake if the same thread has polled again, so it was done with the
     * completion. Another one may not have heard of it yet.
     *
     * @param request in a sentence
     * @param looks how often programs have polled the queue by now
     */
    void posts(String request, CallSite post, long looks, Findings findings) {
        if (!isTold && looks > look && poller.equals(Thread.currentThread())) {
            isTold = true;
            findings.report(Finding.at(
                    Mistake.S7,
                    cq,
                    List.of(site, post),
                    polled() + ", and " + request + " went to the same queue pair, which had failed by then"));
        }
    }

    /** The program ends, and says that all is well. */
    void endsWell(Findings findings) {
        if (!isTold) {
            isTold = true;
            findings.report(
                    Finding.at(
                            Mistake.S7,
                            cq,
                            List.of(site),
                            polled()
                                    + ", and the program ended with exit status 0 and had neither destroyed its queue pair nor taken it to RESET"));
        }
    }

    private String polled() {
        return completion + " was polled" + (site.isEmpty() ? "" : " at " + site);
    }
}
