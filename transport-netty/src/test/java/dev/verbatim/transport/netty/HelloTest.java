// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelloTest {

    private static final Hello HELLO =
            new Hello(Verdict.WELCOME, true, 4160, new Gid(0x1111111111111111L, 0x22), 0x33, 0x44);

    @Test
    void bytesAreThoseOfTheDescription() {
        assertThat(HexFormat.of().formatHex(RawPeer.bytes(HELLO)))
                .isEqualTo("564552424154494d" + "0002" + "0000" + "00000001" + "00001040" + "00000000"
                        + "1111111111111111" + "0000000000000022" + "0000000000000033" + "0000000000000044");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadBack(Verdict verdict) {
        Hello hello = new Hello(verdict, false, 5000, Gid.ofGuid(-1), Long.MIN_VALUE, 0);
        ByteBuffer bytes = ByteBuffer.wrap(RawPeer.bytes(hello));
        assertThat(Hello.refusal(bytes, Hello.SIZE_BYTES)).isNull();
        assertThat(Hello.read(bytes)).isEqualTo(hello);
    }

    @Test
    void everyBeginningOfAHelloCanStillBecomeOne() {
        ByteBuffer bytes = ByteBuffer.wrap(RawPeer.bytes(HELLO));
        for (int arrivedBytes = 0; arrivedBytes <= Hello.SIZE_BYTES; arrivedBytes++) {
            assertThat(Hello.refusal(bytes, arrivedBytes)).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "7, 0, magic=0x5645524241544900 != 0x564552424154494d",
        "9, 1, version=1 != 2; run the same Verbatim at both ends",
        "11, 7, verdict=7 is not in 0..6",
        "10, 255, verdict=-256 is not in 0..6",
        "15, 3, flags=0x00000003",
        "23, 1, zeros=0x00000001",
        "19, 63, maxPacketBytes=4159 < 4160",
        "16, 128, maxPacketBytes=-2147479488 < 4160",
        "47, 0, incarnation=0",
    })
    void oneWrongByteIsNamed(int offset, int value, String words) {
        byte[] bytes = RawPeer.bytes(HELLO);
        bytes[offset] = (byte) value;
        assertThat(Hello.refusal(ByteBuffer.wrap(bytes), Hello.SIZE_BYTES)).contains(words);
    }

    @Test
    void wrongMagicIsSeenBeforeTheHelloIsWhole() {
        assertThat(Hello.refusal(ByteBuffer.allocate(Hello.SIZE_BYTES), 7)).isNull();
        assertThat(Hello.refusal(ByteBuffer.allocate(Hello.SIZE_BYTES), 8)).contains("magic=0x0000000000000000");
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 22})
    void recordOfTlsIsNamedAsSoonAsItShows(int type) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Hello.SIZE_BYTES).put(0, (byte) type).put(1, (byte) 3);
        assertThat(Hello.refusal(bytes, 1)).isNull();
        assertThat(Hello.refusal(bytes, 2)).contains("uses TLS and this one does not");
    }

    @Test
    void challengeIsAsLongAsAHelloAndReadBack() {
        Challenge challenge = new Challenge(Verdict.OTHER_SECRET, 0x1111111111111111L, 0x22);
        ByteBuffer bytes = ByteBuffer.allocate(Hello.SIZE_BYTES);
        challenge.write(bytes);
        assertThat(HexFormat.of().formatHex(bytes.array()))
                .isEqualTo("564552424154494d" + "0002" + "0005" + "00000100" + "0000000000000000" + "1111111111111111"
                        + "0000000000000022" + "0".repeat(32));
        assertThat(Hello.refusal(bytes, Hello.SIZE_BYTES)).isNull();
        assertThat(Challenge.isOne(bytes)).isTrue();
        assertThat(Challenge.read(bytes)).isEqualTo(challenge);
        assertThat(Challenge.isOne(ByteBuffer.wrap(RawPeer.bytes(HELLO)))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 23, 40, 55})
    void reservedByteOfAChallengeIsRefused(int offset) {
        ByteBuffer bytes = ByteBuffer.allocate(Hello.SIZE_BYTES);
        new Challenge(Verdict.WELCOME, 1, 2).write(bytes);
        bytes.put(offset, (byte) 1);
        assertThat(Hello.refusal(bytes, Hello.SIZE_BYTES)).contains("reserved bits of a challenge");
    }
}
