// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Serves the connections of a listening socket on one daemon thread, one after the other. */
final class ConnectionServer implements AutoCloseable {

    /** What is done with a connection, which does not block; it is closed afterwards. */
    interface Service {
        void serve(SocketChannel peer) throws IOException;
    }

    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_WAITS = 40;
    private static final long WAIT_MILLIS = 50;
    private static final long PAUSE_NANOS = 1_000_000;

    private final ServerSocketChannel server;
    private final Service service;

    /** Held by the thread while it waits for a connection, and not while it serves one. */
    private final Semaphore accepting = new Semaphore(1);

    private ConnectionServer(ServerSocketChannel server, Service service) {
        this.server = server;
        this.service = service;
    }

    /** Serves a socket that listens from now on, until this is closed. */
    static ConnectionServer start(ServerSocketChannel server, String threadName, Service service) {
        ConnectionServer started = new ConnectionServer(server, service);
        Thread thread = new Thread(started::serveAll, threadName);
        thread.setDaemon(true);
        thread.start();
        return started;
    }

    private void serveAll() {
        while (server.isOpen()) {
            try (SocketChannel peer = accept()) {
                peer.configureBlocking(false);
                service.serve(peer);
            } catch (IOException | RuntimeException e) {
                // The peer went away, this server was closed, or there is no file descriptor at present.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private SocketChannel accept() throws IOException {
        accepting.acquireUninterruptibly();
        try {
            return server.accept();
        } finally {
            accepting.release();
        }
    }

    /** Reads to the end of what the peer sends, at most 64 KiB; for at most two seconds. */
    static String read(SocketChannel peer) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        transfer(peer, bytes, SelectionKey.OP_READ);
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    /** Writes the text; for at most two seconds. */
    static void write(SocketChannel peer, String text) throws IOException {
        transfer(peer, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), SelectionKey.OP_WRITE);
    }

    private static void transfer(SocketChannel peer, ByteBuffer bytes, int operation) throws IOException {
        boolean isWrite = operation == SelectionKey.OP_WRITE;
        try (Selector selector = Selector.open()) {
            peer.register(selector, operation);
            for (int waits = 0; waits < MOST_WAITS && bytes.hasRemaining(); waits++) {
                selector.select(WAIT_MILLIS);
                selector.selectedKeys().clear();
                if ((isWrite ? peer.write(bytes) : peer.read(bytes)) < 0) {
                    return;
                }
            }
        }
    }

    /** Closes a socket that is not used any more, if there is one. */
    static void closeQuietly(@Nullable ServerSocketChannel unused) {
        if (unused != null) {
            try {
                unused.close();
            } catch (IOException e) {
                // Nobody listens any more all the same.
            }
        }
    }

    /**
     * Stops listening; does nothing if that was done. The system listens for as long as a thread is in its call to accept, so this
     * waits until the server's has left it.
     */
    @Override
    public void close() {
        closeQuietly(server);
        accepting.acquireUninterruptibly();
        accepting.release();
    }
}
