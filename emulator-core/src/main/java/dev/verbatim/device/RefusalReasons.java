// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.context.NakReasons;
import dev.verbatim.device.memory.SipHash;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadFormatException;
import dev.verbatim.wire.mad.RefusalReason;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks queue pair 1 of a peer why it answered a request with a NAK, and answers such questions; where the options of the carrier say
 * so, at both ends. A question follows the NAK and is asked once; a datagram that is lost is lost. Nothing depends on the answer but
 * the text of an explanation. On the lane.
 *
 * <p>A requester is told about the NAK that it got: question and {@link NakReasons} agree in both queue pairs, in the PSN, and in the
 * device that asks, as the carrier has it. An answer is taken from the peer that was asked, for a question that is open, with the
 * numbers of that question and a transaction that cannot be guessed; all others are dropped and counted.
 */
final class RefusalReasons implements DevicePort.Inquiry {

    /** Questions without an answer that are remembered; the oldest is given up first. */
    private static final int MOST_OPEN = 64;

    /** A peer that never answered is asked so often, and then no more: it is none that answers. */
    private static final int MOST_IN_VAIN = 3;

    /** Peers that have not answered of which that is remembered. */
    private static final int MOST_SILENT_PEERS = 1 << 10;

    private record Question(Gid peer, RefusalReason asked, Refusal refusal) {}

    private final DeviceContext device;
    private final BiPredicate<Gid, Octets> send;
    private final SipHash transactions;
    private long questions;
    private final Map<Long, Question> open = new LinkedHashMap<>();
    private final Map<Gid, Integer> askedInVain = new TreeMap<>();

    /**
     * Of a device.
     *
     * @param send sends a datagram to queue pair 1 of a peer
     * @param seed of transactions
     */
    RefusalReasons(DeviceContext device, BiPredicate<Gid, Octets> send, long seed) {
        this.device = device;
        this.send = send;
        this.transactions = new SipHash(seed, RefusalReason.MANAGEMENT_CLASS);
    }

    @Override
    public void ask(Gid peer, int qp, int peerQp, int psn, Refusal refusal) {
        int inVain = askedInVain.getOrDefault(peer, 0);
        if (inVain >= MOST_IN_VAIN || (inVain == 0 && askedInVain.size() >= MOST_SILENT_PEERS)) {
            return;
        }
        RefusalReason question = RefusalReason.question(transactions.of(++questions), qp, peerQp, psn);
        if (send.test(peer, question.emit())) {
            device.decided(qp, Rule.MAD_09);
            askedInVain.put(peer, inVain + 1);
            forgetOldest();
            open.put(question.transactionId(), new Question(peer, question, refusal));
        }
    }

    private void forgetOldest() {
        if (open.size() >= MOST_OPEN) {
            Iterator<Long> oldest = open.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * A datagram of this class came.
     *
     * @return null if it was taken; else why it was not
     */
    @Nullable
    String take(Gid peer, Octets datagram) {
        RefusalReason message;
        try {
            message = RefusalReason.parse(Mad.parse(datagram));
        } catch (MadFormatException e) {
            return e.getMessage();
        }
        return message.isAnswer() ? takeAnswer(peer, message) : answer(peer, message);
    }

    private @Nullable String answer(Gid peer, RefusalReason question) {
        Denial denial = device.nakReasons().find(peer, question.requesterQp(), question.responderQp(), question.psn());
        if (denial == null) {
            return "no request of " + peer + " was refused with these numbers";
        }
        device.decided(question.responderQp(), Rule.MAD_09);
        Refusal told = DisclosedReason.of(denial);
        boolean isSent =
                send.test(peer, question.answer(told.rule(), told.sentence()).emit());
        return isSent ? null : "there is no room for the answer";
    }

    private @Nullable String takeAnswer(Gid peer, RefusalReason answer) {
        Question question = open.get(answer.transactionId());
        Rule rule = Rule.find(answer.rule()).orElse(null);
        if (question == null
                || rule == null
                || !question.peer().equals(peer)
                || !question.asked().answer(answer.rule(), answer.sentence()).equals(answer)) {
            device.decided(0, Rule.MAD_10);
            return "no request to " + peer + " for a reason has transaction 0x"
                    + Long.toHexString(answer.transactionId()) + " with these numbers";
        }
        open.remove(answer.transactionId());
        askedInVain.remove(peer);
        Refusal reason = Refusal.of(rule, "qp %d of %s answers: %s", answer.responderQp(), peer, answer.sentence());
        question.refusal().becameClear(reason);
        if (device.isTraced()) {
            device.trace(new TraceEvent.CarrierReported(
                    device.lane().nowNanos(),
                    device.name(),
                    peer,
                    "REASON",
                    "psn=" + answer.psn() + " of qp " + answer.requesterQp() + " was refused: " + reason));
        }
        return null;
    }

    /** The device asks and answers nothing any more. */
    void end() {
        open.clear();
    }
}
