// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.queue.ArrivedDatagrams;
import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.ReceiveQueueModel;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.PacketData;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.Sge;

/** X of READs, WRITEs and SENDs: a responder fetches and places. */
final class RequestExecution {

    private final Findings findings;
    private final Attribution attribution;
    private final ExecutionOrder order;
    private final boolean programsTraced;

    RequestExecution(Findings findings, Attribution attribution, ExecutionOrder order, boolean programsTraced) {
        this.findings = findings;
        this.attribution = attribution;
        this.order = order;
        this.programsTraced = programsTraced;
    }

    void fetched(MemoryAccess access) {
        access.memory()
                .deviceRead(
                        access.event().address(), access.data(), "the fetch of", access.queuePair(), access.position());
        Request request = attribution.asked(access);
        SendQueueModel asked = access.queuePair().asked();
        if (request == null || asked == null || !attribution.isOf(Request.Kind.READ, access, request)) {
            return;
        }
        request.ofSeveralViews |= !access.memory().isJudged(access.event().address(), access.lengthBytes());
        int packet = Attribution.packet(asked, request, access.psn());
        if (!request.executed.hasBegun()) {
            order.beginsRead(access, asked, request);
        }
        int offset = access.event().offset();
        attribution.checkRemote(access, request, request.offsetOf(packet) + offset);
        int packetBytes = request.bytesOf(packet);
        attribution.checkWhole(access, request, packetBytes - offset);
        if (access.lengthBytes() < packetBytes) {
            attribution.note(WeakBehaviour.FETCHED_IN_PARTS, access, request);
        }
        request.executed.add(packet, access.lengthBytes(), packetBytes);
        if (request.dataOf(packet).add(access.data(), offset, packetBytes)) {
            attribution.note(WeakBehaviour.READ_AGAIN, access, request);
        }
    }

    void placed(MemoryAccess access) {
        Request request = attribution.asked(access);
        SendQueueModel asked = access.queuePair().asked();
        attribution.write(access, request, false);
        ArrivedDatagrams.Arrival datagram =
                access.queuePair().receive().datagrams().newest();
        if (datagram != null) {
            ofDatagram(access, datagram);
            return;
        }
        if (request == null || asked == null) {
            return;
        }
        if (request.kind != Request.Kind.SEND && !attribution.isOf(Request.Kind.WRITE, access, request)) {
            return;
        }
        order.checkState(access, request);
        int packet = Attribution.packet(asked, request, access.psn());
        if (isPlacedAgain(access, request, packet)) {
            return;
        }
        if (request.executedAt < 0) {
            order.begins(access, asked, request);
        }
        order.checkNotCompleted(access, request);
        boolean isRepeated = request.executed.has(packet);
        int offset = request.executed.add(packet, access.lengthBytes(), request.bytesOf(packet));
        if (isRepeated && packet == 0 && offset == 0) {
            // To a responder of UC a first packet that a link repeats begins another message (UC-01).
            request.placedUnder = null;
        }
        checkPlace(access, asked, request, request.offsetOf(packet) + offset);
        checkData(access, request, packet, offset);
        if (request.executed.has(packet) && !access.queuePair().isUnreliable()) {
            request.forgetData(packet);
        }
    }

    /** Bytes of a receive: first the room for the GRH, then what was sent. */
    private void ofDatagram(MemoryAccess access, ArrivedDatagrams.Arrival datagram) {
        Request request = datagram.request();
        if (request == null) {
            return;
        }
        findings.checked(Check.DATAGRAM_ONCE);
        long offset = datagram.placed(access.lengthBytes());
        if (offset + access.lengthBytes() > ArrivedDatagrams.GRH_BYTES + request.lengthBytes) {
            findings.violated(
                    Check.DATAGRAM_ONCE,
                    Text.of("%s places more bytes than %s has", access.queuePair(), request),
                    request.startedAt,
                    access.position());
            return;
        }
        order.checkState(access, request);
        Sge element = access.queuePair().receive().anyElementFor(access, offset);
        attribution.checkElement(access, request, element, Check.RECEIVE_ORDER);
        access.queuePair().device().keyUse().asLocal(access);
        if (offset >= ArrivedDatagrams.GRH_BYTES) {
            checkData(access, request, 0, (int) offset - ArrivedDatagrams.GRH_BYTES);
        }
    }

    private boolean isPlacedAgain(MemoryAccess access, Request request, int packet) {
        findings.checked(Check.PLACED_ONCE);
        boolean isSentAgain = access.queuePair().isUnreliable() && findings.linksRepeat;
        if (!request.executed.has(packet) || isSentAgain) {
            return false;
        }
        findings.violated(
                Check.PLACED_ONCE,
                Text.of("%s places psn=%d of %s again", access.queuePair(), access.psn(), request),
                request.executedAt,
                request.completedAt,
                access.position());
        return true;
    }

    private void checkPlace(MemoryAccess access, SendQueueModel asked, Request request, long offset) {
        if (request.kind == Request.Kind.WRITE) {
            attribution.checkRemote(access, request, offset);
            checkBinding(access, request);
        } else if (asked.receivesJudged) {
            ReceiveQueueModel receives = access.queuePair().receive();
            Sge element = access.queuePair().isUnreliable()
                    ? receives.anyElementFor(access, offset)
                    : receives.elementFor(request, offset);
            attribution.checkElement(access, request, element, Check.RECEIVE_ORDER);
            access.queuePair().device().keyUse().asLocal(access);
        } else {
            findings.notJudged(Gap.PEER_WAS_RESET);
        }
    }

    /** A message belongs to the binding that its first packet found. */
    private void checkBinding(MemoryAccess access, Request request) {
        KeyLife under = request.placedUnder;
        if (under == null) {
            request.placedUnder = access.life();
            return;
        }
        findings.checked(Check.ONE_BINDING);
        if (!under.equals(access.life())) {
            findings.violated(
                    Check.ONE_BINDING,
                    Text.of(
                            "%s goes on with %s by %s, which was revoked meanwhile and valid again",
                            access.queuePair(), request, under),
                    request.executedAt,
                    under.revokedAt,
                    access.position());
        }
    }

    private void checkData(MemoryAccess access, Request request, int packet, int offset) {
        Check check = request.kind == Request.Kind.SEND ? Check.SEND_DATA : Check.WRITE_DATA;
        findings.checked(check);
        boolean inline = request.isInline();
        PacketData source = request.dataOf(inline ? Request.INLINE : packet);
        int version = source.find(access.data(), inline ? (int) request.offsetOf(packet) + offset : offset);
        if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s places bytes of %s that were never gathered", access.queuePair(), request),
                    request.startedAt,
                    access.position());
        } else if (version > 0) {
            attribution.note(WeakBehaviour.NEWER_SOURCE, access, request);
        } else if (version < 0 && source.isIncomplete()) {
            findings.notJudged(Gap.FORGOTTEN);
        } else if (version < 0 && !programsTraced) {
            // What is on its way may be a view of memory that a program changes.
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        } else if (version < 0) {
            findings.violated(
                    check,
                    Text.of("%s places bytes of %s that are not those gathered", access.queuePair(), request),
                    request.startedAt,
                    request.executedAt,
                    access.position());
        }
    }
}
