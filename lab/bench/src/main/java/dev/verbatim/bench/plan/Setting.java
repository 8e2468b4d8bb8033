// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What carries the packets, and who drives it. */
public enum Setting {
    IN_PROCESS("in-process", "polling", 1),
    TCP_BLOCKING("tcp", "blocking", 3),
    TCP_SPINNING("tcp", "spinning", 2),

    /** Both devices in one JVM, driven in turn by one thread: its processor time is that of both sides, on a busy machine too. */
    TCP_ALTERNATING("tcp", "alternating", 1),
    ROCE_BLOCKING("roce", "blocking", 3),
    ROCE_SPINNING("roce", "spinning", 2),

    /** Without ICRC, to show what that costs. */
    ROCE_NO_ICRC_SPINNING("roce-no-icrc", "spinning", 2);

    private final String fabric;
    private final String mode;
    private final int runnableThreads;

    Setting(String fabric, String mode, int runnableThreads) {
        this.fabric = fabric;
        this.mode = mode;
        this.runnableThreads = runnableThreads;
    }

    /** in-process, tcp, roce or roce-no-icrc. */
    public String fabric() {
        return fabric;
    }

    /** How the program waits: blocking parks it on a completion channel, the others keep it polling. */
    public String mode() {
        return mode;
    }

    /** Threads of both sides that may want to run at a time. */
    public int runnableThreads() {
        return runnableThreads;
    }

    /** Why this many processors are too few for it, and what to do; null if they are enough. */
    public @Nullable String refusal(int processors) {
        return isRemote() && isSpinning() && processors < runnableThreads
                ? "spinning keeps " + runnableThreads + " threads running all the time, but there is " + processors
                        + " processor; measure with --mode blocking, or where there are " + runnableThreads
                : null;
    }

    /** Whether the passive device is in a second JVM. */
    public boolean isRemote() {
        return this != IN_PROCESS && !isAlternating();
    }

    /** Whether one thread drives both sides, over sockets. */
    public boolean isAlternating() {
        return this == TCP_ALTERNATING;
    }

    public boolean isTcp() {
        return this == TCP_BLOCKING || this == TCP_SPINNING || isAlternating();
    }

    public boolean isRoce() {
        return this != IN_PROCESS && !isTcp();
    }

    public boolean isSpinning() {
        return mode.equals("spinning");
    }

    public boolean hasIcrc() {
        return isRoce() && this != ROCE_NO_ICRC_SPINNING;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
