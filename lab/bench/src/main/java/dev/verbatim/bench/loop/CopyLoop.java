// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** The yardstick of what stays in one JVM: a copy from one direct buffer to another. */
public final class CopyLoop implements TimedLoop {

    /** The size that shows how fast the machine copies what its caches hold. */
    public static final int USUAL_BYTES = 1 << 16;

    public static final String USUAL_TITLE = "64 KiB copy";

    private final String name;
    private final int sizeBytes;
    private final ByteBuffer source;
    private final ByteBuffer target;

    /** Of messages of that size. */
    public CopyLoop(int sizeBytes) {
        this("ByteBuffer.put", sizeBytes);
    }

    /** Of 64 KiB, whatever the size of the messages. */
    public static CopyLoop usual() {
        return new CopyLoop(USUAL_TITLE, USUAL_BYTES);
    }

    private CopyLoop(String name, int sizeBytes) {
        this.name = name;
        this.sizeBytes = sizeBytes;
        this.source = ByteBuffer.allocateDirect(sizeBytes);
        this.target = ByteBuffer.allocateDirect(sizeBytes);
    }

    @Override
    public String name() {
        return name;
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
