// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;

/** Packets as a {@link Dialogue} speaks them, in few words; addressed by the dialogue. */
public final class Packets {

    private static final byte[] PATTERN = onePeriodOfThePattern();

    private Packets() {}

    /** A packet of any opcode; complete it with the setters. */
    public static Packet packet(Opcode opcode, int psn) {
        return new Packet().begin(opcode).psn(psn);
    }

    /** A packet with payload. */
    public static Packet packet(Opcode opcode, int psn, byte[] payload) {
        return withPayload(packet(opcode, psn), payload);
    }

    /** The first or only packet of a WRITE of {@code lengthBytes} in all. */
    public static Packet write(Opcode opcode, int psn, long address, int rkey, int lengthBytes, byte[] payload) {
        return withPayload(
                packet(opcode, psn).remoteAddress(address).remoteKey(rkey).dmaLengthBytes(lengthBytes), payload);
    }

    /** A READ request. */
    public static Packet readRequest(int psn, long address, int rkey, int lengthBytes) {
        return packet(Opcode.RDMA_READ_REQUEST, psn)
                .remoteAddress(address)
                .remoteKey(rkey)
                .dmaLengthBytes(lengthBytes)
                .ackRequest(true);
    }

    /** A READ response. */
    public static Packet readResponse(Opcode opcode, int psn, byte[] payload) {
        Packet response = packet(opcode, psn, payload);
        return opcode == Opcode.RDMA_READ_RESPONSE_MIDDLE ? response : response.syndrome(Syndrome.ACK_NO_CREDIT);
    }

    /** A FETCH_ADD request. */
    public static Packet fetchAdd(int psn, long address, int rkey, long add) {
        return packet(Opcode.FETCH_ADD, psn)
                .remoteAddress(address)
                .remoteKey(rkey)
                .swapOrAdd(add)
                .ackRequest(true);
    }

    /** A COMPARE_SWAP request. */
    public static Packet compareSwap(int psn, long address, int rkey, long compare, long swap) {
        return packet(Opcode.COMPARE_SWAP, psn)
                .remoteAddress(address)
                .remoteKey(rkey)
                .swapOrAdd(swap)
                .compare(compare)
                .ackRequest(true);
    }

    /** The response of an atomic. */
    public static Packet atomicResponse(int psn, long original) {
        return packet(Opcode.ATOMIC_ACKNOWLEDGE, psn)
                .syndrome(Syndrome.ACK_NO_CREDIT)
                .originalData(original);
    }

    /** An ACK. */
    public static Packet ack(int psn) {
        return nak(psn, Syndrome.ACK_NO_CREDIT);
    }

    /** A NAK, or whatever the syndrome means. */
    public static Packet nak(int psn, int syndrome) {
        return packet(Opcode.ACKNOWLEDGE, psn).syndrome(syndrome);
    }

    /** An RNR NAK. */
    public static Packet rnr(int psn, int timerCode) {
        return nak(psn, Syndrome.rnr(timerCode));
    }

    /** Bytes {@code from} to {@code from + count} of an endless pattern in which every place looks different. */
    public static byte[] pattern(int from, int count) {
        byte[] bytes = new byte[count];
        int copied = 0;
        while (copied < count) {
            int place = from + copied & PATTERN.length - 1;
            int part = Math.min(count - copied, PATTERN.length - place);
            System.arraycopy(PATTERN, place, bytes, copied, part);
            copied += part;
        }
        return bytes;
    }

    private static byte[] onePeriodOfThePattern() {
        byte[] period = new byte[1 << 16];
        for (int place = 0; place < period.length; place++) {
            period[place] = (byte) (place * 31 + (place >> 8) * 17 + 5);
        }
        return period;
    }

    private static Packet withPayload(Packet packet, byte[] payload) {
        packet.payload().add(ByteBuffer.wrap(payload), 0, payload.length);
        return packet;
    }
}
