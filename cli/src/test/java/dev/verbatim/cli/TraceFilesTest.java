// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.trace.CaptureReader;
import dev.verbatim.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code demo} leaves in the files that one names. */
@Tag("smoke")
class TraceFilesTest {

    @TempDir
    private Path directory;

    @Test
    void captureHoldsEveryPacketOfBothDevicesOnce() throws IOException {
        List<TraceEvent> packets = new ArrayList<>();
        try (CaptureReader reader = new CaptureReader(Files.newInputStream(demo("--capture", "demo.pcapng")))) {
            for (TraceEvent packet = reader.next(); packet != null; packet = reader.next()) {
                packets.add(packet);
            }
        }
        assertThat(packets)
                .extracting(packet -> packet.device() + " "
                        + ((TraceEvent.PacketSent) packet).packet().opcode())
                .containsExactly(
                        "left UD_SEND_ONLY", // REQ, REP, RTU
                        "right UD_SEND_ONLY",
                        "left UD_SEND_ONLY",
                        "left SEND_ONLY",
                        "right ACKNOWLEDGE",
                        "left RDMA_WRITE_ONLY",
                        "right ACKNOWLEDGE",
                        "left RDMA_READ_REQUEST",
                        "right RDMA_READ_RESPONSE_FIRST",
                        "right RDMA_READ_RESPONSE_LAST",
                        "left COMPARE_SWAP",
                        "right ATOMIC_ACKNOWLEDGE",
                        "left FETCH_ADD",
                        "right ATOMIC_ACKNOWLEDGE",
                        "left RDMA_WRITE_ONLY",
                        "right ACKNOWLEDGE",
                        "left UD_SEND_ONLY", // DREQ, DREP, REQ, REP, RTU
                        "right UD_SEND_ONLY",
                        "left UD_SEND_ONLY",
                        "right UD_SEND_ONLY",
                        "left UD_SEND_ONLY",
                        "right SEND_ONLY",
                        "left ACKNOWLEDGE",
                        "left RDMA_WRITE_ONLY",
                        "right ACKNOWLEDGE",
                        "left SEND_ONLY_WITH_INVALIDATE",
                        "right ACKNOWLEDGE",
                        "left RDMA_WRITE_ONLY",
                        "right ACKNOWLEDGE",
                        "right UD_SEND_ONLY", // DREQ, DREP
                        "left UD_SEND_ONLY");
    }

    @Test
    void traceIsJsonLineByLineFromTheFirstEventToTheLast() throws IOException {
        List<Map<String, Object>> events = new ArrayList<>();
        for (String line : Files.readAllLines(demo("--trace", "demo.jsonl"))) {
            events.add(JSON.std.mapFrom(line));
        }
        assertThat(events).allSatisfy(event -> assertThat(event).containsKeys("kind", "timeNanos", "device", "qp"));
        assertThat(events)
                .extracting(event -> event.get("kind"))
                .contains(
                        "posted",
                        "sent",
                        "received",
                        "memory",
                        "completed",
                        "state",
                        "event",
                        "key",
                        "window",
                        "decided");
        assertThat(events)
                .filteredOn("kind", "completed")
                .filteredOn("device", "left")
                .extracting(event -> event.get("status"))
                .containsExactly(
                        "SUCCESS",
                        "SUCCESS",
                        "SUCCESS",
                        "SUCCESS",
                        "SUCCESS",
                        "REM_ACCESS_ERR",
                        "SUCCESS",
                        "SUCCESS",
                        "SUCCESS",
                        "REM_ACCESS_ERR");
    }

    @Test
    void traceWhoseNameEndsInTxtIsForAPerson() throws IOException {
        assertThat(Files.readAllLines(demo("--trace", "Demo.TXT")))
                .anyMatch(line -> line.matches(" +us +device +qp +event; 0.000 us is timeNanos=\\d+"))
                .anyMatch(line -> line.matches(" +[0-9.]+  left +0x11 +complete wr_id=6 RDMA_WRITE REM_ACCESS_ERR: .+"))
                .noneMatch(line -> line.startsWith("{"));
    }

    @Test
    void fileThatCannotBeWrittenIsSaidBeforeAnythingHappens() {
        String absent = directory.resolve("absent").resolve("x").toString();
        Invocation.of("demo", "--fabric", "in-process", "--trace", absent)
                .failed(1, "cannot write to " + absent, "specify a file in an existing, writable directory");
        Path trace = directory.resolve("x");
        Invocation.of("demo", "--fabric", "in-process", "--trace", trace.toString(), "--capture", absent)
                .failed(1, "cannot write to " + absent);
    }

    private Path demo(String option, String name) {
        Path file = directory.resolve(name);
        Invocation.of("demo", "--fabric", "in-process", option, file.toString()).succeeded();
        return file;
    }
}
