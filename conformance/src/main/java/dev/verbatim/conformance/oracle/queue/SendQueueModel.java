// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.conformance.oracle.request.RequestWindow;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one queue pair asked of its peer: requests in post order, and how far each kind of event has come. Events are those
 * of F.2: S and L of this queue pair, X of its peer, C in its completion queue.
 */
public final class SendQueueModel {

    static final int PSN_MASK = 0xff_ffff;

    private static final long PSN_COUNT = PSN_MASK + 1L;

    /** Requests that are remembered after they completed, since repeated packets of theirs may still be under way. */
    private static final int REMEMBERED = 64;

    private static final int MOST_REMEMBERED = 1 << 16;

    final QueuePairModel queuePair;
    private final Findings findings;
    private final RequestWindow window = new RequestWindow();
    /** Messages that were started and whose receive has not completed. */
    final ArrayDeque<Request> messages = new ArrayDeque<>();

    private long messagesStarted;
    private long started;
    private long executed;
    private long complete;
    private long fetched;
    private long landed;
    private long responded;
    /** Unbounded; as on the wire in its low 24 bits. -1 before the first start. */
    private long nextPsn = -1;
    /** The newest request that was executed out of the way of READs before it, or -1. */
    public long newestEffect = -1;
    /** The newest request that an ACK or response answered for, or -1. */
    public long acknowledged = -1;

    public final SendCompletions completions;
    public boolean receivesJudged = true;

    SendQueueModel(QueuePairModel queuePair, Findings findings) {
        this.queuePair = queuePair;
        this.findings = findings;
        this.completions = new SendCompletions(this, findings);
    }

    public RequestWindow window() {
        return window;
    }

    boolean hasExecutedAny() {
        return newestEffect >= 0 || fetched > 0;
    }

    public void posted(TraceEvent.SendPosted event, long position) {
        window.add(new Request(window.end(), event.request(), event.signaled(), position));
        if (event.request().opcode() == WrOpcode.BIND_MW) {
            queuePair.device().windows().posted(event.request(), position);
        }
        if (window.end() - window.oldest() > MOST_REMEMBERED) {
            findings.notJudged(Gap.FORGOTTEN);
            forgetBefore(window.end() - MOST_REMEMBERED / 2);
        }
    }

    /** The request that was posted last. */
    @Nullable
    public Request newest() {
        return window.end() == window.oldest() ? null : window.at(window.end() - 1);
    }

    public void started(TraceEvent.Started event, long position) {
        findings.checked(Check.START_ORDER);
        while (started < window.end() && window.at(started).isCompleted()) {
            started++;
        }
        long number = started;
        while (number < window.end() && window.at(number).posted.id() != event.workRequestId()) {
            number++;
        }
        if (number == window.end()) {
            findings.violated(
                    Check.START_ORDER,
                    Text.of("%s starts wr_id=%d, which is not waiting", queuePair, event.workRequestId()),
                    position);
            return;
        }
        Request request = window.at(number);
        if (number != started) {
            Request before = window.at(started);
            findings.violated(
                    Check.START_ORDER,
                    Text.of("%s: %s starts before %s, which was posted earlier", queuePair, request, before),
                    before.postedAt,
                    request.postedAt,
                    position);
        }
        if (queuePair.state() != QpState.RTS) {
            findings.violated(
                    Check.START_ORDER,
                    Text.of("%s: %s starts in state %s", queuePair, request, queuePair.state()),
                    queuePair.stateSince(),
                    position);
        }
        started = number + 1;
        number(request, event, position);
        checkLocalBefore(request, position);
        checkFence(request, position);
        if (request.takesReceive() && !request.isDatagram()) {
            request.message = messagesStarted++;
            messages.addLast(request);
            if (messages.size() > MOST_REMEMBERED) {
                messages.removeFirst();
                receivesJudged = false;
                findings.notJudged(Gap.FORGOTTEN);
            }
        }
    }

    private void number(Request request, TraceEvent.Started event, long position) {
        findings.checked(Check.PSN);
        if (nextPsn < 0) {
            nextPsn = PSN_COUNT + event.firstPsn();
        } else if ((nextPsn & PSN_MASK) != event.firstPsn()) {
            findings.violated(
                    Check.PSN,
                    Text.of(
                            "%s: %s starts at psn=%d, but the request before it ends before psn=%d",
                            queuePair, request, event.firstPsn(), nextPsn & PSN_MASK),
                    position);
            nextPsn = extend(event.firstPsn());
        }
        request.start(nextPsn, event.packets(), position);
        nextPsn += event.packets();
    }

    private void checkFence(Request request, long position) {
        if (!request.isFenced()) {
            return;
        }
        findings.checked(Check.FENCE);
        landed = advance(landed, Request::isLanded);
        if (landed < request.number) {
            Request before = window.at(landed);
            findings.violated(
                    Check.FENCE,
                    Text.of("%s: %s has FENCE and starts before the result of %s landed", queuePair, request, before),
                    before.startedAt,
                    position);
        }
    }

    /** A bind or LOCAL_INV has taken effect when what is behind it starts (ORD-16, ORD-17). */
    private void checkLocalBefore(Request request, long position) {
        if (request.number == window.oldest()) {
            return;
        }
        Request before = window.at(request.number - 1);
        if (before.kind != Request.Kind.LOCAL || before.isCompleted()) {
            return;
        }
        Check check = before.posted.opcode() == WrOpcode.BIND_MW ? Check.BIND_ORDER : Check.INVALIDATION_ORDER;
        findings.checked(check);
        if (!hasTakenEffect(before)) {
            findings.violated(
                    check,
                    Text.of("%s: %s starts before %s has taken effect", queuePair, request, before),
                    before.startedAt,
                    position);
        }
    }

    /** Whether a bind or LOCAL_INV is done; some devices let one succeed whose window is free already (MW-82). */
    boolean hasTakenEffect(Request local) {
        return local.isExecuted()
                || (local.posted.opcode() == WrOpcode.LOCAL_INV
                        && queuePair.device().windows().isFree(local.posted.invalidateKey()));
    }

    /** The bind or LOCAL_INV that was started last, if nothing was started behind it and it has taken no effect yet. */
    @Nullable
    Request localAtItsTurn() {
        Request newest = started > window.oldest() ? window.at(started - 1) : null;
        return newest != null && newest.kind == Request.Kind.LOCAL && !newest.isExecuted() ? newest : null;
    }

    /** The oldest message under way that invalidates that key and has not done so; null if there is none. */
    @Nullable
    Request firstInvalidating(int key) {
        for (Request message : messages) {
            if (message.posted.opcode() == WrOpcode.SEND_WITH_INV
                    && message.posted.invalidateKey() == key
                    && message.invalidatedAt < 0) {
                return message;
            }
        }
        return null;
    }

    /** Passes over the requests that were started and are so. */
    private long advance(long from, Predicate<Request> isSo) {
        long number = Math.max(from, window.oldest());
        while (number < started && isSo.test(window.at(number))) {
            number++;
        }
        return number;
    }

    /** The oldest message or atomic before this one whose effect has not been seen in full; null if none. */
    @Nullable
    public Request firstNotExecutedBefore(long number) {
        executed = advance(executed, request -> !request.isInOrder() || request.isExecuted() || !isPromised(request));
        return executed < number ? window.at(executed) : null;
    }

    /** The oldest request before this one that cannot be complete yet; null if all may be. */
    @Nullable
    Request firstIncompleteBefore(long number) {
        complete = advance(complete, request -> request.isCompleted() || mayBeComplete(request));
        return complete < number ? window.at(complete) : null;
    }

    /** Whether it is known that what happens to it at the responder must happen: nothing must, without acknowledgements. */
    private boolean isPromised(Request request) {
        return request.judged && !queuePair.isUnreliable();
    }

    private boolean mayBeComplete(Request request) {
        if (request.kind == Request.Kind.LOCAL) {
            return hasTakenEffect(request);
        }
        boolean answered = queuePair.peer() == null
                || !isPromised(request)
                || (request.isExecuted() && acknowledged >= request.number);
        return request.isLanded() && answered;
    }

    /** The oldest READ before this one that was not fetched in full; null if none. */
    @Nullable
    public Request firstNotFetchedBefore(long number) {
        fetched = advance(
                fetched, request -> request.kind != Request.Kind.READ || request.isExecuted() || !request.judged);
        return fetched < number ? window.at(fetched) : null;
    }

    /** The oldest READ or atomic before this one whose result has not landed in full; null if none. */
    @Nullable
    public Request firstNotLandedBefore(long number) {
        landed = advance(landed, Request::isLanded);
        return landed < number ? window.at(landed) : null;
    }

    /** The oldest READ or atomic before this one that was not answered in full; null if none. */
    @Nullable
    public Request firstNotAnsweredBefore(long number) {
        responded = advance(
                responded,
                request ->
                        !request.hasResult() || request.responded.contiguous() >= request.packets || !request.judged);
        return responded < number ? window.at(responded) : null;
    }

    /** The unbounded form of a sequence number of the wire: the one next to what was given last. */
    public long extend(int psn) {
        long distance = (psn - nextPsn) & PSN_MASK;
        return nextPsn + (distance >= PSN_COUNT / 2 ? distance - PSN_COUNT : distance);
    }

    /** The request that a sequence number of the wire belongs to; null if it is none that is remembered. */
    @Nullable
    public Request find(int psn) {
        return nextPsn < 0 ? null : window.find(extend(psn), started);
    }

    /** Whether the number is one that was not given yet. */
    public boolean isAhead(int psn) {
        return nextPsn < 0 || extend(psn) >= nextPsn;
    }

    /** The peer lost its memory: what was started may be executed again, and messages are counted anew. */
    void peerWasReset() {
        receivesJudged = false;
        for (long number = window.oldest(); number < started; number++) {
            window.at(number).judged = false;
        }
    }

    /** Everything before this request is decided. */
    void completedBefore(long number) {
        forgetBefore(number - REMEMBERED);
    }

    private void forgetBefore(long number) {
        window.forgetBefore(number);
    }
}
