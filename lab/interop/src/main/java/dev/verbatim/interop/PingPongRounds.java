// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** The messages of {@link PingPong}: a side sends again when its last message is complete and the next has come. */
final class PingPongRounds {

    private static final int SENT = 1;
    private static final int RECEIVED = 2;
    private static final int BOTH = SENT | RECEIVED;
    private static final int STEP = 31;
    private static final int PAGE_BYTES = 4096;

    private final PingPongQueues queues;
    private final PingPongOptions options;
    private final boolean first;
    private final CompletionWait wait;
    private final int[] pending;
    private int received;
    private int sent;

    /**
     * The messages of one side.
     *
     * @param first whether this side sends first: the client does, and chooses what the messages hold
     */
    PingPongRounds(PingPongQueues queues, PingPongOptions options, boolean first) {
        this.queues = queues;
        this.options = options;
        this.first = first;
        this.wait = new CompletionWait(queues.cq(), options.patience());
        this.pending = new int[options.queuePairs()];
    }

    PingPong.Result run() {
        long began = System.nanoTime();
        fill();
        for (int index = 0; index < pending.length; index++) {
            pending[index] = RECEIVED;
            if (first) {
                send(index);
            }
        }
        while (received < options.iterations() || sent < options.iterations()) {
            WorkCompletion completion = wait.next("message " + received + " of " + options.iterations());
            int index = queues.indexOf(completion.qpNumber());
            if (completion.id() == PingPongQueues.RECEIVE_ID) {
                received(completion, index);
            } else {
                sent++;
                pending[index] &= ~SENT;
            }
            if (sent < options.iterations() && pending[index] == 0) {
                send(index);
            }
        }
        return new PingPong.Result(
                2L * options.sizeBytes() * options.iterations(), options.iterations(), System.nanoTime() - began);
    }

    private void received(WorkCompletion completion, int index) {
        int length = completion.byteLength() - queues.offset();
        if (length != options.sizeBytes()) {
            throw new InteropException("message " + received + " has " + length + " bytes instead of "
                    + options.sizeBytes() + "; start both sides with the same size");
        }
        if (options.check()) {
            check();
        }
        received++;
        queues.postReceive();
        pending[index] &= ~RECEIVED;
    }

    private void send(int index) {
        if (first && pending.length == 1) {
            fill();
        }
        pending[index] = BOTH;
        queues.postSend(index, !first);
    }

    /** Another content for each message; with several queue pairs the peer has one memory for all, so always the same. */
    private void fill() {
        ByteBuffer message = queues.sent().buffer();
        for (int at = queues.offset(); at < message.capacity(); at++) {
            message.put(at, expected(at));
        }
    }

    private byte expected(int at) {
        int round = pending.length == 1 ? sent : 0;
        boolean startsPage = (at - queues.offset()) % PAGE_BYTES == 0;
        return (byte) (startsPage ? 0 : at * STEP + (at >> Byte.SIZE) + round);
    }

    /** The server returns what it was sent; the client has zeros where pages begin, as {@code ibv_*_pingpong -c}. */
    private void check() {
        if (first) {
            compare();
            return;
        }
        ByteBuffer message = queues.received().buffer();
        for (int at = queues.offset(); at < message.capacity(); at += PAGE_BYTES) {
            if (message.get(at) != 0) {
                throw new InteropException("message " + received + " has " + (message.get(at) & 0xff) + " at byte "
                        + (at - queues.offset()) + " instead of 0; a client sends zeros there with -c");
            }
        }
    }

    private void compare() {
        ByteBuffer message = queues.received().buffer();
        ByteBuffer wanted = queues.sent().buffer();
        int from = queues.offset();
        int wrong = wanted.slice(from, options.sizeBytes()).mismatch(message.slice(from, options.sizeBytes()));
        if (wrong >= 0) {
            throw new InteropException("message " + received + " differs at byte " + wrong + ": sent "
                    + (wanted.get(from + wrong) & 0xff) + ", returned " + (message.get(from + wrong) & 0xff));
        }
    }
}
