// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.Arrays;

/** The elements of one posted work request, copied out of it (WR-12). */
public final class SgeList {

    /** The domain that the regions of its elements must be in: that of the queue it was posted to (MR-40, PD-06). */
    final PdIdentity pd;

    final long[] addresses;
    final int[] lkeys;
    final long[] lengths;
    int count;
    private long totalBytes;

    public SgeList(PdIdentity pd, int most) {
        this.pd = pd;
        addresses = new long[most];
        lengths = new long[most];
        lkeys = new int[most];
    }

    /** How many elements a request may have here. */
    public int most() {
        return addresses.length;
    }

    /** Whether there is one element, and no more. */
    public boolean isSingle() {
        return count == 1;
    }

    /** From now on there is none. */
    public void clear() {
        count = 0;
        totalBytes = 0;
    }

    /** Takes the elements of a request; returns how many bytes they have together. */
    public long copyFrom(SendWorkRequest request) {
        clear();
        int elementCount = request.elementCount();
        for (int i = 0; i < elementCount; i++) {
            add(request.elementAddress(i), request.elementLengthBytes(i), request.elementLkey(i));
        }
        return totalBytes;
    }

    public void copyFrom(ReceiveWorkRequest request) {
        clear();
        for (int i = 0; i < request.elementCount(); i++) {
            add(request.elementAddress(i), request.elementLengthBytes(i), request.elementLkey(i));
        }
    }

    /** From now on no element has a key that names anything. */
    public void loseKeys() {
        Arrays.fill(lkeys, 0);
    }

    private void add(long address, int unsignedLengthBytes, int lkey) {
        addresses[count] = address;
        long lengthBytes = Integer.toUnsignedLong(unsignedLengthBytes);
        lengths[count] = lengthBytes;
        lkeys[count] = lkey;
        totalBytes += lengthBytes;
        count++;
    }

    /** Bytes of all elements together. */
    public long totalBytes() {
        return totalBytes;
    }
}
