// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.memory.EmulatedMemoryWindow;
import dev.verbatim.device.memory.SgeList;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Datagram;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Psn;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A slot of a send queue: the request as posted, and how far it has come. The next request in the slot overwrites it, so an
 * explanation keeps its text and not the slot.
 */
public final class SendWqe {

    private static final SendWorkRequest NONE = SendWorkRequest.send(0);

    private static final int SPECIAL_FLAGS = SendFlags.FENCE | SendFlags.SOLICITED | SendFlags.INLINE;

    private final SgeList elements;
    private final int maxInlineDataBytes;
    private SendWorkRequest request = NONE;
    private SendWorkRequest.@Nullable Refillable copy;
    private Operation operation = Operation.SEND;
    private boolean isInline;
    private boolean isPlain;
    private int flags;
    private long lengthBytes;
    private @Nullable ByteBuffer inlineData;

    private int firstPsn;
    private int packets;
    private int requestedPackets;
    private int answeredPackets;
    private @Nullable Boolean early;
    private @Nullable WcStatus failure;
    private @Nullable Refusal reason;

    SendWqe(PdIdentity pd, int maxSge, int maxInlineDataBytes) {
        this.elements = new SgeList(pd, maxSge);
        this.maxInlineDataBytes = maxInlineDataBytes;
    }

    /** The request is in the slot from now on; returns whether its data is to be copied now. */
    boolean fill(SendWorkRequest posted, Operation itsOperation, int addedFlags) {
        request = posted instanceof SendWorkRequest.Refillable refillable ? copyOf(refillable) : posted;
        operation = itsOperation;
        Effect effect = operation.effect;
        flags = posted.flags() | addedFlags;
        boolean asksInline = (flags & SendFlags.INLINE) != 0;
        isInline = asksInline && !effect.hasNoData && !effect.returnsData;
        if (effect.hasNoData) {
            elements.clear();
            lengthBytes = 0;
        } else {
            lengthBytes = elements.copyFrom(posted);
        }
        if (asksInline && effect.returnsData) {
            // What posts it that way has the elements overwritten, as if there were data to send (WR-22).
            elements.loseKeys();
        }
        isPlain = (flags & SPECIAL_FLAGS) == 0 && operation.isPlain && elements.isSingle() && lengthBytes > 0;
        requestedPackets = 0;
        answeredPackets = 0;
        early = null;
        failure = null;
        reason = null;
        return isInline;
    }

    /** The program may fill it anew as soon as the post returns (WR-12), so the slot keeps a copy. */
    private SendWorkRequest copyOf(SendWorkRequest.Refillable posted) {
        SendWorkRequest.Refillable own = copy;
        if (own == null) {
            own = new SendWorkRequest.Refillable(elements.most());
            copy = own;
        }
        return own.copy(posted);
    }

    /** Where inline data is kept; made when it is first needed. */
    ByteBuffer inlineRoom() {
        ByteBuffer room = inlineData;
        if (room == null) {
            room = ByteBuffer.allocate(maxInlineDataBytes);
            inlineData = room;
        }
        return room;
    }

    /** The inline data; null unless the request was posted with INLINE. */
    public @Nullable ByteBuffer inlineData() {
        return isInline ? inlineData : null;
    }

    long id() {
        return request.id();
    }

    public Operation operation() {
        return operation;
    }

    public Effect effect() {
        return operation.effect;
    }

    public boolean has(int sendFlags) {
        return (flags & sendFlags) == sendFlags;
    }

    /** Whether it is for the fast path, as far as that can be told when it is posted: by opcode, flags and elements. */
    public boolean isPlain() {
        return isPlain;
    }

    public SgeList elements() {
        return elements;
    }

    /** Length of the message. */
    public long lengthBytes() {
        return lengthBytes;
    }

    public long remoteAddress() {
        return request.remoteAddress();
    }

    public int remoteKey() {
        return request.remoteKey();
    }

    /** What an atomic compares with; 0 if it does not. */
    public long compare() {
        return switch (Objects.requireNonNull(operation.atomic)) {
            case COMPARE_AND_SWAP -> request.compareOrAdd();
            case FETCH_AND_ADD -> 0;
        };
    }

    /** What an atomic adds, or what the word becomes. */
    public long swapOrAdd() {
        return switch (Objects.requireNonNull(operation.atomic)) {
            case COMPARE_AND_SWAP -> request.swap();
            case FETCH_AND_ADD -> request.compareOrAdd();
        };
    }

    public int immediate() {
        return request.immediate();
    }

    /** Whom it is for, over UD. */
    public @Nullable Datagram datagram() {
        return request.datagram();
    }

    /** The shared receive queue that it is for, over XRC. */
    public int remoteSrq() {
        return request.remoteSrq();
    }

    /** What a FLUSH is to reach. */
    public FlushTarget flushTarget() {
        return Objects.requireNonNull(request.flushTarget());
    }

    /** The window that a BIND_MW binds. */
    EmulatedMemoryWindow window() {
        if (request.window() instanceof EmulatedMemoryWindow window) {
            return window;
        }
        throw new IllegalStateException(request + " binds no window of this device");
    }

    /** What a BIND_MW binds its window to. */
    BindInfo bindInfo() {
        return Objects.requireNonNull(request.bindInfo());
    }

    /** The key that a BIND_MW gives its window. */
    int boundKey() {
        return request.boundKey();
    }

    /** The key that it invalidates, here or at the peer. */
    public int invalidateKey() {
        return request.invalidateKey();
    }

    /** Whether it is done here: it has no packet and no PSN, but its place in the queue (MW-63, ORD-20). */
    public boolean isLocal() {
        return operation.effect.isLocal;
    }

    /** Whether a LOCAL_INV takes effect before the requests ahead of it have completed; null until that is decided (N5). */
    public @Nullable Boolean early() {
        return early;
    }

    public void early(boolean value) {
        early = value;
    }

    /** Whether it is completed by its response and not by an acknowledgement (ACK-02), and counts as a READ or an atomic (NW-01). */
    public boolean expectsResponse() {
        return operation.effect.isAnswered;
    }

    /** Whether its response brings bytes for its elements. */
    public boolean returnsData() {
        return operation.effect.returnsData;
    }

    public boolean isAtomic() {
        return operation.atomic != null;
    }

    /** It is put on the wire with these packet sequence numbers, for a READ those of the responses (PSN-03). */
    public void start(int psn, int packetCount) {
        firstPsn = psn;
        packets = packetCount;
    }

    public int firstPsn() {
        return firstPsn;
    }

    /** The PSN behind its last. */
    public int endPsn() {
        return Psn.add(firstPsn, packets);
    }

    public int packets() {
        return packets;
    }

    /** Response packets of a READ that have been asked for. */
    public int requestedPackets() {
        return requestedPackets;
    }

    public void requestedPackets(int count) {
        requestedPackets = count;
    }

    /** Response packets of a READ or atomic that have come. */
    public int answeredPackets() {
        return answeredPackets;
    }

    public void answered(int count) {
        answeredPackets += count;
    }

    /** It will complete with an error once all before it have completed (ORD-10). */
    public void fail(WcStatus status, Refusal refusal) {
        failure = status;
        reason = refusal;
    }

    public @Nullable WcStatus failure() {
        return failure;
    }

    public @Nullable Refusal reason() {
        return reason;
    }

    /** What its completion says it was. */
    WcOpcode wcOpcode() {
        return operation.completion;
    }

    @Override
    public String toString() {
        return request.toString();
    }
}
