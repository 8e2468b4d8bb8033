// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmTimers;
import java.util.function.Consumer;

/**
 * Timers and limits of the identifiers of a channel; {@link #USUAL} has those of Linux over RoCE (CM-12, CM-24). Timers are codes: 4.096
 * us x 2^code, rounded to 2^(code - 8) ms.
 *
 * @param packetLifeTime how long a packet may be in flight, a code from 0 to 24; 18
 * @param responseTimeout how long either side may take to answer, a code from 0 to 24; 20
 * @param retries how often a message without an answer is repeated, 0 to 15; 15
 * @param ackDelay how long the device may take for an ACK, a code from 0 to 24; 15
 * @param longestTimeout the longest time that a peer's request for more time is granted, a code from 0 to 31; 24, which is 65 s
 * @param mostIds identifiers that a device has at most; 65536
 * @param mostHalfOpen connections that peers have requested and that are not established yet, on one device, at most; 4096
 * @param answersDisconnects whether a disconnect by the peer is confirmed at once, and the queue pair goes to ERR; otherwise both wait
 *     for {@link CmId#disconnect()}, as with {@code librdmacm}; false
 */
public record CmOptions(
        int packetLifeTime,
        int responseTimeout,
        int retries,
        int ackDelay,
        int longestTimeout,
        int mostIds,
        int mostHalfOpen,
        boolean answersDisconnects) {

    private static final int LONGEST_OWN_CODE = 24;
    private static final int LONGEST_CODE = 31;
    private static final int MOST_RETRIES = 15;
    private static final int MOST = 1 << 24;

    /** As Linux. */
    public static final CmOptions USUAL = new CmOptions(18, 20, 15, 15, CmTimers.USUAL_LONGEST, 65_536, 4_096, false);

    /** Checks the ranges. */
    public CmOptions {
        require("packetLifeTime", packetLifeTime, 0, LONGEST_OWN_CODE);
        require("responseTimeout", responseTimeout, 0, LONGEST_OWN_CODE);
        require("retries", retries, 0, MOST_RETRIES);
        require("ackDelay", ackDelay, 0, LONGEST_OWN_CODE);
        require("longestTimeout", longestTimeout, 0, LONGEST_CODE);
        require("mostIds", mostIds, 1, MOST);
        require("mostHalfOpen", mostHalfOpen, 1, MOST);
    }

    /** The same, with disconnects of the peer confirmed at once. */
    public CmOptions answeringDisconnects() {
        return new CmOptions(
                packetLifeTime, responseTimeout, retries, ackDelay, longestTimeout, mostIds, mostHalfOpen, true);
    }

    /** The timers among them. */
    CmTimers timers() {
        return new CmTimers(packetLifeTime, responseTimeout, retries, ackDelay, longestTimeout);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not in " + least + ".." + most);
        }
    }

    private CmOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new CmOptions(
                draft.packetLifeTime,
                draft.responseTimeout,
                draft.retries,
                draft.ackDelay,
                draft.longestTimeout,
                draft.mostIds,
                draft.mostHalfOpen,
                draft.answersDisconnects);
    }

    /** The same with another packet life time. */
    public CmOptions withPacketLifeTime(int code) {
        return with(draft -> draft.packetLifeTime = code);
    }

    /** The same with another response timeout. */
    public CmOptions withResponseTimeout(int code) {
        return with(draft -> draft.responseTimeout = code);
    }

    /** The same with another number of repeats. */
    public CmOptions withRetries(int count) {
        return with(draft -> draft.retries = count);
    }

    /** The same with another ACK delay. */
    public CmOptions withAckDelay(int code) {
        return with(draft -> draft.ackDelay = code);
    }

    /** The same with another longest timeout. */
    public CmOptions withLongestTimeout(int code) {
        return with(draft -> draft.longestTimeout = code);
    }

    /** The same with another number of identifiers. */
    public CmOptions withMostIds(int count) {
        return with(draft -> draft.mostIds = count);
    }

    /** The same with another number of half-open connections. */
    public CmOptions withMostHalfOpen(int count) {
        return with(draft -> draft.mostHalfOpen = count);
    }

    /** The same with disconnects by the peer confirmed at once, or not. */
    public CmOptions withAnswersDisconnects(boolean value) {
        return with(draft -> draft.answersDisconnects = value);
    }

    /** The values of another one, to be changed. */
    private static final class Draft {
        private int packetLifeTime;
        private int responseTimeout;
        private int retries;
        private int ackDelay;
        private int longestTimeout;
        private int mostIds;
        private int mostHalfOpen;
        private boolean answersDisconnects;

        Draft(CmOptions from) {
            packetLifeTime = from.packetLifeTime;
            responseTimeout = from.responseTimeout;
            retries = from.retries;
            ackDelay = from.ackDelay;
            longestTimeout = from.longestTimeout;
            mostIds = from.mostIds;
            mostHalfOpen = from.mostHalfOpen;
            answersDisconnects = from.answersDisconnects;
        }
    }
}
