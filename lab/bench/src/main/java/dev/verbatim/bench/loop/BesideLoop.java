// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.OrderedJvm;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.transport.netty.SocketTransport;
import org.HdrHistogram.Histogram;

/** The same operations by another build of the device, or with other options, in a JVM of its own; see {@link BesideMain}. */
public final class BesideLoop implements TimedLoop {

    public static final String TITLE = "beside";

    static final String OPEN = "open";
    static final String RUN = "run";
    static final String END = "end";

    private final OrderedJvm jvm;
    private long cpuNanos;
    private long allocatedBytes;

    /** Opens the devices of a line there. */
    public BesideLoop(OrderedJvm jvm, Line line, int depth) {
        this.jvm = jvm;
        SocketTransport transport = line.transport() == null ? SocketTransport.NIO : line.transport();
        jvm.ask(OPEN, line.what().name(), line.setting().name(), transport.name(), line.sizeBytes(), depth);
    }

    @Override
    public String name() {
        return TITLE;
    }

    @Override
    public long run(int operations, Histogram latencies) {
        String[] answer = jvm.ask(RUN, operations);
        cpuNanos = Long.parseLong(answer[2]);
        allocatedBytes = Long.parseLong(answer[3]);
        long median = Long.parseLong(answer[4]);
        if (median >= 0) {
            latencies.recordValueWithCount(median, operations);
        }
        return Long.parseLong(answer[1]);
    }

    @Override
    public long cpuNanos(long hereNanos) {
        return cpuNanos;
    }

    @Override
    public long allocatedBytes() {
        return allocatedBytes;
    }

    @Override
    public void close() {
        jvm.ask(END);
    }
}
