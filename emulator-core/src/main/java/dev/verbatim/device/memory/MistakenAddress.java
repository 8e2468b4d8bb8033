// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import java.util.Locale;

/** What an address that lies outside of a region may have been before it lost something on its way. */
final class MistakenAddress {

    private static final long LOWER_HALF = 0xffff_ffffL;

    private MistakenAddress() {}

    /** In words behind a sentence; empty if it looks like nothing known. */
    static String explain(long address, long begin, long coveredBytes) {
        long swapped = Long.reverseBytes(address);
        long halves = Long.rotateLeft(address, Integer.SIZE);
        String remedy = "; convert it once on each side (htobe64, be64toh)";
        if (covers(begin, coveredBytes, swapped)) {
            return hint("0x%x, its bytes in the other order, is there" + remedy, swapped);
        }
        if (covers(begin, coveredBytes, halves)) {
            return hint("0x%x, its halves in the other order, is there" + remedy, halves);
        }
        if (covers(begin, coveredBytes, Long.reverseBytes(halves))) {
            return hint(
                    "0x%x, the bytes of each half in the other order, is there" + remedy, Long.reverseBytes(halves));
        }
        if (isHalf(address)) {
            long whole = completed(address, begin, coveredBytes);
            if (whole != 0) {
                return hint("it is 0x%x without its upper half; an address has 64 bits", whole);
            }
            whole = completed(Integer.reverseBytes((int) address) & LOWER_HALF, begin, coveredBytes);
            if (whole != 0) {
                return hint(
                        "it is the lower half of 0x%x with its bytes in the other order; an address has 64 bits",
                        whole);
            }
        }
        if (begin != 0 && Long.compareUnsigned(address, coveredBytes) < 0) {
            return hint("0x%x looks like an offset; add it to the address of the memory", address);
        }
        return "";
    }

    private static String hint(String format, long address) {
        return ", and " + String.format(Locale.ROOT, format, address);
    }

    private static boolean covers(long begin, long coveredBytes, long address) {
        return Long.compareUnsigned(address - begin, coveredBytes) < 0;
    }

    /** Whether its upper half is empty, or the sign of the lower one. */
    private static boolean isHalf(long address) {
        return address >>> Integer.SIZE == 0 || address == (int) address;
    }

    /** The address in the range that has this lower half; 0 for none. */
    private static long completed(long lower, long begin, long coveredBytes) {
        if (begin >>> Integer.SIZE == 0) {
            return 0; // nothing was lost
        }
        long whole = (begin & ~LOWER_HALF) | (lower & LOWER_HALF);
        long next = whole + LOWER_HALF + 1;
        return covers(begin, coveredBytes, whole) ? whole : covers(begin, coveredBytes, next) ? next : 0;
    }
}
