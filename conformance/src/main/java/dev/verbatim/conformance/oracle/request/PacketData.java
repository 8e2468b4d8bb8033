// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.request;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The bytes that were gathered, or fetched, for one packet; more than once if it was sent again. */
public final class PacketData {

    private static final int MOST_VERSIONS = 16;

    private final List<ByteBuffer> versions = new ArrayList<>(1);
    private final List<Part> parts = new ArrayList<>(0);
    private int partsBytes;
    private boolean forgotten;

    /** Bytes of the packet that were read in one piece. */
    private record Part(int offset, ByteBuffer data) {

        int end() {
            return offset + data.remaining();
        }

        boolean overlaps(Part other) {
            return offset < other.end() && other.offset < end();
        }
    }

    /**
     * Adds bytes of the packet, which is so long; returns whether it is whole now and differs from before. It is read in parts, in any
     * order (ORD-35, ORD-40), or perhaps again from the beginning before all were there: so the newest that do not overlap count.
     */
    public boolean add(ByteBuffer piece, int offset, int packetBytes) {
        if (offset == 0 && piece.remaining() >= packetBytes) {
            forgetParts(parts.size());
            return addVersion(piece);
        }
        Part added = new Part(offset, piece);
        if (added.end() > packetBytes) {
            return false;
        }
        for (int i = parts.size() - 1; i >= 0; i--) {
            if (parts.get(i).overlaps(added)) {
                forgetParts(i + 1);
                break;
            }
        }
        parts.add(added);
        partsBytes += piece.remaining();
        if (partsBytes != packetBytes) {
            return false;
        }
        byte[] whole = new byte[packetBytes];
        for (Part part : parts) {
            part.data.duplicate().get(whole, part.offset, part.data.remaining());
        }
        return addVersion(ByteBuffer.wrap(whole));
    }

    /** The oldest so many. */
    private void forgetParts(int count) {
        List<Part> oldest = parts.subList(0, count);
        for (Part part : oldest) {
            partsBytes -= part.data.remaining();
        }
        oldest.clear();
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

    public boolean isEmpty() {
        return versions.isEmpty();
    }

    /** Whether versions were too many to keep. */
    public boolean isIncomplete() {
        return forgotten;
    }

    /** The number of the version that has these bytes at that offset, the oldest of them; -1 if none has. */
    public int find(ByteBuffer piece, int offset) {
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
