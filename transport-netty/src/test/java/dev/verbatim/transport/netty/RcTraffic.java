// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One side asks the other for a stream of WRITEs, READs and atomics, round by round, and sees that every one is done once:
 * a READ returns what the WRITE before it brought, and each FETCH_ADD finds what the one before it left.
 */
final class RcTraffic implements AutoCloseable {

    private static final int LANES = 4;
    private static final int MESSAGE_BYTES = 4000;
    private static final int RESULTS = 8;
    private static final int SOURCE = 1024;
    private static final int LANDING = SOURCE + LANES * MESSAGE_BYTES;
    private static final int TARGET = LANDING + LANES * MESSAGE_BYTES;

    private final Side side;
    private final long peerAddress;
    private final int peerKey;
    private final Thread thread = new Thread(this::run, "rc-traffic");
    private volatile boolean ending;
    private int rounds;
    private @Nullable Throwable failure;

    private RcTraffic(Side side, long peerAddress, int peerKey) {
        this.side = side;
        this.peerAddress = peerAddress;
        this.peerKey = peerKey;
    }

    /** Goes on until it is ended; the two regions are its own. */
    static RcTraffic begin(Side side, long peerAddress, int peerKey) {
        RcTraffic traffic = new RcTraffic(side, peerAddress, peerKey);
        traffic.thread.setDaemon(true);
        traffic.thread.start();
        return traffic;
    }

    /** Atomics of so many rounds. */
    static long atomics(int rounds) {
        return (long) rounds * LANES;
    }

    synchronized int rounds() {
        return rounds;
    }

    /** Waits until so many rounds more are done. */
    void awaitRounds(int more) {
        int wanted = rounds() + more;
        Await.until("round " + wanted, () -> rounds() >= wanted || hasFailed(), () -> "round " + rounds());
    }

    private synchronized boolean hasFailed() {
        return failure != null;
    }

    /** Ends it after the present round; how many there were. */
    int end() {
        ending = true;
        Await.end(thread);
        Throwable reason = failure;
        if (reason != null) {
            throw new AssertionError("round " + rounds + " failed", reason);
        }
        return rounds;
    }

    @Override
    public void close() {
        ending = true;
    }

    private void run() {
        try {
            while (!ending) {
                round();
                synchronized (this) {
                    rounds++;
                }
            }
        } catch (RuntimeException | AssertionError e) {
            synchronized (this) {
                failure = e;
            }
        }
    }

    private void round() {
        ByteBuffer bytes = side.bytes();
        for (int lane = 0; lane < LANES; lane++) {
            int from = lane * MESSAGE_BYTES;
            for (int i = 0; i < MESSAGE_BYTES; i += Integer.BYTES) {
                bytes.putInt(SOURCE + from + i, rounds * LANES + lane + i);
            }
            long there = peerAddress + TARGET + from;
            side.qp.postSend(SendWorkRequest.fetchAndAdd(
                    1, peerAddress, peerKey, 1, side.sge(RESULTS + Long.BYTES * lane, Long.BYTES)));
            side.qp.postSend(SendWorkRequest.write(2, there, peerKey, side.sge(SOURCE + from, MESSAGE_BYTES)));
            side.qp.postSend(SendWorkRequest.read(3, there, peerKey, side.sge(LANDING + from, MESSAGE_BYTES)));
        }
        for (int lane = 0; lane < LANES; lane++) {
            assertThat(side.sent()).isSuccess().hasOpcode(WcOpcode.FETCH_ADD);
            assertThat(side.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_WRITE);
            assertThat(side.sent()).isSuccess().hasOpcode(WcOpcode.RDMA_READ);
            assertThat(bytes.getLong(RESULTS + Long.BYTES * lane)).isEqualTo(atomics(rounds) + lane);
        }
        assertThat(bytes.slice(LANDING, LANES * MESSAGE_BYTES)).isEqualTo(bytes.slice(SOURCE, LANES * MESSAGE_BYTES));
    }
}
