// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class JsonLinesTapTest {
    private static final List<TraceEvent> ALL = SampleEvents.ALL;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final JsonLinesTap tap = new JsonLinesTap(written);

    @Test
    void everyKindOfEventHasASample() {
        assertThat(ALL).extracting(TraceEvent::getClass).containsExactlyInAnyOrder(kinds());
    }

    @SuppressWarnings("unchecked")
    private static Class<? extends TraceEvent>[] kinds() {
        return Stream.of(TraceEvent.class.getPermittedSubclasses())
                .flatMap(kind -> kind.isSealed() ? Stream.of(kind.getPermittedSubclasses()) : Stream.of(kind))
                .toArray(Class[]::new);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void everyFieldOfAnEventIsInItsLine(TraceEvent event) {
        String line = lineOf(event);
        assertThat(line).startsWith("{\"kind\":\"").endsWith("}\n").contains("\"qp\":" + event.qp());
        assertThat(Arrays.stream(event.getClass().getRecordComponents()).map(RecordComponent::getName))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(line).contains("\"" + name + "\":"));
    }

    @Test
    void kindsAreToldApart() {
        ALL.forEach(tap::on);
        assertThat(text().lines().map(line -> line.split("\"")[3]))
                .containsExactly(
                        "posted",
                        "posted",
                        "posted",
                        "taken",
                        "limited",
                        "connected",
                        "started",
                        "sent",
                        "received",
                        "dropped",
                        "fault",
                        "carrier",
                        "memory",
                        "shown",
                        "program",
                        "view",
                        "older",
                        "completed",
                        "polled",
                        "state",
                        "event",
                        "key",
                        "window",
                        "decided");
    }

    @Test
    void packetIsWrittenFieldByField() {
        assertThat(lineOf(SampleEvents.SENT))
                .isEqualTo("{\"kind\":\"sent\",\"timeNanos\":2500,\"device\":\"left\",\"qp\":17,"
                        + "\"source\":\"fe80:0000:0000:0000:0000:0000:0000:0001\","
                        + "\"destination\":\"fe80:0000:0000:0000:0000:0000:0000:0002\","
                        + "\"packet\":{\"opcode\":\"RDMA_WRITE_ONLY\",\"psn\":100,\"destQp\":18,\"ackRequest\":true,"
                        + "\"solicited\":false,\"migRequest\":true,\"pkey\":65535,\"fecn\":false,\"becn\":false,"
                        + "\"reth\":{\"remoteAddress\":\"0x7f0000001000\",\"remoteKey\":\"0x00012305\","
                        + "\"dmaLengthBytes\":5},"
                        + "\"payloadBytes\":5,\"payload\":\"0001020304\",\"payloadOmittedBytes\":0}}\n");
    }

    @Test
    void refusalIsWrittenWithItsCause() {
        assertThat(lineOf(SampleEvents.COMPLETED))
                .isEqualTo("{\"kind\":\"completed\",\"timeNanos\":4000,\"device\":\"left\",\"qp\":17,"
                        + "\"cq\":2,\"workRequestId\":-9223372036854775808,\"status\":\"WR_FLUSH_ERR\",\"opcode\":\"SEND\","
                        + "\"byteLength\":4294967295,\"refusal\":{\"rule\":\"QP-22\",\"sentence\":\"qp 17 is in ERR; "
                        + "caused by: key 0xbeef is \\\"unknown\\\" [MR-22]\","
                        + "\"cause\":{\"rule\":\"MR-22\",\"sentence\":\"key 0xbeef is \\\"unknown\\\"\"}}}\n");
        assertThat(lineOf(SampleEvents.RAISED)).contains("\"reason\":null");
    }

    @Test
    void payloadBehindTheBoundIsCountedAndNotShown() {
        JsonLinesTap brief = new JsonLinesTap(written, 2);
        brief.on(SampleEvents.SENT);
        assertThat(text()).contains("\"payloadBytes\":5,\"payload\":\"0001\",\"payloadOmittedBytes\":3}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JsonLinesTap(written, -1))
                .withMessageContaining("mostPayloadBytes=-1 < 0");
    }

    private String lineOf(TraceEvent event) {
        written.reset();
        tap.on(event);
        return text();
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
