// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * Faults of memory that its owner took away: a file that was cut while it was mapped, or memory of a C program that was unmapped.
 *
 * <p>HotSpot lets compiled code go on behind such an access, and throws {@link InternalError} at the next point where it can stop the
 * thread, which may be in another method, or in a step for another request. So {@link #raise} stands behind each access to bytes that
 * a device does not own, where that error can still be told from others.
 */
public final class MemoryFault {

    /** Always 1, which no compiler knows. */
    private static volatile int rounds = 1;

    private MemoryFault() {}

    /**
     * Throws now what an access of this thread has left to be thrown. It is the end of a round of a loop whose rounds are not known,
     * where HotSpot looks whether a thread is to stop. Java 17 does not look for faults there, and throws the error later.
     *
     * @throws InternalError if an access before it faulted
     */
    public static void raise() {
        for (int round = 0; round < rounds; round++) {
            // nothing but that
        }
    }
}
