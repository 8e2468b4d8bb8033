// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

import java.util.Arrays;

/** The elements of a request that is refilled, without an object for each; it grows to the most that it ever had. */
final class ElementRoom {

    private long[] addresses;
    private int[] lengths;
    private int[] lkeys;
    private int count;

    ElementRoom(int elements) {
        addresses = new long[elements];
        lengths = new int[elements];
        lkeys = new int[elements];
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    void add(long address, int lengthBytes, int lkey) {
        if (count == lkeys.length) {
            int more = Math.max(4, 2 * count);
            addresses = Arrays.copyOf(addresses, more);
            lengths = Arrays.copyOf(lengths, more);
            lkeys = Arrays.copyOf(lkeys, more);
        }
        addresses[count] = address;
        lengths[count] = lengthBytes;
        lkeys[count] = lkey;
        count++;
    }

    /** Has what the other has from now on. */
    void copyFrom(ElementRoom other) {
        clear();
        for (int i = 0; i < other.count; i++) {
            add(other.addresses[i], other.lengths[i], other.lkeys[i]);
        }
    }

    long address(int index) {
        return addresses[index];
    }

    int lengthBytes(int index) {
        return lengths[index];
    }

    int lkey(int index) {
        return lkeys[index];
    }

    Sge[] toArray() {
        Sge[] all = new Sge[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Sge(addresses[i], lengths[i], lkeys[i]);
        }
        return all;
    }
}
