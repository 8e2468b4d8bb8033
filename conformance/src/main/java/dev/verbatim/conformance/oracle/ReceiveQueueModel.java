// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The receives of a queue pair, and the messages that take them. */
final class ReceiveQueueModel {

    private static final int MOST_REMEMBERED = 1 << 16;

    /**
     * A receive that has not completed.
     *
     * @param number which of the queue, from 0
     */
    private record Receive(long number, ReceiveWorkRequest posted, long position) {
        @Override
        public String toString() {
            return "RECV wr_id=" + posted.id();
        }
    }

    private final QueuePairModel queuePair;
    private final Findings findings;
    private final ArrayDeque<Receive> waiting = new ArrayDeque<>();
    private long posted;
    private long completed;
    private long failedAt = -1;

    ReceiveQueueModel(QueuePairModel queuePair, Findings findings) {
        this.queuePair = queuePair;
        this.findings = findings;
    }

    void posted(ReceivePosted event, long position) {
        waiting.addLast(new Receive(posted++, event.request(), position));
        if (waiting.size() > MOST_REMEMBERED) {
            waiting.removeFirst();
            findings.notJudged(Gap.FORGOTTEN);
        }
    }

    boolean hasCompletedAny() {
        return completed > 0;
    }

    void completed(Completed event, long position) {
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
            findings.violated(
                    Check.RECEIVE_ORDER,
                    Text.of("%s: %s completes before %s, which was posted earlier", queuePair, other, receive),
                    receive.position(),
                    other.position(),
                    position);
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
        QueuePairModel peer = queuePair.peer();
        if (peer == null || !peer.send().receivesJudged) {
            findings.notJudged(peer == null ? Gap.PEER_NOT_TRACED : Gap.PEER_WAS_RESET);
            return;
        }
        Request message = peer.send().messages.pollFirst();
        if (message == null) {
            findings.violated(
                    Check.ONE_COMPLETION,
                    Text.of("%s: %s completes, but no message of %s took it", queuePair, receive, peer),
                    receive.position(),
                    position);
            return;
        }
        checkVisible(receive, message, position);
        checkInvalidated(receive, message, position);
        findings.checked(Check.COMPLETION_FIELDS);
        WcOpcode opcode = message.kind == Request.Kind.SEND ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
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
            device.keyUse().closed(device, revoked, receive, position);
        }
    }

    private void failed(Receive receive, Completed event, long position) {
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
    Sge elementFor(Request message, long offset) {
        for (Receive receive : waiting) {
            if (receive.number() == message.message) {
                return elementAt(receive.posted(), offset);
            }
        }
        return null;
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
        if (peer != null && peer.send().receivesJudged && queuePair.state() != QpState.ERR) {
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
