// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.effect;

import dev.verbatim.conformance.oracle.queue.MemoryAccess;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.verbs.SendWorkRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** X of atomics: each is done once, computes what it should, and finds what the one before it left. */
final class Atomics {

    private final Findings findings;
    private final Attribution attribution;
    private final ExecutionOrder order;
    private final boolean programsTraced;

    Atomics(Findings findings, Attribution attribution, ExecutionOrder order, boolean programsTraced) {
        this.findings = findings;
        this.attribution = attribution;
        this.order = order;
        this.programsTraced = programsTraced;
    }

    void done(MemoryAccess access) {
        byte[] before = new byte[Long.BYTES];
        boolean isJudged = access.memory().isJudged(access.event().address(), Long.BYTES);
        boolean known = isJudged && access.memory().deviceView(access.event().address(), before);
        Request request = attribution.asked(access);
        SendQueueModel asked = access.queuePair().asked();
        attribution.write(access, request, false);
        if (request == null || asked == null || !attribution.isOf(Request.Kind.ATOMIC, access, request)) {
            return;
        }
        order.checkState(access, request);
        findings.checked(Check.ATOMIC_ONCE);
        if (request.executedAt >= 0) {
            findings.violated(
                    Check.ATOMIC_ONCE,
                    Text.of("%s does %s again", access.queuePair(), request),
                    request.executedAt,
                    access.position());
            return;
        }
        order.begins(access, asked, request);
        order.checkNotCompleted(access, request);
        attribution.checkRemote(access, request, 0);
        request.executed.finish(0);
        request.ofSeveralViews = !isJudged;
        if (isJudged) {
            access.queuePair().checkVisible(false, request, "is done", access.position());
        }
        if (isJudged && !known) {
            findings.notJudged(Gap.FIRST_SIGHT);
        }
        compute(access, request, known ? word(ByteBuffer.wrap(before)) : null, word(access.data()));
    }

    private void compute(MemoryAccess access, Request request, @Nullable Long before, long after) {
        if (before == null) {
            request.original = originalOf(request, after);
            return;
        }
        findings.checked(Check.ATOMIC_RESULT);
        long expected = resultOf(request, before);
        // A program that is not in the trace may have stored something meanwhile that gives the same result.
        request.original = programsTraced ? before : originalOf(request, after);
        if (after != expected && programsTraced) {
            findings.violated(
                    Check.ATOMIC_RESULT,
                    Text.of(
                            "%s: %s makes 0x%x of 0x%x, where 0x%x is right",
                            access.queuePair(), request, after, before, expected),
                    request.postedAt,
                    access.position());
        } else if (after != expected) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        }
    }

    /** What it makes of a word (WR-36). */
    private static long resultOf(Request request, long before) {
        SendWorkRequest posted = request.posted;
        if (request.adds()) {
            return before + posted.compareOrAdd();
        }
        return before == posted.compareOrAdd() ? posted.swap() : before;
    }

    /** What it must have found if it made that; null if that could be more than one word. */
    private static @Nullable Long originalOf(Request request, long after) {
        SendWorkRequest posted = request.posted;
        if (request.adds()) {
            return after - posted.compareOrAdd();
        }
        return after == posted.swap() ? null : after;
    }

    private static long word(ByteBuffer data) {
        return data.duplicate().order(ByteOrder.nativeOrder()).getLong(data.position());
    }

    /** What lands at the requester is what the atomic found (ORD-37). */
    void checkOriginal(MemoryAccess access, Request request, int offset) {
        findings.checked(Check.ATOMIC_SERIAL);
        if (request.executedAt < 0) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never done", access.queuePair(), request),
                    request.startedAt,
                    access.position());
            return;
        }
        Long original = request.original;
        if (original == null) {
            findings.notJudged(
                    request.ofSeveralViews
                            ? Gap.SEVERAL_VIEWS
                            : programsTraced ? Gap.FIRST_SIGHT : Gap.CHANGED_OUTSIDE);
            return;
        }
        ByteBuffer expected =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, original);
        int count = access.lengthBytes();
        if (offset + count > Long.BYTES || expected.slice(offset, count).mismatch(access.data()) >= 0) {
            findings.violated(
                    Check.ATOMIC_SERIAL,
                    Text.of(
                            "%s: %s returns another value than 0x%x, which it found",
                            access.queuePair(), request, original),
                    request.executedAt,
                    access.position());
        }
    }
}
