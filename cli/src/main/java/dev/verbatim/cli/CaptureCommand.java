// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.cli.output.Output;
import dev.verbatim.cli.output.Result;
import dev.verbatim.cli.output.Written;
import dev.verbatim.conformance.scenario.FileReason;
import dev.verbatim.trace.CaptureException;
import dev.verbatim.trace.CaptureReader;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.PacketRecord;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code capture}. */
@Command(
        name = "capture",
        description = {
            "Prints the RoCEv2 packets of a capture, of this program or of real adapters, and checks every length and every"
                    + " ICRC. Fails if one is wrong.",
            "The capture is of the format pcapng or pcap, perhaps compressed with gzip, with frames of Ethernet, raw IP, Linux"
                    + " cooked (SLL, SLL2) or loopback, over IPv4 or IPv6.",
            "With --trace or --capture its packets are written in another format."
        })
final class CaptureCommand implements Callable<Integer> {

    private static final double NANOS_OF_MICROSECOND = 1_000;

    @Parameters(paramLabel = "FILE", description = "The capture.")
    private Path file;

    @Mixin
    private TraceFiles traces;

    @Mixin
    private Output output;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final JsonLinesTap lines = new JsonLinesTap(line);
    private long firstNanos = -1;
    private long packets;
    private long broken;

    @Override
    public Integer call() throws IOException {
        try (CaptureReader reader = open();
                OpenTraces copies = traces.open(true)) {
            boolean isAtEnd = false;
            while (!isAtEnd) {
                try {
                    TraceEvent event = reader.next();
                    isAtEnd = event == null;
                    if (event != null) {
                        print(event);
                        copies.on(event);
                    }
                } catch (CaptureException refused) {
                    broken++;
                    output.print(new Broken(String.valueOf(refused.getMessage())));
                }
            }
            output.print(new Capture(packets, broken, reader.skipped()));
        }
        return broken == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private record Broken(String message) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.println(message);
        }
    }

    private record Capture(long packets, long broken, Map<String, Integer> skipped) implements Result {
        @Override
        public void text(PrintWriter out) {
            out.printf(Locale.ROOT, "packets=%d broken=%d", packets, broken);
            skipped.forEach((kind, count) -> out.printf(Locale.ROOT, ", skipped %d: %s", count, kind));
            out.println();
        }
    }

    private CaptureReader open() {
        try {
            return new CaptureReader(new BufferedInputStream(Files.newInputStream(file)));
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + file + ": " + FileReason.of(e) + "; specify a capture file");
        }
    }

    private void print(TraceEvent event) {
        firstNanos = packets == 0 ? event.timeNanos() : firstNanos;
        packets++;
        output.print(List.of(new Written(() -> json(event))), out -> tell(out, event));
    }

    private String json(TraceEvent event) {
        lines.on(event);
        String json = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        return json;
    }

    private void tell(PrintWriter out, TraceEvent event) {
        if (event instanceof PacketSent sent) {
            tell(out, event, sent.source(), sent.destination(), sent.packet());
        } else if (event instanceof PacketReceived received) {
            tell(out, event, received.source(), received.destination(), received.packet());
        }
    }

    private void tell(PrintWriter out, TraceEvent event, Gid source, Gid destination, PacketRecord packet) {
        out.printf(
                Locale.ROOT,
                "%12.3f  %s > %s  %s%n",
                (event.timeNanos() - firstNanos) / NANOS_OF_MICROSECOND,
                source.toInetAddress().getHostAddress(),
                destination.toInetAddress().getHostAddress(),
                packet);
    }
}
