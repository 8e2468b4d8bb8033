// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.bench.loop;

import dev.verbatim.conformance.bench.jvm.PassiveJvm;
import dev.verbatim.conformance.bench.jvm.Plain;
import dev.verbatim.conformance.bench.jvm.PlainEnd;
import dev.verbatim.conformance.bench.plan.BenchFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** A yardstick over a plain {@code SocketChannel} to the other JVM. */
public final class SocketLoop implements TimedLoop {

    private final Plain what;
    private final PassiveJvm jvm;
    private final PlainEnd end;

    public SocketLoop(Plain what, PassiveJvm jvm, int bufferBytes) {
        this.what = what;
        this.jvm = jvm;
        int port = jvm.openPlain(what, bufferBytes);
        try {
            end = new PlainEnd(
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                    what.blocking(),
                    bufferBytes);
            jvm.awaitAnswer();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public String name() {
        return what.title();
    }

    @Override
    public long run(int operations, Histogram latencies) {
        try {
            jvm.beginPlain(what, operations);
            end.readOne();
            long startNanos = System.nanoTime();
            what.active(end, operations, latencies);
            long nanos = System.nanoTime() - startNanos;
            jvm.awaitAnswer();
            return nanos;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private BenchFailure failure(IOException e) {
        return new BenchFailure(name() + " over loopback failed: " + e.getMessage()
                + "; see whether the second JVM was killed, or measure without TCP by --fabric in-process");
    }

    @Override
    public void close() {
        try {
            end.close();
        } catch (IOException e) {
            throw failure(e);
        } finally {
            jvm.closePlain(what);
        }
    }
}
