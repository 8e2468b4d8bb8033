// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The packet that a queue pair of the device filled last. A packet shows memory and does not copy it; whoever carries it
 * empties it in the same step of the lane. A tap can deregister what it shows within that step.
 */
public final class CurrentPacket {

    private @Nullable Packet packet;

    /** A queue pair is about to fill this packet. */
    public void is(Packet filled) {
        packet = filled;
    }

    /** From now on the packet has bytes of its own if it showed bytes of the region (MR-54). */
    void detach(EmulatedMemoryRegion region) {
        Packet shown = packet;
        if (shown != null) {
            region.forEachBuffer(buffer -> detach(shown.payload(), buffer));
        }
    }

    private static void detach(Payload payload, ByteBuffer buffer) {
        if (shows(payload, buffer)) {
            byte[] bytes = payload.toBytes();
            payload.clear();
            payload.add(ByteBuffer.wrap(bytes), 0, bytes.length);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a region has buffer objects of its own
    private static boolean shows(Payload payload, ByteBuffer buffer) {
        for (int i = 0; i < payload.pieces(); i++) {
            if (payload.buffer(i) == buffer) {
                return true;
            }
        }
        return false;
    }
}
