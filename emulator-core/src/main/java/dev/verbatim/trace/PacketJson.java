// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.wire.Bth;
import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.GrhFields;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Writes a packet as a JSON object: the fields of the BTH, one object for each header behind it, the payload in hexadecimal. */
final class PacketJson {

    private final int mostPayloadBytes;

    /** Shows at most so many bytes of each payload. */
    PacketJson(int mostPayloadBytes) {
        this.mostPayloadBytes = mostPayloadBytes;
    }

    void put(PacketRecord packet, JsonLine line) {
        Bth bth = packet.bth();
        line.open("packet")
                .with("opcode", bth.opcode().name())
                .with("psn", bth.psn())
                .with("destQp", bth.destQp())
                .with("ackRequest", bth.ackRequest())
                .with("solicited", bth.solicited())
                .with("migRequest", bth.migRequest())
                .with("pkey", bth.pkey())
                .with("fecn", bth.fecn())
                .with("becn", bth.becn());
        if (!packet.grh().equals(GrhFields.USUAL)) {
            line.open("grh")
                    .with("trafficClass", packet.grh().trafficClass())
                    .with("flowLabel", packet.grh().flowLabel())
                    .with("hopLimit", packet.grh().hopLimit())
                    .close();
        }
        for (ExtensionHeader extension : packet.extensions()) {
            put(extension, line);
        }
        if (bth.opcode().carriesPayload()) {
            putPayload(packet.payload().toBytes(), line);
        }
        line.close();
    }

    private static void put(ExtensionHeader extension, JsonLine line) {
        if (extension instanceof ExtensionHeader.Reth reth) {
            line.open("reth")
                    .withHex64("remoteAddress", reth.remoteAddress())
                    .withHex32("remoteKey", reth.remoteKey())
                    .with("dmaLengthBytes", Integer.toUnsignedLong(reth.dmaLengthBytes()));
        } else if (extension instanceof ExtensionHeader.AtomicEth atomic) {
            line.open("atomicEth")
                    .withHex64("remoteAddress", atomic.remoteAddress())
                    .withHex32("remoteKey", atomic.remoteKey())
                    .withHex64("swapOrAdd", atomic.swapOrAdd())
                    .withHex64("compare", atomic.compare());
        } else if (extension instanceof ExtensionHeader.Aeth aeth) {
            line.open("aeth")
                    .with("syndrome", aeth.syndrome())
                    .with("meaning", Syndrome.describe(aeth.syndrome()))
                    .with("messageSequence", aeth.messageSequence());
        } else if (extension instanceof ExtensionHeader.AtomicAckEth answer) {
            line.open("atomicAckEth").withHex64("originalData", answer.originalData());
        } else if (extension instanceof ExtensionHeader.ImmDt data) {
            line.open("immDt").withHex32("immediate", data.immediate());
        } else if (extension instanceof ExtensionHeader.Ieth key) {
            line.open("ieth").withHex32("invalidateKey", key.invalidateKey());
        } else if (extension instanceof ExtensionHeader.Feth flush) {
            line.open("feth").with("flushType", flush.flushType()).with("flushLevel", flush.flushLevel());
        } else if (extension instanceof ExtensionHeader.Deth datagram) {
            line.open("deth").withHex32("queueKey", datagram.queueKey()).with("sourceQp", datagram.sourceQp());
        } else if (extension instanceof ExtensionHeader.Xrceth shared) {
            line.open("xrceth").with("srqNumber", shared.srqNumber());
        } else {
            throw new IllegalArgumentException("there is no JSON for " + extension.header() + "; add it here");
        }
        line.close();
    }

    /** Writes bytes of memory, as many of them as of a payload. */
    void putData(ByteBuffer data, JsonLine line) {
        byte[] shown = new byte[Math.min(data.remaining(), mostPayloadBytes)];
        data.get(data.position(), shown);
        line.with("data", HexFormat.of().formatHex(shown));
    }

    private void putPayload(byte[] payload, JsonLine line) {
        int shown = Math.min(payload.length, mostPayloadBytes);
        line.with("payloadBytes", payload.length)
                .with("payload", HexFormat.of().formatHex(payload, 0, shown))
                .with("payloadOmittedBytes", payload.length - shown);
    }
}
