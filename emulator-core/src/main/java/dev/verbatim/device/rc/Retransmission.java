// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.Repetition;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.AckTimeout;
import dev.verbatim.wire.RnrTimer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When to send again and when to give up: the ACK timer, the RNR wait, and the counters of both (RT-01 to RT-06).
 *
 * <p>On a link that loses packets the timer runs its nominal time, and then everything that is not acknowledged is sent
 * again. A link that is reliable, and has been since those packets were sent, cannot have lost them: there the timer
 * runs four times as long by a {@link ReliableWait}, and only the oldest packet is sent again, to ask the peer where it
 * is. If it answers and more is still missing, the newest packet is sent again too: it is acknowledged with all before
 * it, or the peer reports what it misses, and only then everything from there on is sent again (RT-05).
 *
 * <p>A link that becomes reliable anew says so. That is no silence of the peer but the repair of a loss which is known:
 * everything is sent again at once, no retry is spent and the clock starts anew. A link that comes back again and again while
 * nothing is acknowledged would keep the clock from ever running out, and the program would never learn that the peer does
 * nothing. So after {@value #MOST_RESUMPTIONS_IN_VAIN} such times in a row the link is no longer trusted: what was lost is
 * still sent again at once, but the clock runs on, at its nominal time, and each time it runs out is a retry (RT-02).
 */
final class Retransmission {

    private static final int SEVEN = 7;

    /** Resumptions of the link with nothing acknowledged in between for which the clock starts anew. */
    static final int MOST_RESUMPTIONS_IN_VAIN = 64;

    /** The longest wait that the rules permit, as a multiple of the nominal one (N17). */
    private static final int LONGEST_FACTOR = 4;

    /** Selectors and schedulers are not more exact than this; a lane that is later has been held up. */
    private static final long PUNCTUAL_NANOS = 10_000_000;

    /** In simulated time so many waits for a receiver take the time that it asks for, and later ones a part of all before them. */
    static final int RNR_WAITS_IN_FULL = 64;

    private final QpContext qp;
    private final QpTrace trace;
    private final DeviceContext device;
    private final Lane lane;
    private final RcEngine engine;
    private final Requester requester;
    private final LaneTimer timer = new LaneTimer() {
        @Override
        protected void expire(long nowNanos) {
            timerExpired(nowNanos);
        }
    };

    /** As the timer, while a receiver is waited for without a bound. */
    private final Repetition repetition = new Repetition() {
        @Override
        protected void expire(long nowNanos) {
            timerExpired(nowNanos);
        }
    };

    private final ReliableWait wait = new ReliableWait();
    private long deadlineNanos;
    private long periodNanos;
    private int resumptions;
    private int resumptionsInVain;
    private int retries;
    private int rnrRetries;
    private long firstRnrNanos;
    private boolean waitingForReceiver;
    private boolean recovering;
    private boolean probing;

    Retransmission(QpContext qp, RcEngine engine, Requester requester) {
        this.qp = qp;
        this.trace = qp.trace();
        this.device = qp.device();
        this.lane = device.lane();
        this.engine = engine;
        this.requester = requester;
    }

    void begin() {
        waitingForReceiver = false;
        probing = false;
        renew();
    }

    /** All retries are there again: at the start, and whenever something was acknowledged. */
    private void renew() {
        retries = 0;
        rnrRetries = 0;
        resumptionsInVain = 0;
        recovering = false;
    }

    /** Whether nothing may be sent because the receiver asked for time. */
    boolean isWaitingForReceiver() {
        return waitingForReceiver;
    }

    /** Whether neither the receiver is waited for nor anything is sent again. */
    boolean isQuiet() {
        return !waitingForReceiver && !recovering && !probing;
    }

    /** A request packet was handed to the link. */
    void packetSent() {
        if (!timer.isArmed()) {
            beginToWait();
        }
    }

    /** Something was acknowledged: the clock starts anew while more is outstanding. */
    void progressed() {
        renew();
        if (waitingForReceiver) {
            return;
        }
        if (requester.isOutstanding()) {
            if (probing) {
                probing = false;
                requester.repeatNewest();
            }
            wait.begin();
            armAckTimer(qp.link());
        } else {
            probing = false;
            timer.disarm();
        }
    }

    /** All that is outstanding is handed to the link from now on. */
    private void beginToWait() {
        Link link = qp.link();
        trust(link);
        wait.begin();
        armAckTimer(link);
    }

    private void trust(@Nullable Link link) {
        resumptions = link == null ? 0 : link.resumptions();
        probing = false;
    }

    /** Whether the link can have lost nothing of what is outstanding. */
    private boolean isTrusted(@Nullable Link link) {
        return link != null
                && link.isReliable()
                && link.resumptions() == resumptions
                && resumptionsInVain <= MOST_RESUMPTIONS_IN_VAIN;
    }

    /** For the nominal time, or longer; on a link that is reliable for a quarter of the time that it has. */
    private void armAckTimer(@Nullable Link link) {
        long nominalNanos = qp.ackTimeoutNanos();
        if (nominalNanos == AckTimeout.NEVER) {
            return;
        }
        // It may run up to four times as long, no longer (N17).
        long factor = isTrusted(link) ? 1 : 1L + device.choose(ChoicePoint.ACK_TIMER_SLOP, LONGEST_FACTOR);
        arm(timer, nominalNanos * factor);
    }

    private void arm(LaneTimer which, long nanos) {
        trace.decided(Rule.RT_07);
        periodNanos = nanos;
        deadlineNanos = lane.nowNanos() + nanos;
        lane.arm(which, deadlineNanos);
    }

    /** NAK 0x60: the responder misses {@code psn}. */
    void sequenceError(int psn) {
        retry(Rule.WC_37, "the responder reports psn=%d missing", psn);
    }

    /** A response of the packet {@code psn} did not come although later ones did. */
    void lostResponse(int psn) {
        retry(Rule.WC_36, "the response to psn=%d did not come", psn);
    }

    /**
     * Goes back once; until something is acknowledged or time is up, further signs of the same loss count as one. While
     * the receiver asks for time, going back is what will come anyway.
     */
    private void retry(Rule rule, String format, int psn) {
        if (!recovering && !waitingForReceiver && useRetry(rule, format, psn)) {
            recovering = true;
            sendAgain();
        }
    }

    /**
     * What is outstanding may be lost, and so may the answers to it. Further signs of that are no reason to go back again; and
     * while the receiver asks for time, going back is what will come anyway.
     */
    void linkResumed() {
        if (waitingForReceiver || !requester.isOutstanding()) {
            return;
        }
        qp.decided(Rule.RT_05);
        recovering = true;
        requester.goBack();
        Link link = qp.link();
        trust(link);
        if (resumptionsInVain <= MOST_RESUMPTIONS_IN_VAIN) {
            resumptionsInVain++;
        }
        if (resumptionsInVain <= MOST_RESUMPTIONS_IN_VAIN) {
            wait.begin();
            armAckTimer(link);
        }
        qp.announceRequests();
    }

    private boolean useRetry(Rule rule, String format, int psn) {
        qp.decided(Rule.RT_02);
        int retryCount = qp.attributes().retryCount();
        boolean infinite = retryCount == SEVEN && qp.device().profile().infiniteRetrySeven();
        if (retries >= retryCount && !infinite) {
            qp.decided(Rule.N_05);
            trace.count(DeviceCounter.RETRY_EXCEEDED_ERR);
            Refusal what = Refusal.of(rule, format, psn);
            engine.completer()
                    .fail(
                            WcStatus.RETRY_EXC_ERR,
                            Refusal.of(rule, "%s, and retry_cnt=%d is used up", what.sentence(), retryCount)
                                    .causedBy(reasonOfSilence()));
            return false;
        }
        retries++;
        trace.count(DeviceCounter.COMPLETER_RETRY_ERR);
        requester.backOff();
        return true;
    }

    /** Why the peer does not answer, where its device is at hand. */
    private @Nullable Refusal reasonOfSilence() {
        Link link = qp.link();
        if (link != null && link.peer().prefix() == 0 && link.peer().interfaceId() == 0) {
            return Refusal.of(
                    Rule.QP_29, "the address vector of qp %d has a GID of zeros; was it ever set?", qp.number());
        }
        return link == null
                ? Refusal.of(Rule.QP_29, "qp %d has no address vector, so its packets went nowhere", qp.number())
                : link.reasonOfSilence(qp.number(), qp.destinationQp());
    }

    private void sendAgain() {
        if (requester.isOutstanding()) {
            qp.decided(Rule.RT_05);
            requester.goBack();
            beginToWait();
        }
        qp.announceRequests();
    }

    /** RNR NAK: everything from {@code psn} on waits for the receiver's time (RT-04, RT-06). */
    void receiverNotReady(int psn, int timerCode) {
        if (waitingForReceiver) {
            return;
        }
        int rnrRetry = qp.attributes().rnrRetry();
        qp.decided(Rule.RT_03);
        if (rnrRetries >= rnrRetry && rnrRetry != SEVEN) {
            trace.count(DeviceCounter.RETRY_RNR_EXCEEDED_ERR);
            engine.completer()
                    .fail(
                            WcStatus.RNR_RETRY_EXC_ERR,
                            Refusal.of(
                                    Rule.RT_03,
                                    "%s (psn=%d), and rnr_retry=%d is used up",
                                    missingReceive(rnrRetries + 1),
                                    psn,
                                    rnrRetry));
            return;
        }
        if (rnrRetries == 0) {
            firstRnrNanos = lane.nowNanos();
        }
        rnrRetries++;
        waitingForReceiver = true;
        timer.disarm();
        // At least so long; nothing bounds it from above (N15).
        long slop = 1L + device.choose(ChoicePoint.RNR_TIMER_SLOP, LONGEST_FACTOR);
        arm(rnrRetry == SEVEN ? repetition : timer, Math.max(RnrTimer.nanos(timerCode) * slop, shareOfWait()));
    }

    /**
     * Where time is simulated, a part of the time that it has waited so far: a program that waits for an hour does not cost the
     * millions of NAKs that an adapter would get in that time.
     */
    private long shareOfWait() {
        return lane.isSimulated() ? (lane.nowNanos() - firstRnrNanos) / RNR_WAITS_IN_FULL : 0;
    }

    /** That the peer has no receive, for how long and how often it said so. */
    private String missingReceive(int naks) {
        long sinceNanos = naks == 1 ? 0 : lane.nowNanos() - firstRnrNanos;
        return String.format(
                Locale.ROOT,
                "no receive at qp %d of %s for %d us, %d RNR NAKs",
                qp.destinationQp(),
                peerInWords(),
                TimeUnit.NANOSECONDS.toMicros(sinceNanos),
                naks);
    }

    /** The retries since something was acknowledged, as text that follows a comma; empty without any. */
    String describe() {
        String timeouts = retries == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", retry %d of %d",
                        retries,
                        qp.attributes().retryCount());
        return rnrRetries == 0 ? timeouts : timeouts + ", " + missingReceive(rnrRetries);
    }

    /** What the oldest request waits for, and what would end that; null if nothing is outstanding. */
    @Nullable
    Refusal reasonOfWait() {
        if (!requester.isOutstanding()) {
            return null;
        }
        Refusal silence = reasonOfSilence();
        if (rnrRetries > 0 && qp.attributes().rnrRetry() == SEVEN) {
            return Refusal.of(
                    Rule.RT_03,
                    "rnr_retry=7 asks for ever; post a receive to qp %d of %s, or connect with rnr_retry=6 or less",
                    qp.destinationQp(),
                    peerInWords());
        }
        if (qp.ackTimeoutNanos() == AckTimeout.NEVER) {
            return Refusal.of(
                            Rule.RT_01,
                            "nothing comes from qp %d of %s, and timeout=0 waits for ever; connect with a timeout from 1 to 31",
                            qp.destinationQp(),
                            peerInWords())
                    .causedBy(silence);
        }
        return silence;
    }

    private String peerInWords() {
        Link link = qp.link();
        return link == null ? "no device" : link.peer().toString();
    }

    private void timerExpired(long nowNanos) {
        try {
            expired(nowNanos);
        } catch (RuntimeException | Error e) {
            qp.stepFailed(e);
        }
    }

    private void expired(long nowNanos) {
        if (waitingForReceiver) {
            waitingForReceiver = false;
            sendAgain();
        } else if (requester.isOutstanding()) {
            Link link = qp.link();
            if (isLate(nowNanos)) {
                armAckTimer(link);
            } else if (link == null || !isTrusted(link)) {
                timedOut(this::sendAgain);
            } else if (!wait.quarterPassed(link, requester.owesOldest())) {
                armAckTimer(link);
            } else {
                timedOut(this::probe);
            }
        }
    }

    /** Whether the lane itself was held up, so that what came meanwhile may lie unread. */
    private boolean isLate(long nowNanos) {
        return nowNanos - deadlineNanos > Math.max(periodNanos, PUNCTUAL_NANOS);
    }

    private void timedOut(Runnable remedy) {
        qp.decided(Rule.RT_01);
        recovering = false;
        if (useRetry(
                Rule.WC_36, "nothing came for psn=%d within the ACK timeout", requester.oldestUnacknowledgedPsn())) {
            remedy.run();
        }
    }

    /** Asks the peer where it is; not by more of what the carrier does not take anyway. */
    private void probe() {
        if (!wait.isHeld()) {
            probing = true;
            requester.repeatOldest();
            wait.begin();
            qp.announceRequests();
        }
        armAckTimer(qp.link());
    }

    /** Whether it waits for an answer or for the receiver's time. */
    boolean isTimed() {
        return timer.isArmed() || repetition.isArmed();
    }

    /** No more of this. */
    void stop() {
        waitingForReceiver = false;
        lane.forget(timer);
        lane.forget(repetition);
    }
}
