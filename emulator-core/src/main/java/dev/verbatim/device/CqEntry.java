// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** One slot of a completion queue, used again and again. */
final class CqEntry {

    private long id;
    private WcStatus status = WcStatus.SUCCESS;
    private WcOpcode opcode = WcOpcode.SEND;
    private int byteLength;
    private int immediateOrKey;
    private int flags;
    private int sourceQp;
    private @Nullable Refusal refusal;
    private @Nullable EmulatedQueuePair queuePair;
    private long sendSlotsFreed;

    void fill(
            EmulatedQueuePair queuePair,
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediateOrKey,
            int flags,
            int sourceQp,
            @Nullable Refusal refusal,
            long sendSlotsFreed) {
        this.queuePair = queuePair;
        this.id = id;
        this.status = status;
        this.opcode = opcode;
        this.byteLength = byteLength;
        this.immediateOrKey = immediateOrKey;
        this.flags = flags;
        this.sourceQp = sourceQp;
        this.refusal = refusal;
        this.sendSlotsFreed = sendSlotsFreed;
    }

    boolean isOf(EmulatedQueuePair candidate) {
        return queuePair == candidate;
    }

    /** Gives the completion to the program, and the send queue the slots that it frees (WR-14). */
    void moveTo(WorkCompletion holder) {
        EmulatedQueuePair owner = queuePair;
        int number = 0;
        if (owner != null) {
            number = owner.number();
            owner.sendQueue().reclaimUpTo(sendSlotsFreed);
        }
        holder.fill(id, status, opcode, byteLength, immediateOrKey, number, sourceQp, flags, refusal);
        queuePair = null;
        refusal = null;
    }
}
