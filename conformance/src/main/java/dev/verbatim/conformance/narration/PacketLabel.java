// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.Syndrome;
import java.util.Locale;

/** A packet in so few words that it fits on an arrow; {@link PacketRecord#toString} says everything. */
final class PacketLabel {

    private PacketLabel() {}

    static String of(PacketRecord packet) {
        String connection = ConnectionLabel.of(packet);
        if (connection != null) {
            return connection;
        }
        StringBuilder label = new StringBuilder(packet.opcode().name());
        label.append(" psn=").append(packet.psn());
        for (ExtensionHeader extension : packet.extensions()) {
            label.append(' ').append(describe(extension, packet.opcode()));
        }
        if (packet.payload().lengthBytes() > 0) {
            label.append(' ').append(packet.payload().lengthBytes()).append(" B");
        }
        return label.toString();
    }

    private static String describe(ExtensionHeader extension, Opcode opcode) {
        if (extension instanceof ExtensionHeader.Reth reth) {
            String target = target(reth.remoteAddress(), reth.remoteKey());
            return opcode.base() == Opcode.RDMA_READ_REQUEST
                    ? target + " len=" + Integer.toUnsignedString(reth.dmaLengthBytes())
                    : target;
        } else if (extension instanceof ExtensionHeader.AtomicEth atomic) {
            String target = target(atomic.remoteAddress(), atomic.remoteKey());
            return opcode.base() == Opcode.COMPARE_SWAP
                    ? target + " compare=" + atomic.compare() + " swap=" + atomic.swapOrAdd()
                    : target + " add=" + atomic.swapOrAdd();
        } else if (extension instanceof ExtensionHeader.Aeth aeth) {
            return Syndrome.describe(aeth.syndrome()) + " msn=" + aeth.messageSequence();
        } else if (extension instanceof ExtensionHeader.AtomicAckEth answer) {
            return "original=" + answer.originalData();
        } else if (extension instanceof ExtensionHeader.ImmDt data) {
            return String.format(Locale.ROOT, "imm=0x%08x", data.immediate());
        } else if (extension instanceof ExtensionHeader.Ieth key) {
            return String.format(Locale.ROOT, "inv=0x%x", key.invalidateKey());
        } else if (extension instanceof ExtensionHeader.Feth flush) {
            return "type=" + flush.flushType() + " level=" + flush.flushLevel();
        } else if (extension instanceof ExtensionHeader.Deth datagram) {
            return String.format(Locale.ROOT, "from=%d qkey=0x%08x", datagram.sourceQp(), datagram.queueKey());
        } else if (extension instanceof ExtensionHeader.Xrceth shared) {
            return "srq=" + shared.srqNumber();
        }
        throw new IllegalArgumentException("there are no words for " + extension.header() + "; add them here");
    }

    private static String target(long address, int key) {
        return String.format(Locale.ROOT, "va=0x%x rkey=0x%08x", address, key);
    }
}
