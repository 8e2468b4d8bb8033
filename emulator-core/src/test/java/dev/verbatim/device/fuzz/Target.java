// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

/**
 * Where a request of the peer goes: into a region or window, to its edge or beyond, with its key or one near it.
 *
 * @param fine how far it is from the place that was meant
 */
record Target(long address, int key, int fine) {

    /** Reads three bytes of the script. */
    static Target of(Script script, Estate estate, long lengthBytes) {
        int which = script.value();
        int where = script.value();
        int fine = (byte) script.mostly(0, 1, -1, 8, -8, 3, 64, 127, -128);
        int object = (which & 0x1f) % (estate.regions.length + estate.windows.length);
        long begin;
        int key;
        long size;
        if (object < estate.regions.length) {
            Region region = estate.regions[object];
            begin = region.address;
            key = which >> 5 == 6 ? region.lastLkey : region.lastRkey;
            size = region.lengthBytes;
        } else {
            Window window = estate.windows[object - estate.regions.length];
            begin = window.address;
            key = window.key;
            size = window.lengthBytes;
        }
        if (which >> 5 == 7) {
            key ^= 1 << (where & 0x1f);
        }
        long offset = switch (where % 8) {
            case 0, 1 -> 0;
            case 2 -> size - lengthBytes;
            case 3 -> size - lengthBytes + 1;
            case 4 -> size;
            case 5 -> -1;
            case 6 -> size / 2;
            default -> (long) (where >> 3) * Long.BYTES;
        };
        return new Target(begin + offset + fine, key, fine);
    }
}
