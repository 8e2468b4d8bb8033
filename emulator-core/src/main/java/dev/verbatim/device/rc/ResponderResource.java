// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Psn;

/**
 * What a responder remembers of one READ or atomic, so that it can answer it now and, if the answer gets lost, again
 * (DUP-02, DUP-03).
 */
final class ResponderResource {

    private boolean used;
    private Opcode opcode = Opcode.RDMA_READ_REQUEST;
    private int firstPsn;
    private int packets;
    private long remoteAddress;
    private int remoteKey;
    private long lengthBytes;
    private long originalData;
    private boolean pending;
    private int replayFrom;
    private int nextPacket;

    void read(Packet request, int packetCount) {
        fill(request, packetCount);
        lengthBytes = Integer.toUnsignedLong(request.dmaLengthBytes());
    }

    void atomic(Packet request, long original) {
        fill(request, 1);
        originalData = original;
    }

    private void fill(Packet request, int packetCount) {
        used = true;
        opcode = request.opcode();
        firstPsn = request.psn();
        packets = packetCount;
        remoteAddress = request.remoteAddress();
        remoteKey = request.remoteKey();
        answerFrom(0);
    }

    void forget() {
        used = false;
        pending = false;
    }

    /** Answers again from that packet on. */
    void answerFrom(int packet) {
        pending = true;
        replayFrom = packet;
        nextPacket = packet;
    }

    /** Whether part of the answer has not been sent. */
    boolean isPending() {
        return pending;
    }

    boolean isRead() {
        return opcode == Opcode.RDMA_READ_REQUEST;
    }

    boolean answers(int psn) {
        return used && Psn.inRange(psn, firstPsn, Psn.add(firstPsn, packets - 1));
    }

    /** Whether the request asks for an atomic that was done before. */
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

    int packetOf(int psn) {
        return Psn.distance(firstPsn, psn);
    }

    int nextPsn() {
        return Psn.add(firstPsn, nextPacket);
    }

    long nextAddress(int mtu) {
        return remoteAddress + (long) nextPacket * mtu;
    }

    int nextLengthBytes(int mtu) {
        return (int) Math.min(mtu, lengthBytes - (long) nextPacket * mtu);
    }

    int remoteKey() {
        return remoteKey;
    }

    long originalData() {
        return originalData;
    }

    boolean isFirstOfAnswer() {
        return nextPacket == replayFrom;
    }

    boolean isLastOfAnswer() {
        return nextPacket == packets - 1;
    }

    /** One packet of the answer was sent. */
    void sent() {
        pending = !isLastOfAnswer();
        nextPacket++;
    }
}
