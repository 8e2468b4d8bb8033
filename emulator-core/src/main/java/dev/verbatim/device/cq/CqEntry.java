// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.cq;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.inspect.CqInspector;
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
    private int vendorError;
    private @Nullable Refusal refusal;
    private @Nullable CqUser user;
    private long sendSlotsFreed;
    private long timestampNanos;

    void fill(
            CqUser user,
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediateOrKey,
            int flags,
            int sourceQp,
            int vendorError,
            @Nullable Refusal refusal,
            long sendSlotsFreed) {
        this.user = user;
        this.id = id;
        this.status = status;
        this.opcode = opcode;
        this.byteLength = byteLength;
        this.immediateOrKey = immediateOrKey;
        this.flags = flags;
        this.sourceQp = sourceQp;
        this.vendorError = vendorError;
        this.refusal = refusal;
        this.sendSlotsFreed = sendSlotsFreed;
    }

    /** When it was generated; of an entry of a queue that has no timestamps, never. */
    void stamp(long clockNanos) {
        timestampNanos = clockNanos;
    }

    boolean isOf(CqUser candidate) {
        return user == candidate;
    }

    /** Whether it failed for a reason of its own. */
    boolean isFailure() {
        return status != WcStatus.SUCCESS && status != WcStatus.WR_FLUSH_ERR;
    }

    /** The completion as a program would get it; it stays here. */
    WorkCompletion copy() {
        WorkCompletion copy = new WorkCompletion();
        CqUser owner = user;
        int number = owner == null ? 0 : owner.number();
        copy.fill(id, status, opcode, byteLength, immediateOrKey, number, sourceQp, flags, vendorError, refusal);
        copy.stamp(timestampNanos);
        copy.number(sendSlotsFreed);
        return copy;
    }

    /** Its queue pair is another one now, or none: the completion stays and frees nothing. */
    void outlive() {
        sendSlotsFreed = 0;
    }

    /** Tells which slots of the send queue become free when it is polled. */
    void tellRoom(Lane lane, String device) {
        CqUser owner = user;
        if (owner != null && sendSlotsFreed > owner.reclaimed()) {
            lane.touched(
                    device,
                    DevicePart.SEND_ROOM,
                    owner.placeOfSlot(owner.reclaimed()),
                    owner.placeOfSlot(sendSlotsFreed),
                    true);
        }
    }

    /**
     * Gives the completion to the program, and the send queue the slots that it frees (WR-14).
     *
     * @param poisoned whether nothing is to be had of what it does not define
     * @param inspector of the completion queue; null for none
     */
    void moveTo(WorkCompletion holder, boolean poisoned, @Nullable CqInspector inspector) {
        boolean ofReceive = opcode.isReceive();
        CqUser owner = user;
        int number = 0;
        if (owner != null) {
            number = owner.number();
            owner.reclaimUpTo(sendSlotsFreed);
        }
        holder.fill(id, status, opcode, byteLength, immediateOrKey, number, sourceQp, flags, vendorError, refusal);
        holder.stamp(timestampNanos);
        holder.number(sendSlotsFreed);
        if (poisoned) {
            holder.spoil();
        }
        if (inspector != null) {
            inspector.polled(owner == null ? null : owner.trace().inspector(), holder, ofReceive, sendSlotsFreed);
        }
        user = null;
        refusal = null;
    }
}
