// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric.carrier;

/**
 * Whether fabrics let plain requests take the fast path, on which they cross without a {@link dev.verbatim.wire.Packet}. No program can
 * tell; {@code -Dverbatim.fast-path=false} turns it off in tests that show so, and where a defect of it is suspected.
 */
public final class FastPath {

    private static final String SWITCH = "verbatim.fast-path";

    private FastPath() {}

    /** Whether fabrics that are opened now use it. */
    public static boolean isOn() {
        return !"false".equals(System.getProperty(SWITCH));
    }
}
