// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.Psn;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a responder remembers of one READ or atomic, so that it can answer it now and, if the answer gets lost, again
 * (DUP-02, DUP-03).
 */
final class ResponderResource {

    private boolean used;
    private Opcode opcode = Opcode.RDMA_READ_REQUEST;
    private Effect effect = Effect.READ;
    private int firstPsn;
    private int packets;
    private long remoteAddress;
    private int remoteKey;
    private int binding;
    private @Nullable QpIdentity user;
    private long lengthBytes;
    private long originalData;
    private boolean answered;

    /** Packets of the answer that were fetched before their turn, by their place in it; null if none was, as is usual. */
    private @Nullable NavigableMap<Integer, byte[]> fetched;

    // The answer that is being given: the whole, or again the part that a repeated request asks for.
    private boolean pending;
    private int answerFrom;
    private int nextPacket;
    private int answerEnd;
    private long answerEndBytes;

    /** A READ that was accepted under this binding of its key. */
    void read(Packet request, int packetCount, int bindingOfKey, QpIdentity asker) {
        binding = bindingOfKey;
        user = asker;
        lengthBytes = Integer.toUnsignedLong(request.dmaLengthBytes());
        fill(request, packetCount);
    }

    void atomic(Packet request, long original) {
        lengthBytes = 0;
        originalData = original;
        fill(request, 1);
    }

    /** The same on the fast path, with an answer of one packet. */
    void read(PlainRequest request, int bindingOfKey, QpIdentity asker) {
        binding = bindingOfKey;
        user = asker;
        lengthBytes = request.lengthBytes;
        fill(request.opcode, request.psn, request.remoteAddress, request.remoteKey, 1);
    }

    void atomic(PlainRequest request, long original) {
        lengthBytes = 0;
        originalData = original;
        fill(request.opcode, request.psn, request.remoteAddress, request.remoteKey, 1);
    }

    /** An ATOMIC_WRITE or a FLUSH that was done: its answer has no bytes. */
    void withoutData(Packet request) {
        lengthBytes = 0;
        fill(request, 1);
    }

    private void fill(Packet request, int packetCount) {
        fill(request.opcode(), request.psn(), request.remoteAddress(), request.remoteKey(), packetCount);
    }

    private void fill(Opcode asked, int psn, long address, int key, int packetCount) {
        used = true;
        opcode = asked;
        effect = Operation.of(asked).effect;
        firstPsn = psn;
        packets = packetCount;
        remoteAddress = address;
        remoteKey = key;
        answered = false;
        answer(0, packetCount, lengthBytes);
    }

    void forget() {
        used = false;
        pending = false;
    }

    /** Answers what a repeated request asks for, which this {@link #contains}. */
    void answerAgain(Packet request, int mtu) {
        if (!isRead()) {
            answer(0, 1, 0);
            return;
        }
        int from = Psn.distance(firstPsn, request.psn());
        long askedBytes = Integer.toUnsignedLong(request.dmaLengthBytes());
        answer(from, from + Psn.packets(askedBytes, mtu), (long) from * mtu + askedBytes);
    }

    private void answer(int from, int end, long endBytes) {
        fetched = null;
        pending = true;
        answerFrom = from;
        nextPacket = from;
        answerEnd = end;
        answerEndBytes = endBytes;
    }

    /** What is left of the answer is not sent, unless it is asked for again. */
    void leavePending() {
        pending = false;
    }

    /** Whether part of the answer has not been sent. */
    boolean isPending() {
        return pending;
    }

    /**
     * Whether a new request may take the place of this one: the requester has its answer, even if that is being given
     * once more because a request of his came late.
     */
    boolean isFree() {
        return !used || answered;
    }

    boolean isRead() {
        return effect == Effect.READ;
    }

    boolean answers(int psn) {
        return used && Psn.inRange(psn, firstPsn, Psn.add(firstPsn, packets - 1));
    }

    /** Whether its answer is what an atomic found. */
    boolean isAtomic() {
        return effect.answer == Opcode.Kind.ATOMIC_ACKNOWLEDGE;
    }

    /** Whether the request asks for what was done before. */
    boolean isRepeatedAs(Packet request) {
        return request.opcode() == opcode && request.psn() == firstPsn;
    }

    /** Whether the request asks for a tail, or a part, of what this READ asked for (DUP-02). */
    boolean contains(Packet request, int mtu) {
        long skipped = (long) Psn.distance(firstPsn, request.psn()) * mtu;
        return isRead()
                && request.opcode() == opcode
                && request.remoteKey() == remoteKey
                && request.remoteAddress() == remoteAddress + skipped
                && Integer.toUnsignedLong(request.dmaLengthBytes()) <= lengthBytes - skipped;
    }

    int nextPsn() {
        return psnOf(nextPacket);
    }

    int psnOf(int packet) {
        return Psn.add(firstPsn, packet);
    }

    /** Where the READ begins. */
    long remoteAddress() {
        return remoteAddress;
    }

    /** The next packet of the answer that is to be sent. */
    int nextPacket() {
        return nextPacket;
    }

    /** The packet of the answer with which it ends. */
    int answerEnd() {
        return answerEnd;
    }

    /** Bytes of that packet that were fetched before its turn; null if they were not. */
    byte @Nullable [] fetched(int packet) {
        NavigableMap<Integer, byte[]> early = fetched;
        return early == null ? null : early.get(packet);
    }

    /** Keeps bytes of a packet until its turn comes. */
    void fetched(int packet, byte[] bytes) {
        NavigableMap<Integer, byte[]> early = fetched;
        if (early == null) {
            early = new TreeMap<>();
            fetched = early;
        }
        early.put(packet, bytes);
    }

    /** How many of the next packets may be fetched as one: none behind one that was fetched before. */
    int packetsToFetch(int most) {
        int count = Math.min(most, packetsLeft());
        NavigableMap<Integer, byte[]> early = fetched;
        if (early == null) {
            return count;
        }
        Integer behind = early.higherKey(nextPacket);
        if (early.containsKey(nextPacket)) {
            return 1;
        }
        return behind == null ? count : Math.min(count, behind - nextPacket);
    }

    long addressOf(int packet, int mtu) {
        return remoteAddress + (long) packet * mtu;
    }

    int lengthBytesOf(int packet, int mtu, int packetCount) {
        return (int) Math.min((long) packetCount * mtu, answerEndBytes - (long) packet * mtu);
    }

    int remoteKey() {
        return remoteKey;
    }

    /** Whether the answer is for the fast path: one packet, and the whole of it, of which nothing was fetched before its turn. */
    boolean isPlainAnswer() {
        return answerEnd - answerFrom == 1 && nextPacket == answerFrom && fetched == null && (isAtomic() || isRead());
    }

    /** The binding of the key under which it was accepted. */
    int binding() {
        return binding;
    }

    /** On whose behalf the READ touches memory. */
    QpIdentity user() {
        return Objects.requireNonNull(user);
    }

    long originalData() {
        return originalData;
    }

    boolean isFirstOfAnswer() {
        return nextPacket == answerFrom;
    }

    int packetsLeft() {
        return answerEnd - nextPacket;
    }

    /** Packets of the answer were sent. */
    void sent(int packetCount) {
        nextPacket += packetCount;
        pending = nextPacket != answerEnd;
        answered |= !pending;
    }
}
