// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.transport.netty.socket.TransportLimits;
import java.nio.ByteBuffer;

/** Memory of a device that payloads land in: nothing else of it may change, and nothing at all once it was taken back. */
final class LandingGround {

    private static final int BEFORE_BYTES = 64;
    private static final int SIZE_BYTES = TransportLimits.LONGEST_LANDING_BYTES + 2 * BEFORE_BYTES;
    private static final int LAST_BYTES = Long.BYTES;
    private static final ByteBuffer UNTOUCHED = filled(ByteBuffer.allocate(SIZE_BYTES));

    private final ByteBuffer memory = filled(ByteBuffer.allocateDirect(SIZE_BYTES));
    private int grantedBytes;

    private static ByteBuffer filled(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 0x5a);
        }
        return buffer;
    }

    ByteBuffer memory() {
        return memory;
    }

    /** A payload of that length may land, all but its last bytes. */
    void grant(LandingPlace place, int payloadBytes) {
        assertUntouched();
        grantedBytes = payloadBytes - LAST_BYTES;
        place.set(memory, BEFORE_BYTES);
    }

    /** The memory is the program's again, which uses it for something else. */
    void takeBack() {
        assertOnlyGrantedChanged();
        memory.put(0, UNTOUCHED, 0, SIZE_BYTES);
        grantedBytes = 0;
    }

    private void assertOnlyGrantedChanged() {
        int end = BEFORE_BYTES + grantedBytes;
        assertThat(memory.slice(0, BEFORE_BYTES).mismatch(UNTOUCHED.slice(0, BEFORE_BYTES)))
                .as("a change before the granted bytes")
                .isNegative();
        assertThat(memory.slice(end, SIZE_BYTES - end).mismatch(UNTOUCHED.slice(end, SIZE_BYTES - end)))
                .as("a change behind the granted bytes")
                .isNegative();
    }

    private void assertUntouched() {
        assertThat(memory.mismatch(UNTOUCHED))
                .as("a change that was not granted")
                .isNegative();
    }
}
