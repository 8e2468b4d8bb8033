// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.AnyPacket;
import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

/** What a parser that others wrote reads in our JSON lines. */
class TraceJsonTest {

    @Property
    void anyTextComesBackAsItWas(@ForAll @StringLength(max = 40) String text) throws IOException {
        Map<String, Object> line = parse(new TraceEvent.KeyChanged(-1, text, 5, true, 0x2000, 0x3000, 16, true, text));
        assertThat(line).containsEntry("device", text).containsEntry("what", text);
    }

    @Property
    void anyFieldOfAnyPacketComesBackAsItWas(@ForAll(supplier = AnyPacket.class) PacketRecord packet) throws Exception {
        Gid gid = new Gid(packet.psn(), -1);
        Map<String, Object> line = parse(new TraceEvent.PacketSent(Long.MAX_VALUE, "left", 17, gid, gid, packet));
        assertThat(line)
                .containsEntry("timeNanos", Long.MAX_VALUE)
                .containsEntry("source", gid.toString())
                .containsEntry("destination", gid.toString());
        Map<?, ?> written = (Map<?, ?>) line.get("packet");
        assertSame(packet.bth(), written);
        for (ExtensionHeader extension : packet.extensions()) {
            String type = extension.getClass().getSimpleName();
            String name = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
            assertSame(extension, (Map<?, ?>) written.get(name));
        }
        if (packet.opcode().carriesPayload()) {
            String payload = packet.payload().toString();
            int shown = Math.min(payload.length(), 2 * JsonLinesTap.USUAL_PAYLOAD_BYTES);
            assertThat(written.get("payload")).isEqualTo(payload.substring(0, shown));
            assertThat(written.get("payloadBytes")).isEqualTo(payload.length() / 2);
            assertThat(written.get("payloadOmittedBytes")).isEqualTo((payload.length() - shown) / 2);
        }
    }

    private static void assertSame(Object header, Map<?, ?> written) throws ReflectiveOperationException {
        for (RecordComponent component : header.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(header);
            Object read = written.get(component.getName());
            assertThat(asWritten(value, read)).as(component.getName()).isEqualTo(value);
        }
    }

    /** What stands in the JSON, in the type that the field has. */
    private static Object asWritten(Object value, Object read) {
        if (value instanceof Long) {
            return Long.parseUnsignedLong(((String) read).substring(2), 16);
        } else if (value instanceof Integer) {
            return read instanceof String hex
                    ? Integer.parseUnsignedInt(hex.substring(2), 16)
                    : ((Number) read).intValue();
        }
        return value instanceof Opcode ? Opcode.valueOf((String) read) : read;
    }

    private static Map<String, Object> parse(TraceEvent event) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        new JsonLinesTap(written).on(event);
        String text = written.toString(StandardCharsets.UTF_8);
        assertThat(text.indexOf('\n')).isEqualTo(text.length() - 1);
        return JSON.std.mapFrom(text);
    }
}
