// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.request;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which packets of a request have had an effect in full. Usually they have it in order, and a number says it. */
public final class PacketProgress {

    private int contiguous;
    private @Nullable BitSet beyond;
    private int current = -1;
    private int currentBytes;
    private int parts;

    /** Adds bytes to a packet; returns their offset in it. A packet that is whole begins again. */
    public int add(int packet, int count, int packetBytes) {
        if (packet != current || currentBytes >= packetBytes) {
            current = packet;
            currentBytes = 0;
        }
        int offset = currentBytes;
        currentBytes += count;
        parts++;
        if (currentBytes >= packetBytes) {
            finish(packet);
        }
        return offset;
    }

    /** The packet is whole. */
    public void finish(int packet) {
        if (packet < contiguous) {
            return;
        }
        BitSet more = beyond;
        if (packet == contiguous) {
            contiguous++;
            while (more != null && more.get(contiguous)) {
                contiguous++;
            }
        } else {
            if (more == null) {
                more = new BitSet();
                beyond = more;
            }
            more.set(packet);
        }
    }

    public boolean has(int packet) {
        return packet < contiguous || (beyond != null && beyond.get(packet));
    }

    /** How many packets from the first on are whole without a gap. */
    public int contiguous() {
        return contiguous;
    }

    public boolean hasBegun() {
        return parts > 0 || contiguous > 0;
    }
}
