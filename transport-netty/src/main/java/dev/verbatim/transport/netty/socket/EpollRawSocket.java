// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;

/** A socket of Linux. Memory is named by its address; where that is unmapped, the system call says so. */
final class EpollRawSocket implements RawSocket {

    private static final int MOST_VECTORS = 64;
    private static final int VECTOR_BYTES = 2 * Long.BYTES;

    private static final ByteBuffer NOWHERE = ByteBuffer.allocateDirect(1);

    private final FileDescriptor socket;
    private final ByteBuffer vectors =
            ByteBuffer.allocateDirect(MOST_VECTORS * VECTOR_BYTES).order(ByteOrder.nativeOrder());
    private final long vectorsAddress = Buffer.memoryAddress(vectors);

    /** The address of a buffer serves it again at this place: since Java 22, asking for it makes an object. */
    private final ByteBuffer[] named = new ByteBuffer[MOST_VECTORS];

    private final long[] addresses = new long[MOST_VECTORS];

    private boolean retired;

    EpollRawSocket(FileDescriptor socket) {
        this.socket = socket;
        Arrays.fill(named, NOWHERE);
    }

    @Override
    public int read(ByteBuffer buffer, int from, int to, ByteBuffer next, int nextFrom, int nextTo) throws IOException {
        requireOpen();
        requireAlive(buffer, from);
        int read = socket.read(buffer, from, to);
        if (read < to - from || nextFrom == nextTo) {
            return read;
        }
        // That no more bytes are there, or the end, is found again by the next read.
        return read + Math.max(0, socket.read(next, nextFrom, nextTo));
    }

    @Override
    public long write(PendingBytes pieces) throws IOException {
        requireOpen();
        int count = Math.min(pieces.count(), MOST_VECTORS);
        for (int i = 0; i < count; i++) {
            requireAlive(pieces.buffer(i), pieces.from(i));
        }
        long written = count == 1
                ? socket.write(pieces.buffer(0), pieces.from(0), pieces.to(0))
                : socket.writevAddresses(vectorsOf(pieces, count), count);
        pieces.written(written);
        return written;
    }

    private long vectorsOf(PendingBytes pieces, int count) {
        for (int i = 0; i < count; i++) {
            vectors.putLong(i * VECTOR_BYTES, addressOf(pieces.buffer(i), i) + pieces.from(i));
            vectors.putLong(i * VECTOR_BYTES + Long.BYTES, pieces.to(i) - pieces.from(i));
        }
        return vectorsAddress;
    }

    @SuppressWarnings("ReferenceEquality")
    private long addressOf(ByteBuffer buffer, int place) {
        if (named[place] != buffer) {
            addresses[place] = Buffer.memoryAddress(buffer);
            named[place] = buffer;
        }
        return addresses[place];
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public void letGo(ByteBuffer memory) {
        for (int i = 0; i < MOST_VECTORS; i++) {
            if (named[i] == memory) {
                named[i] = NOWHERE;
            }
        }
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // another one may have the same number
    public boolean isOf(Object identity) {
        return socket == identity;
    }

    /** Netty's descriptor is a number, which a socket or file that was opened later may have. */
    private void requireOpen() throws ClosedChannelException {
        if (retired || !socket.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /** Java's own check, which throws if an arena was closed. It touches nothing: memory may be gone that no arena knows of. */
    private static void requireAlive(ByteBuffer buffer, int index) {
        NOWHERE.put(0, buffer, index, 0);
    }
}
