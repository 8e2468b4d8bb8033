// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket of Java. */
final class NioRawSocket implements RawSocket {

    private final SocketChannel channel;
    private final PendingBytes one = new PendingBytes();
    private final PendingBytes two = new PendingBytes();

    NioRawSocket(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer buffer, int from, int to, ByteBuffer next, int nextFrom, int nextTo) throws IOException {
        // Each remembers its own views.
        PendingBytes ranges = nextTo > nextFrom ? two : one;
        ranges.clear();
        ranges.add(buffer, from, to - from);
        if (nextTo == nextFrom) {
            return channel.read(ranges.views()[0]);
        }
        ranges.add(next, nextFrom, nextTo - nextFrom);
        return (int) channel.read(ranges.views(), 0, ranges.count());
    }

    @Override
    public long write(PendingBytes pieces) throws IOException {
        // For more than one Java makes an object each where memory belongs to an arena, as Netty's does since Java 25.
        long written = pieces.count() == 1
                ? channel.write(pieces.views()[pieces.firstView()])
                : channel.write(pieces.views(), pieces.firstView(), pieces.count());
        pieces.written(written);
        return written;
    }

    @Override
    public boolean isOf(Object identity) {
        return channel.equals(identity);
    }

    /** Drops views of memory that has been deregistered. */
    @Override
    public void letGo(ByteBuffer memory) {
        one.letGo(memory);
        two.letGo(memory);
    }
}
