// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * Where each field lies in its header: byte offsets from the header's start, and the bits of fields that share a word.
 *
 * <p>Fields of 24 bits share a 32-bit word with what stands before them, so they are read and written as that word.
 */
final class Layout {
    static final int BTH_OPCODE = 0;

    /** Solicited event, migration request, pad count, transport version. */
    static final int BTH_FLAGS = 1;

    static final int SOLICITED_BIT = 0x80;
    static final int MIG_REQUEST_BIT = 0x40;
    static final int PAD_COUNT_SHIFT = 4;
    static final int PAD_COUNT_MASK = 0x3;
    static final int TRANSPORT_VERSION_MASK = 0x0f;

    static final int BTH_PKEY = 2;

    /** FECN, BECN, six reserved bits, then the destination QP. */
    static final int BTH_DEST_QP_WORD = 4;

    static final int FECN_BIT = 0x8000_0000;
    static final int BECN_BIT = 0x4000_0000;

    /** Acknowledge request, seven reserved bits, then the PSN. */
    static final int BTH_PSN_WORD = 8;

    static final int ACK_REQUEST_BIT = 0x8000_0000;

    static final int LOW_8_BITS = 0xff;
    static final int LOW_16_BITS = 0xffff;
    static final int LOW_20_BITS = 0xf_ffff;
    static final int LOW_24_BITS = 0xff_ffff;

    /** The same in RETH and AtomicETH. */
    static final int REMOTE_ADDRESS = 0;

    /** The same in RETH and AtomicETH. */
    static final int REMOTE_KEY = 8;

    static final int RETH_DMA_LENGTH = 12;
    static final int ATOMIC_ETH_SWAP_OR_ADD = 12;
    static final int ATOMIC_ETH_COMPARE = 20;

    /** Syndrome, then the message sequence number. */
    static final int AETH_WORD = 0;

    static final int SYNDROME_SHIFT = 24;

    static final int ATOMIC_ACK_ETH_ORIGINAL_DATA = 0;
    static final int IMM_DT_IMMEDIATE = 0;
    static final int IETH_KEY = 0;

    static final int DETH_QUEUE_KEY = 0;

    /** Eight reserved bits, then the number of the sending queue pair. */
    static final int DETH_SOURCE_QP_WORD = 4;

    /** Eight reserved bits, then the number of the shared receive queue. */
    static final int XRCETH_WORD = 0;

    /** 26 reserved bits, two of selectivity level, four of placement type. */
    static final int FETH_WORD = 0;

    static final int FLUSH_LEVEL_SHIFT = 4;
    static final int FLUSH_LEVEL_MASK = 0x3;
    static final int FLUSH_TYPE_MASK = 0xf;

    /** Global visibility and persistence together; the other two bits of the field have no meaning. */
    static final int MAX_FLUSH_TYPE = 3;

    /** The whole memory region; 2 and 3 have no meaning. */
    static final int MAX_FLUSH_LEVEL = 1;

    private Layout() {}

    /** Returns the value if it is in 0 to max, and refuses it otherwise. */
    static int requireFits(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + "=0x" + Integer.toHexString(value) + " is not in 0..0x"
                    + Integer.toHexString(max) + "; the field holds no more");
        }
        return value;
    }
}
