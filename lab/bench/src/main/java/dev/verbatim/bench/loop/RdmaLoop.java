// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.ActiveSide;
import dev.verbatim.bench.jvm.Allocation;
import dev.verbatim.bench.jvm.MeasuredPair;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.BenchFailure;
import dev.verbatim.bench.plan.Measure;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Our own way of doing it. */
public final class RdmaLoop implements TimedLoop {

    private static final int MOST_UNSIGNALED = 64;
    private static final int SIGNALS_OF_A_QUEUE = 4;
    private static final int WORD_BYTES = 8;

    private final BenchCase what;
    private final MeasuredPair stage;
    private final int sizeBytes;
    private final int interval;
    private final SendWorkRequest signaled;
    private final SendWorkRequest quiet;
    private final List<SendWorkRequest> chain;
    private final Allocation allocation = new Allocation(0);
    private long allocatedBytes;
    private long executed;

    public RdmaLoop(BenchCase what, MeasuredPair stage, int sizeBytes, int depth) {
        this.what = what;
        this.stage = stage;
        this.sizeBytes = sizeBytes;
        this.interval = Math.max(1, Math.min(MOST_UNSIGNALED, depth / SIGNALS_OF_A_QUEUE));
        this.signaled = request();
        this.quiet = signaled.unsignaled();
        this.chain = new ArrayList<>(Collections.nCopies(interval, quiet));
        chain.set(interval - 1, signaled);
        if (what == BenchCase.SEND_RATE) {
            stage.active().meanwhile(stage.remote()::progress);
        }
    }

    private SendWorkRequest request() {
        Sge local = stage.active().region().sge(0, sizeBytes);
        long address = stage.remote().address();
        int rkey = stage.remote().rkey();
        return switch (what) {
            case WRITE_BW, WRITE_LAT, MSG_RATE, CHAIN_RATE -> SendWorkRequest.write(1, address, rkey, local);
            case READ_BW, READ_LAT, READ_RATE, READ_CHAIN_RATE -> SendWorkRequest.read(1, address, rkey, local);
            case SEND_RATE -> SendWorkRequest.send(1, local);
            case ATOMIC_LAT, ATOMIC_RATE -> SendWorkRequest.fetchAndAdd(1, address, rkey, 1, local);
        };
    }

    @Override
    public String name() {
        return "verbatim";
    }

    @Override
    public long run(int operations, Histogram latencies) {
        stage.remote().drive();
        allocation.begin();
        long nanos = execute(operations, latencies);
        long here = allocation.end();
        allocatedBytes = here + stage.remote().rest();
        return nanos;
    }

    private long execute(int operations, Histogram latencies) {
        ActiveSide side = stage.active();
        executed += operations;
        if (what.measure() == Measure.LATENCY) {
            return side.oneByOne(signaled, operations, latencies);
        }
        return what.isChained()
                ? side.streamChains(chain, signaled, operations)
                : side.stream(signaled, quiet, operations, interval);
    }

    @Override
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /** Does one operation, and looks whether it did what it should at the last bytes of the message. */
    public void verify(Histogram scratch) {
        long mark = 0x1122_3344_5566_7788L + sizeBytes;
        int last = sizeBytes - WORD_BYTES;
        WrOpcode opcode = signaled.opcode();
        boolean sends = opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.SEND;
        store(sends ? mark : ~mark, last);
        stage.remote().poke(last, sends ? ~mark : mark);
        if (what == BenchCase.SEND_RATE) {
            stage.remote().receive();
        }
        executed = 0;
        run(1, scratch);
        check(mark, mark + (isAtomic() ? 1 : 0));
    }

    /**
     * Looks whether memory is as all operations since {@link #verify} have to have left it, and whether a sanitizer that watched them
     * finds what it should.
     */
    public void verifyAll() {
        long mark = 0x1122_3344_5566_7788L + sizeBytes;
        check(mark + (isAtomic() ? executed - 1 : 0), mark + (isAtomic() ? executed : 0));
        stage.verifySanitizer();
    }

    private boolean isAtomic() {
        return signaled.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    private void check(long expectedHere, long expectedThere) {
        int last = sizeBytes - WORD_BYTES;
        long there = stage.remote().peek(last);
        long here = stage.active().region().memory().buffer().getLong(last);
        if (here != expectedHere || there != expectedThere) {
            throw BenchFailure.defect(what + " of " + sizeBytes + " B left 0x" + Long.toHexString(here) + " here and 0x"
                    + Long.toHexString(there) + " there instead of 0x" + Long.toHexString(expectedHere) + " and 0x"
                    + Long.toHexString(expectedThere));
        }
    }

    private void store(long value, int offset) {
        stage.active().region().memory().buffer().putLong(offset, value);
    }

    /** The stage goes on without it. */
    @Override
    public void close() {}
}
