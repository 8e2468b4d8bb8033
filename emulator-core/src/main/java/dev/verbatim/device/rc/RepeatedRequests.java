// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.memory.AccessDecision;
import dev.verbatim.device.memory.AccessOperation;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;
import java.util.Objects;

/** Answers requests that came before: nothing is executed twice (DUP-01 to DUP-03), and no event tells of it (AE-22). */
final class RepeatedRequests {

    private final QpContext qp;
    private final Responder responder;
    private final ResponderOutbox outbox;
    private final ResponderResources resources;

    RepeatedRequests(QpContext qp, Responder responder, ResponderOutbox outbox, ResponderResources resources) {
        this.qp = qp;
        this.responder = responder;
        this.outbox = outbox;
        this.resources = resources;
    }

    /**
     * Takes a request that came before, or seems so.
     *
     * @param begun whether any request has come
     */
    void take(Packet packet, boolean begun, int expectedPsn) {
        if (begun) {
            answer(packet, expectedPsn);
        } else {
            // An ACK of what was never taken could meet a request that the peer counts from another number.
            qp.passedOver(
                    packet, Rule.PSN_05, "psn=%d is before rq_psn=%d, and nothing came yet", packet.psn(), expectedPsn);
        }
    }

    private void answer(Packet packet, int expectedPsn) {
        qp.decided(Rule.AE_22);
        qp.trace().count(DeviceCounter.DUPLICATE_REQUEST);
        Effect effect = Operation.of(packet.opcode()).effect;
        Rule rule = Objects.requireNonNull(effect.repeated);
        if (!effect.isAnswered) {
            qp.decided(rule);
            if (packet.opcode().has(Header.IETH)) {
                qp.decided(Rule.MW_89);
            }
            outbox.acknowledgeAgain(Psn.add(expectedPsn, -1));
        } else if (effect == Effect.READ) {
            answerRead(packet);
        } else {
            answerOnce(packet, rule);
        }
    }

    private void answerRead(Packet packet) {
        ResponderResource resource = resources.find(packet.psn());
        if (resource == null || !resource.contains(packet, qp.pathMtuBytes())) {
            qp.passedOver(packet, Rule.DUP_02, "psn=%d repeats no READ that is remembered", packet.psn());
            return;
        }
        qp.decided(Rule.DUP_02);
        Decision decision = AccessDecision.remoteKey(
                qp.keys(),
                resource.user(),
                AccessOperation.RDMA_READ,
                packet.remoteAddress(),
                Integer.toUnsignedLong(packet.dmaLengthBytes()),
                packet.remoteKey());
        if (decision instanceof Denial denial) {
            responder.refuseResponse(packet.psn(), denial);
            return;
        }
        resource.answerAgain(packet, qp.pathMtuBytes());
        qp.announceResponses();
    }

    /** What was done is not done again, only answered. */
    private void answerOnce(Packet packet, Rule rule) {
        ResponderResource resource = resources.find(packet.psn());
        if (resource == null || !resource.isRepeatedAs(packet)) {
            qp.passedOver(packet, rule, "psn=%d repeats no %s that is remembered", packet.psn(), packet.opcode());
            return;
        }
        qp.decided(rule);
        resource.answerAgain(packet, qp.pathMtuBytes());
        qp.announceResponses();
    }
}
