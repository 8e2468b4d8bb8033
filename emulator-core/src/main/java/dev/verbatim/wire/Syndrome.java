// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.util.Locale;

/**
 * The syndrome byte of an acknowledgement (rule ACK-01): three bits of type, five bits of value.
 *
 * <p>0x00-0x1f is an ACK with a credit code, 0x20-0x3f an RNR NAK with a timer code ({@link RnrTimer}), 0x60-0x64 a NAK with
 * its cause. All other values are reserved.
 */
public final class Syndrome {
    /** An ACK that says nothing about credits, so that the requester is not limited by them. */
    public static final int ACK_NO_CREDIT = 0x1f;

    public static final int NAK_PSN_SEQUENCE = 0x60;
    public static final int NAK_INVALID_REQUEST = 0x61;
    public static final int NAK_REMOTE_ACCESS = 0x62;
    public static final int NAK_REMOTE_OPERATIONAL = 0x63;
    public static final int NAK_INVALID_RD = 0x64;

    /** What {@link #credit} returns for an ACK without credit information. */
    public static final int CREDIT_UNKNOWN = -1;

    private static final int RNR_FIRST = 0x20;
    private static final int RNR_LAST = 0x3f;
    private static final int VALUE_MASK = 0x1f;

    /** Messages that the responder can take, by credit code 0 to 30 (rule ACK-06). */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    private static final String[] NAK_CAUSES = {
        "PSN sequence error", "invalid request", "remote access error", "remote operational error", "invalid RD request"
    };

    private Syndrome() {}

    /**
     * Returns the syndrome of an RNR NAK.
     *
     * @param timerCode 0 to 31, a code of {@link RnrTimer}
     */
    public static int rnr(int timerCode) {
        return RNR_FIRST | RnrTimer.checked(timerCode);
    }

    /** Returns the timer code, 0 to 31, of an RNR NAK. */
    public static int rnrTimer(int syndrome) {
        require(isRnr(syndrome), syndrome, "an RNR NAK (0x20-0x3f)");
        return syndrome & VALUE_MASK;
    }

    /** Returns how many messages the responder says it can take, or {@link #CREDIT_UNKNOWN}, from an ACK. */
    public static int credit(int syndrome) {
        require(isAck(syndrome), syndrome, "an ACK (0x00-0x1f)");
        return syndrome == ACK_NO_CREDIT ? CREDIT_UNKNOWN : CREDITS[syndrome];
    }

    public static boolean isAck(int syndrome) {
        return syndrome >= 0 && syndrome <= ACK_NO_CREDIT;
    }

    public static boolean isRnr(int syndrome) {
        return syndrome >= RNR_FIRST && syndrome <= RNR_LAST;
    }

    /** Returns true for the five NAKs that are not RNR NAKs. */
    public static boolean isNak(int syndrome) {
        return syndrome >= NAK_PSN_SEQUENCE && syndrome <= NAK_INVALID_RD;
    }

    /** Returns true for whatever is none of the three; no responder may send it. */
    public static boolean isReserved(int syndrome) {
        return !isAck(syndrome) && !isRnr(syndrome) && !isNak(syndrome);
    }

    /** Returns a few words for a reader of traces, such as {@code RNR NAK 1.28 ms}. */
    public static String describe(int syndrome) {
        if (isAck(syndrome)) {
            int credit = credit(syndrome);
            return credit == CREDIT_UNKNOWN ? "ACK" : "ACK credit " + credit;
        }
        if (isRnr(syndrome)) {
            return String.format(Locale.ROOT, "RNR NAK %.2f ms", RnrTimer.nanos(rnrTimer(syndrome)) / 1e6);
        }
        if (isNak(syndrome)) {
            return "NAK " + NAK_CAUSES[syndrome - NAK_PSN_SEQUENCE];
        }
        return "reserved syndrome 0x" + Integer.toHexString(syndrome);
    }

    private static void require(boolean holds, int syndrome, String wanted) {
        if (!holds) {
            throw new IllegalArgumentException("syndrome=0x" + Integer.toHexString(syndrome) + " (" + describe(syndrome)
                    + ") is not " + wanted + "; ask for its type first");
        }
    }
}
