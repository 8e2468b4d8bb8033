// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.security.PemFile;
import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ProofTest {

    private static final byte[] BYTES = "sixteen bytes are the least".getBytes(StandardCharsets.US_ASCII);
    private static final SharedSecret SECRET = SharedSecret.of(BYTES);
    private static final Challenge DIALLERS = new Challenge(Verdict.WELCOME, 1, 2);
    private static final Challenge ACCEPTORS = new Challenge(Verdict.WELCOME, 3, 4);
    private static final Hello DIALLERS_HELLO = new Hello(Verdict.WELCOME, false, 4160, Gid.ofGuid(5), 6, 7);
    private static final Hello ACCEPTORS_HELLO = new Hello(Verdict.WELCOME, true, 4160, Gid.ofGuid(8), 9, 10);

    @Test
    void proofsAreThoseOfTheDescription() throws Exception {
        Proof dialler = dialler(SECRET);
        Proof acceptor = acceptor(SECRET);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(BYTES, "HmacSHA256"));
        mac.update("verbatim hello of the dialler".getBytes(StandardCharsets.US_ASCII));
        mac.update(bytes(DIALLERS));
        mac.update(bytes(ACCEPTORS));
        mac.update(new byte[32]);
        assertThat(dialler.of(DIALLERS_HELLO)).isEqualTo(mac.doFinal(RawPeer.bytes(DIALLERS_HELLO)));
        assertThat(proves(dialler, DIALLERS_HELLO, acceptor)).isTrue();
        mac.update("verbatim hello of the acceptor".getBytes(StandardCharsets.US_ASCII));
        mac.update(bytes(DIALLERS));
        mac.update(bytes(ACCEPTORS));
        mac.update(new byte[32]);
        mac.update(RawPeer.bytes(DIALLERS_HELLO));
        assertThat(acceptor.of(ACCEPTORS_HELLO)).isEqualTo(mac.doFinal(RawPeer.bytes(ACCEPTORS_HELLO)));
        assertThat(proves(acceptor, ACCEPTORS_HELLO, dialler)).isTrue();
    }

    @Test
    void otherSecretProvesNothing() {
        SharedSecret other = SharedSecret.of(Arrays.copyOf(BYTES, BYTES.length - 1));
        assertThat(proves(dialler(other), DIALLERS_HELLO, acceptor(SECRET))).isFalse();
    }

    @Test
    void proofOfOneRoleIsNoneOfTheOther() {
        Proof reflecting = new Proof(SECRET, true, DIALLERS);
        reflecting.meet(DIALLERS);
        byte[] said = reflecting.of(DIALLERS_HELLO);
        assertThat(reflecting.isProven(DIALLERS_HELLO, ByteBuffer.wrap(said), 0))
                .isFalse();
    }

    @Test
    void proofOfAnotherConnectionIsNoneOfThis() {
        Proof later = new Proof(SECRET, false, new Challenge(Verdict.WELCOME, 3, 5));
        later.meet(DIALLERS);
        assertThat(proves(dialler(SECRET), DIALLERS_HELLO, later)).isFalse();
        Proof laterDialler = new Proof(SECRET, true, new Challenge(Verdict.WELCOME, 0, 2));
        laterDialler.meet(ACCEPTORS);
        assertThat(proves(laterDialler, DIALLERS_HELLO, acceptor(SECRET))).isFalse();
    }

    @Test
    void proofToWhoHasOneCertificateIsNoneToWhoHasAnother() {
        Proof dialler = dialler(SECRET);
        Proof acceptor = acceptor(SECRET);
        acceptor.bindTo(
                Tls.fingerprintOf(PemFile.certificates(Pem.of("server.pem")).get(0)));
        assertThat(proves(dialler, DIALLERS_HELLO, acceptor)).isFalse();
        dialler.bindTo(
                Tls.fingerprintOf(PemFile.certificates(Pem.of("elsewhere.pem")).get(0)));
        assertThat(proves(dialler, DIALLERS_HELLO, acceptor)).isFalse();
        dialler.bindTo(Pem.server().fingerprint());
        assertThat(proves(dialler, DIALLERS_HELLO, acceptor)).isTrue();
    }

    @Test
    void everyByteOfADiallersHelloIsCovered() {
        Proof acceptor = acceptor(SECRET);
        byte[] proof = dialler(SECRET).of(DIALLERS_HELLO);
        assertThat(IntStream.range(0, Hello.SIZE_BYTES))
                .allSatisfy(at -> assertThat(isProvenOrNoHello(acceptor, DIALLERS_HELLO, at, proof))
                        .isFalse());
    }

    @Test
    void everyByteOfBothHellosIsCoveredByTheAcceptorsProof() {
        Proof acceptor = acceptor(SECRET);
        assertThat(proves(dialler(SECRET), DIALLERS_HELLO, acceptor)).isTrue();
        byte[] proof = acceptor.of(ACCEPTORS_HELLO);
        for (int at = 0; at < Hello.SIZE_BYTES; at++) {
            Proof dialler = dialler(SECRET);
            dialler.of(DIALLERS_HELLO);
            assertThat(isProvenOrNoHello(dialler, ACCEPTORS_HELLO, at, proof)).isFalse();
        }
        Hello changed = new Hello(Verdict.WELCOME, false, 4160, Gid.ofGuid(5), 6, 0);
        Proof deceived = dialler(SECRET);
        deceived.of(changed);
        assertThat(deceived.isProven(ACCEPTORS_HELLO, ByteBuffer.wrap(proof), 0))
                .isFalse();
    }

    @Test
    void secretIsNotShown() {
        assertThat(SECRET).hasToString("SharedSecret");
        assertThat(NettyOptions.defaults().withSecret(SECRET).toString()).doesNotContain("sixteen");
    }

    /** Whether a hello with one bit changed is one and proven. */
    private static boolean isProvenOrNoHello(Proof judge, Hello hello, int at, byte[] proof) {
        byte[] bytes = RawPeer.bytes(hello);
        bytes[at] ^= 1;
        ByteBuffer changed = ByteBuffer.wrap(bytes);
        return Hello.refusal(changed, Hello.SIZE_BYTES) == null
                && !Challenge.isOne(changed)
                && judge.isProven(Hello.read(changed), ByteBuffer.wrap(proof), 0);
    }

    private static boolean proves(Proof speaker, Hello hello, Proof judge) {
        return judge.isProven(hello, ByteBuffer.wrap(speaker.of(hello)), 0);
    }

    private static Proof dialler(SharedSecret secret) {
        Proof proof = new Proof(secret, true, DIALLERS);
        proof.meet(ACCEPTORS);
        return proof;
    }

    private static Proof acceptor(SharedSecret secret) {
        Proof proof = new Proof(secret, false, ACCEPTORS);
        proof.meet(DIALLERS);
        return proof;
    }

    private static byte[] bytes(Challenge challenge) {
        ByteBuffer bytes = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        challenge.write(bytes);
        return bytes.array();
    }
}
