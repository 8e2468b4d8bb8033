// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

import dev.verbatim.fabric.Clock;
import dev.verbatim.transport.netty.socket.TransportLimits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What the transport has to say, under the logger name {@value #NAME}. Strangers cause lines, so a fabric logs only so
 * many per second and counts the others. On the lane.
 */
public final class TransportLog {

    public static final String NAME = "dev.verbatim.transport";

    private static final Logger LOGGER = System.getLogger(NAME);
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final Clock clock;
    private long secondStartNanos;
    private int linesOfSecond;
    private long unsaid;

    TransportLog(Clock clock) {
        this.clock = clock;
        this.secondStartNanos = clock.nanoTime();
    }

    /** The ordinary coming and going of connections. */
    public void note(String line) {
        LOGGER.log(Level.DEBUG, line);
    }

    /** An error of a peer. */
    public void warn(String line) {
        if (maySpeak()) {
            LOGGER.log(Level.WARNING, withUnsaid(line));
        }
    }

    /** Something that code on the lane did wrong. */
    public void fault(String line, Throwable cause) {
        if (maySpeak()) {
            LOGGER.log(Level.ERROR, withUnsaid(line), cause);
        }
    }

    private boolean maySpeak() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - secondStartNanos >= SECOND_NANOS) {
            secondStartNanos = nowNanos;
            linesOfSecond = 0;
        }
        if (linesOfSecond == TransportLimits.MOST_LOG_LINES_PER_SECOND) {
            unsaid++;
            return false;
        }
        linesOfSecond++;
        return true;
    }

    private String withUnsaid(String line) {
        if (unsaid == 0) {
            return line;
        }
        String whole = line + " (and " + unsaid + " lines before this one were left out)";
        unsaid = 0;
        return whole;
    }
}
