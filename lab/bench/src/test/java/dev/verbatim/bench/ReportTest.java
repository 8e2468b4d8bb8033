// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import static dev.verbatim.bench.Rows.latencies;
import static dev.verbatim.bench.Rows.line;
import static dev.verbatim.bench.Rows.row;
import static dev.verbatim.bench.Rows.timed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.bench.history.Comparison;
import dev.verbatim.bench.plan.BenchCase;
import dev.verbatim.bench.plan.Cost;
import dev.verbatim.bench.plan.OneTimeCost;
import dev.verbatim.bench.plan.Setting;
import dev.verbatim.transport.netty.SocketTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is printed of given figures. */
class ReportTest {

    private static String told(Function<PrintWriter, BenchReport> kind) {
        StringWriter text = new StringWriter();
        BenchReport report = kind.apply(new PrintWriter(text, true));
        report.machine(new Machine("Some VM 17.0.1+2", "Linux 6.1 amd64", 2, 0.25));
        Row first = row(
                line(BenchCase.WRITE_BW, Setting.TCP_BLOCKING, 8), timed("verbatim", 100), timed("plain stream", 400));
        report.row(first);
        report.rounds(first);
        report.compared(
                "write-bw tcp nio blocking 8 B depth 4",
                new Comparison("plain stream", List.of(2.0, 3.0, 2.5), List.of(4.0, 6.0, 5.0)));
        report.row(row(
                line(BenchCase.WRITE_BW, Setting.TCP_BLOCKING, 1 << 16),
                timed("verbatim", 20_000),
                timed("plain stream", 10_000)));
        report.skipped("something is missing; install it");
        report.row(row(
                line(BenchCase.READ_LAT, Setting.TCP_SPINNING, SocketTransport.EPOLL, 8),
                latencies("verbatim", 5_000, 150_000),
                latencies("spinning ping-pong", 5_000, 6_000)));
        report.row(row(line(BenchCase.MSG_RATE, Setting.IN_PROCESS, 8), timed("verbatim", 125)));
        report.costs(
                OneTimeCost.STARTUP,
                SocketTransport.NIO,
                List.of(
                        new Cost("JVM start", "ms", List.of(30.0, 10.0, 20.5)),
                        new Cost("open", "ms", List.of(1.0, 1.0, 1.0))));
        report.costs(
                OneTimeCost.IDLE,
                SocketTransport.NIO,
                List.of(new Cost("link: heap", "B", List.of(1234.0)), new Cost("both", "B", List.of(4097.0), 4096)));
        report.finished(65_000_000_000L);
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    @Test
    void tableIsForPeople() throws IOException {
        assertThat(told(TableReport::new)).isEqualTo(golden("report.txt"));
    }

    @Test
    void jsonIsForPrograms() throws IOException {
        assertThat(told(JsonLinesReport::new)).isEqualTo(golden("report.jsonl"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream file = ReportTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
