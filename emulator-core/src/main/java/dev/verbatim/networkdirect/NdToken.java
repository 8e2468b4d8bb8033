// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.nio.ByteOrder;

/**
 * Remote tokens: the key of a region or window in network byte order. A program stores the number as its machine does and sends
 * the bytes as they are; then they are big-endian on the wire, whatever the machine. Nobody calculates with tokens.
 */
public final class NdToken {

    private NdToken() {}

    /** The key that verbs know by which the peer's token is to be used here. */
    public static int toRkey(int token) {
        return swap(token);
    }

    /** The token to give to a peer. */
    public static int fromRkey(int rkey) {
        return swap(rkey);
    }

    private static int swap(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }
}
