// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A work completion ({@code struct ibv_wc}): a reusable holder that {@link CompletionQueue#poll} fills.
 *
 * <p>After a failure only {@link #id()}, {@link #status()}, {@link #qpNumber()} and {@link #vendorError()} are defined
 * (WC-01), and {@link #refusal()}.
 */
public final class WorkCompletion {

    /** What {@link #spoil} fills numbers with. */
    public static final int RUBBISH = UndefinedFields.RUBBISH;

    private long id;
    private WcStatus status = WcStatus.SUCCESS;
    private WcOpcode opcode = WcOpcode.SEND;
    private int byteLength;
    private int immediateOrKey;
    private int qpNumber;
    private int sourceQp;
    private int flags;
    private int vendorError;
    private @Nullable Refusal refusal;
    private long timestampNanos;
    private long requestNumber;

    /** Called when the program first reads the status; null for none, or afterwards. */
    private @Nullable Runnable statusSeen;

    /** Fills the holder; for implementations of devices. */
    public void fill(
            long id,
            WcStatus status,
            WcOpcode opcode,
            int byteLength,
            int immediateOrKey,
            int qpNumber,
            int sourceQp,
            int flags,
            int vendorError,
            @Nullable Refusal refusal) {
        this.id = id;
        this.status = status;
        this.opcode = opcode;
        this.byteLength = byteLength;
        this.immediateOrKey = immediateOrKey;
        this.qpNumber = qpNumber;
        this.sourceQp = sourceQp;
        this.flags = flags;
        this.vendorError = vendorError;
        this.refusal = refusal;
        this.timestampNanos = 0;
        this.requestNumber = 0;
        this.statusSeen = null;
    }

    /** Sets the timestamp; for implementations of devices, behind {@link #fill}. */
    public void stamp(long clockNanos) {
        timestampNanos = clockNanos;
    }

    /** Sets which request of its send queue it is of; for implementations of devices, behind {@link #fill}. */
    public void number(long ofRequest) {
        requestNumber = ofRequest;
    }

    /**
     * Fills every field that the completion leaves undefined with rubbish, so that whoever reads one notices (WC-01, WC-02): numbers with
     * {@link #RUBBISH}, and the opcode of a failure with TSO, which no request of this device has.
     */
    public void spoil() {
        byteLength = UndefinedFields.byteLength(status, opcode, byteLength);
        immediateOrKey = UndefinedFields.immediateOrKey(status, flags, immediateOrKey);
        sourceQp = UndefinedFields.sourceQp(status, opcode, sourceQp);
        flags = UndefinedFields.flags(status, opcode, flags);
        opcode = UndefinedFields.opcode(status, opcode);
    }

    /**
     * Which request of the send queue completed, counted from 1 since the queue pair was created or changed to RESET, so that a tool tells
     * those with the same wr_id apart; 0 for a receive, and if the queue pair is gone.
     */
    public long requestNumber() {
        return requestNumber;
    }

    /** The wr_id of the completed work request. */
    public long id() {
        return id;
    }

    /** Has {@code seen} run when the status is first looked at; for implementations of devices, behind {@link #fill}. */
    public void watchStatus(Runnable seen) {
        statusSeen = seen;
    }

    private void see() {
        Runnable seen = statusSeen;
        if (seen != null) {
            statusSeen = null;
            seen.run();
        }
    }

    /** The status. */
    public WcStatus status() {
        see();
        return status;
    }

    /** Whether the status is SUCCESS. */
    public boolean isSuccess() {
        see();
        return status == WcStatus.SUCCESS;
    }

    /** The completed operation. */
    public WcOpcode opcode() {
        return opcode;
    }

    /** Bytes received, read, or 8 for an atomic; unsigned. Of a datagram, with the {@link Grh#BYTES} of the GRH before it (UD-01). */
    public int byteLength() {
        return byteLength;
    }

    /** Immediate data, if {@link WcFlags#WITH_IMM} is set: the four raw bytes. */
    public int immediate() {
        return immediateOrKey;
    }

    /** The key that the message invalidated, if {@link WcFlags#WITH_INV} is set. */
    public int invalidatedKey() {
        return immediateOrKey;
    }

    /** The queue pair that the work request was posted to. */
    public int qpNumber() {
        return qpNumber;
    }

    /** The sender's queue pair (UD); 0 for connected queue pairs. */
    public int sourceQp() {
        return sourceQp;
    }

    /** Index of the P_Key of the message (UD): 0, because a port has only one. */
    public int pkeyIndex() {
        return 0;
    }

    /**
     * When the device generated it, by {@linkplain Device#clockNanos() its clock} ({@code ibv_wc_read_completion_ts}); 0 if its queue
     * was not created with timestamps (CQ-06).
     */
    public long timestampNanos() {
        return timestampNanos;
    }

    /** The {@link WcFlags}. */
    public int flags() {
        return flags;
    }

    /** Whether all of these {@link WcFlags} are set. */
    public boolean has(int wcFlags) {
        return (flags & wcFlags) == wcFlags;
    }

    /** Vendor specific error number: the number of the status, or 0 if the profile has none. */
    public int vendorError() {
        return vendorError;
    }

    /** The reason of a failure; null on success. */
    public @Nullable Refusal refusal() {
        see();
        return refusal;
    }

    /** The reason of a failure as text with the id of the rule; empty on success. */
    public String explanation() {
        see();
        return refusal == null ? "" : refusal.toString();
    }

    @Override
    public String toString() {
        see();
        String outcome = "wr_id=" + id + " " + status + " " + opcode + " qp=" + qpNumber + " byte_len=" + byteLength;
        return refusal == null ? outcome : outcome + ": " + refusal;
    }
}
