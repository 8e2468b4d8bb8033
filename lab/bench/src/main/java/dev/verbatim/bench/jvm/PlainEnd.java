// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/** One end of a plain connection, with one direct buffer; it makes no objects once it is there. */
public final class PlainEnd implements AutoCloseable {

    private static final int BUFFER_OF_SOCKET_BYTES = 4 << 20;
    private static final long NANOS_BETWEEN_QUESTIONS = 10_000_000;

    private final ByteChannel channel;
    private final ByteBuffer buffer;
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);

    private final ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);
    private long sentBytes = 1;
    private long receivedBytes = 1;

    /** Takes over a connected channel. */
    public PlainEnd(SocketChannel channel, boolean blocking, int bufferBytes) throws IOException {
        this(channel, bufferBytes);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
    }

    /** Takes over a connected channel, which gets buffers like those of a RoCEv2 carrier. */
    public PlainEnd(DatagramChannel channel, boolean blocking, int bufferBytes) throws IOException {
        this(channel, bufferBytes);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_OF_SOCKET_BYTES);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_OF_SOCKET_BYTES);
        channel.configureBlocking(blocking);
    }

    private PlainEnd(ByteChannel channel, int bufferBytes) {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(bufferBytes);
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

    public void writeOne() throws IOException {
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

    /** Receives datagrams until one of a byte asks how many bytes came, and says so. Such of the round before are left out. */
    void receiveUntilAsked() throws IOException {
        long received = 0;
        while (true) {
            buffer.clear();
            int bytes = channel.read(buffer);
            if (bytes > 1) {
                received += bytes;
            } else if (bytes == 1 && received > 0) {
                count.clear();
                count.putLong(received).flip();
                write(count);
                return;
            }
        }
    }

    /** Asks the other end how many bytes it has received, again and again until it says it. */
    void askReceived(long sent) throws IOException {
        count.clear();
        long askedNanos = System.nanoTime() - NANOS_BETWEEN_QUESTIONS;
        while (count.hasRemaining()) {
            if (System.nanoTime() - askedNanos >= NANOS_BETWEEN_QUESTIONS) {
                askedNanos = System.nanoTime();
                writeOne();
            }
            channel.read(count);
        }
        sentBytes = sent;
        receivedBytes = Math.max(1, count.flip().getLong());
    }

    /** How many bytes were sent in the last round for each that was received; 1 where nothing can be lost. */
    public double sentToReceived() {
        return (double) sentBytes / receivedBytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
