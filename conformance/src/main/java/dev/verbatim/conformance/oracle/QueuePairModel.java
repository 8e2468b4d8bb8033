// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import org.jspecify.annotations.Nullable;

/** One queue pair as the trace has it. */
final class QueuePairModel {

    private final DeviceModel device;
    private final int number;
    private final Findings findings;
    private final String name;
    private QpState state = QpState.RESET;
    private long stateSince = -1;
    private boolean known;
    private @Nullable Gid destination;
    private int destinationQp;
    private @Nullable QueuePairModel peer;
    private boolean unreliable;
    private boolean reliable;
    private boolean xrc;
    private SendQueueModel send;
    private ReceiveQueueModel receive;
    private QueuePairEvents events;

    QueuePairModel(DeviceModel device, int number, Findings findings) {
        this.device = device;
        this.number = number;
        this.findings = findings;
        this.name = Text.of("%s/0x%x", device.name(), number);
        this.send = new SendQueueModel(this, findings);
        this.receive = new ReceiveQueueModel(this, findings);
        this.events = new QueuePairEvents(this, findings);
    }

    int number() {
        return number;
    }

    DeviceModel device() {
        return device;
    }

    QpState state() {
        return state;
    }

    /** Where in the trace it came into its state; -1 if that was before. */
    long stateSince() {
        return stateSince;
    }

    /** Whether the trace has its whole life since its last RESET. */
    boolean isKnown() {
        return known;
    }

    /** Whether nothing of what it sends or receives is acknowledged: UC and UD. */
    boolean isUnreliable() {
        return unreliable;
    }

    /** Its packets are of that transport. */
    void speaks(String transport) {
        unreliable = transport.equals("UC") || transport.equals("UD");
        reliable = !unreliable;
        xrc |= transport.equals("XRC");
    }

    /** Whether it takes receives of whatever shared queue a request names. */
    boolean isXrc() {
        return xrc;
    }

    /** Whether requests may fail in its state: in ERR, and in SQE too unless it is known to be of a type that has none (QS-06). */
    boolean isStopped() {
        return state == QpState.ERR || (state == QpState.SQE && !reliable);
    }

    SendQueueModel send() {
        return send;
    }

    ReceiveQueueModel receive() {
        return receive;
    }

    QueuePairEvents events() {
        return events;
    }

    /** The queue pair that asks it and is asked by it, if both are known. */
    @Nullable
    QueuePairModel peer() {
        return peer;
    }

    /** What its peer asks of it; null if there is none that is known. */
    @Nullable
    SendQueueModel asked() {
        Datagrams.Arrival datagram = receive.datagrams().newest();
        if (datagram != null) {
            return datagram.asking();
        }
        QueuePairModel asking = peer;
        return asking == null ? null : asking.send;
    }

    void changed(TraceEvent.StateChanged event, long position) {
        if (event.from() == QpState.RESET) {
            known = true;
            if (state != QpState.RESET) {
                // Its device was gone without a word, and this is another life.
                reset();
            }
        }
        if (state == QpState.SQE && event.to() == QpState.RTS) {
            send.completions.recovered();
        }
        state = event.to();
        stateSince = position;
        if (state == QpState.RESET) {
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
        events = new QueuePairEvents(this, findings);
    }

    /** It takes packets of that queue pair from now on. */
    void connected(Gid gid, int qp) {
        destination = gid;
        destinationQp = qp;
    }

    boolean isConnectedTo(QueuePairModel other) {
        Gid to = destination;
        return to != null && to.equals(other.device.gid()) && destinationQp == other.number;
    }

    /** Joins two queue pairs that are connected to each other. */
    void join(QueuePairModel other) {
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
    void checkVisible(boolean returned, Request upTo, String promise, long position) {
        Check check = returned ? Check.COMPLETION_AFTER_EFFECT : Check.VISIBLE_WHEN_PROMISED;
        findings.checked(check);
        for (Piece piece : device.memory().held()) {
            Request of = piece.request();
            if (of != null
                    && piece.returned() == returned
                    && piece.queuePair().equals(this)
                    && of.number <= upTo.number) {
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
        for (Piece piece : device.memory().held()) {
            Request of = piece.request();
            boolean isBefore = of != null
                    && !piece.returned()
                    && piece.queuePair().equals(this)
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
        if (known) {
            send.completions.atEnd(verdict);
            receive.atEnd(verdict);
            events.atEnd(verdict);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
