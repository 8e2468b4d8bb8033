// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.jvm;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One end of a plain connection, with one direct buffer; it makes no objects once it is there. */
public final class PlainEnd implements AutoCloseable {

    private final SocketChannel channel;
    private final ByteBuffer buffer;
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);

    /** Takes over a connected channel. */
    public PlainEnd(SocketChannel channel, boolean blocking, int bufferBytes) throws IOException {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(bufferBytes);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /** Writes the whole buffer. */
    void writeAll() throws IOException {
        buffer.clear();
        write(buffer);
    }

    /** Fills the whole buffer. */
    void readAll() throws IOException {
        buffer.clear();
        read(buffer);
    }

    /** Writes what lies between the buffer's position and limit. */
    void writeRest() throws IOException {
        write(buffer);
    }

    /** Reads what is there into the rest of the buffer, at least a byte. */
    void readSome() throws IOException {
        int count = channel.read(buffer);
        while (count == 0) {
            count = channel.read(buffer);
        }
        if (count < 0) {
            throw new EOFException("the other end closed the connection");
        }
    }

    void writeOne() throws IOException {
        one.clear();
        write(one);
    }

    public void readOne() throws IOException {
        one.clear();
        read(one);
    }

    private void write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    private void read(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the other end closed the connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
