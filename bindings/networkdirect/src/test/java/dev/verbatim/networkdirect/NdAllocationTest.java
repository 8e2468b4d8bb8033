// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbatim.Verbatim;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Send, Receive, Read, Write and GetResults make no objects, whatever address they are about: less than a byte each. */
class NdAllocationTest {

    private static final int MOST_ROUNDS = 40;
    private static final int OPERATIONS = 20_000;
    private static final int PLACES = 8;
    private static final int BYTES = 512;

    private enum Operation {
        WRITE,
        INLINE_WRITE,
        SCATTERED_INLINE_WRITE,
        READ,
        SEND
    }

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final NdResult[] results = NdResult.array(4);
    private final NdSge[][] local = new NdSge[PLACES][];

    @AutoClose
    private Verbatim rdma;

    private NdSide left;
    private NdSide right;
    private NdSge[] landing;
    private long remote;
    private int token;

    @BeforeEach
    void connect() {
        rdma = Verbatim.inProcess();
        left = new NdSide(rdma.open("left"));
        right = new NdSide(rdma.open("right"));
        NdSide.connect(left, right);
        landing = right.sge(0, BYTES);
        remote = right.address(0);
        token = right.mr.getRemoteToken();
    }

    @ParameterizedTest
    @EnumSource
    void operationAllocatesLessThanOneByte(Operation operation) {
        for (int i = 0; i < PLACES; i++) {
            local[i] = elements(operation, i);
        }
        long least = Long.MAX_VALUE;
        // On a busy machine the compiler is late; what it compiled at last is what counts.
        for (int round = 0; round < MOST_ROUNDS && least >= OPERATIONS; round++) {
            long before = allocatedByAllThreads();
            run(operation);
            least = Math.min(least, allocatedByAllThreads() - before);
        }
        assertThat(least).as("bytes allocated by %d operations", OPERATIONS).isLessThan(OPERATIONS);
    }

    private NdSge[] elements(Operation operation, int place) {
        if (operation != Operation.SCATTERED_INLINE_WRITE) {
            return left.sge(place * BYTES, operation == Operation.INLINE_WRITE ? 8 : BYTES);
        }
        NdSge[] pieces = new NdSge[6];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = left.mr.sge(place * BYTES + 8L * i, 8);
        }
        return pieces;
    }

    private void run(Operation operation) {
        for (int i = 0; i < OPERATIONS; i++) {
            NdSge[] sge = local[i % PLACES];
            long address = remote + i % 3 * BYTES;
            NdStatus status = switch (operation) {
                case WRITE -> left.qp.write(this, sge, address, token, 0);
                case INLINE_WRITE, SCATTERED_INLINE_WRITE -> left.qp.write(this, sge, address, token, NdOpFlags.INLINE);
                case READ -> left.qp.read(this, sge, address, token, 0);
                case SEND -> sendAndReceive(sge);
            };
            if (!status.isSuccess()) {
                throw new AssertionError(status);
            }
            await(left);
            if (operation == Operation.SEND) {
                await(right);
            }
        }
    }

    private NdStatus sendAndReceive(NdSge[] sge) {
        NdStatus received = right.qp.receive(this, landing);
        return received.isSuccess() ? left.qp.send(this, sge, 0) : received;
    }

    private void await(NdSide side) {
        while (side.cq.getResults(results) == 0) {
            Thread.onSpinWait();
        }
        if (!results[0].status().isSuccess()) {
            throw new AssertionError(results[0]);
        }
    }

    private long allocatedByAllThreads() {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
