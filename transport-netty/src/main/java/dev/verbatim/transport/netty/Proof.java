// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * How the two ends of one connection prove to each other that they know a {@link SharedSecret}, without saying it.
 *
 * <p>The dialler says a {@link Challenge}, the acceptor answers by one; then the dialler says its hello with its proof
 * behind it, and only when that is right does the acceptor say anything about itself, its hello with its own proof. A proof
 * is the HMAC-SHA256, under the secret, of
 * <ul>
 *   <li>the speaker's role, so that what one end said is no proof when it is said back to it;
 *   <li>both nonces, the dialler's first, so that what was said over another connection is no proof;
 *   <li>the fingerprint of the certificate by which the acceptor proved itself under TLS, zeros without, so that whoever
 *       has a certificate of his own cannot pass proofs on from one to another;
 *   <li>the dialler's hello, and in the acceptor's proof its hello too, so that GIDs cannot be changed, incarnations,
 *       ticket or flags on the way.
 * </ul>
 */
final class Proof {

    static final int SIZE_BYTES = 32;

    /** Of a certificate. */
    static final int FINGERPRINT_BYTES = 32;

    private static final byte[] DIALLER = "verbatim hello of the dialler".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPTOR = "verbatim hello of the acceptor".getBytes(StandardCharsets.US_ASCII);

    private final SharedSecret secret;
    private final boolean dialled;
    private final Challenge mine;
    private byte[] fingerprint = new byte[FINGERPRINT_BYTES];
    private @Nullable Challenge theirs;
    private @Nullable Hello diallersHello;

    /**
     * Nothing has been said yet.
     *
     * @param dialled whether this end dialled
     * @param mine this end's challenge, with a fresh nonce
     */
    Proof(SharedSecret secret, boolean dialled, Challenge mine) {
        this.secret = secret;
        this.dialled = dialled;
        this.mine = mine;
    }

    Challenge mine() {
        return mine;
    }

    /** Whether the other end's challenge has come. */
    boolean isChallenged() {
        return theirs != null;
    }

    /** The other end's challenge has come. */
    void meet(Challenge challenge) {
        theirs = challenge;
    }

    /** The acceptor has proved itself to TLS by the certificate with this {@linkplain Tls#fingerprint fingerprint}. */
    void bindTo(byte[] acceptorsFingerprint) {
        fingerprint = acceptorsFingerprint;
    }

    /** The proof that this end has the secret, which follows its hello. */
    byte[] of(Hello hello) {
        return of(dialled, hello);
    }

    /** Whether what came behind the other end's hello, at an offset of a buffer, proves that it knows the secret. */
    boolean isProven(Hello hello, ByteBuffer source, int offset) {
        byte[] said = new byte[SIZE_BYTES];
        source.get(offset, said);
        return MessageDigest.isEqual(said, of(!dialled, hello));
    }

    private byte[] of(boolean byDialler, Hello hello) {
        Challenge other = Objects.requireNonNull(theirs, "isChallenged()");
        Mac mac = secret.mac();
        mac.update(byDialler ? DIALLER : ACCEPTOR);
        mac.update(bytesOf(dialled ? mine : other));
        mac.update(bytesOf(dialled ? other : mine));
        mac.update(fingerprint);
        if (byDialler) {
            diallersHello = hello;
        } else {
            mac.update(bytesOf(Objects.requireNonNull(diallersHello, "the dialler sends first")));
        }
        mac.update(bytesOf(hello));
        return mac.doFinal();
    }

    private static byte[] bytesOf(Challenge challenge) {
        ByteBuffer bytes = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        challenge.write(bytes);
        return bytes.array();
    }

    private static byte[] bytesOf(Hello hello) {
        ByteBuffer bytes = ByteBuffer.allocate(Hello.SIZE_BYTES);
        hello.write(bytes);
        return bytes.array();
    }
}
