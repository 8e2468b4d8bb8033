// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WrOpcode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The initiator queue of a queue pair: what its requests are at the device. One thread at a time is in it. */
final class NdInitiator {

    private final NdContext context;
    private final QueuePair verbs;
    private final RequestRing<NdRequest> ring;
    private final NdCompletionQueue cq;
    private final int maxSge;
    private final int inlineBytes;
    private final boolean reclaimsOnExecution;
    /** Whether the outbound Read limit is 0. */
    private volatile boolean readsForbidden;

    /** The request that was put last. */
    private int last;

    private @Nullable Memory gathered;
    private @Nullable ByteBuffer gatheredBytes;
    private @Nullable Memory lastMemory;
    private @Nullable Sge @Nullable [] gatheredBySize;

    /**
     * An initiator queue.
     *
     * @param ring of the requests that it posts
     */
    NdInitiator(
            NdContext context,
            QueuePair verbs,
            NdCompletionQueue cq,
            RequestRing<NdRequest> ring,
            int maxSge,
            int inlineBytes) {
        this.context = context;
        this.verbs = verbs;
        this.cq = cq;
        this.maxSge = maxSge;
        this.inlineBytes = inlineBytes;
        this.ring = ring;
        this.reclaimsOnExecution = context.profile().silentSlotReclaim() == NdProfile.SilentSlotReclaim.ON_EXECUTION;
    }

    /** The queue pair is connected, with this outbound Read limit. */
    void connected(int outboundReadLimit) {
        readsForbidden = outboundReadLimit == 0;
    }

    /** Posts a Send, Read or Write, whose flags were checked. */
    NdStatus post(
            NdRequestType type,
            WrOpcode opcode,
            @Nullable Object requestContext,
            NdSge[] sge,
            long remoteAddress,
            int remoteKey,
            int flags) {
        boolean isInline = (flags & NdOpFlags.INLINE) != 0;
        NdStatus unfit = check(sge, isInline);
        if (!unfit.isSuccess()) {
            return unfit;
        }
        synchronized (ring) {
            if (hasNoRoom()) {
                return NdStatus.NO_MORE_ENTRIES;
            }
            int number = put(type, requestContext, null, flags);
            SendWorkRequest.Refillable request = ring.get(number)
                    .workRequest(Math.max(1, maxSge))
                    .fill(ring.id(number), opcode, sendFlags(flags), remoteAddress, remoteKey);
            boolean isThere = true;
            if (isInline && sge.length > maxSge) {
                isThere = gather(sge, request);
            } else {
                for (NdSge element : sge) {
                    request.add(element.element());
                }
            }
            return isThere ? hand(request) : refused(NdStatus.ACCESS_VIOLATION);
        }
    }

    /** Posts a Bind, or the Invalidate of one. */
    NdStatus post(
            NdRequestType type,
            @Nullable Object requestContext,
            NdMemoryWindow.Posted bind,
            int flags,
            NdWindowRequest request) {
        synchronized (ring) {
            if (hasNoRoom()) {
                return NdStatus.NO_MORE_ENTRIES;
            }
            int number = put(type, requestContext, bind, flags);
            return hand(request.of(ring.id(number), sendFlags(flags)));
        }
    }

    private int put(
            NdRequestType type, @Nullable Object requestContext, NdMemoryWindow.@Nullable Posted bind, int flags) {
        int number = ring.put();
        ring.get(number).initiate(type, requestContext, bind, isSilent(flags), readsForbidden);
        last = number;
        return number;
    }

    /** Makes the work request of a Bind or Invalidate when its number is known. */
    interface NdWindowRequest {
        SendWorkRequest of(long id, int sendFlags);
    }

    private NdStatus check(NdSge[] sge, boolean isInline) {
        long bytes = 0;
        for (NdSge element : sge) {
            bytes += Integer.toUnsignedLong(element.lengthBytes());
        }
        if (!isInline && sge.length > maxSge) {
            return NdStatus.DATA_OVERRUN.because("elements=%d > maxInitiatorRequestSge=%d", sge.length, maxSge);
        }
        long most =
                isInline ? inlineBytes : Integer.toUnsignedLong(context.info().maxTransferLength());
        return bytes > most
                ? NdStatus.BUFFER_OVERFLOW.because(
                        isInline ? "bytes=%d > inline data of %d" : "bytes=%d > maxTransferLength=%d", bytes, most)
                : NdStatus.SUCCESS;
    }

    private boolean hasNoRoom() {
        if (ring.isFull() && reclaimsOnExecution) {
            cq.reclaimSilent();
        }
        return ring.isFull();
    }

    private static boolean isSilent(int flags) {
        return (flags & NdOpFlags.SILENT_SUCCESS) != 0;
    }

    /** What is silent is signaled all the same where its slot is to be free as soon as it has been executed. */
    private int sendFlags(int flags) {
        int sendFlags = 0;
        if (!isSilent(flags) || reclaimsOnExecution) {
            sendFlags |= SendFlags.SIGNALED;
        }
        if ((flags & NdOpFlags.READ_FENCE) != 0) {
            sendFlags |= SendFlags.FENCE;
        }
        if ((flags & NdOpFlags.SEND_AND_SOLICIT_EVENT) != 0) {
            sendFlags |= SendFlags.SOLICITED;
        }
        if ((flags & NdOpFlags.INLINE) != 0) {
            sendFlags |= SendFlags.INLINE;
        }
        return sendFlags;
    }

    private NdStatus hand(SendWorkRequest request) {
        try {
            verbs.postSend(request);
            return NdStatus.SUCCESS;
        } catch (VerbsException refusal) {
            return refused(NdStatuses.ofPost(refusal));
        }
    }

    private NdStatus refused(NdStatus status) {
        ring.get(last).clear();
        ring.takeBack();
        return status;
    }

    /** An inline request may have more elements than verbs take: they are gathered here, and copied when the request is posted. */
    private boolean gather(NdSge[] sge, SendWorkRequest.Refillable request) {
        Memory room = gathered;
        ByteBuffer bytes = gatheredBytes;
        if (room == null || bytes == null) {
            room = Memory.allocate(inlineBytes);
            bytes = room.buffer();
            gathered = room;
            gatheredBytes = bytes;
        }
        int at = 0;
        for (NdSge element : sge) {
            Memory memory = memoryOf(element);
            if (memory == null && element.lengthBytes() > 0) {
                return false;
            }
            if (memory != null) {
                context.calls().memoryRead(element.address(), element.lengthBytes());
                memory.copyTo(element.address(), bytes, at, element.lengthBytes());
                at += element.lengthBytes();
            }
        }
        request.add(gatheredElement(room, at));
        return true;
    }

    private @Nullable Memory memoryOf(NdSge element) {
        Memory memory = lastMemory;
        if (memory == null || !memory.covers(element.address(), element.lengthBytes())) {
            memory = AddressSpace.current().find(element.address(), element.lengthBytes());
            lastMemory = memory;
        }
        return memory;
    }

    private Sge gatheredElement(Memory room, int lengthBytes) {
        @Nullable Sge[] known = gatheredBySize;
        if (known == null) {
            known = new Sge[inlineBytes + 1];
            gatheredBySize = known;
        }
        Sge element = known[lengthBytes];
        if (element == null) {
            element = new Sge(room.address(), lengthBytes, 0);
            known[lengthBytes] = element;
        }
        return element;
    }
}
