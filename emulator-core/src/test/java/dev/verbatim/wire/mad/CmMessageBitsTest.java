// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each bit of a body belongs to one field or to none, and those that belong to none are the reserved ones. */
class CmMessageBitsTest {

    /** Reserved: {@code first-last} bytes, or {@code byte:high-low} bits of one. */
    @ParameterizedTest
    @CsvSource({
        "REQ, '4-4 24-27 90:3-0 91:7-6 94:2-0 95:2-0 134:3-0 135:7-6 138:2-0 139:1-0'",
        "MRA, '8:5-0 9:2-0'",
        "REJ, '8:5-0 9:0-0'",
        "REP, '27:3-0'",
        "RTU, ''",
        "DREQ, '11-11'",
        "DREP, ''",
        "SIDR_REQ, '6-7'",
        "SIDR_REP, ''",
        "LAP, '8-11 15:2-0 16-19 58:3-0 61:7-6 62:2-0 63:2-0'",
        "APR, '10-11'",
    })
    @Rule("MAD-08")
    void everyBitBelongsToAFieldUnlessReserved(CmAttribute attribute, String reserved) {
        List<Integer> lost = new ArrayList<>();
        for (int bit = 0; bit < Mad.BODY_BYTES * Byte.SIZE; bit++) {
            if (isWithinInformation(attribute, bit)) {
                continue;
            }
            byte[] body = withInformationLength(attribute);
            Octets without = attribute.parse(body).body();
            body[bit / Byte.SIZE] ^= (byte) (0x80 >> bit % Byte.SIZE);
            Octets with = attribute.parse(body).body();
            if (with.equals(without)) {
                lost.add(bit);
            } else {
                assertThat(with).as("bit %d alone", bit).isEqualTo(Octets.of(body));
            }
        }
        assertThat(lost).isEqualTo(bits(reserved));
    }

    /** Where a length stands, flipping a bit of it changes what is read and what is not; those are tested by their values. */
    private static boolean isWithinInformation(CmAttribute attribute, int bit) {
        int at = bit / Byte.SIZE;
        return switch (attribute) {
            case REJ -> at == 9 && bit % Byte.SIZE != 7;
            case SIDR_REP -> at == 5;
            case APR -> at == 8;
            default -> false;
        };
    }

    /** All of the information counts. */
    private static byte[] withInformationLength(CmAttribute attribute) {
        byte[] body = new byte[Mad.BODY_BYTES];
        switch (attribute) {
            case REJ -> body[9] = (byte) (72 << 1);
            case SIDR_REP -> body[5] = 72;
            case APR -> body[8] = 72;
            default -> {}
        }
        return body;
    }

    private static List<Integer> bits(String ranges) {
        List<Integer> bits = new ArrayList<>();
        for (String range : ranges.isEmpty() ? new String[0] : ranges.split(" ")) {
            int colon = range.indexOf(':');
            String[] ends = range.substring(colon + 1).split("-");
            int at = colon < 0 ? 0 : Integer.parseInt(range.substring(0, colon)) * Byte.SIZE;
            int first = colon < 0 ? Integer.parseInt(ends[0]) * Byte.SIZE : at + 7 - Integer.parseInt(ends[0]);
            int last = colon < 0 ? Integer.parseInt(ends[1]) * Byte.SIZE + 7 : at + 7 - Integer.parseInt(ends[1]);
            for (int bit = first; bit <= last; bit++) {
                bits.add(bit);
            }
        }
        return bits;
    }
}
