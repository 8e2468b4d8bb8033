// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.QueuePairModel;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.Sge;

/** S: a requester gathers the bytes that it sends. */
final class Gathering {

    private static final int INLINE_PSN = -1;
    private static final String WHAT = "the gather of";

    private final Findings findings;
    private final Attribution attribution;

    Gathering(Findings findings, Attribution attribution) {
        this.findings = findings;
        this.attribution = attribution;
    }

    void gathered(MemoryAccess access) {
        QueuePairModel queuePair = access.queuePair();
        if (access.psn() == INLINE_PSN) {
            access.memory().programRead(access.event().address(), access.data(), WHAT, queuePair, access.position());
            Request posted = queuePair.send().newest();
            if (posted != null) {
                posted.inlineData(access.data());
            }
            return;
        }
        access.memory().deviceRead(access.event().address(), access.data(), WHAT, queuePair, access.position());
        Request request = attribution.own(access);
        if (request != null) {
            ofPacket(access, request, Attribution.packet(queuePair.send(), request, access.psn()));
        }
    }

    private void ofPacket(MemoryAccess access, Request request, int packet) {
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: %s gathers after it completed", access.queuePair(), request),
                    request.completedAt,
                    access.position());
        }
        int packetBytes = request.bytesOf(packet);
        int offset = access.event().offset();
        Sge element = Request.elementAt(request.posted, request.offsetOf(packet) + offset);
        attribution.checkElement(access, request, element, Check.ADDRESS);
        int left = element == null ? packetBytes - offset : Math.min(packetBytes - offset, element.lengthBytes());
        attribution.checkWhole(access, request, left);
        request.dataOf(packet).add(access.data(), offset, packetBytes);
        if (packet == 0 && offset == 0) {
            noteStaleSource(access, request);
        }
    }

    private void noteStaleSource(MemoryAccess access, Request request) {
        SendQueueModel queue = access.queuePair().send();
        Request outstanding = queue.firstNotLandedBefore(request.number);
        for (long number = outstanding == null ? request.number : outstanding.number;
                number < request.number;
                number++) {
            Request before = queue.window().at(number);
            if (before.hasResult() && !before.isLanded() && sharesBytes(before, request)) {
                findings.seen(WeakBehaviour.STALE_SOURCE);
                if (findings.wantsExample(WeakBehaviour.STALE_SOURCE)) {
                    findings.example(
                            WeakBehaviour.STALE_SOURCE,
                            Text.of(
                                    "#%d: %s gathers what %s of %s will fill",
                                    access.position(), request, before, access.queuePair()));
                }
                return;
            }
        }
    }

    private static boolean sharesBytes(Request filling, Request gathering) {
        for (int i = 0; i < gathering.posted.elementCount(); i++) {
            Sge element = gathering.posted.element(i);
            if (filling.fills(element.address(), Integer.toUnsignedLong(element.lengthBytes()))) {
                return true;
            }
        }
        return false;
    }
}
