// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import com.fasterxml.jackson.jr.ob.JSON;
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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The capture.")
    private Path file;

    @Mixin
    private TraceFiles traces;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final JsonLinesTap lines = new JsonLinesTap(line);
    private long firstNanos = -1;
    private long packets;
    private long broken;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (CaptureReader reader = open();
                OpenTraces copies = traces.open(true)) {
            boolean isAtEnd = false;
            while (!isAtEnd) {
                try {
                    TraceEvent event = reader.next();
                    isAtEnd = event == null;
                    if (event != null) {
                        print(out, event);
                        copies.on(event);
                    }
                } catch (CaptureException refused) {
                    broken++;
                    String message = String.valueOf(refused.getMessage());
                    out.println(json ? JSON.std.asString(Map.of("kind", "broken", "message", message)) : message);
                }
            }
            end(out, reader.skipped());
        }
        return broken == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void end(PrintWriter out, Map<String, Integer> skipped) throws IOException {
        if (json) {
            Map<String, Object> end = new LinkedHashMap<>();
            end.put("kind", "capture");
            end.put("packets", packets);
            end.put("broken", broken);
            end.put("skipped", skipped);
            out.println(JSON.std.asString(end));
            return;
        }
        out.printf(Locale.ROOT, "packets=%d broken=%d", packets, broken);
        skipped.forEach((kind, count) -> out.printf(Locale.ROOT, ", skipped %d: %s", count, kind));
        out.println();
    }

    private CaptureReader open() {
        try {
            return new CaptureReader(new BufferedInputStream(Files.newInputStream(file)));
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + file + ": " + FileReason.of(e) + "; specify a capture file");
        }
    }

    private void print(PrintWriter out, TraceEvent event) {
        firstNanos = packets == 0 ? event.timeNanos() : firstNanos;
        packets++;
        if (json) {
            lines.on(event);
            out.print(line.toString(StandardCharsets.UTF_8));
            line.reset();
        } else if (event instanceof PacketSent sent) {
            print(out, event, sent.source(), sent.destination(), sent.packet());
        } else if (event instanceof PacketReceived received) {
            print(out, event, received.source(), received.destination(), received.packet());
        }
    }

    private void print(PrintWriter out, TraceEvent event, Gid source, Gid destination, PacketRecord packet) {
        out.printf(
                Locale.ROOT,
                "%12.3f  %s > %s  %s%n",
                (event.timeNanos() - firstNanos) / NANOS_OF_MICROSECOND,
                source.toInetAddress().getHostAddress(),
                destination.toInetAddress().getHostAddress(),
                packet);
    }
}
