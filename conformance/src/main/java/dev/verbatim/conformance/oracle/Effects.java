// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What devices do to memory: S, X and L of the ordering model, each held against the request that it is of. */
final class Effects {

    private static final int INLINE_PSN = -1;

    private final Findings findings;
    private final boolean programsTraced;

    Effects(Findings findings, boolean programsTraced) {
        this.findings = findings;
        this.programsTraced = programsTraced;
    }

    void touched(QueuePairModel queuePair, MemoryTouched event, long position) {
        ByteBuffer data = event.data();
        checkKey(queuePair.device(), event, position);
        switch (event.effect()) {
            case GATHERED -> gathered(queuePair, event, data, position);
            case FETCHED -> fetched(queuePair, event, data, position);
            case PLACED -> placed(queuePair, event, data, position);
            case ATOMIC -> atomic(queuePair, event, data, position);
            case RETURNED -> returned(queuePair, event, data, position);
        }
    }

    private void checkKey(DeviceModel device, MemoryTouched event, long position) {
        findings.checked(Check.REVOKED);
        Long revokedAt = event.key() == 0 ? null : device.keys().revokedAt(event.key());
        if (revokedAt != null) {
            findings.violated(
                    Check.REVOKED,
                    Text.of(
                            "%s/0x%x touches memory at 0x%x (%s) by %s, which was revoked",
                            device.name(), event.qp(), event.address(), event.effect(), Text.key(event.key())),
                    revokedAt,
                    position);
        }
    }

    // S: the requester gathers.

    private void gathered(QueuePairModel queuePair, MemoryTouched event, ByteBuffer data, long position) {
        String what = "the gather of " + queuePair;
        if (event.psn() == INLINE_PSN) {
            queuePair.device().memory().programRead(event.address(), data, what, position);
            gatheredInline(queuePair, data);
            return;
        }
        queuePair.device().memory().deviceRead(event.address(), data, what, position);
        Request request = own(queuePair, event, position);
        if (request == null) {
            return;
        }
        int packet = packet(queuePair.send(), request, event.psn());
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: %s gathers after it completed", queuePair, request),
                    request.completedAt,
                    position);
        }
        int offset = request.gathered.add(packet, data.remaining(), request.bytesOf(packet));
        checkElement(
                queuePair,
                request,
                Request.elementAt(request.posted, request.offsetOf(packet) + offset),
                event,
                Check.ADDRESS,
                position);
        request.dataOf(packet).add(data, offset, request.bytesOf(packet));
        if (packet == 0 && offset == 0) {
            noteStaleSource(queuePair, request, position);
        }
    }

    private void gatheredInline(QueuePairModel queuePair, ByteBuffer data) {
        Request request = queuePair.send().newest();
        if (request != null) {
            request.inlineData(data);
        }
    }

    private void noteStaleSource(QueuePairModel queuePair, Request request, long position) {
        Request outstanding = queuePair.send().firstNotLandedBefore(request.number);
        if (outstanding == null) {
            return;
        }
        for (long number = outstanding.number; number < request.number; number++) {
            Request before = queuePair.send().window().at(number);
            if (before.hasResult() && !before.isLanded() && sharesBytes(before, request)) {
                findings.seen(WeakBehaviour.STALE_SOURCE);
                if (findings.wantsExample(WeakBehaviour.STALE_SOURCE)) {
                    findings.example(
                            WeakBehaviour.STALE_SOURCE,
                            Text.of("#%d: %s gathers what %s of %s will fill", position, request, before, queuePair));
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

    // X: the responder fetches, places, and does atomics.

    private void fetched(QueuePairModel queuePair, MemoryTouched event, ByteBuffer data, long position) {
        queuePair.device().memory().deviceRead(event.address(), data, "the fetch of " + queuePair, position);
        Request request = asked(queuePair, event, position);
        SendQueueModel asked = queuePair.asked();
        if (request == null || asked == null || !isOf(Request.Kind.READ, queuePair, request, event, position)) {
            return;
        }
        int packet = packet(asked, request, event.psn());
        boolean first = !request.executed.has(packet);
        if (first && !request.executed.hasBegun()) {
            begins(queuePair, asked, request, position);
            findings.checked(Check.READ_ORDER);
            Request before = asked.firstNotFetchedBefore(request.number);
            if (before != null) {
                findings.violated(
                        Check.READ_ORDER,
                        Text.of("%s fetches for %s before it fetched all for %s", queuePair, request, before),
                        before.startedAt,
                        before.executedAt,
                        position);
            }
            if (asked.newestEffect > request.number) {
                note(WeakBehaviour.READ_OVERTAKEN, queuePair, request, position);
            }
        }
        checkRemote(queuePair, request, request.offsetOf(packet), event, position);
        request.executed.add(packet, data.remaining(), request.bytesOf(packet));
        if (request.dataOf(packet).add(data, 0, request.bytesOf(packet))) {
            note(WeakBehaviour.READ_AGAIN, queuePair, request, position);
        }
    }

    private void placed(QueuePairModel queuePair, MemoryTouched event, ByteBuffer data, long position) {
        Request request = asked(queuePair, event, position);
        SendQueueModel asked = queuePair.asked();
        write(queuePair, request, event, data, position);
        if (request == null || asked == null) {
            return;
        }
        if (request.kind != Request.Kind.SEND && !isOf(Request.Kind.WRITE, queuePair, request, event, position)) {
            return;
        }
        checkState(queuePair, request, position);
        int packet = packet(asked, request, event.psn());
        findings.checked(Check.PLACED_ONCE);
        if (request.executed.has(packet)) {
            findings.violated(
                    Check.PLACED_ONCE,
                    Text.of("%s places psn=%d of %s again", queuePair, event.psn(), request),
                    request.executedAt,
                    request.completedAt,
                    position);
            return;
        }
        if (request.executedAt < 0) {
            begins(queuePair, asked, request, position);
        }
        checkNotCompleted(queuePair, request, position);
        int offset = request.executed.add(packet, data.remaining(), request.bytesOf(packet));
        checkPlacedAt(queuePair, request, request.offsetOf(packet) + offset, event, position);
        checkData(queuePair, request, packet, offset, data, position);
        if (request.executed.has(packet)) {
            request.forgetData(packet);
        }
    }

    private void checkPlacedAt(
            QueuePairModel queuePair, Request request, long offset, MemoryTouched event, long position) {
        if (request.kind == Request.Kind.WRITE) {
            checkRemote(queuePair, request, offset, event, position);
        } else {
            SendQueueModel asked = queuePair.asked();
            if (asked != null && asked.receivesJudged) {
                Sge element = queuePair.receive().elementFor(request, offset);
                checkElement(queuePair, request, element, event, Check.RECEIVE_ORDER, position);
            }
        }
    }

    private void checkData(
            QueuePairModel queuePair, Request request, int packet, int offset, ByteBuffer data, long position) {
        Check check = request.kind == Request.Kind.SEND ? Check.SEND_DATA : Check.WRITE_DATA;
        findings.checked(check);
        boolean inline = request.isInline();
        PacketData source = request.dataOf(inline ? Request.INLINE : packet);
        int at = inline ? (int) request.offsetOf(packet) + offset : offset;
        if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s places bytes of %s that were never gathered", queuePair, request),
                    request.startedAt,
                    position);
            return;
        }
        int version = source.find(data, at);
        if (version > 0) {
            note(WeakBehaviour.NEWER_SOURCE, queuePair, request, position);
        } else if (version < 0) {
            mismatch(check, source, queuePair, request, "places bytes of %s that are not those gathered", position);
        }
    }

    private void mismatch(
            Check check, PacketData source, QueuePairModel queuePair, Request request, String how, long position) {
        if (source.isIncomplete()) {
            findings.notJudged(Gap.FORGOTTEN);
        } else if (!programsTraced) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        } else {
            findings.violated(
                    check, queuePair + " " + Text.of(how, request), request.startedAt, request.executedAt, position);
        }
    }

    private void atomic(QueuePairModel queuePair, MemoryTouched event, ByteBuffer data, long position) {
        byte[] before = new byte[Long.BYTES];
        boolean known = queuePair.device().memory().deviceView(event.address(), before);
        Request request = asked(queuePair, event, position);
        SendQueueModel asked = queuePair.asked();
        write(queuePair, request, event, data, position);
        if (request == null || asked == null || !isOf(Request.Kind.ATOMIC, queuePair, request, event, position)) {
            return;
        }
        checkState(queuePair, request, position);
        findings.checked(Check.ATOMIC_ONCE);
        if (request.executedAt >= 0) {
            findings.violated(
                    Check.ATOMIC_ONCE, Text.of("%s does %s again", queuePair, request), request.executedAt, position);
            return;
        }
        begins(queuePair, asked, request, position);
        checkNotCompleted(queuePair, request, position);
        checkRemote(queuePair, request, 0, event, position);
        request.executed.finish(0);
        queuePair.checkVisible(false, request, "is done", position);
        compute(queuePair, request, known ? word(ByteBuffer.wrap(before)) : null, word(data), position);
    }

    private void compute(QueuePairModel queuePair, Request request, @Nullable Long before, long after, long position) {
        long compareOrAdd = request.posted.compareOrAdd();
        boolean adds = request.posted.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD;
        if (before == null) {
            findings.notJudged(Gap.FIRST_SIGHT);
            if (adds) {
                request.original = after - compareOrAdd;
            } else if (after != request.posted.swap()) {
                request.original = after;
            }
            return;
        }
        findings.checked(Check.ATOMIC_RESULT);
        request.original = before;
        long swapped = before == compareOrAdd ? request.posted.swap() : before;
        long expected = adds ? before + compareOrAdd : swapped;
        if (after != expected && programsTraced) {
            findings.violated(
                    Check.ATOMIC_RESULT,
                    Text.of(
                            "%s: %s makes 0x%x of 0x%x, where 0x%x is right",
                            queuePair, request, after, before, expected),
                    request.postedAt,
                    position);
        } else if (after != expected) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
            request.original = null;
        }
    }

    private static long word(ByteBuffer data) {
        return data.order(ByteOrder.nativeOrder()).getLong(data.position());
    }

    private void write(
            QueuePairModel queuePair, @Nullable Request request, MemoryTouched event, ByteBuffer data, long position) {
        boolean returned = event.effect() == MemoryEffect.RETURNED;
        MemoryModel memory = queuePair.device().memory();
        if (event.held()) {
            memory.hold(
                    new Piece(queuePair, request, returned, event.psn(), event.key(), event.address(), data, position));
        } else {
            memory.deviceWrote(event.address(), data, "what " + queuePair + " placed", position);
        }
    }

    /** The first byte of a request's effect: everything before it is done, except READs. */
    private void begins(QueuePairModel queuePair, SendQueueModel asked, Request request, long position) {
        request.executedAt = position;
        findings.checked(Check.EXECUTION_ORDER);
        Request before = request.judged ? asked.firstNotExecutedBefore(request.number) : null;
        if (before != null) {
            findings.violated(
                    Check.EXECUTION_ORDER,
                    Text.of("%s executes %s before it executed all of %s", queuePair, request, before),
                    before.startedAt,
                    before.executedAt,
                    position);
        }
        if (request.kind != Request.Kind.READ) {
            asked.newestEffect = Math.max(asked.newestEffect, request.number);
        }
    }

    /** A request that was flushed may be executed yet, since its packets are under way; one that succeeded was before. */
    private void checkNotCompleted(QueuePairModel queuePair, Request request, long position) {
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.status == WcStatus.SUCCESS) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s executes %s after it completed with success", queuePair, request),
                    request.completedAt,
                    position);
        } else if (request.isCompleted()) {
            note(WeakBehaviour.EXECUTED_BUT_FAILED, queuePair, request, position);
        }
    }

    private void checkState(QueuePairModel queuePair, Request request, long position) {
        findings.checked(Check.EFFECT_AFTER_ERROR);
        if (queuePair.state() == QpState.ERR) {
            findings.violated(
                    Check.EFFECT_AFTER_ERROR,
                    Text.of("%s executes %s in state ERR", queuePair, request),
                    queuePair.stateSince(),
                    position);
        }
    }

    // L: results land at the requester.

    private void returned(QueuePairModel queuePair, MemoryTouched event, ByteBuffer data, long position) {
        Request request = own(queuePair, event, position);
        write(queuePair, request, event, data, position);
        if (request == null || !request.hasResult()) {
            return;
        }
        int packet = packet(queuePair.send(), request, event.psn());
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands after it completed", queuePair, request),
                    request.completedAt,
                    position);
        }
        int offset = request.landed.add(packet, data.remaining(), request.bytesOf(packet));
        Sge element = Request.elementAt(request.posted, request.offsetOf(packet) + offset);
        checkElement(queuePair, request, element, event, Check.ADDRESS, position);
        if (queuePair.peer() == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
        } else if (!request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
        } else if (request.kind == Request.Kind.ATOMIC) {
            checkOriginal(queuePair, request, offset, data, position);
        } else {
            checkFetched(queuePair, request, packet, offset, data, position);
        }
    }

    private void checkFetched(
            QueuePairModel queuePair, Request request, int packet, int offset, ByteBuffer data, long position) {
        findings.checked(Check.READ_DATA);
        PacketData source = request.dataOf(packet);
        if (source.isEmpty()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never fetched", queuePair, request),
                    request.startedAt,
                    position);
        } else if (source.find(data, offset) < 0) {
            mismatch(Check.READ_DATA, source, queuePair, request, "gets bytes for %s that were not fetched", position);
        }
        if (request.landed.has(packet)) {
            request.forgetData(packet);
        }
    }

    private void checkOriginal(QueuePairModel queuePair, Request request, int offset, ByteBuffer data, long position) {
        findings.checked(Check.ATOMIC_SERIAL);
        if (request.executedAt < 0) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never done", queuePair, request),
                    request.startedAt,
                    position);
            return;
        }
        Long original = request.original;
        if (original == null) {
            findings.notJudged(Gap.FIRST_SIGHT);
            return;
        }
        ByteBuffer expected =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, original);
        if (offset + data.remaining() > Long.BYTES
                || expected.slice(offset, data.remaining()).mismatch(data) >= 0) {
            findings.violated(
                    Check.ATOMIC_SERIAL,
                    Text.of("%s: %s returns another value than 0x%x, which it found", queuePair, request, original),
                    request.executedAt,
                    position);
        }
    }

    // Which request it is of, and whether it is where that has it.

    private @Nullable Request own(QueuePairModel queuePair, MemoryTouched event, long position) {
        if (!queuePair.isKnown()) {
            findings.notJudged(Gap.QUEUE_PAIR_OLDER_THAN_TRACE);
            return null;
        }
        return found(queuePair, queuePair.send(), event, position);
    }

    private @Nullable Request asked(QueuePairModel queuePair, MemoryTouched event, long position) {
        SendQueueModel asked = queuePair.asked();
        if (asked == null) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
            return null;
        }
        Request request = found(queuePair, asked, event, position);
        if (request != null && !request.judged) {
            findings.notJudged(Gap.PEER_WAS_RESET);
            return null;
        }
        return request;
    }

    private @Nullable Request found(
            QueuePairModel queuePair, SendQueueModel queue, MemoryTouched event, long position) {
        Request request = queue.find(event.psn());
        if (request == null && queue.isAhead(event.psn())) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of(
                            "%s touches memory (%s) for psn=%d, which no request has",
                            queuePair, event.effect(), event.psn()),
                    position);
        } else if (request == null) {
            findings.notJudged(Gap.FORGOTTEN);
        }
        return request;
    }

    private boolean isOf(
            Request.Kind kind, QueuePairModel queuePair, Request request, MemoryTouched event, long position) {
        if (request.kind == kind) {
            return true;
        }
        findings.violated(
                Check.EXECUTION_ORDER,
                Text.of("%s touches memory (%s) for %s", queuePair, event.effect(), request),
                request.startedAt,
                position);
        return false;
    }

    private static int packet(SendQueueModel queue, Request request, int psn) {
        return (int) (queue.extend(psn) - request.firstPsn);
    }

    private void checkRemote(
            QueuePairModel queuePair, Request request, long offset, MemoryTouched event, long position) {
        Sge target = new Sge(request.posted.remoteAddress() + offset, event.lengthBytes(), request.posted.remoteKey());
        checkElement(queuePair, request, target, event, Check.ADDRESS, position);
    }

    private void checkElement(
            QueuePairModel queuePair,
            Request request,
            @Nullable Sge element,
            MemoryTouched event,
            Check check,
            long position) {
        findings.checked(check);
        if (element == null
                || element.lkey() != event.key()
                || Integer.compareUnsigned(event.lengthBytes(), element.lengthBytes()) > 0
                || !queuePair
                        .device()
                        .keys()
                        .agrees(event.key(), element.address(), event.address(), event.lengthBytes())) {
            findings.violated(
                    check,
                    Text.of(
                            "%s touches %d bytes at 0x%x by %s for %s, which has %s there",
                            queuePair,
                            event.lengthBytes(),
                            event.address(),
                            Text.key(event.key()),
                            request,
                            element == null
                                    ? "no byte"
                                    : Text.of("0x%x of %s", element.address(), Text.key(element.lkey()))),
                    request.startedAt,
                    position);
        }
    }

    private void note(WeakBehaviour behaviour, QueuePairModel queuePair, Request request, long position) {
        findings.seen(behaviour);
        if (findings.wantsExample(behaviour)) {
            findings.example(behaviour, Text.of("#%d: %s at %s", position, request, queuePair));
        }
    }
}
