// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

/**
 * What one packet may touch, as it says itself.
 *
 * @param address the first byte, as peers name it
 * @param lengthBytes how many; {@link #UNSAID} if the packet does not say where, as it goes on with a message
 */
record Touch(long address, long lengthBytes) {

    static final long UNSAID = -1;

    static final Touch ANYWHERE = new Touch(0, UNSAID);

    boolean names(long byteAddress) {
        return lengthBytes == UNSAID || (byteAddress - address >= 0 && byteAddress - address < lengthBytes);
    }
}
