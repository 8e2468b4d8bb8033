// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.device.qp.EmulatedQueuePair;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests be carried out while the heap is full, again and again, with more and less of it left, watched and unwatched;
 * then looks whether everything that was posted has completed, or the queue pair says why not.
 */
public final class FullHeap {

    private static final long GENEROUS_NANOS = 180_000_000_000L;
    private static final int ONE_MILLISECOND = 8;
    private static final int ROUNDS = 6;
    private static final int REQUESTS = 512;
    private static final int CHUNK = 2_048;
    private static final int SMALLEST = 64;
    private static final int LARGEST = 1 << 20;

    /** A list that can be dropped at once. */
    private record Ballast(byte[] bytes, @Nullable Ballast next) {}

    private @Nullable Ballast ballast;
    private int failed;

    private FullHeap() {}

    /** Without arguments; says what became of everything. */
    public static void main(String[] arguments) {
        FullHeap run = new FullHeap();
        // Twice with an empty heap: code that runs for the first time needs more of it.
        for (int round = -2; round < ROUNDS; round++) {
            run.round(round);
        }
        System.out.println("all accounted for; queue pairs that failed: " + run.failed + " of " + ROUNDS);
    }

    private void round(int round) {
        Verbatim verbatim = Verbatim.inProcess();
        if (round % 2 == 1) {
            verbatim.tap(new ArrayList<>()::add);
        }
        QpCapabilities sizes = new QpCapabilities(REQUESTS, 8, 2, 2, 0);
        Side left = new Side(verbatim.open("left"), sizes);
        Side right = new Side(verbatim.open("right"), sizes);
        RcConnection.USUAL.withRetries(ONE_MILLISECOND, 1, 1, 1).join(left.qp, right.qp);
        QpContext qp = ((EmulatedQueuePair) left.qp).context();
        SendWorkRequest request = SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, left.sge(8, 8));
        WorkCompletion[] holder = {new WorkCompletion()};
        int completed = 0;
        try {
            // What is posted on the lane is done when the lane is left. The last of the heap is given up in steps, so
            // that each
            // round meets its end somewhere else.
            qp.device().lane().call(() -> {
                for (int i = 0; i < REQUESTS / 2; i++) {
                    left.qp.postSend(request);
                }
                if (round >= 0) {
                    ballast = fill(CHUNK * (round / 2));
                }
            });
        } catch (OutOfMemoryError e) {
            // Of a lane that went on all the same, or did not.
        }
        ballast = null;
        long posted = qp.sendQueue().posted();
        long deadlineNanos = System.nanoTime() + GENEROUS_NANOS;
        while (completed < posted && System.nanoTime() < deadlineNanos) {
            completed += left.sendCq.poll(holder);
        }
        AsyncEvent event = left.device.pollAsyncEvent();
        boolean told = event != null && event.type() == EventType.QP_FATAL;
        boolean peerTold = right.device.pollAsyncEvent() != null;
        boolean isInError = qp.state() == QpState.ERR;
        if (posted != completed
                || isInError != (told || peerTold)
                || qp.sendQueue().completed() != posted) {
            System.out.println("LOST in round " + round + ": posted=" + posted + " completed=" + completed + " state="
                    + qp.state() + " event=" + event + " first="
                    + qp.device().stepFailures().first());
            System.exit(1);
        }
        if (isInError) {
            failed++;
        }
        try {
            verbatim.close();
        } catch (OutOfMemoryError ofTap) {
            // Kept, and thrown at the end, as it should be.
        }
    }

    /** Takes the whole heap but for {@code left} bytes. */
    private static @Nullable Ballast fill(int left) {
        byte[] spare = new byte[SMALLEST + left];
        Ballast all = null;
        for (int size = LARGEST; size >= SMALLEST; size /= 2) {
            try {
                while (true) {
                    all = new Ballast(new byte[size], all);
                }
            } catch (OutOfMemoryError e) {
                // Then smaller ones.
            }
        }
        spare = null;
        return all;
    }
}
