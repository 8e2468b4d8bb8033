// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.wire.RoceRoute;
import java.nio.ByteBuffer;

/** Writes what stands before an IP header in a capture. Allocates nothing. */
final class LinkHeader {

    private static final int MAC_BYTES = 6;

    /** Bits of an Ethernet address that say that it is administered locally. */
    private static final int LOCAL_MAC = 0x0200;

    private static final int ARPHRD_ETHER = 1;
    private static final int TO_US = 0;
    private static final int FROM_US = 4;

    private LinkHeader() {}

    static int sizeBytes(CaptureFormat.Link link) {
        return switch (link) {
            case RAW -> 0;
            case ETHERNET -> LinkFrame.ETHERNET_BYTES;
            case SLL -> LinkFrame.SLL_BYTES;
            case SLL2 -> LinkFrame.SLL2_BYTES;
        };
    }

    /**
     * Writes the header.
     *
     * @param etherType which IP follows
     * @param direction as in a pcapng file
     */
    static void write(
            CaptureFormat.Link link, RoceRoute route, int etherType, int direction, ByteBuffer target, int at) {
        int packetType = direction == PcapngFormat.INBOUND ? TO_US : FROM_US;
        switch (link) {
            case RAW -> {}
            case ETHERNET -> {
                putMac(route.destinationLow(), target, at);
                putMac(route.sourceLow(), target, at + MAC_BYTES);
                putShort(target, at + LinkFrame.ETHERNET_TYPE, etherType);
            }
            case SLL -> {
                putShort(target, at, packetType);
                putShort(target, at + 2, ARPHRD_ETHER);
                putShort(target, at + 4, MAC_BYTES);
                putMac(route.sourceLow(), target, at + 6);
                putShort(target, at + 12, 0);
                putShort(target, at + LinkFrame.SLL_PROTOCOL, etherType);
            }
            case SLL2 -> {
                putShort(target, at, etherType);
                putShort(target, at + 2, 0);
                // Number of the interface, which begins at 1.
                putShort(target, at + 4, 0);
                putShort(target, at + 6, 1);
                putShort(target, at + 8, ARPHRD_ETHER);
                target.put(at + LinkFrame.SLL2_PACKET_TYPE, (byte) packetType);
                target.put(at + 11, (byte) MAC_BYTES);
                putMac(route.sourceLow(), target, at + 12);
                putShort(target, at + 18, 0);
            }
        }
    }

    private static void putMac(long address, ByteBuffer target, int at) {
        putShort(target, at, LOCAL_MAC);
        putShort(target, at + 2, (int) (address >>> Short.SIZE));
        putShort(target, at + 4, (int) address);
    }

    /** In the order of networks, whatever that of the buffer is. */
    private static void putShort(ByteBuffer target, int at, int value) {
        target.put(at, (byte) (value >>> Byte.SIZE)).put(at + 1, (byte) value);
    }
}
