// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.wire.AnyPacket;
import dev.verbatim.wire.ExtensionHeader;
import dev.verbatim.wire.PacketRecord;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PacketJsonTest {
    private final JsonLine line = new JsonLine();

    /** Which values they have is compared by those who read the line with a real parser. */
    @Property(tries = 300)
    void everyFieldOfEveryHeaderIsThere(@ForAll(supplier = AnyPacket.class) PacketRecord packet) {
        line.begin();
        new PacketJson(1 << 10).put(packet, line);
        String text = new String(line.end(), StandardCharsets.UTF_8);
        assertFieldsOf(packet.bth().getClass(), text);
        for (ExtensionHeader extension : packet.extensions()) {
            assertFieldsOf(extension.getClass(), text);
        }
        assertThat(text.contains("\"payload\":\"" + packet.payload() + "\""))
                .isEqualTo(packet.opcode().carriesPayload());
    }

    private static void assertFieldsOf(Class<?> header, String text) {
        assertThat(Arrays.stream(header.getRecordComponents()).map(RecordComponent::getName))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(text).contains("\"" + name + "\":"));
    }
}
