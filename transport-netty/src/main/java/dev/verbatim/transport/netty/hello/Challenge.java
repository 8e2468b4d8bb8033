// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.hello;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What an end that has a shared secret says before its hello, and what it says to an end that has none or another:
 * as long as a hello, so that each end reads whole what the other says, whichever it is.
 *
 * <p>The first 16 bytes are as in a {@link Hello}, with the flag that says that it is none; at 16 are zeros (8), at 24 the
 * nonce (16), at 40 zeros (16).
 *
 * @param verdict {@link Verdict#WELCOME}, or why the sender ends the connection
 * @param high first half of the nonce, which is never reused
 * @param low second half of it
 */
public record Challenge(Verdict verdict, long high, long low) {

    public static final int SIZE_BYTES = Hello.SIZE_BYTES;

    private static final int NONCE_AT = 24;
    private static final int[] ZEROS_AT = {16, 40, 48};

    /** Whether what is in a big-endian buffer, of which 16 bytes or more have come, is a challenge and not a hello. */
    public static boolean isOne(ByteBuffer source) {
        return source.getInt(Hello.FLAGS_AT) == Hello.CHALLENGE_FLAG;
    }

    /** Writes the challenge at the start of a big-endian buffer. */
    public void write(ByteBuffer target) {
        Hello.writeStart(target, verdict, Hello.CHALLENGE_FLAG);
        for (int at : ZEROS_AT) {
            target.putLong(at, 0);
        }
        target.putLong(NONCE_AT, high).putLong(NONCE_AT + Long.BYTES, low);
    }

    /** Says what is wrong with a whole one whose first 16 bytes are right, if anything is. */
    static @Nullable String refusalOfWhole(ByteBuffer source) {
        for (int at : ZEROS_AT) {
            if (source.getLong(at) != 0) {
                return "reserved bits of a challenge are set; they must be 0";
            }
        }
        return null;
    }

    /** Reads a challenge that {@link Hello#refusal} found nothing wrong with. */
    public static Challenge read(ByteBuffer source) {
        return new Challenge(Hello.verdictIn(source), source.getLong(NONCE_AT), source.getLong(NONCE_AT + Long.BYTES));
    }
}
