// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux permits this process: what it forbids is EPERM there, even if the device could not do it. */
public final class Privileges {

    private static final String EFFECTIVE = "CapEff:";

    /** Bit of {@code CAP_NET_RAW}. */
    private static final int NET_RAW = 13;

    private Privileges() {}

    /** Whether it has CAP_NET_RAW now. */
    public static boolean mayUseRawPackets() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(EFFECTIVE)) {
                    String digits = line.substring(EFFECTIVE.length()).trim();
                    return (Long.parseUnsignedLong(digits, 16) >>> NET_RAW & 1) != 0;
                }
            }
        } catch (IOException e) {
            return false; // no /proc
        }
        return false;
    }
}
