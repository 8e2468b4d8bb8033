// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WrOpcode;
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

    void done(Touch touch) {
        byte[] before = new byte[Long.BYTES];
        boolean known = touch.memory().deviceView(touch.event().address(), before);
        Request request = attribution.asked(touch);
        SendQueueModel asked = touch.queuePair().asked();
        attribution.write(touch, request, false);
        if (request == null || asked == null || !attribution.isOf(Request.Kind.ATOMIC, touch, request)) {
            return;
        }
        order.checkState(touch, request);
        findings.checked(Check.ATOMIC_ONCE);
        if (request.executedAt >= 0) {
            findings.violated(
                    Check.ATOMIC_ONCE,
                    Text.of("%s does %s again", touch.queuePair(), request),
                    request.executedAt,
                    touch.position());
            return;
        }
        order.begins(touch, asked, request);
        order.checkNotCompleted(touch, request);
        attribution.checkRemote(touch, request, 0);
        request.executed.finish(0);
        touch.queuePair().checkVisible(false, request, "is done", touch.position());
        compute(touch, request, known ? word(ByteBuffer.wrap(before)) : null, word(touch.data()));
    }

    private void compute(Touch touch, Request request, @Nullable Long before, long after) {
        if (before == null) {
            findings.notJudged(Gap.FIRST_SIGHT);
            request.original = originalOf(request.posted, after);
            return;
        }
        findings.checked(Check.ATOMIC_RESULT);
        long expected = resultOf(request.posted, before);
        // A program that is not in the trace may have stored something meanwhile that gives the same result.
        request.original = programsTraced ? before : originalOf(request.posted, after);
        if (after != expected && programsTraced) {
            findings.violated(
                    Check.ATOMIC_RESULT,
                    Text.of(
                            "%s: %s makes 0x%x of 0x%x, where 0x%x is right",
                            touch.queuePair(), request, after, before, expected),
                    request.postedAt,
                    touch.position());
        } else if (after != expected) {
            findings.notJudged(Gap.CHANGED_OUTSIDE);
        }
    }

    private static boolean adds(SendWorkRequest posted) {
        return posted.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    /** What it makes of a word (WR-36). */
    private static long resultOf(SendWorkRequest posted, long before) {
        if (adds(posted)) {
            return before + posted.compareOrAdd();
        }
        return before == posted.compareOrAdd() ? posted.swap() : before;
    }

    /** What it must have found if it made that; null if that could be more than one word. */
    private static @Nullable Long originalOf(SendWorkRequest posted, long after) {
        if (adds(posted)) {
            return after - posted.compareOrAdd();
        }
        return after == posted.swap() ? null : after;
    }

    private static long word(ByteBuffer data) {
        return data.duplicate().order(ByteOrder.nativeOrder()).getLong(data.position());
    }

    /** What lands at the requester is what the atomic found (ORD-37). */
    void checkOriginal(Touch touch, Request request, int offset) {
        findings.checked(Check.ATOMIC_SERIAL);
        if (request.executedAt < 0) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: a result of %s lands that was never done", touch.queuePair(), request),
                    request.startedAt,
                    touch.position());
            return;
        }
        Long original = request.original;
        if (original == null) {
            findings.notJudged(programsTraced ? Gap.FIRST_SIGHT : Gap.CHANGED_OUTSIDE);
            return;
        }
        ByteBuffer expected =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, original);
        int count = touch.lengthBytes();
        if (offset + count > Long.BYTES || expected.slice(offset, count).mismatch(touch.data()) >= 0) {
            findings.violated(
                    Check.ATOMIC_SERIAL,
                    Text.of(
                            "%s: %s returns another value than 0x%x, which it found",
                            touch.queuePair(), request, original),
                    request.executedAt,
                    touch.position());
        }
    }
}
