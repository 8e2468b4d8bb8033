// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.QueuePairModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.request.PacketData;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.Sge;

/** L: a requester places what its READs and atomics return. */
final class PlacementCheck {

    private final Findings findings;
    private final Attribution attribution;
    private final Atomics atomics;
    private final boolean programsTraced;

    PlacementCheck(Findings findings, Attribution attribution, Atomics atomics, boolean programsTraced) {
        this.findings = findings;
        this.attribution = attribution;
        this.atomics = atomics;
        this.programsTraced = programsTraced;
    }

    void returned(MemoryAccess access) {
        QueuePairModel queuePair = access.queuePair();
        Request request = attribution.own(access);
        attribution.write(access, request, true);
        if (request == null) {
            return;
        }
        if (request.kind != Request.Kind.READ && !attribution.isOf(Request.Kind.ATOMIC, access, request)) {
            return;
        }
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands after it completed", queuePair, request),
                    request.completedAt,
                    access.position());
        }
        int packet = Attribution.packet(queuePair.send(), request, access.psn());
        boolean again = request.landed.has(packet);
        int offset = request.landed.add(packet, access.lengthBytes(), request.bytesOf(packet));
        Sge element = Request.elementAt(request.posted, request.offsetOf(packet) + offset);
        attribution.checkElement(access, request, element, Check.ADDRESS);
        if (queuePair.peer() == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
        } else if (!request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
        } else if (request.kind == Request.Kind.ATOMIC) {
            atomics.checkOriginal(access, request, offset);
        } else {
            checkFetched(access, request, packet, offset, again);
        }
    }

    private void checkFetched(MemoryAccess access, Request request, int packet, int offset, boolean again) {
        findings.checked(Check.READ_DATA);
        PacketData source = request.dataOf(packet);
        if (source.isEmpty() && again) {
            // The same result may land more than once (ORD-34), but what was fetched for it is forgotten.
            findings.notJudged(Gap.FORGOTTEN);
        } else if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never fetched", access.queuePair(), request),
                    request.startedAt,
                    access.position());
        } else if (source.find(access.data(), offset) < 0) {
            mismatch(access, request, source);
        }
        if (request.landed.has(packet)) {
            request.forgetData(packet);
        }
    }

    private void mismatch(MemoryAccess access, Request request, PacketData source) {
        if (source.isIncomplete()) {
            findings.notJudged(Gap.FORGOTTEN);
        } else if (!programsTraced) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        } else {
            findings.violated(
                    Check.READ_DATA,
                    Text.of("%s gets bytes for %s that were not fetched", access.queuePair(), request),
                    request.startedAt,
                    request.executedAt,
                    access.position());
        }
    }
}
