// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** What is done over a plain {@code SocketChannel} or {@code DatagramChannel} to have a yardstick: both ends of it. */
public enum Plain {

    /** The active end writes messages, the passive end reads them into one buffer and says at the end that it has all. */
    WRITES("plain stream", true) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            for (int i = 0; i < operations; i++) {
                end.writeAll();
            }
            end.readOne();
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            for (int i = 0; i < operations; i++) {
                end.readAll();
            }
            end.writeOne();
        }
    },

    /** The same in the other direction. */
    READS("plain stream", true) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            for (int i = 0; i < operations; i++) {
                end.readAll();
            }
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            for (int i = 0; i < operations; i++) {
                end.writeAll();
            }
        }
    },

    /** A message there, a message back, both ends waiting in the operating system. */
    PING_PONG("plain ping-pong", true) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            pingPong(end, operations, latencies);
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            echo(end, operations);
        }
    },

    /** The same, both ends asking the operating system again and again. */
    SPINNING_PING_PONG("spinning ping-pong", false) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            pingPong(end, operations, latencies);
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            echo(end, operations);
        }
    },

    /** Frames of 24 bytes, many in one write: each is built and read field by field. */
    FRAMES("plain 24 B frames", true) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            ByteBuffer batch = end.buffer();
            int sent = 0;
            while (sent < operations) {
                batch.clear();
                while (sent < operations && batch.remaining() >= FRAME_BYTES) {
                    batch.putLong(sent).putLong(~sent).putLong(sent);
                    sent++;
                }
                batch.flip();
                end.writeRest();
            }
            end.readOne();
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            ByteBuffer batch = end.buffer();
            batch.clear();
            int received = 0;
            while (received < operations) {
                end.readSome();
                batch.flip();
                while (batch.remaining() >= FRAME_BYTES) {
                    long first = batch.getLong();
                    if (first != ~batch.getLong() || first != batch.getLong()) {
                        throw new IOException("frame " + received + " is damaged");
                    }
                    received++;
                }
                batch.compact();
            }
            end.writeOne();
        }
    },

    /**
     * UDP: the active end sends datagrams as fast as it can, and the passive end receives what is not dropped. In the end it is
     * asked, until it answers, how many bytes it has.
     */
    DATAGRAMS("plain datagrams", false) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            for (int i = 0; i < operations; i++) {
                end.writeAll();
            }
            end.askReceived((long) operations * end.buffer().capacity());
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            end.receiveUntilAsked();
        }
    },

    /** UDP: a datagram there, a datagram back, both ends waiting in the operating system. */
    DATAGRAM_PING_PONG("datagram ping-pong", true) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            pingPong(end, operations, latencies);
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            echo(end, operations);
        }
    },

    /** The same, both ends asking the operating system again and again. */
    SPINNING_DATAGRAM_PING_PONG("spinning datagrams", false) {
        @Override
        public void active(PlainEnd end, int operations, Histogram latencies) throws IOException {
            pingPong(end, operations, latencies);
        }

        @Override
        void passive(PlainEnd end, int operations) throws IOException {
            echo(end, operations);
        }
    };

    /** As large as one of our write batches. */
    public static final int FRAMES_BUFFER_BYTES = 96 << 10;

    /** About what a READ of 8 bytes and its response are on the wire. */
    public static final int PING_BYTES = 32;

    /** BTH and ICRC, which a packet has besides its payload. */
    public static final int PACKET_OVERHEAD_BYTES = 16;

    private static final int FRAME_BYTES = 24;

    private final String title;
    private final boolean blocking;

    Plain(String title, boolean blocking) {
        this.title = title;
        this.blocking = blocking;
    }

    public String title() {
        return title;
    }

    public boolean blocking() {
        return blocking;
    }

    /** Whether it is done with UDP. */
    public boolean isDatagrams() {
        return this == DATAGRAMS || this == DATAGRAM_PING_PONG || this == SPINNING_DATAGRAM_PING_PONG;
    }

    public abstract void active(PlainEnd end, int operations, Histogram latencies) throws IOException;

    abstract void passive(PlainEnd end, int operations) throws IOException;

    private static void pingPong(PlainEnd end, int operations, Histogram latencies) throws IOException {
        long lastNanos = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            end.writeAll();
            end.readAll();
            long nowNanos = System.nanoTime();
            latencies.recordValue(nowNanos - lastNanos);
            lastNanos = nowNanos;
        }
    }

    private static void echo(PlainEnd end, int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            end.readAll();
            end.writeAll();
        }
    }
}
