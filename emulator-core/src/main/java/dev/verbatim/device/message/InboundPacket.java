// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;

/** A request packet, or a run of them, as a responder reads it: what each of its steps asks is read once. */
public final class InboundPacket {

    private static final Packet NONE = new Packet();

    /** All its headers, and its payload. */
    public Packet packet = NONE;

    public Opcode opcode = packet.opcode();
    public Operation operation = Operation.SEND;
    public Effect effect = operation.effect;

    /** Whether it is the first or only packet of its message, or a run that begins with that. */
    public boolean startsMessage;

    /** Whether it is the last or only packet of its message, or a run that ends with that. */
    public boolean endsMessage;

    /** Whether it has an answer of its own, and not only an acknowledgement. */
    public boolean isAnswered;

    /** The first PSN. */
    public int psn;

    public int packets;
    public int payloadBytes;

    /**
     * From now on it is this packet.
     *
     * @param length of the payload in bytes, which may be still to come
     */
    public void read(Packet received, Opcode itsOpcode, int length) {
        packet = received;
        opcode = itsOpcode;
        operation = Operation.of(opcode);
        effect = operation.effect;
        startsMessage = opcode.startsMessage();
        endsMessage = opcode.endsMessage();
        isAnswered = effect.isAnswered;
        psn = received.psn();
        packets = received.packets();
        payloadBytes = length;
    }
}
