// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.memory.PendingPlacement;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import org.jspecify.annotations.Nullable;

/** One queue pair as the trace has it. */
public final class QueuePairModel {

    private final DeviceModel device;
    private final QueuePairState life;
    private final Findings findings;
    private @Nullable Gid destination;
    private int destinationQp;
    private @Nullable QueuePairModel peer;
    private SendQueueModel send;
    private ReceiveQueueModel receive;
    private QueuePairEvents events;

    QueuePairModel(DeviceModel device, int number, Findings findings) {
        this.device = device;
        this.life = new QueuePairState(device.name(), number);
        this.findings = findings;
        this.send = new SendQueueModel(this, findings);
        this.receive = new ReceiveQueueModel(this, findings);
        this.events = new QueuePairEvents(life, findings);
    }

    /** Which queue pair it is, and its state. */
    public QueuePairState life() {
        return life;
    }

    public DeviceModel device() {
        return device;
    }

    int number() {
        return life.number();
    }

    public QpState state() {
        return life.state();
    }

    public long stateSince() {
        return life.stateSince();
    }

    public boolean isKnown() {
        return life.isKnown();
    }

    public boolean isUnreliable() {
        return life.isUnreliable();
    }

    public SendQueueModel send() {
        return send;
    }

    public ReceiveQueueModel receive() {
        return receive;
    }

    public QueuePairEvents events() {
        return events;
    }

    /** The queue pair that asks it and is asked by it, if both are known. */
    @Nullable
    public QueuePairModel peer() {
        return peer;
    }

    /** What its peer asks of it; null if there is none that is known. */
    @Nullable
    public SendQueueModel asked() {
        ArrivedDatagrams.Arrival datagram = receive.datagrams().newest();
        if (datagram != null) {
            return datagram.asking();
        }
        QueuePairModel asking = peer;
        return asking == null ? null : asking.send;
    }

    public void changed(TraceEvent.StateChanged event, long position) {
        if (event.from() == QpState.RESET) {
            life.knownFromReset();
            if (state() != QpState.RESET) {
                // Its device was gone without a word, and this is another life.
                reset();
            }
        }
        if (state() == QpState.SQE && event.to() == QpState.RTS) {
            send.completions.recovered();
        }
        life.changed(event.to(), position);
        if (event.to() == QpState.RESET) {
            reset();
        }
    }

    private void reset() {
        QueuePairModel other = peer;
        if (other != null) {
            other.send.peerWasReset();
            other.peer = null;
            peer = null;
        }
        destination = null;
        send = new SendQueueModel(this, findings);
        receive = new ReceiveQueueModel(this, findings);
        events = new QueuePairEvents(life, findings);
    }

    /** It takes packets of that queue pair from now on. */
    public void connected(Gid gid, int qp) {
        destination = gid;
        destinationQp = qp;
    }

    public boolean isConnectedTo(QueuePairModel other) {
        Gid to = destination;
        return to != null && other.device.isAt(to) && destinationQp == other.number();
    }

    /** Joins two queue pairs that are connected to each other. */
    public void join(QueuePairModel other) {
        if (other.equals(peer)) {
            return;
        }
        for (QueuePairModel one : new QueuePairModel[] {this, other}) {
            if (one.send.hasExecutedAny() || one.receive.hasCompletedAny()) {
                send.receivesJudged = false;
                other.send.receivesJudged = false;
            }
        }
        peer = other;
        other.peer = this;
    }

    /**
     * Programs must see what was placed up to that request, since something promises it (ORD-31, ORD-15).
     *
     * @param returned whether it is about results of its own requests, and not about what its peer placed
     * @param promise what happened to the request
     */
    public void checkVisible(boolean returned, Request upTo, String promise, long position) {
        Check check = returned ? Check.COMPLETION_AFTER_EFFECT : Check.VISIBLE_WHEN_PROMISED;
        findings.checked(check);
        for (PendingPlacement piece : device.memory().held()) {
            Request of = piece.request();
            if (of != null
                    && piece.returned() == returned
                    && piece.queuePair().equals(life)
                    && of.number <= upTo.number
                    && device.memory().isJudged(piece.address(), piece.lengthBytes())) {
                findings.violated(
                        check,
                        Text.of(
                                "%s: %s %s, but programs do not see %d bytes of %s at 0x%x yet",
                                this, upTo, promise, piece.lengthBytes(), of, piece.address()),
                        piece.position(),
                        position);
            }
        }
    }

    /** A FLUSH of its peer completes: programs see what was written before it to what it names (NW-02). */
    void checkFlushed(Request flush, long position) {
        findings.checked(Check.VISIBLE_WHEN_PROMISED);
        FlushTarget target = flush.posted.flushTarget();
        for (PendingPlacement piece : device.memory().held()) {
            Request of = piece.request();
            boolean isBefore = of != null
                    && !piece.returned()
                    && piece.queuePair().equals(life)
                    && of.number < flush.number
                    && of.posted.remoteKey() == flush.posted.remoteKey();
            if (of != null && isBefore && target != null && reaches(target, flush, of)) {
                findings.violated(
                        Check.VISIBLE_WHEN_PROMISED,
                        Text.of(
                                "%s: %s completes, but programs do not see %d bytes of %s at 0x%x yet",
                                this, flush, piece.lengthBytes(), of, piece.address()),
                        piece.position(),
                        position);
            }
        }
    }

    /** Whether all that the request wrote lies in what is flushed. */
    private static boolean reaches(FlushTarget target, Request flush, Request of) {
        long begin = of.posted.remoteAddress() - flush.posted.remoteAddress();
        return target.level() == FlushTarget.REGION
                || (begin >= 0 && begin + of.lengthBytes <= Integer.toUnsignedLong(target.lengthBytes()));
    }

    /** Nothing follows that could make clear what is not. */
    void settle() {
        send.completions.settle();
    }

    void atEnd(Findings verdict) {
        if (isKnown()) {
            send.completions.atEnd(verdict);
            receive.atEnd(verdict);
            events.atEnd(verdict);
        }
    }

    @Override
    public String toString() {
        return life.toString();
    }
}
