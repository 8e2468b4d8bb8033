// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

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

    void gathered(Touch touch) {
        QueuePairModel queuePair = touch.queuePair();
        if (touch.psn() == INLINE_PSN) {
            touch.memory().programRead(touch.event().address(), touch.data(), WHAT, queuePair, touch.position());
            Request posted = queuePair.send().newest();
            if (posted != null) {
                posted.inlineData(touch.data());
            }
            return;
        }
        touch.memory().deviceRead(touch.event().address(), touch.data(), WHAT, queuePair, touch.position());
        Request request = attribution.own(touch);
        if (request != null) {
            ofPacket(touch, request, Attribution.packet(queuePair.send(), request, touch.psn()));
        }
    }

    private void ofPacket(Touch touch, Request request, int packet) {
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: %s gathers after it completed", touch.queuePair(), request),
                    request.completedAt,
                    touch.position());
        }
        int packetBytes = request.bytesOf(packet);
        int offset = touch.event().offset();
        Sge element = Request.elementAt(request.posted, request.offsetOf(packet) + offset);
        attribution.checkElement(touch, request, element, Check.ADDRESS);
        int left = element == null ? packetBytes - offset : Math.min(packetBytes - offset, element.lengthBytes());
        attribution.checkWhole(touch, request, left);
        request.dataOf(packet).add(touch.data(), offset, packetBytes);
        if (packet == 0 && offset == 0) {
            noteStaleSource(touch, request);
        }
    }

    private void noteStaleSource(Touch touch, Request request) {
        SendQueueModel queue = touch.queuePair().send();
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
                                    touch.position(), request, before, touch.queuePair()));
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
