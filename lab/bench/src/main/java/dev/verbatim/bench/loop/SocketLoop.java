// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.loop;

import dev.verbatim.bench.jvm.PassiveJvm;
import dev.verbatim.bench.jvm.Plain;
import dev.verbatim.bench.jvm.PlainEnd;
import dev.verbatim.bench.plan.BenchFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** A yardstick over a plain {@code SocketChannel} to the other JVM. */
public final class SocketLoop implements TimedLoop {

    private final Plain what;
    private final PassiveJvm jvm;
    private final int buffersOfAnOperation;
    private final PlainEnd end;
    private double mostSentToReceived = 1;

    public SocketLoop(Plain what, PassiveJvm jvm, int bufferBytes) {
        this(what, jvm, bufferBytes, 1);
    }

    /** A loop whose operations are so many buffers each. */
    public SocketLoop(Plain what, PassiveJvm jvm, int bufferBytes, int buffersOfAnOperation) {
        this.what = what;
        this.jvm = jvm;
        this.buffersOfAnOperation = buffersOfAnOperation;
        InetSocketAddress there =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), jvm.openPlain(what, bufferBytes));
        try {
            end = what.isDatagrams()
                    ? new PlainEnd(DatagramChannel.open().connect(there), what.blocking(), bufferBytes)
                    : new PlainEnd(SocketChannel.open(there), what.blocking(), bufferBytes);
            if (what.isDatagrams()) {
                end.writeOne();
            }
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
            jvm.beginPlain(what, operations * buffersOfAnOperation);
            end.readOne();
            long startNanos = System.nanoTime();
            what.active(end, operations * buffersOfAnOperation, latencies);
            long nanos = System.nanoTime() - startNanos;
            jvm.awaitAnswer();
            mostSentToReceived = Math.max(mostSentToReceived, end.sentToReceived());
            // What was dropped does not count.
            return Math.round(nanos * end.sentToReceived());
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Of datagrams in the worst round, in percent. */
    public double mostDroppedPercent() {
        return 100 - 100 / mostSentToReceived;
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
