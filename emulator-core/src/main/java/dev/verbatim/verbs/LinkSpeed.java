// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Signalling rate of a lane of a port ({@code active_speed}). */
public enum LinkSpeed {
    /** 2.5 Gbit/s. */
    SDR(1, 25),
    /** 5 Gbit/s. */
    DDR(2, 50),
    /** 10 Gbit/s. */
    QDR(4, 100),
    /** 10.3125 Gbit/s. */
    FDR10(8, 100),
    /** 14.0625 Gbit/s. */
    FDR(16, 140),
    /** 25.78125 Gbit/s. */
    EDR(32, 250),
    /** 50 Gbit/s. */
    HDR(64, 500),
    /** 100 Gbit/s. */
    NDR(128, 1000);

    private final int number;
    private final int rate;

    LinkSpeed(int number, int rate) {
        this.number = number;
        this.rate = rate;
    }

    /** Its number in {@code active_speed}. */
    public int number() {
        return number;
    }

    /** Of one lane, in units of 100 Mbit/s, as {@code ibv_query_port_speed} counts. */
    public int rate() {
        return rate;
    }
}
