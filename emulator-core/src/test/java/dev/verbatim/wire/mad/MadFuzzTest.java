// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Seeds;
import dev.verbatim.wire.Octets;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes as management datagrams: refused with a sentence, or read and written again with the same meaning. */
@Tag("smoke")
class MadFuzzTest {

    @FuzzTest
    void datagram(byte[] bytes) {
        CmMessage message;
        long transaction;
        try {
            Mad mad = Mad.parse(Octets.of(bytes));
            assertThat(Mad.parse(mad.emit())).isEqualTo(mad);
            transaction = mad.header().transactionId();
            if (RefusalReason.isOne(mad.header())) {
                RefusalReason reason = RefusalReason.parse(mad);
                assertThat(RefusalReason.parse(Mad.parse(reason.emit()))).isEqualTo(reason);
                return;
            }
            message = CmMessage.parse(mad);
        } catch (MadFormatException refusal) {
            assertThat(refusal.getMessage()).isNotBlank();
            return;
        }
        assertThat(bytes).hasSize(Mad.BYTES);
        Octets again = message.emit(transaction);
        assertThat(CmMessage.parse(Mad.parse(again))).isEqualTo(message);
        assertThat(message.toString()).isNotBlank();
        if (message instanceof Req || message instanceof SidrReq) {
            IpHeader header = IpHeader.parse(message.privateData());
            assertThat(IpHeader.parse(header.emit(IpHeader.userData(message.privateData()))))
                    .isEqualTo(header);
        }
    }

    @Test
    void seedsAreOneOfEachKind() throws IOException {
        Map<String, byte[]> seeds = new TreeMap<>();
        byte[] body = new byte[Mad.BODY_BYTES];
        for (CmAttribute attribute : CmAttribute.values()) {
            seeds.put(attribute.name(), attribute.parse(body).emit(1).toBytes());
        }
        seeds.put("REQ", CmVectors.REQ.toBytes());
        seeds.put("REJ", CmVectors.REJ_BY_PROGRAM.toBytes());
        RefusalReason question = RefusalReason.question(1, 17, 18, 100);
        seeds.put("REASON_ASKED", question.emit().toBytes());
        seeds.put(
                "REASON_TOLD",
                question.answer("MR-22", "the key covers less").emit().toBytes());
        Seeds.assertKept(MadFuzzTest.class, "datagram", seeds);
    }
}
