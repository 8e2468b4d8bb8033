// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Seeds;
import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes as a hello or a challenge: what is refused is refused as soon as it can be and for ever, what is not is read back as it was said. */
@Tag("smoke")
class HelloFuzzTest {

    @FuzzTest
    void hello(byte[] bytes) {
        int length = Math.min(bytes.length, Hello.SIZE_BYTES);
        String refusal = null;
        for (int arrived = 0; arrived <= length; arrived++) {
            String now = refusalOf(bytes, arrived, (byte) 0);
            assertThat(refusalOf(bytes, arrived, (byte) -1)).isEqualTo(now);
            if (refusal != null) {
                assertThat(now).isEqualTo(refusal);
            }
            refusal = now;
        }
        if (refusal != null) {
            assertThat(refusal).isNotBlank();
        } else if (length == Hello.SIZE_BYTES) {
            ByteBuffer whole = ByteBuffer.wrap(bytes);
            ByteBuffer again = ByteBuffer.allocate(Hello.SIZE_BYTES);
            if (Challenge.isOne(whole)) {
                Challenge.read(whole).write(again);
            } else {
                Hello.read(whole).write(again);
            }
            assertThat(again.array()).isEqualTo(Arrays.copyOf(bytes, length));
        }
    }

    private static String refusalOf(byte[] bytes, int arrived, byte notArrived) {
        byte[] seen = Arrays.copyOf(bytes, Hello.SIZE_BYTES);
        Arrays.fill(seen, arrived, seen.length, notArrived);
        return Hello.refusal(ByteBuffer.wrap(seen), arrived);
    }

    @Test
    void seedsAreOneOfEachVerdict() throws IOException {
        Map<String, byte[]> seeds = new TreeMap<>();
        for (Verdict verdict : Verdict.values()) {
            Hello hello = new Hello(verdict, verdict == Verdict.WELCOME, 4160, Gid.ofGuid(0x22), 0x33, 0x44);
            seeds.put(verdict.name(), RawPeer.bytes(hello));
        }
        ByteBuffer challenge = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        new Challenge(Verdict.WELCOME, 1, 2).write(challenge);
        seeds.put("challenge", challenge.array());
        Seeds.assertKept(HelloFuzzTest.class, "hello", seeds);
    }
}
