// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/** Ranges of addresses in unsigned arithmetic that cannot wrap. */
final class AddressRange {

    private AddressRange() {}

    /** Whether {@code count} bytes from {@code from} on lie within {@code lengthBytes} bytes from {@code address} on (MR-22, MR-23). */
    static boolean covers(long address, long lengthBytes, long from, long count) {
        long into = from - address;
        return Long.compareUnsigned(from, address) >= 0
                && Long.compareUnsigned(count, lengthBytes) <= 0
                && Long.compareUnsigned(into, lengthBytes - count) <= 0;
    }
}
