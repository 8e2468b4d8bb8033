// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.nio.ByteOrder;

/**
 * Remote tokens: the key of a region or window in network byte order. A program stores the number in native byte order and sends the
 * bytes unchanged; so they are big-endian on the wire on every machine. Tokens are not numbers to calculate with.
 */
public final class NdToken {

    private NdToken() {}

    /** The key for verbs that corresponds to a peer's token. */
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
