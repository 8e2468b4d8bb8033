// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The receives of a queue pair, and the messages that take them. */
public final class ReceiveQueueModel {

    private static final int MOST_REMEMBERED = 1 << 16;

    /**
     * A receive that has not completed.
     *
     * @param number which of the queue, from 0
     * @param srq the shared queue that it was taken from; 0 for none
     */
    private record Receive(long number, int srq, ReceiveWorkRequest posted, long position) {
        @Override
        public String toString() {
            return "RECV wr_id=" + posted.id();
        }
    }

    private final QueuePairModel queuePair;
    private final Findings findings;
    private final ArrayDeque<Receive> waiting = new ArrayDeque<>();
    private final ArrivedDatagrams datagrams = new ArrivedDatagrams();
    private long posted;
    private long completed;
    private long failedAt = -1;

    ReceiveQueueModel(QueuePairModel queuePair, Findings findings) {
        this.queuePair = queuePair;
        this.findings = findings;
    }

    /** The datagrams that came to it. */
    public ArrivedDatagrams datagrams() {
        return datagrams;
    }

    public void posted(ReceivePosted event, long position) {
        add(0, event.request(), position);
    }

    /** Its queue pair took a receive of a shared queue, which is its own from now on (SRQ-02). */
    public void taken(int srq, ReceiveWorkRequest receive, long position) {
        add(srq, receive, position);
    }

    private void add(int srq, ReceiveWorkRequest receive, long position) {
        waiting.addLast(new Receive(posted++, srq, receive, position));
        if (waiting.size() > MOST_REMEMBERED) {
            waiting.removeFirst();
            findings.notJudged(Gap.FORGOTTEN);
        }
    }

    boolean hasCompletedAny() {
        return completed > 0;
    }

    public void completed(Completed event, long position) {
        findings.checked(Check.ONE_COMPLETION);
        findings.checked(Check.RECEIVE_ORDER);
        Receive receive = waiting.peekFirst();
        if (receive == null || receive.posted().id() != event.workRequestId()) {
            Receive other = find(event.workRequestId());
            if (receive == null || other == null) {
                findings.violated(
                        Check.ONE_COMPLETION,
                        Text.of(
                                "%s completes the receive wr_id=%d, which is not waiting",
                                queuePair, event.workRequestId()),
                        position);
                return;
            }
            Receive before = firstOf(other.srq());
            if (before != null && !before.equals(other)) {
                findings.violated(
                        Check.RECEIVE_ORDER,
                        Text.of("%s: %s completes before %s, which was posted earlier", queuePair, other, before),
                        before.position(),
                        other.position(),
                        position);
            }
            receive = other;
        }
        waiting.remove(receive);
        completed++;
        if (event.status() == WcStatus.SUCCESS) {
            succeeded(receive, event, position);
        } else {
            failed(receive, event, position);
        }
    }

    /** Those of different shared queues complete in different completion queues, between which there is no order (ORD-22). */
    private @Nullable Receive firstOf(int srq) {
        for (Receive receive : waiting) {
            if (receive.srq() == srq) {
                return receive;
            }
        }
        return null;
    }

    /** The message that took the receive; null if there is none. */
    private static @Nullable Request messageOf(SendQueueModel asking, Receive receive) {
        Request oldest = asking.messages.peekFirst();
        if (receive.srq() == 0 || oldest == null || oldest.message == receive.number()) {
            return asking.messages.pollFirst();
        }
        for (Request message : asking.messages) {
            if (message.message == receive.number()) {
                asking.messages.remove(message);
                return message;
            }
        }
        return null;
    }

    private @Nullable Receive find(long id) {
        for (Receive receive : waiting) {
            if (receive.posted().id() == id) {
                return receive;
            }
        }
        return null;
    }

    private void succeeded(Receive receive, Completed event, long position) {
        if (failedAt >= 0) {
            findings.violated(
                    Check.FLUSH,
                    Text.of("%s: %s succeeds after an earlier receive failed", queuePair, receive),
                    failedAt,
                    position);
        }
        if (datagrams.isUsed()) {
            datagram(receive, event, position);
            return;
        }
        QueuePairModel peer = queuePair.peer();
        if (peer == null || !peer.send().receivesJudged) {
            findings.notJudged(peer == null ? Gap.PEER_NOT_TRACED : Gap.PEER_WAS_RESET);
            return;
        }
        if (queuePair.isUnreliable() && findings.linksDisturb) {
            findings.notJudged(Gap.LINK_DISTURBS);
            return;
        }
        Request message = queuePair.isUnreliable()
                ? wholeMessage(peer.send(), receive, event, position)
                : messageOf(peer.send(), receive);
        if (message == null) {
            findings.violated(
                    queuePair.isUnreliable() ? Check.WHOLE_MESSAGE : Check.ONE_COMPLETION,
                    Text.of("%s: %s completes, but no message of %s took it", queuePair, receive, peer),
                    receive.position(),
                    position);
            return;
        }
        checkVisible(receive, message, position);
        checkInvalidated(receive, message, position);
        findings.checked(Check.COMPLETION_FIELDS);
        WcOpcode opcode = opcodeOf(message);
        if (event.opcode() != opcode || event.byteLength() != (int) message.lengthBytes) {
            findings.violated(
                    Check.COMPLETION_FIELDS,
                    Text.of(
                            "%s: %s completes as %s byte_len=%d for %s of %d bytes",
                            queuePair, receive, event.opcode(), event.byteLength(), message, message.lengthBytes),
                    message.postedAt,
                    position);
        }
    }

    private void datagram(Receive receive, Completed event, long position) {
        if (datagrams.areOfStrangers()) {
            findings.notJudged(Gap.PEER_NOT_TRACED);
            return;
        }
        findings.checked(Check.DATAGRAM_ONCE);
        if (datagrams.complete(event.byteLength()) == null) {
            findings.violated(
                    Check.DATAGRAM_ONCE,
                    Text.of(
                            "%s: %s completes with byte_len=%d, but no such datagram came and was placed",
                            queuePair, receive, event.byteLength()),
                    receive.position(),
                    position);
        }
    }

    /** The oldest message that it can be of and all of which arrived; those before it are lost. */
    private @Nullable Request wholeMessage(SendQueueModel asking, Receive receive, Completed event, long position) {
        findings.checked(Check.WHOLE_MESSAGE);
        Request partly = null;
        Iterator<Request> messages = asking.messages.iterator();
        long passedOver = 0;
        while (messages.hasNext()) {
            Request message = messages.next();
            passedOver++;
            if (opcodeOf(message) == event.opcode() && event.byteLength() == (int) message.lengthBytes) {
                if (message.isExecuted()) {
                    forgetFirst(asking, passedOver);
                    return message;
                }
                partly = partly == null ? message : partly;
            }
        }
        if (partly != null) {
            findings.violated(
                    Check.WHOLE_MESSAGE,
                    Text.of("%s: %s completes for %s, not all of which was placed", queuePair, receive, partly),
                    partly.startedAt,
                    position);
        }
        return partly;
    }

    private static void forgetFirst(SendQueueModel asking, long count) {
        for (long i = 0; i < count; i++) {
            asking.messages.removeFirst();
        }
    }

    private static WcOpcode opcodeOf(Request message) {
        return message.kind == Request.Kind.SEND ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
    }

    private void checkVisible(Receive receive, Request message, long position) {
        QueuePairModel peer = queuePair.peer();
        Request missing = peer == null ? null : peer.send().firstNotExecutedBefore(message.number + 1);
        if (message.judged && missing != null) {
            findings.violated(
                    Check.VISIBLE_WHEN_PROMISED,
                    Text.of(
                            "%s: %s completes for %s before %s was executed in full",
                            queuePair, receive, message, missing),
                    missing.startedAt,
                    missing.executedAt,
                    position);
        }
        queuePair.checkVisible(false, message, "is received", position);
    }

    private void checkInvalidated(Receive receive, Request message, long position) {
        if (message.posted.opcode() != WrOpcode.SEND_WITH_INV || !message.judged) {
            return;
        }
        findings.checked(Check.REMOTE_INVALIDATION);
        if (message.invalidatedAt < 0) {
            findings.violated(
                    Check.REMOTE_INVALIDATION,
                    Text.of("%s: %s completes for %s, which has not invalidated its key", queuePair, receive, message),
                    message.postedAt,
                    position);
        }
        KeyLife revoked = message.revoked;
        if (revoked != null) {
            DeviceModel device = queuePair.device();
            device.keyUse().closed(revoked, receive, position);
        }
    }

    private void failed(Receive receive, Completed event, long position) {
        boolean isDropReported =
                event.status() == WcStatus.REM_ACCESS_ERR || event.status() == WcStatus.REM_INV_REQ_ERR;
        if (queuePair.isUnreliable() && isDropReported) {
            return; // Over UC a message that was dropped takes the shared receive with it, and nothing else (WC-50).
        }
        findings.checked(Check.ERROR_STATE);
        if (queuePair.state() != QpState.ERR) {
            findings.violated(
                    Check.ERROR_STATE,
                    Text.of(
                            "%s: %s completes with %s in state %s",
                            queuePair, receive, event.status(), queuePair.state()),
                    queuePair.stateSince(),
                    position);
        }
        findings.checked(Check.FLUSH);
        if (event.status() != WcStatus.WR_FLUSH_ERR) {
            if (failedAt >= 0) {
                findings.violated(
                        Check.FLUSH,
                        Text.of("%s: %s completes with %s after an earlier error", queuePair, receive, event.status()),
                        failedAt,
                        position);
            }
            findings.seen(WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR);
            if (findings.wantsExample(WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR)) {
                findings.example(
                        WeakBehaviour.RECEIVE_CONSUMED_BY_ERROR,
                        Text.of("#%d: %s of %s completes with %s", position, receive, queuePair, event.status()));
            }
        }
        failedAt = failedAt < 0 ? position : failedAt;
    }

    /** The element that a byte of a message belongs into; null if no receive for it was posted, or it has no such byte. */
    @Nullable
    public Sge elementFor(Request message, long offset) {
        for (Receive receive : waiting) {
            if (receive.number() == message.message) {
                return elementAt(receive.posted(), offset);
            }
        }
        return null;
    }

    /** As {@link #elementFor}, of whichever receive has the touched bytes there: of messages some may be lost. */
    @Nullable
    public Sge anyElementFor(MemoryAccess access, long offset) {
        Sge first = null;
        for (Receive receive : waiting) {
            Sge element = elementAt(receive.posted(), offset);
            if (element != null && isAt(element, access)) {
                return element;
            }
            first = first == null ? element : first;
        }
        return first;
    }

    private static boolean isAt(Sge element, MemoryAccess access) {
        KeyLife life = access.life();
        return element.lkey() == access.event().key()
                && (life == null
                        || life.agrees(element.address(), access.event().address(), access.lengthBytes()));
    }

    private static @Nullable Sge elementAt(ReceiveWorkRequest posted, long offset) {
        long begin = 0;
        for (int i = 0; i < posted.elementCount(); i++) {
            Sge element = posted.element(i);
            long length = Integer.toUnsignedLong(element.lengthBytes());
            if (offset < begin + length) {
                return new Sge(element.address() + offset - begin, (int) (length - (offset - begin)), element.lkey());
            }
            begin += length;
        }
        return null;
    }

    /** The run is over: after an error all are flushed, and messages that were executed have completed. */
    void atEnd(Findings verdict) {
        if (queuePair.state() == QpState.ERR) {
            waiting.forEach(receive -> verdict.violated(
                    Check.ONE_COMPLETION, Text.of("%s: %s was never flushed", queuePair, receive), receive.position()));
        }
        QueuePairModel peer = queuePair.peer();
        // Perhaps no event has shown its type.
        boolean isUnreliable = queuePair.isUnreliable() || (peer != null && peer.isUnreliable());
        boolean isPromised = peer != null && !isUnreliable && peer.send().receivesJudged;
        if (peer != null && isPromised && queuePair.state() != QpState.ERR) {
            Request message = peer.send().messages.peekFirst();
            verdict.checked(Check.ONE_COMPLETION);
            if (message != null && message.judged && message.status == WcStatus.SUCCESS) {
                verdict.violated(
                        Check.ONE_COMPLETION,
                        Text.of("%s of %s succeeded, but its receive at %s never completed", message, peer, queuePair),
                        message.postedAt,
                        message.completedAt);
            }
        }
    }
}
