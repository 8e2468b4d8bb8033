// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The socket of a channel, to be read and written without a copy in between, where its transport lets us. On the lane. */
public interface RawSocket {

    /** The socket of a channel; null if its transport has the bytes for itself. */
    static @Nullable RawSocket of(SocketChannel channel) {
        if (channel instanceof DirectNioSocketChannel nio) {
            return new NioRawSocket(nio.raw());
        }
        // The class may not be there at all, and then no channel can be of it.
        return channel.getClass().getSimpleName().equals("EpollSocketChannel")
                ? new EpollRawSocket(((EpollSocketChannel) channel).fd())
                : null;
    }

    /**
     * Reads into a range of one buffer and then, if that is full, into a range of another.
     *
     * @return the bytes that were read, 0 if there are none at present, -1 if there will be none any more
     */
    int read(ByteBuffer buffer, int from, int to, ByteBuffer next, int nextFrom, int nextTo) throws IOException;

    /** Writes the beginning of the pieces and removes it from them; returns the number of bytes, 0 if the socket is full. */
    long write(PendingBytes pieces) throws IOException;

    /** Whether it is the one of this channel of Java or file descriptor of Netty. */
    boolean isOf(Object identity);

    /**
     * The loop is about to close it, and the operating system may give its number to another: from now on reads and writes throw. On the
     * lane.
     */
    default void retire() {}

    /** Drops cached views of memory that has been deregistered. */
    default void letGo(ByteBuffer memory) {}
}
