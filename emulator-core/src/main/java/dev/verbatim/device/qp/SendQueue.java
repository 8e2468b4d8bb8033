// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.cq.CqUser;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ForeignBytes;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The send queue of a queue pair: a ring of slots, each made when first used. Requests are counted from 0: those below
 * {@link #completed()} are done, those below {@link #posted()} are there. Programs post under the queue's monitor; the
 * lane alone completes. A slot is free again when a completion of it or of a later request has been polled (WR-14).
 */
public final class SendQueue {

    private static final VarHandle POSTED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(SendQueue.class, "posted", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PdIdentity pd;
    private final int capacity;
    private final int maxSge;
    private final int maxInlineDataBytes;
    private final int addedFlags;
    private final @Nullable SendWqe[] ring;

    /** Published with release: whoever has posted rings the doorbell, which is a full fence. */
    private volatile long posted;

    private final CqUser user;
    private final @Nullable QpInspector inspector;
    private long completed;
    private @Nullable Memory lastInlineMemory;

    /**
     * An empty queue.
     *
     * @param user counts the slots that are free again
     * @param inspector knows who posted what takes the others; null for none
     */
    SendQueue(PdIdentity pd, QpInitAttributes attributes, CqUser user, @Nullable QpInspector inspector) {
        this.inspector = inspector;
        this.pd = pd;
        this.user = user;
        this.capacity = attributes.capabilities().maxSendWr();
        this.maxSge = attributes.capabilities().maxSendSge();
        this.maxInlineDataBytes = attributes.capabilities().maxInlineDataBytes();
        this.addedFlags = attributes.signalAll() ? SendFlags.SIGNALED : 0;
        this.ring = new SendWqe[Math.max(1, Integer.highestOneBit(Math.max(1, capacity) * 2 - 1))];
    }

    /** Whether there is no room for another request. With the monitor held. */
    boolean isFull() {
        return posted - user.reclaimed() >= capacity;
    }

    /** What stands for the slot that the next request takes from an older one, in {@code SEND_ROOM}; -1 if that is a new slot. */
    long placeOfNext() {
        return posted < capacity ? -1 : user.placeOfSlot(posted - capacity);
    }

    /**
     * Puts a checked request into the next slot. With the monitor held.
     *
     * @param operation of the request
     * @param doom why it will fail with LOC_QP_OP_ERR when its turn comes; null if it is fit
     * @param space where inline data is found; null for that of the calling thread
     */
    SendWqe post(
            SendWorkRequest request,
            Operation operation,
            @Nullable Refusal doom,
            int index,
            @Nullable AddressSpace space) {
        if (isFull()) {
            throw full(index);
        }
        long number = posted;
        SendWqe wqe = slot(number);
        boolean isInline = wqe.fill(request, operation, addedFlags);
        if (doom != null) {
            wqe.fail(WcStatus.LOC_QP_OP_ERR, doom);
        }
        if (isInline) {
            copyInline(request, wqe.inlineRoom(), index, space == null ? AddressSpace.current() : space);
        }
        POSTED.setRelease(this, number + 1);
        return wqe;
    }

    /**
     * Refuses a number of requests if there is no room for all. With the monitor held.
     *
     * @throws VerbsException ENOMEM, of the first one without room
     */
    void requireRoom(int count) {
        long free = capacity - (posted - user.reclaimed());
        if (count > free) {
            throw full((int) free);
        }
    }

    private VerbsException full(int index) {
        QpInspector watcher = inspector;
        if (watcher == null) {
            return VerbsException.ofRequest(Errno.ENOMEM, full(), index);
        }
        String standing = watcher.standing();
        Refusal cause = standing.isEmpty() ? null : Refusal.of(Rule.WR_14, "there stand %s", standing);
        return VerbsException.tracedOfRequest(Errno.ENOMEM, full().causedBy(cause), index);
    }

    /** Why there is no room. For the explanation only, so what the lane has just completed may be missing. */
    private Refusal full() {
        long executed = completed - user.reclaimed();
        if (executed <= 0) {
            return Refusal.of(
                    Rule.WR_11, "the send queue's max_send_wr=%d slots are taken by requests under way", capacity);
        }
        return Refusal.of(
                Rule.WR_14,
                "the send queue's max_send_wr=%d slots are taken, %d of them by requests that have executed; poll a"
                        + " completion of theirs, or of a signaled request behind them",
                capacity,
                executed);
    }

    private SendWqe slot(long number) {
        int slot = (int) number & ring.length - 1;
        SendWqe wqe = ring[slot];
        if (wqe == null) {
            wqe = new SendWqe(pd, maxSge, maxInlineDataBytes);
            ring[slot] = wqe;
        }
        return wqe;
    }

    /** Inline data is found by its address alone: keys are not looked at (WR-22). */
    private void copyInline(SendWorkRequest request, ByteBuffer room, int index, AddressSpace space) {
        ForeignBytes foreign = space.foreign();
        int at = 0;
        int count = request.elementCount();
        for (int i = 0; i < count; i++) {
            int lengthBytes = request.elementLengthBytes(i);
            if (lengthBytes > 0) {
                long address = request.elementAddress(i);
                boolean copied = foreign != null && foreign.copyTo(address, lengthBytes, room, at);
                if (!copied && !copyFromMemory(address, lengthBytes, room, at, space)) {
                    throw VerbsException.ofRequest(
                            Errno.EFAULT,
                            Refusal.of(
                                    Rule.WR_22,
                                    "no memory has the inline data [0x%x,0x%x)",
                                    address,
                                    address + lengthBytes),
                            index);
                }
                at += lengthBytes;
            }
        }
    }

    private boolean copyFromMemory(long address, int lengthBytes, ByteBuffer room, int at, AddressSpace space) {
        Memory memory = lastInlineMemory;
        if (memory == null || !memory.covers(address, lengthBytes)) {
            memory = space.find(address, lengthBytes);
        }
        if (memory == null) {
            return false;
        }
        lastInlineMemory = memory;
        return memory.copyTo(address, room, at, lengthBytes);
    }

    int capacity() {
        return capacity;
    }

    int maxSge() {
        return maxSge;
    }

    int maxInlineDataBytes() {
        return maxInlineDataBytes;
    }

    /** How many requests have been posted. */
    public long posted() {
        return posted;
    }

    /** How many requests have completed; on the lane. */
    public long completed() {
        return completed;
    }

    /** The request of that number, which must be posted and not completed. */
    public SendWqe at(long number) {
        return slot(number);
    }

    /** The oldest request that has not completed is done; how many are now. On the lane. */
    long completeOldest() {
        return ++completed;
    }

    /** Forgets everything (QP-24). */
    synchronized void clear() {
        posted = 0;
        user.forgetReclaimed();
        completed = 0;
    }
}
