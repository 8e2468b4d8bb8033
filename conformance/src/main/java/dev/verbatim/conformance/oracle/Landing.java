// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.Sge;

/** L: a requester places what its READs and atomics return. */
final class Landing {

    private final Findings findings;
    private final Attribution attribution;
    private final Atomics atomics;
    private final boolean programsTraced;

    Landing(Findings findings, Attribution attribution, Atomics atomics, boolean programsTraced) {
        this.findings = findings;
        this.attribution = attribution;
        this.atomics = atomics;
        this.programsTraced = programsTraced;
    }

    void returned(Touch touch) {
        QueuePairModel queuePair = touch.queuePair();
        Request request = attribution.own(touch);
        attribution.write(touch, request, true);
        if (request == null) {
            return;
        }
        if (request.kind != Request.Kind.READ && !attribution.isOf(Request.Kind.ATOMIC, touch, request)) {
            return;
        }
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands after it completed", queuePair, request),
                    request.completedAt,
                    touch.position());
        }
        int packet = Attribution.packet(queuePair.send(), request, touch.psn());
        boolean again = request.landed.has(packet);
        int offset = request.landed.add(packet, touch.lengthBytes(), request.bytesOf(packet));
        Sge element = Request.elementAt(request.posted, request.offsetOf(packet) + offset);
        attribution.checkElement(touch, request, element, Check.ADDRESS);
        if (queuePair.peer() == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
        } else if (!request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
        } else if (request.kind == Request.Kind.ATOMIC) {
            atomics.checkOriginal(touch, request, offset);
        } else {
            checkFetched(touch, request, packet, offset, again);
        }
    }

    private void checkFetched(Touch touch, Request request, int packet, int offset, boolean again) {
        findings.checked(Check.READ_DATA);
        PacketData source = request.dataOf(packet);
        if (source.isEmpty() && again) {
            // The same result may land more than once (ORD-34), but what was fetched for it is forgotten.
            findings.notJudged(Gap.FORGOTTEN);
        } else if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never fetched", touch.queuePair(), request),
                    request.startedAt,
                    touch.position());
        } else if (source.find(touch.data(), offset) < 0) {
            mismatch(touch, request, source);
        }
        if (request.landed.has(packet)) {
            request.forgetData(packet);
        }
    }

    private void mismatch(Touch touch, Request request, PacketData source) {
        if (source.isIncomplete()) {
            findings.notJudged(Gap.FORGOTTEN);
        } else if (!programsTraced) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        } else {
            findings.violated(
                    Check.READ_DATA,
                    Text.of("%s gets bytes for %s that were not fetched", touch.queuePair(), request),
                    request.startedAt,
                    request.executedAt,
                    touch.position());
        }
    }
}
