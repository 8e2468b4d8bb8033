// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLedger;
import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.key.WindowModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.WindowChanged;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** X of binds and invalidations: finds the request that a change of a window is of, and holds one against the other. */
final class WindowRequests {

    private static final int RIGHTS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC | AccessFlags.ZERO_BASED;

    private final Findings findings;
    private final KeyLedger keys;

    WindowRequests(Findings findings, KeyLedger keys) {
        this.findings = findings;
        this.keys = keys;
    }

    /** A bind has taken effect; returns which, or null if none can have. */
    @Nullable
    Request bound(QueuePairModel by, WindowModel window, WindowChanged event, long position) {
        Request request = atItsTurn(by, WrOpcode.BIND_MW);
        MemoryWindow asked = request == null ? null : request.posted.window();
        if (request == null || asked == null || asked.handle() != event.window()) {
            withoutRequest(request != null, by, window, event, position);
            return null;
        }
        tookEffect(by, request, position);
        checkKey(by, window, request, event, position);
        checkRange(by, request, event, position);
        return request;
    }

    private void checkKey(QueuePairModel by, WindowModel window, Request request, WindowChanged event, long position) {
        Check check = window.type == MemoryWindowType.TYPE_2 ? Check.KEY_CHOSEN : Check.KEY_ADVANCES;
        findings.checked(check);
        if (event.rkey() != request.posted.boundKey()) {
            findings.violated(
                    check,
                    Text.of(
                            "%s: %s gives %s %s, but asked for %s",
                            by, request, window, Text.key(event.rkey()), Text.key(request.posted.boundKey())),
                    request.postedAt,
                    position);
        }
    }

    private void checkRange(QueuePairModel by, Request request, WindowChanged event, long position) {
        BindInfo info = request.posted.bindInfo();
        if (info == null) {
            return;
        }
        findings.checked(Check.BOUND_AS_ASKED);
        boolean same = event.lengthBytes() == info.lengthBytes();
        if (info.lengthBytes() > 0) {
            KeyLife region = regionOf(request);
            long memoryAddress = region == null || !region.isKnown()
                    ? event.memoryAddress()
                    : region.memoryAddressOf(info.address());
            boolean zeroBased = (info.access() & AccessFlags.ZERO_BASED) != 0;
            same &= event.address() == info.address()
                    && (event.access() & RIGHTS) == (info.access() & RIGHTS)
                    && event.memoryAddress() == memoryAddress
                    && keys.life(event.rkey()).is(zeroBased ? 0 : info.address(), memoryAddress, info.lengthBytes());
        }
        if (!same) {
            findings.violated(
                    Check.BOUND_AS_ASKED,
                    Text.of("%s: %s asked for %s, but the result is: %s", by, request, info, event),
                    request.postedAt,
                    position);
        }
    }

    /** The local key of the region that a bind names; null if it names none. */
    @Nullable
    KeyLife regionOf(Request bind) {
        BindInfo info = bind.posted.bindInfo();
        MemoryRegion region = info == null ? null : info.region();
        return region == null ? null : keys.life(region.lkey());
    }

    /** A LOCAL_INV has taken effect; returns which, or null if none can have. */
    @Nullable
    Request invalidated(QueuePairModel by, WindowModel window, WindowChanged event, long position) {
        Request request = atItsTurn(by, WrOpcode.LOCAL_INV);
        if (request == null) {
            withoutRequest(false, by, window, event, position);
            return null;
        }
        tookEffect(by, request, position);
        if (event.rkey() != request.posted.invalidateKey()) {
            findings.violated(
                    Check.INVALIDATED_OWN,
                    Text.of("%s: %s invalidates %s, which has another key", by, request, Text.key(event.rkey())),
                    request.postedAt,
                    position);
        }
        Request waiting = by.send().firstIncompleteBefore(request.number);
        if (request.isFenced()) {
            findings.checked(Check.FENCED_INVALIDATION);
        }
        if (waiting != null && request.isFenced()) {
            findings.violated(
                    Check.FENCED_INVALIDATION,
                    Text.of("%s: %s has FENCE and takes effect before %s is complete", by, request, waiting),
                    waiting.postedAt,
                    position);
        } else if (waiting != null) {
            noteEarly(by, request, waiting, position);
        }
        return request;
    }

    private void noteEarly(QueuePairModel by, Request request, Request waiting, long position) {
        findings.seen(WeakBehaviour.EARLY_INVALIDATION);
        if (findings.wantsExample(WeakBehaviour.EARLY_INVALIDATION)) {
            findings.example(
                    WeakBehaviour.EARLY_INVALIDATION,
                    Text.of("#%d: %s of %s before %s is complete", position, request, by, waiting));
        }
    }

    private @Nullable Request atItsTurn(QueuePairModel by, WrOpcode opcode) {
        if (!by.isKnown()) {
            findings.notJudged(Gap.QUEUE_PAIR_OLDER_THAN_TRACE);
            return null;
        }
        Request request = by.send().localAtItsTurn();
        return request != null && request.posted.opcode() == opcode ? request : null;
    }

    private void withoutRequest(
            boolean another, QueuePairModel by, WindowModel window, WindowChanged event, long position) {
        if (by.isKnown()) {
            findings.checked(Check.START_ORDER);
            findings.violated(
                    Check.START_ORDER,
                    Text.of(
                            "%s: %s is %s, but %s",
                            by,
                            window,
                            event.change(),
                            another
                                    ? "the request at its turn is of another window"
                                    : "no request for it is at its turn"),
                    position);
        }
    }

    private void tookEffect(QueuePairModel by, Request request, long position) {
        request.executedAt = position;
        findings.checked(Check.EFFECT_AFTER_ERROR);
        if (by.state() == QpState.ERR) {
            findings.violated(
                    Check.EFFECT_AFTER_ERROR,
                    Text.of("%s: %s takes effect in state ERR", by, request),
                    by.stateSince(),
                    position);
        }
        findings.checked(Check.COMPLETION_AFTER_EFFECT);
        if (request.isCompleted()) {
            findings.violated(
                    Check.COMPLETION_AFTER_EFFECT,
                    Text.of("%s: %s takes effect after it completed", by, request),
                    request.completedAt,
                    position);
        }
    }

    /** A SEND_WITH_INV of the peer has taken effect; returns which, or null if none can have or none is known. */
    @Nullable
    Request invalidatedByPeer(QueuePairModel by, WindowChanged event, long position) {
        SendQueueModel asked = by.asked();
        if (asked == null || !asked.receivesJudged) {
            findings.notJudged(asked == null ? Gap.PEER_NOT_TRACED : Gap.PEER_WAS_RESET);
            return null;
        }
        findings.checked(Check.INVALIDATED_ONCE);
        Request message = asked.firstInvalidating(event.rkey());
        if (message == null) {
            findings.violated(
                    Check.INVALIDATED_ONCE,
                    Text.of(
                            "%s invalidates %s, but no SEND_WITH_INV of %s asks for it that has not done so",
                            by, Text.key(event.rkey()), asked.queuePair),
                    position);
            return null;
        }
        message.invalidatedAt = position;
        checkOrder(by, asked, message, position);
        return message;
    }

    private void checkOrder(QueuePairModel by, SendQueueModel asked, Request message, long position) {
        findings.checked(Check.EFFECT_AFTER_ERROR);
        if (by.state() == QpState.ERR) {
            findings.violated(
                    Check.EFFECT_AFTER_ERROR,
                    Text.of("%s invalidates for %s in state ERR", by, message),
                    by.stateSince(),
                    position);
        }
        findings.checked(Check.REMOTE_INVALIDATION);
        findings.checked(Check.REMOTE_INVALIDATION_ORDER);
        Request missing = asked.firstNotExecutedBefore(message.number + 1);
        if (message.judged && missing != null) {
            findings.violated(
                    missing.equals(message) ? Check.REMOTE_INVALIDATION : Check.REMOTE_INVALIDATION_ORDER,
                    Text.of("%s invalidates for %s before it executed all of %s", by, message, missing),
                    missing.startedAt,
                    missing.executedAt,
                    position);
        }
    }
}
