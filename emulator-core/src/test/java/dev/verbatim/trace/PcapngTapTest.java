// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.LogCapture;
import dev.verbatim.verbs.Gid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PcapngTapTest {
    private static final String SECTION = "0a0d0d0a" + "2c000000" + "4d3c2b1a" + "01000000" + "ffffffffffffffff"
            + ("0400" + "0800" + "566572626174696d") + "00000000" + "2c000000";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void captureWithoutPacketsIsASectionHeader() {
        new PcapngTap(written).on(SampleEvents.POSTED);
        assertThat(HexFormat.of().formatHex(written.toByteArray())).isEqualTo(SECTION);
    }

    @Test
    void deviceIsAnInterfaceAndItsPacketAnEnhancedPacket() {
        PcapngTap tap = new PcapngTap(written);
        tap.on(SampleEvents.SENT);
        String description = HexFormat.of().formatHex(("Verbatim device, GID " + SampleEvents.LEFT).getBytes());
        String left = "01000000" + "80000000" + "65000000" + "00000000"
                + ("0200" + "0400" + "6c656674")
                + ("0300" + "3c00" + description)
                + ("0500" + "1100" + "fe80000000000000" + "0000000000000001" + "40" + "000000")
                + ("0900" + "0100" + "09" + "000000")
                + "00000000" + "80000000";
        // 40 of IPv6, 8 of UDP, 12 of BTH, 16 of RETH, 5 of payload, 3 of pad, 4 of ICRC.
        String packetBegin = "06000000" + "8c000000" + "00000000" + "00000000" + "c4090000" + "58000000" + "58000000"
                + "600000000030" + "1140";
        String packetEnd = ("0200" + "0400" + "02000000") + ("0600" + "0400" + "11000000") + "00000000" + "8c000000";
        assertThat(HexFormat.of().formatHex(written.toByteArray()))
                .startsWith(SECTION + left + packetBegin)
                .endsWith(packetEnd)
                .hasSize(2 * (0x2c + 0x80 + 0x8c));
    }

    @Test
    void whatDevicesSendIsThereOnce() throws IOException {
        PcapngTap tap = new PcapngTap(written);
        SampleEvents.ALL.forEach(tap::on);
        assertThat(read()).containsExactly(SampleEvents.SENT);
    }

    @Test
    void whatADeviceReceivesIsThereForWhoeverAsksForIt() throws IOException {
        PcapngTap tap = PcapngTap.ofBothDirections(written);
        SampleEvents.ALL.forEach(tap::on);
        assertThat(read()).containsExactly(SampleEvents.SENT, SampleEvents.RECEIVED);
    }

    @Test
    void devicesOfOneNameAreDifferentInterfacesAndEachIsDescribedOnce() throws IOException {
        PcapngTap tap = new PcapngTap(written);
        List<TraceEvent> events = List.of(sentBy("twin", 1), sentBy("twin", 2), sentBy("twin", 1), sentBy("other", 1));
        events.forEach(tap::on);
        assertThat(read()).isEqualTo(events);
        assertThat(HexFormat.of().formatHex(written.toByteArray()).split("6500000000000000", -1))
                .as("interfaces")
                .hasSize(1 + 3);
    }

    @Test
    void nameLongerThanAnyReaderShowsIsCut() throws IOException {
        PcapngTap tap = new PcapngTap(written);
        tap.on(sentBy("x".repeat(100_000), 1));
        assertThat(read()).containsExactly(sentBy("x".repeat(256), 1));
    }

    @Test
    void packetsThatNoDatagramHoldsAreLeftOutAndTheLogSaysSoOnce() throws IOException {
        PcapngTap tap = new PcapngTap(written);
        try (LogCapture log = new LogCapture(PcapngTap.class)) {
            TraceEvent longest = sent("left", 1, 65_492);
            tap.on(sent("left", 1, 65_493));
            tap.on(longest);
            tap.on(sent("left", 1, 100_000));
            assertThat(read()).containsExactly(longest);
            assertThat(log.records())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getParameters()).contains("65576", "65572"));
        }
    }

    private static TraceEvent sentBy(String device, long guid) {
        return sent(device, guid, 8);
    }

    private static TraceEvent sent(String device, long guid, int payloadBytes) {
        return new TraceEvent.PacketSent(
                1, device, 17, Gid.ofGuid(guid), SampleEvents.RIGHT, SampleEvents.write(payloadBytes));
    }

    private List<TraceEvent> read() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (CaptureReader reader = new CaptureReader(new ByteArrayInputStream(written.toByteArray()))) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
        }
        return events;
    }
}
