// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Line;
import dev.verbatim.bench.plan.Series;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Rows with chosen figures. */
public final class Rows {

    private Rows() {}

    public static Line line(BenchCase what, Setting setting, int sizeBytes) {
        return line(what, setting, SocketTransport.NIO, sizeBytes);
    }

    public static Line line(BenchCase what, Setting setting, SocketTransport transport, int sizeBytes) {
        @Nullable SocketTransport carried = setting.isRemote() ? transport : null;
        return new Line(what, setting, carried, sizeBytes);
    }

    /** One round of a thousand operations. */
    static Series timed(String name, long nanosOfAnOperation) {
        Series series = new Series(name, 1000, 1);
        series.add(nanosOfAnOperation * 1000, nanosOfAnOperation * 500, Series.newHistogram(), 250);
        return series;
    }

    /** One round of two operations. */
    static Series latencies(String name, long shortest, long longest) {
        Histogram histogram = Series.newHistogram();
        histogram.recordValue(shortest);
        histogram.recordValue(longest);
        Series series = new Series(name, 2, 1);
        series.add(shortest + longest, shortest, histogram, 1);
        return series;
    }

    static Row row(Line line, Series ours, Series... yardsticks) {
        return new Row(line, ours, List.of(yardsticks));
    }
}
