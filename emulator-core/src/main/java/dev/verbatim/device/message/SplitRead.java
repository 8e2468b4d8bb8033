// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.message;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.qp.PacketOutput;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.DeferredEffect;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.wire.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one packet while they are read from memory in parts, in any order, and other things happen in between: the source
 * of a SEND or WRITE (ORD-35), or what a READ asks for (ORD-40). The packet has its turn when all are there. Only where the lane
 * defers such parts; elsewhere a packet is read in the step in which it is sent. On the lane.
 */
public final class SplitRead {

    /** How a part is read. */
    @FunctionalInterface
    public interface Reader {

        /**
         * Adds a part to {@code payload}; null if it may be read.
         *
         * @param offset of its first byte in the packet
         */
        @Nullable
        Denial read(int offset, int lengthBytes, Payload payload);
    }

    private static final Part[] NO_PARTS = {};
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final QpContext qp;
    private final ChoicePoint point;
    private Part[] parts = NO_PARTS;
    private ByteBuffer bytes = NO_BYTES;
    private final Payload read = new Payload(1);
    private int missing;
    private int psn;
    private @Nullable Denial denial;

    private SplitRead(QpContext qp, ChoicePoint point) {
        this.qp = qp;
        this.point = point;
    }

    /** For the sources of what a queue pair sends; null where they are never read in parts. */
    static @Nullable SplitRead ofSources(QpContext qp) {
        return of(qp, ChoicePoint.GATHER_SPLIT);
    }

    /** For what the READs of its peer ask for; null where that is never read in parts. */
    public static @Nullable SplitRead ofFetches(QpContext qp) {
        return of(qp, ChoicePoint.FETCH_SPLIT);
    }

    private static @Nullable SplitRead of(QpContext qp, ChoicePoint point) {
        return qp.device().lane().defers(point) ? new SplitRead(qp, point) : null;
    }

    /** Whether parts are missing, so that nothing is to be sent. */
    public boolean isUnderWay() {
        return missing > 0;
    }

    /** Whether the packet of that number is being read, or was. */
    public boolean isOf(int number) {
        return parts.length > 0 && psn == number;
    }

    /** The number of the packet that is being read, or was. */
    public int psn() {
        return psn;
    }

    /**
     * Begins to read a packet, unless it has one part only; whether it did.
     *
     * @param ends where parts end, ascending; the last is the end of the packet
     */
    public boolean begin(int number, int[] ends, Reader reader) {
        forget();
        if (ends.length < 2) {
            return false;
        }
        psn = number;
        bytes = ByteBuffer.allocate(ends[ends.length - 1]);
        parts = new Part[ends.length];
        missing = ends.length;
        for (int i = 0; i < ends.length; i++) {
            int from = i == 0 ? 0 : ends[i - 1];
            parts[i] = new Part(from, ends[i] - from, reader);
            qp.device().lane().defer(parts[i]);
        }
        return true;
    }

    /** Adds what was read; null if all of it may be. */
    public @Nullable Denial take(Payload payload) {
        Denial refused = denial;
        if (refused == null) {
            payload.add(bytes, 0, bytes.capacity());
        }
        forget();
        return refused;
    }

    /** The packet is not to be sent, or not now: nothing more is read for it. */
    public void forget() {
        for (Part part : parts) {
            if (part.missing) {
                qp.device().lane().settle(part);
            }
        }
        missing = 0;
        parts = NO_PARTS;
        bytes = NO_BYTES;
        read.clear();
        denial = null;
    }

    private void read(Part part) {
        part.missing = false;
        missing--;
        if (denial == null) {
            denial = part.reader.read(part.from, part.lengthBytes, read);
            if (denial == null) {
                read.copyTo(0, bytes, part.from, part.lengthBytes);
            }
            read.clear();
        }
        if (missing == 0) {
            source().announce();
        }
    }

    /** What sends the packet, and has its turn when all parts are there. */
    private PacketOutput source() {
        return qp.output(point == ChoicePoint.GATHER_SPLIT);
    }

    private final class Part extends DeferredEffect {

        private final int from;
        private final int lengthBytes;
        private final Reader reader;
        private boolean missing = true;

        Part(int from, int lengthBytes, Reader reader) {
            super(point);
            this.from = from;
            this.lengthBytes = lengthBytes;
            this.reader = reader;
        }

        @Override
        public boolean isNext() {
            return true;
        }

        @Override
        public PacketSource awaitedBy() {
            return source();
        }

        @Override
        public void happen() {
            read(this);
        }

        @Override
        public String toString() {
            return source() + " reads bytes from " + from + " of psn=" + psn;
        }
    }
}
