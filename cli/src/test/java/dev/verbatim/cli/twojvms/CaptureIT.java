// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.twojvms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import dev.verbatim.testing.LongTest;
import dev.verbatim.trace.CaptureReader;
import dev.verbatim.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a demo whose other device is in another JVM. */
@Timeout(600)
@LongTest
class CaptureIT {

    @TempDir
    private Path directory;

    @Test
    void captureOverTcpHoldsWhatLeftSendsAndWhatItReceives() throws IOException {
        Path capture = directory.resolve("demo.pcapng");
        Path trace = directory.resolve("demo.jsonl");
        try (Jvm demo = Jvm.start(Main.class, "demo", "--capture", capture.toString(), "--trace", trace.toString())) {
            demo.ends(0);
        }
        List<TraceEvent> packets = new ArrayList<>();
        try (CaptureReader reader = new CaptureReader(Files.newInputStream(capture))) {
            for (TraceEvent packet = reader.next(); packet != null; packet = reader.next()) {
                packets.add(packet);
            }
        }
        assertThat(packets).extracting(TraceEvent::device).containsOnly("left");
        assertThat(packets).hasAtLeastOneElementOfType(TraceEvent.PacketSent.class);
        // Five responses and acknowledgements, and one response more, since the READ takes two.
        assertThat(packets)
                .filteredOn(TraceEvent.PacketReceived.class::isInstance)
                .hasSizeGreaterThanOrEqualTo(7);
        assertThat(Files.readAllLines(trace))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("{\"kind\":\"") && line.contains("\"device\":\"left\""));
    }
}
