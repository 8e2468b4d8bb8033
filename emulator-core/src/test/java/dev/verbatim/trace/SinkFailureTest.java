// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.LogCapture;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the sinks, and of the device, when their streams fail. */
class SinkFailureTest {

    enum Sink {
        JSON_LINES(JsonLinesTap::new),
        TEXT(TextTap::new),
        PCAPNG(PcapngTap::new);

        private final Function<OutputStream, Tap> constructor;

        Sink(Function<OutputStream, Tap> constructor) {
            this.constructor = constructor;
        }
    }

    @AutoClose
    private final LogCapture log = new LogCapture(TraceOutput.class);

    @ParameterizedTest
    @EnumSource
    void fullDiskEndsTheTraceWithOneLineOfTheLogAndNotTheDevice(Sink sink) throws Exception {
        Disk disk = new Disk(1000, new IOException("no space left"));
        Tap tap = sink.constructor.apply(disk);
        try (RcPair pair = pairWith(tap)) {
            for (int i = 0; i < 20; i++) {
                write(pair, i);
            }
            assertThat(log.records()).hasSize(1);
            LogRecord line = log.records().remove();
            assertThat(String.format("%s %s", line.getMessage(), List.of(line.getParameters())))
                    .contains("ends after {1} bytes")
                    .contains(Integer.toString(disk.taken))
                    .contains("no space left");
        }
        assertThat(disk.closed).isTrue();
        ((AutoCloseable) tap).close();
        assertThat(log.records()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void streamThatThrowsSomethingElseEndsTheTraceToo(Sink sink) {
        Disk disk = new Disk(1000, new UncheckedIOException(new IOException("gone")));
        try (RcPair pair = pairWith(sink.constructor.apply(disk))) {
            for (int i = 0; i < 20; i++) {
                write(pair, i);
            }
        }
        assertThat(log.records()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void closedSinkWritesNothingMore(Sink sink) throws Exception {
        Disk disk = new Disk(1 << 20, new IOException("never"));
        Tap tap = sink.constructor.apply(disk);
        try (RcPair pair = pairWith(tap)) {
            write(pair, 1);
            ((AutoCloseable) tap).close();
            int taken = disk.taken;
            assertThat(taken).isPositive();
            assertThat(disk.closed).isTrue();
            write(pair, 2);
            ((AutoCloseable) tap).close();
            assertThat(disk.taken).isEqualTo(taken);
        }
        assertThat(log.records()).isEmpty();
    }

    @Test
    void eventIsInTheStreamWhenTheDeviceGoesOn() {
        Disk disk = new Disk(1 << 20, new IOException("never"));
        TextTap tap = new TextTap(disk);
        tap.on(SampleEvents.POSTED);
        int first = disk.taken;
        tap.on(SampleEvents.SENT);
        assertThat(first).isPositive();
        assertThat(disk.taken).isGreaterThan(first);
        assertThat(disk.flushes).isZero();
        tap.flush();
        assertThat(disk.flushes).isOne();
    }

    private static RcPair pairWith(Tap tap) {
        Verbatim fabric = Verbatim.inProcess().tap(tap);
        return new RcPair(
                        new Side(fabric.open("left"), QpCapabilities.USUAL),
                        new Side(fabric.open("right"), QpCapabilities.USUAL),
                        new RecordingTap(),
                        fabric::close)
                .connect(RcConnection.USUAL);
    }

    private static void write(RcPair pair, int id) {
        pair.left.qp.postSend(
                SendWorkRequest.write(id, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 64)));
        assertThat(pair.left.sent().isSuccess()).isTrue();
    }

    /** Takes so many bytes, and fails from then on. */
    private static final class Disk extends OutputStream {
        private final int room;
        private final Exception failure;
        private int taken;
        private int flushes;
        private boolean closed;

        Disk(int room, Exception failure) {
            this.room = room;
            this.failure = failure;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[1], 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (taken + length > room) {
                if (failure instanceof IOException known) {
                    throw known;
                }
                throw (RuntimeException) failure;
            }
            taken += length;
        }

        @Override
        public void flush() {
            flushes++;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
