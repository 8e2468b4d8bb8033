// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * How a {@link NettyFabric} behaves. Start from {@link #defaults()} and change what matters.
 *
 * @param helloTimeoutNanos within which both ends of a new connection must have named themselves, more than 0; 5 s
 * @param dialTimeoutNanos within which {@link NettyFabric#dial} must have succeeded, more than 0; 10 s
 * @param redialPatienceNanos for how long after a link was last wanted a broken connection is dialled anew, at least 0; 60 s
 * @param maxConnections accepted connections at a time, at least 1; 256. One that has said its hello costs 256 KiB of
 *     direct memory
 * @param socketBufferBytes size of the operating system's send and receive buffers, 0 to leave them alone; 0
 * @param checksum whether to protect each packet with a CRC32C, if the peer wants that too; false
 * @param randomness where incarnations, tickets, GUIDs and seeds of keys are drawn from; {@link SecureRandom}
 */
public record NettyOptions(
        long helloTimeoutNanos,
        long dialTimeoutNanos,
        long redialPatienceNanos,
        int maxConnections,
        int socketBufferBytes,
        boolean checksum,
        LongSupplier randomness) {

    private static final long SECOND_NANOS = 1_000_000_000L;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public NettyOptions {
        requireAtLeast("helloTimeoutNanos", helloTimeoutNanos, 1);
        requireAtLeast("dialTimeoutNanos", dialTimeoutNanos, 1);
        requireAtLeast("redialPatienceNanos", redialPatienceNanos, 0);
        requireAtLeast("maxConnections", maxConnections, 1);
        requireAtLeast("socketBufferBytes", socketBufferBytes, 0);
    }

    /** The values named above. */
    public static NettyOptions defaults() {
        LongSupplier randomness = new SecureRandom()::nextLong;
        return new NettyOptions(5 * SECOND_NANOS, 10 * SECOND_NANOS, 60 * SECOND_NANOS, 256, 0, false, randomness);
    }

    public NettyOptions withHelloTimeoutNanos(long nanos) {
        return new NettyOptions(
                nanos, dialTimeoutNanos, redialPatienceNanos, maxConnections, socketBufferBytes, checksum, randomness);
    }

    public NettyOptions withDialTimeoutNanos(long nanos) {
        return new NettyOptions(
                helloTimeoutNanos, nanos, redialPatienceNanos, maxConnections, socketBufferBytes, checksum, randomness);
    }

    public NettyOptions withRedialPatienceNanos(long nanos) {
        return new NettyOptions(
                helloTimeoutNanos, dialTimeoutNanos, nanos, maxConnections, socketBufferBytes, checksum, randomness);
    }

    public NettyOptions withMaxConnections(int connections) {
        return new NettyOptions(
                helloTimeoutNanos,
                dialTimeoutNanos,
                redialPatienceNanos,
                connections,
                socketBufferBytes,
                checksum,
                randomness);
    }

    public NettyOptions withSocketBufferBytes(int bytes) {
        return new NettyOptions(
                helloTimeoutNanos, dialTimeoutNanos, redialPatienceNanos, maxConnections, bytes, checksum, randomness);
    }

    public NettyOptions withChecksum(boolean wanted) {
        return new NettyOptions(
                helloTimeoutNanos,
                dialTimeoutNanos,
                redialPatienceNanos,
                maxConnections,
                socketBufferBytes,
                wanted,
                randomness);
    }

    public NettyOptions withRandomness(LongSupplier source) {
        return new NettyOptions(
                helloTimeoutNanos,
                dialTimeoutNanos,
                redialPatienceNanos,
                maxConnections,
                socketBufferBytes,
                checksum,
                source);
    }

    /** A random number other than 0. */
    long draw() {
        long drawn = randomness.getAsLong();
        while (drawn == 0) {
            drawn = randomness.getAsLong();
        }
        return drawn;
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " < " + least);
        }
    }
}
