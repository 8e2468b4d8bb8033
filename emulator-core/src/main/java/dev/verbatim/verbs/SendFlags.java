// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Flags of a send work request ({@code enum ibv_send_flags}). */
public final class SendFlags {

    /** Do not start before all earlier READs and atomics of this send queue have completed (ORD-19). */
    public static final int FENCE = 1;

    /** Produce a completion on success too (WR-16). */
    public static final int SIGNALED = 1 << 1;

    /** Set the solicited-event bit of the message's last packet (WR-21). */
    public static final int SOLICITED = 1 << 2;

    /** Copy the data when the request is posted; local keys are ignored (WR-22). */
    public static final int INLINE = 1 << 3;

    /** Checksum offload; no effect. */
    public static final int IP_CSUM = 1 << 4;

    private SendFlags() {}

    /** The names of the set bits joined by {@code |}, {@code 0} for none. */
    public static String describe(int flags) {
        return FlagNames.describe(flags, "FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CSUM");
    }
}
