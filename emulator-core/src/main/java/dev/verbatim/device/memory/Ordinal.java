// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/** Ordinal numbers in sentences. */
final class Ordinal {

    private static final int TEN = 10;
    private static final int HUNDRED = 100;

    private Ordinal() {}

    /** Such as 1st, 2nd, 11th. */
    static String of(int number) {
        boolean teen = number % HUNDRED / TEN == 1;
        return number
                + switch (teen ? 0 : number % TEN) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
