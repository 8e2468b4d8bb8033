// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.loop;

import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** The yardstick of what stays in one JVM: a copy from one direct buffer to another. */
public final class CopyLoop implements TimedLoop {

    private final int sizeBytes;
    private final ByteBuffer source;
    private final ByteBuffer target;

    public CopyLoop(int sizeBytes) {
        this.sizeBytes = sizeBytes;
        this.source = ByteBuffer.allocateDirect(sizeBytes);
        this.target = ByteBuffer.allocateDirect(sizeBytes);
    }

    @Override
    public String name() {
        return "ByteBuffer.put";
    }

    @Override
    public long run(int operations, Histogram latencies) {
        long startNanos = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            target.put(0, source, 0, sizeBytes);
        }
        return System.nanoTime() - startNanos;
    }

    @Override
    public void close() {}
}
