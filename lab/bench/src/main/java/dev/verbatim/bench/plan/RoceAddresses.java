// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.plan;

import java.util.Locale;

/**
 * Local addresses of both devices over RoCEv2, as text.
 *
 * @param active in this JVM
 * @param passive in the second JVM
 */
public record RoceAddresses(String active, String passive) {

    private static final int FIRST_NET = 160;
    private static final int NETS_MASK = 0x1f;

    /** Two of 127.0.0.0/8 that follow from the number of this process. */
    public static RoceAddresses ofProcess(long pid) {
        String net = String.format(Locale.ROOT, "127.%d.%d", FIRST_NET + (pid >> Byte.SIZE & NETS_MASK), pid & 0xff);
        return new RoceAddresses(net + ".1", net + ".2");
    }
}
