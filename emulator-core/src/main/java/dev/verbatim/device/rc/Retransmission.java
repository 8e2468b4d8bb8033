// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.EmulatedQueuePair;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Link;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.RnrTimer;

/** When to send again and when to give up: the ACK timer, the RNR wait, and the counters of both (RT-01 to RT-06). */
final class Retransmission {

    private static final int SEVEN = 7;

    /** On a link that loses nothing a silence is a slow peer: the longest wait that the rules permit (RT-01). */
    private static final int LONGEST_FACTOR = 4;

    private final EmulatedQueuePair qp;
    private final Requester requester;
    private final LaneTimer timer = new LaneTimer() {
        @Override
        protected void expire(long nowNanos) {
            expired();
        }
    };
    private int retries;
    private int rnrRetries;
    private boolean waitingForReceiver;
    private boolean recovering;

    Retransmission(EmulatedQueuePair qp, Requester requester) {
        this.qp = qp;
        this.requester = requester;
    }

    void begin() {
        waitingForReceiver = false;
        renew();
    }

    /** All retries are there again: at the start, and whenever something was acknowledged. */
    private void renew() {
        retries = 0;
        rnrRetries = 0;
        recovering = false;
    }

    /** Whether nothing may be sent because the receiver asked for time. */
    boolean isWaitingForReceiver() {
        return waitingForReceiver;
    }

    /** A request packet was handed to the link. */
    void packetSent() {
        if (!timer.isArmed()) {
            armAckTimer();
        }
    }

    /** Something was acknowledged: the clock starts anew while more is outstanding. */
    void progressed() {
        renew();
        if (waitingForReceiver) {
            return;
        }
        if (requester.isOutstanding()) {
            armAckTimer();
        } else {
            timer.disarm();
        }
    }

    private void armAckTimer() {
        long nominalNanos = AckTimeout.nanos(qp.attributes().timeout());
        if (nominalNanos == AckTimeout.NEVER) {
            return;
        }
        Link link = qp.link();
        long factor = link != null && link.isReliable() ? LONGEST_FACTOR : 1;
        // It may run up to four times as long, no longer (N17).
        long slop = 1L + qp.device().choose(ChoicePoint.ACK_TIMER_SLOP, LONGEST_FACTOR);
        arm(nominalNanos * Math.max(factor, slop));
    }

    private void arm(long nanos) {
        qp.decided("RT-07");
        qp.device().lane().arm(timer, qp.device().lane().nowNanos() + nanos);
    }

    /** NAK 0x60: the responder misses {@code psn}. */
    void sequenceError(int psn) {
        retry("WC-37", "the responder reports psn=%d missing", psn);
    }

    /** A response of the packet {@code psn} did not come although later ones did. */
    void lostResponse(int psn) {
        retry("WC-36", "the response to psn=%d did not come", psn);
    }

    /**
     * Goes back once; until something is acknowledged or time is up, further signs of the same loss count as one. While
     * the receiver asks for time, going back is what will come anyway.
     */
    private void retry(String rule, String format, int psn) {
        if (!recovering && !waitingForReceiver && useRetry(rule, format, psn)) {
            recovering = true;
            sendAgain();
        }
    }

    private boolean useRetry(String rule, String format, int psn) {
        qp.decided("RT-02");
        int retryCount = qp.attributes().retryCount();
        boolean infinite = retryCount == SEVEN && qp.device().profile().infiniteRetrySeven();
        if (retries >= retryCount && !infinite) {
            qp.decided("N-05");
            Refusal what = Refusal.of(rule, format, psn);
            qp.engine()
                    .completer()
                    .fail(
                            WcStatus.RETRY_EXC_ERR,
                            Refusal.of(rule, "%s, and retry_cnt=%d is used up", what.sentence(), retryCount));
            return false;
        }
        retries++;
        return true;
    }

    private void sendAgain() {
        if (requester.isOutstanding()) {
            qp.decided("RT-05");
            requester.goBack();
            armAckTimer();
        }
        qp.announceRequests();
    }

    /** RNR NAK: everything from {@code psn} on waits for the receiver's time (RT-04, RT-06). */
    void receiverNotReady(int psn, int timerCode) {
        if (waitingForReceiver) {
            return;
        }
        int rnrRetry = qp.attributes().rnrRetry();
        qp.decided("RT-03");
        if (rnrRetries >= rnrRetry && rnrRetry != SEVEN) {
            qp.engine()
                    .completer()
                    .fail(
                            WcStatus.RNR_RETRY_EXC_ERR,
                            Refusal.of(
                                    "RT-03",
                                    "the responder has no receive posted for psn=%d and rnr_retry=%d is used up",
                                    psn,
                                    rnrRetry));
            return;
        }
        rnrRetries++;
        waitingForReceiver = true;
        timer.disarm();
        // At least so long; nothing bounds it from above (N15).
        long slop = 1L + qp.device().choose(ChoicePoint.RNR_TIMER_SLOP, LONGEST_FACTOR);
        arm(RnrTimer.nanos(timerCode) * slop);
    }

    private void expired() {
        if (waitingForReceiver) {
            waitingForReceiver = false;
            sendAgain();
        } else if (requester.isOutstanding()) {
            qp.decided("RT-01");
            recovering = false;
            if (useRetry(
                    "WC-36", "nothing came for psn=%d within the ACK timeout", requester.oldestUnacknowledgedPsn())) {
                sendAgain();
            }
        }
    }

    /** No more of this. */
    void stop() {
        waitingForReceiver = false;
        qp.device().lane().forget(timer);
    }
}
