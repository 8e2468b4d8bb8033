// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/** A header behind the BTH, as a value. {@link Opcode} says which packet carries which of them. */
public sealed interface ExtensionHeader {
    /** Returns which header this is. */
    Header header();

    /** Sets the fields of this header in a packet, and no others. */
    void putInto(Packet packet);

    /** Returns a header's fields in a packet. */
    static ExtensionHeader of(Header header, Packet packet) {
        return switch (header) {
            case RETH -> new Reth(packet.remoteAddress(), packet.remoteKey(), packet.dmaLengthBytes());
            case ATOMIC_ETH ->
                new AtomicEth(packet.remoteAddress(), packet.remoteKey(), packet.swapOrAdd(), packet.compare());
            case AETH -> new Aeth(packet.syndrome(), packet.messageSequence());
            case ATOMIC_ACK_ETH -> new AtomicAckEth(packet.originalData());
            case IMM_DT -> new ImmDt(packet.immediate());
            case IETH -> new Ieth(packet.invalidateKey());
            case FETH -> new Feth(packet.flushType(), packet.flushLevel());
            case DETH -> new Deth(packet.queueKey(), packet.sourceQp());
            case XRCETH -> new Xrceth(packet.srqNumber());
            case BTH -> throw new IllegalArgumentException("header=BTH is no extension header; ask the packet itself");
        };
    }

    /**
     * What a WRITE, READ, FLUSH or ATOMIC WRITE addresses.
     *
     * @param dmaLengthBytes length of the whole message, an unsigned 32-bit number
     */
    record Reth(long remoteAddress, int remoteKey, int dmaLengthBytes) implements ExtensionHeader {
        @Override
        public Header header() {
            return Header.RETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.remoteAddress(remoteAddress).remoteKey(remoteKey).dmaLengthBytes(dmaLengthBytes);
        }
    }

    /**
     * What an atomic addresses, and its operands.
     *
     * @param swapOrAdd new value of a compare-and-swap, or summand of a fetch-and-add
     * @param compare expected value of a compare-and-swap; without meaning to a fetch-and-add
     */
    record AtomicEth(long remoteAddress, int remoteKey, long swapOrAdd, long compare) implements ExtensionHeader {
        @Override
        public Header header() {
            return Header.ATOMIC_ETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.remoteAddress(remoteAddress).remoteKey(remoteKey);
            packet.swapOrAdd(swapOrAdd).compare(compare);
        }
    }

    /**
     * The answer of a responder to a request.
     *
     * @param syndrome any that is not reserved; see {@link Syndrome}
     * @param messageSequence count of completed requests, 24 bits
     */
    record Aeth(int syndrome, int messageSequence) implements ExtensionHeader {
        /** Checks that the syndrome has a meaning and that the count fits. */
        public Aeth {
            if (Syndrome.isReserved(syndrome)) {
                throw new IllegalArgumentException("syndrome=0x" + Integer.toHexString(syndrome)
                        + " is reserved; it must be one of 0x00-0x3f and 0x60-0x64");
            }
            Layout.requireFits("messageSequence", messageSequence, Layout.LOW_24_BITS);
        }

        @Override
        public Header header() {
            return Header.AETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.syndrome(syndrome).messageSequence(messageSequence);
        }
    }

    /** The value of the memory before an atomic. */
    record AtomicAckEth(long originalData) implements ExtensionHeader {
        @Override
        public Header header() {
            return Header.ATOMIC_ACK_ETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.originalData(originalData);
        }
    }

    /**
     * Immediate data.
     *
     * @param immediate the four bytes on the wire, read as a big-endian int
     */
    record ImmDt(int immediate) implements ExtensionHeader {
        @Override
        public Header header() {
            return Header.IMM_DT;
        }

        @Override
        public void putInto(Packet packet) {
            packet.immediate(immediate);
        }
    }

    /** The R_Key that the receiver is to invalidate. */
    record Ieth(int invalidateKey) implements ExtensionHeader {
        @Override
        public Header header() {
            return Header.IETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.invalidateKey(invalidateKey);
        }
    }

    /**
     * What a FLUSH is to reach.
     *
     * @param flushType a set of 1 (global visibility) and 2 (persistence)
     * @param flushLevel 0 for the range that RETH names, 1 for the whole memory region
     */
    record Feth(int flushType, int flushLevel) implements ExtensionHeader {
        /** Checks that both have a meaning. */
        public Feth {
            Layout.requireFits("flushType", flushType, Layout.MAX_FLUSH_TYPE);
            Layout.requireFits("flushLevel", flushLevel, Layout.MAX_FLUSH_LEVEL);
        }

        @Override
        public Header header() {
            return Header.FETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.flushType(flushType).flushLevel(flushLevel);
        }
    }

    /**
     * The sending queue pair of a datagram, and the Q_Key that the receiver compares with its own.
     *
     * @param sourceQp 24 bits
     */
    record Deth(int queueKey, int sourceQp) implements ExtensionHeader {
        /** Checks that the number fits. */
        public Deth {
            Layout.requireFits("sourceQp", sourceQp, Layout.LOW_24_BITS);
        }

        @Override
        public Header header() {
            return Header.DETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.queueKey(queueKey).sourceQp(sourceQp);
        }
    }

    /**
     * The shared receive queue that an XRC request is for.
     *
     * @param srqNumber 24 bits
     */
    record Xrceth(int srqNumber) implements ExtensionHeader {
        /** Checks that the number fits. */
        public Xrceth {
            Layout.requireFits("srqNumber", srqNumber, Layout.LOW_24_BITS);
        }

        @Override
        public Header header() {
            return Header.XRCETH;
        }

        @Override
        public void putInto(Packet packet) {
            packet.srqNumber(srqNumber);
        }
    }
}
