// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.Sge;

/** X of READs, WRITEs and SENDs: a responder fetches and places. */
final class Execution {

    private final Findings findings;
    private final Attribution attribution;
    private final ExecutionOrder order;
    private final boolean programsTraced;

    Execution(Findings findings, Attribution attribution, ExecutionOrder order, boolean programsTraced) {
        this.findings = findings;
        this.attribution = attribution;
        this.order = order;
        this.programsTraced = programsTraced;
    }

    void fetched(Touch touch) {
        touch.memory()
                .deviceRead(touch.event().address(), touch.data(), "the fetch of", touch.queuePair(), touch.position());
        Request request = attribution.asked(touch);
        SendQueueModel asked = touch.queuePair().asked();
        if (request == null || asked == null || !attribution.isOf(Request.Kind.READ, touch, request)) {
            return;
        }
        int packet = Attribution.packet(asked, request, touch.psn());
        if (!request.executed.hasBegun()) {
            order.beginsRead(touch, asked, request);
        }
        int offset = touch.event().offset();
        attribution.checkRemote(touch, request, request.offsetOf(packet) + offset);
        int packetBytes = request.bytesOf(packet);
        attribution.checkWhole(touch, request, packetBytes - offset);
        if (touch.lengthBytes() < packetBytes) {
            attribution.note(WeakBehaviour.FETCHED_IN_PARTS, touch, request);
        }
        request.executed.add(packet, touch.lengthBytes(), packetBytes);
        if (request.dataOf(packet).add(touch.data(), offset, packetBytes)) {
            attribution.note(WeakBehaviour.READ_AGAIN, touch, request);
        }
    }

    void placed(Touch touch) {
        Request request = attribution.asked(touch);
        SendQueueModel asked = touch.queuePair().asked();
        attribution.write(touch, request, false);
        Datagrams.Arrival datagram = touch.queuePair().receive().datagrams().newest();
        if (datagram != null) {
            ofDatagram(touch, datagram);
            return;
        }
        if (request == null || asked == null) {
            return;
        }
        if (request.kind != Request.Kind.SEND && !attribution.isOf(Request.Kind.WRITE, touch, request)) {
            return;
        }
        order.checkState(touch, request);
        int packet = Attribution.packet(asked, request, touch.psn());
        if (isPlacedAgain(touch, request, packet)) {
            return;
        }
        if (request.executedAt < 0) {
            order.begins(touch, asked, request);
        }
        order.checkNotCompleted(touch, request);
        boolean isRepeated = request.executed.has(packet);
        int offset = request.executed.add(packet, touch.lengthBytes(), request.bytesOf(packet));
        if (isRepeated && packet == 0 && offset == 0) {
            // To a responder of UC a first packet that a link repeats begins another message (UC-01).
            request.placedUnder = null;
        }
        checkPlace(touch, asked, request, request.offsetOf(packet) + offset);
        checkData(touch, request, packet, offset);
        if (request.executed.has(packet) && !touch.queuePair().isUnreliable()) {
            request.forgetData(packet);
        }
    }

    /** Bytes of a receive: first the room for the GRH, then what was sent. */
    private void ofDatagram(Touch touch, Datagrams.Arrival datagram) {
        Request request = datagram.request();
        if (request == null) {
            return;
        }
        findings.checked(Check.DATAGRAM_ONCE);
        long offset = datagram.placed(touch.lengthBytes());
        if (offset + touch.lengthBytes() > Datagrams.GRH_BYTES + request.lengthBytes) {
            findings.violated(
                    Check.DATAGRAM_ONCE,
                    Text.of("%s places more bytes than %s has", touch.queuePair(), request),
                    request.startedAt,
                    touch.position());
            return;
        }
        order.checkState(touch, request);
        Sge element = touch.queuePair().receive().anyElementFor(touch, offset);
        attribution.checkElement(touch, request, element, Check.RECEIVE_ORDER);
        touch.queuePair().device().keyUse().asLocal(touch);
        if (offset >= Datagrams.GRH_BYTES) {
            checkData(touch, request, 0, (int) offset - Datagrams.GRH_BYTES);
        }
    }

    private boolean isPlacedAgain(Touch touch, Request request, int packet) {
        findings.checked(Check.PLACED_ONCE);
        boolean isSentAgain = touch.queuePair().isUnreliable() && findings.linksRepeat;
        if (!request.executed.has(packet) || isSentAgain) {
            return false;
        }
        findings.violated(
                Check.PLACED_ONCE,
                Text.of("%s places psn=%d of %s again", touch.queuePair(), touch.psn(), request),
                request.executedAt,
                request.completedAt,
                touch.position());
        return true;
    }

    private void checkPlace(Touch touch, SendQueueModel asked, Request request, long offset) {
        if (request.kind == Request.Kind.WRITE) {
            attribution.checkRemote(touch, request, offset);
            checkBinding(touch, request);
        } else if (asked.receivesJudged) {
            ReceiveQueueModel receives = touch.queuePair().receive();
            Sge element = touch.queuePair().isUnreliable()
                    ? receives.anyElementFor(touch, offset)
                    : receives.elementFor(request, offset);
            attribution.checkElement(touch, request, element, Check.RECEIVE_ORDER);
            touch.queuePair().device().keyUse().asLocal(touch);
        } else {
            findings.notJudged(Gap.PEER_WAS_RESET);
        }
    }

    /** A message belongs to the binding that its first packet found. */
    private void checkBinding(Touch touch, Request request) {
        KeyLife under = request.placedUnder;
        if (under == null) {
            request.placedUnder = touch.life();
            return;
        }
        findings.checked(Check.ONE_BINDING);
        if (!under.equals(touch.life())) {
            findings.violated(
                    Check.ONE_BINDING,
                    Text.of(
                            "%s goes on with %s by %s, which was revoked meanwhile and valid again",
                            touch.queuePair(), request, under),
                    request.executedAt,
                    under.revokedAt,
                    touch.position());
        }
    }

    private void checkData(Touch touch, Request request, int packet, int offset) {
        Check check = request.kind == Request.Kind.SEND ? Check.SEND_DATA : Check.WRITE_DATA;
        findings.checked(check);
        boolean inline = request.isInline();
        PacketData source = request.dataOf(inline ? Request.INLINE : packet);
        int version = source.find(touch.data(), inline ? (int) request.offsetOf(packet) + offset : offset);
        if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s places bytes of %s that were never gathered", touch.queuePair(), request),
                    request.startedAt,
                    touch.position());
        } else if (version > 0) {
            attribution.note(WeakBehaviour.NEWER_SOURCE, touch, request);
        } else if (version < 0 && source.isIncomplete()) {
            findings.notJudged(Gap.FORGOTTEN);
        } else if (version < 0 && !programsTraced) {
            // What is on its way may be a view of memory that a program changes.
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        } else if (version < 0) {
            findings.violated(
                    check,
                    Text.of("%s places bytes of %s that are not those gathered", touch.queuePair(), request),
                    request.startedAt,
                    request.executedAt,
                    touch.position());
        }
    }
}
