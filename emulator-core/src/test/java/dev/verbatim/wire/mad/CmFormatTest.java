// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbatim.testing.Rule;
import dev.verbatim.wire.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no datagram or message of its kind, and the numbers that have a meaning of their own. */
class CmFormatTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 24, 255, 257, 260})
    @Rule("MAD-08")
    void datagramOfAnotherLengthIsRefused(int lengthBytes) {
        assertThatExceptionOfType(MadFormatException.class)
                .isThrownBy(() -> Mad.parse(Octets.of(new byte[lengthBytes])))
                .withMessageContaining("length=" + lengthBytes + " is not 256");
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 8", "2, 1", "2, 3", "3, 1", "17, 15", "17, 27"})
    @Rule("MAD-08")
    void headerThatIsNotThatOfAMessageIsRefused(int at, int value) {
        byte[] bytes = CmVectors.RTU.toBytes();
        bytes[at] = (byte) value;
        Mad mad = Mad.parse(Octets.of(bytes));
        assertThatExceptionOfType(MadFormatException.class).isThrownBy(() -> CmMessage.parse(mad));
    }

    /** Status, attribute modifier and reserved bytes. */
    @ParameterizedTest
    @ValueSource(ints = {5, 7, 18, 19, 23})
    @Rule("MAD-08")
    void whatMeansNothingInAHeaderIsNotLookedAt(int at) {
        byte[] bytes = CmVectors.RTU.toBytes();
        bytes[at] = 5;
        assertThat(CmMessage.parse(Mad.parse(Octets.of(bytes)))).isEqualTo(CmMessage.parse(Mad.parse(CmVectors.RTU)));
    }

    @Test
    @Rule("MAD-08")
    void informationThatIsLongerThanItsPlaceIsRefused() {
        byte[] body = new byte[Mad.BODY_BYTES];
        body[9] = (byte) (73 << 1);
        assertThatExceptionOfType(MadFormatException.class)
                .isThrownBy(() -> Rej.parse(body))
                .withMessageContaining("additional of 73 bytes > 72");
    }

    @Test
    void valueThatIsWiderThanItsFieldIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Req.builder().localQpn(1 << 24).build())
                .withMessageContaining("localQpn=16777216 is not in 0..16777215");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Dreq(1, 2, -1, Octets.EMPTY))
                .withMessageContaining("remoteQpn=4294967295");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rtu(1, 2, Octets.of(new byte[225])))
                .withMessageContaining("privateData of 225 bytes > 224");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rej(1, 2, 0, 8, Octets.of(new byte[73]), Octets.EMPTY))
                .withMessageContaining("additional of 73 bytes > 72");
    }

    @ParameterizedTest
    @CsvSource({
        "REQ, 92",
        "MRA, 222",
        "REJ, 148",
        "REP, 196",
        "RTU, 224",
        "DREQ, 220",
        "DREP, 224",
        "SIDR_REQ, 216",
        "SIDR_REP, 136",
        "LAP, 168",
        "APR, 148"
    })
    @Rule("MAD-08")
    void privateDataIsAsLongAsItsField(CmAttribute attribute, int lengthBytes) {
        assertThat(attribute.parse(new byte[Mad.BODY_BYTES]).privateData().lengthBytes())
                .isEqualTo(lengthBytes);
        assertThat(CmAttribute.of(attribute.number())).isEqualTo(attribute);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "7, 1", "8, 1", "14, 64", "18, 1024", "19, 2048", "20, 4096", "24, 65536", "31, 8388608"})
    @Rule("MAD-08")
    void codesOfTimesAreMillisecondsDoubled(int code, long millis) {
        assertThat(CmTimeout.nanos(code)).isEqualTo(millis * 1_000_000);
    }

    @Test
    void codesOfTimesHaveFiveBits() {
        assertThatIllegalArgumentException().isThrownBy(() -> CmTimeout.nanos(32));
        assertThatIllegalArgumentException().isThrownBy(() -> CmTimeout.nanos(-1));
    }

    @Test
    @Rule("MAD-08")
    void servicesAreTheirPortSpaceAndPort() {
        long service = ServiceId.of(ServiceId.PORT_SPACE_TCP, 7174);
        assertThat(service).isEqualTo(0x0000_0000_0106_1c06L);
        assertThat(ServiceId.portSpace(service)).isEqualTo(0x0106);
        assertThat(ServiceId.port(service)).isEqualTo(7174);
        assertThat(ServiceId.portSpace(-1)).isEqualTo(0xffff_ffff_ffffL);
        assertThatIllegalArgumentException().isThrownBy(() -> ServiceId.of(ServiceId.PORT_SPACE_UDP, 65536));
    }

    @Test
    void privateDataThatIsTooShortHasNoIpHeader() {
        assertThatExceptionOfType(MadFormatException.class)
                .isThrownBy(() -> IpHeader.parse(Octets.of(new byte[35])))
                .withMessageContaining("35 bytes < 36");
        assertThat(IpHeader.userData(Octets.of(new byte[35]))).isEqualTo(Octets.EMPTY);
    }
}
