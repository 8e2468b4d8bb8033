// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The bytes that were gathered, or fetched, for one packet; more than once if it was sent again. */
final class PacketData {

    private static final int MOST_VERSIONS = 16;

    private final List<ByteBuffer> versions = new ArrayList<>(1);
    private byte[] building = {};
    private int built;
    private boolean forgotten;

    /** Adds the next bytes of the packet, which is so long; returns whether it is whole now and differs from before. */
    boolean add(ByteBuffer piece, int offset, int packetBytes) {
        int count = piece.remaining();
        if (offset == 0 && count >= packetBytes) {
            return addVersion(piece);
        }
        if (offset == 0) {
            building = new byte[packetBytes];
        }
        if (building.length == packetBytes && offset + count <= packetBytes) {
            piece.get(piece.position(), building, offset, count);
            built = offset + count;
            if (built == packetBytes) {
                ByteBuffer whole = ByteBuffer.wrap(building);
                building = new byte[0];
                return addVersion(whole);
            }
        }
        return false;
    }

    private boolean addVersion(ByteBuffer version) {
        for (ByteBuffer known : versions) {
            if (known.mismatch(version) < 0) {
                return false;
            }
        }
        if (versions.size() == MOST_VERSIONS) {
            forgotten = true;
            versions.remove(0);
        }
        versions.add(version);
        return versions.size() > 1;
    }

    boolean isEmpty() {
        return versions.isEmpty();
    }

    /** Whether versions were too many to keep. */
    boolean isIncomplete() {
        return forgotten;
    }

    /** The number of the version that has these bytes at that offset, the oldest of them; -1 if none has. */
    int find(ByteBuffer piece, int offset) {
        int count = piece.remaining();
        for (int i = 0; i < versions.size(); i++) {
            ByteBuffer version = versions.get(i);
            if (offset + count <= version.remaining()
                    && version.slice(version.position() + offset, count).mismatch(piece) < 0) {
                return i;
            }
        }
        return -1;
    }
}
