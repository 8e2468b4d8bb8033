// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.testing.Dialogue;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.AckTimeout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/** Devices as Flight Recorder shows them. */
class FlightRecorderTest {

    private static Recording recordingOf(String... events) {
        Recording recording = new Recording();
        for (String event : events) {
            recording.enable("dev.verbatim." + event);
        }
        recording.start();
        return recording;
    }

    private static List<RecordedEvent> stop(Recording recording, String device) throws IOException {
        recording.stop();
        Path file = Files.createTempFile("verbatim", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("dev.verbatim."))
                    .filter(event -> device.equals(event.getString("device")))
                    .toList();
        } finally {
            Files.delete(file);
            recording.close();
        }
    }

    private static List<String> names(List<RecordedEvent> events) {
        return events.stream()
                .map(event -> event.getEventType().getName().replace("dev.verbatim.", ""))
                .sorted()
                .toList();
    }

    private static List<String> values(List<RecordedEvent> events, String field) {
        return events.stream()
                .filter(event -> event.hasField(field))
                .map(event -> event.getString(field))
                .toList();
    }

    private static void write(RcPair pair, int key) {
        pair.left.qp.postSend(SendWorkRequest.write(7, pair.right.address(0), key, pair.left.sge(0, 8)));
    }

    @Test
    void deviceThatWasOpenBeforeIsRecordedFromTheStartOfARecordingToItsEnd() throws IOException {
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPair pair = RcPair.over(rdma, QpCapabilities.USUAL);
            pair.connect(RcPair.WITHOUT_TIMER);
            write(pair, pair.right.rkey());
            Recording recording = recordingOf("Post", "Packet", "Completion", "Refusal", "Retry", "State");
            write(pair, pair.right.rkey());
            assertThat(pair.left.sendCq.poll(2)).hasSize(2);
            List<RecordedEvent> events = stop(recording, "left");
            write(pair, pair.right.rkey());
            assertThat(names(events)).containsExactly("Completion", "Packet", "Packet", "Post");
            assertThat(events.get(0).getLong("workRequestId")).isEqualTo(7);
        }
    }

    @Test
    void withoutARecordingOfItsEventsADeviceHasNoTap() throws IOException {
        try (Verbatim rdma = Verbatim.inProcess()) {
            EmulatedDevice device = (EmulatedDevice) rdma.open("device");
            assertThat(device.context().isTraced()).isFalse();
            try (Recording other = new Recording()) {
                other.enable("jdk.CPULoad");
                other.start();
                assertThat(device.context().isTraced()).isFalse();
                assertThat(((EmulatedDevice) rdma.open("another")).context().isTraced())
                        .isFalse();
            }
            Recording recording = recordingOf("State");
            assertThat(device.context().isTraced()).isTrue();
            assertThat(((EmulatedDevice) rdma.open("third")).context().isTraced())
                    .isTrue();
            assertThat(stop(recording, "device")).isEmpty();
            assertThat(device.context().isTraced()).isFalse();
        }
    }

    @Test
    void onlyWhatIsEnabledIsRecorded() throws IOException {
        try (Verbatim rdma = Verbatim.inProcess()) {
            RcPair pair = RcPair.over(rdma, QpCapabilities.USUAL);
            pair.connect(RcPair.WITHOUT_TIMER);
            Recording recording = recordingOf("Refusal", "State");
            write(pair, 0x77);
            List<RecordedEvent> events = stop(recording, "right");
            assertThat(names(events)).containsExactly("Refusal", "State");
            assertThat(values(events, "rule")).hasSize(1).allMatch(rule -> rule.matches("[A-Z0-9]+-.*"));
            assertThat(values(events, "to")).containsExactly("ERR");
        }
    }

    @Test
    void packetThatIsSentAgainIsARetry() throws IOException {
        Recording recording = recordingOf("Retry");
        try (Dialogue it = Dialogue.begin()) {
            it.posts(SendWorkRequest.send(1, it.side.sge(0, 8)), SendWorkRequest.send(2, it.side.sge(0, 8)))
                    .takeAll();
            it.after(4 * AckTimeout.nanos(8)).takeAll();
            it.sends(Packets.ack(1));
        }
        assertThat(stop(recording, "device").stream().map(event -> event.getInt("psn")))
                .containsExactly(0, 1);
    }
}
