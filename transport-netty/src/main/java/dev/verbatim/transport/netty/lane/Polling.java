// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.lane;

/**
 * Program threads that poll, which drive the lane as long as they do: they look at the sockets themselves. Meanwhile the loop does not
 * wait for its sockets, since each packet would wake it for nothing; it only looks at them now and then.
 */
final class Polling {

    /** To look at the sockets is a system call for each; an empty poll is to cost a tenth of that. A power of two. */
    private static final int POLLS_BETWEEN_LOOKS = 8;

    /** A power of two. */
    private static final int POLLS_BETWEEN_YIELDS = 32;

    /** So many posts in a row may be alone; what is posted behind them is part of more, and so is what follows on more. */
    private static final int LONE_POSTS = 4;

    private static final int POSTS_OF_A_WRITE = 64;

    /** Looks that follow each other so soon are those of a program that polls all the time, which drives the lane by them. */
    private static final long LONGEST_GAP_NANOS = 100_000;

    /** What comes within this time is too near to let others run first. */
    private static final long LONGEST_QUICK_ANSWER_NANOS = 50_000;

    /** A program that has polled so recently is likely to look at its memory, and to post an answer to what it finds there. */
    private static final long ATTENTION_NANOS = 500_000;

    private static final long LONG_AGO_NANOS = 3_600_000_000_000L;

    private final NettyLane lane;
    private volatile long polledNanos;

    /** Of all threads together; that some are not counted does not matter. */
    private int polls;

    /** Those since the last poll that found nothing; as inexact. */
    private int posts;

    /** How many there were before that poll. */
    private int postsBefore;

    private long lookNanos;
    private long arrivals;
    private long arrivalNanos;

    /** Whether nothing has come for a while: others may run, who may be the ones that are waited for. */
    private boolean quiet;

    /** Whether the loop waits for its sockets, and does not come by until one of them is ready. */
    private volatile boolean loopWatches;

    Polling(NettyLane lane) {
        this.lane = lane;
        ends();
    }

    /**
     * A program posted: the first posts after a poll leave at once, each by a system call, unless it posted more than a few the last
     * time. Those behind them leave by the dozen, or when the program polls and finds nothing, or the loop comes by. From any thread,
     * not on the lane.
     *
     * @return whether what was posted is to leave now
     */
    boolean posted() {
        int count = ++posts;
        // The doorbell was rung before: a loop that watches from now on answers it first.
        return (count <= LONE_POSTS && postsBefore <= LONE_POSTS)
                || count % POSTS_OF_A_WRITE == 0
                || loopWatches
                || !isAttentive();
    }

    /** A program polled and found nothing. From any thread, not on the lane. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding makes nothing right; it makes a busy machine fair
    void polled() {
        int count = ++polls;
        int posted = posts;
        boolean inBurst = posted > LONE_POSTS || (posted > 0 && postsBefore > LONE_POSTS);
        if (posted != 0) {
            postsBefore = posted;
            posts = 0;
        }
        if (inBurst || lane.heldBack().isPending()) {
            // Found nothing, and posted nothing: it has no answer that these could wait for.
            if (lane.tryEnter()) {
                lane.leave();
            }
        } else if (count % POLLS_BETWEEN_LOOKS == 0) {
            look();
        }
        if (quiet && count % POLLS_BETWEEN_YIELDS == 0) {
            Thread.yield();
        }
    }

    private void look() {
        if (!lane.tryEnter()) {
            return;
        }
        try {
            if (!loopWatches) {
                lane.heldBack().open();
            }
            if (lane.readDirectly()) {
                long nowNanos = lane.nowNanos();
                if (nowNanos - lookNanos < LONGEST_GAP_NANOS) {
                    polledNanos = nowNanos;
                }
                lookNanos = nowNanos;
                if (arrivals != lane.arrivals()) {
                    arrivals = lane.arrivals();
                    arrivalNanos = nowNanos;
                }
                quiet = nowNanos - arrivalNanos > LONGEST_QUICK_ANSWER_NANOS;
            }
        } finally {
            lane.leave();
        }
    }

    /** A program will not poll for a while, and waits. From any thread. */
    void ends() {
        polledNanos = lane.clock().nanoTime() - LONG_AGO_NANOS;
    }

    /** Whether programs drive the lane at present. */
    boolean isGoingOn() {
        return lane.clock().nanoTime() - polledNanos < LONGEST_GAP_NANOS;
    }

    /** Whether a program has driven the lane recently, and did not wait since then. */
    boolean isAttentive() {
        return lane.clock().nanoTime() - polledNanos < ATTENTION_NANOS;
    }

    /** The loop is about to wait for its sockets: what others left to be done later is done now. On the loop, not on the lane. */
    void loopWatches() {
        lane.enterSoon();
        try {
            loopWatches = true;
            lane.leaveSocketsToLoop();
        } finally {
            lane.leave();
        }
    }

    /** The loop comes by again. On the loop. */
    void loopComesBy() {
        loopWatches = false;
    }

    boolean isWatchedByLoop() {
        return loopWatches;
    }
}
