// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;

/**
 * Protects the lines of one {@link OutOfBand} conversation by a {@link SharedSecret}: nobody else can say one, change one,
 * or say one again; whoever listens in can read them.
 *
 * <p>Each end says {@code verbatim challenge=} and 16 random bytes first. Behind each line that follows stands the
 * HMAC-SHA256, under the secret, of the speaker's role, both challenges, the dialler's first, the fingerprint of the
 * listener's certificate, zeros without TLS, the number of the line in its direction, and the line.
 */
final class LineProof {

    /** What a line becomes longer by. */
    static final int SIZE_CHARS = 5 + 2 * 32;

    private static final String CHALLENGE = "verbatim challenge=";
    private static final String MAC = " mac=";
    private static final byte[] DIALLER = "verbatim line of the dialler".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPTOR = "verbatim line of the acceptor".getBytes(StandardCharsets.US_ASCII);

    private final SharedSecret secret;
    private final boolean dialled;
    private final String mine;
    private final byte[] fingerprint;
    private String theirs = "";
    private long said;
    private long heard;

    LineProof(SharedSecret secret, boolean dialled, long high, long low, byte[] fingerprint) {
        this.secret = secret;
        this.dialled = dialled;
        this.mine =
                CHALLENGE + HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
        this.fingerprint = fingerprint;
    }

    /** Whether a line is a challenge, so that who said it has a secret. */
    static boolean isChallenge(String line) {
        return line.startsWith(CHALLENGE);
    }

    /** The first line of this end. */
    String challenge() {
        return mine;
    }

    /**
     * What the other end said first.
     *
     * @throws VerbsException EACCES if it is no challenge
     */
    void meet(String line) {
        if (!isChallenge(line) || line.length() != mine.length()) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "the other end said [%s] and is not authenticated by the shared secret; give both the same, or"
                            + " neither",
                    line);
        }
        theirs = line;
    }

    /** A line with its proof behind it. */
    String prove(String line) {
        return line + MAC + HexFormat.of().formatHex(proof(dialled, said++, line));
    }

    /**
     * A line without the proof behind it.
     *
     * @throws VerbsException EACCES if that is not right
     */
    String proven(String line) {
        int end = Math.max(0, line.length() - SIZE_CHARS);
        String bare = line.substring(0, end);
        String expected = MAC + HexFormat.of().formatHex(proof(!dialled, heard++, bare));
        if (!MessageDigest.isEqual(ascii(expected), ascii(line.substring(end)))) {
            throw VerbsException.of(
                    Errno.EACCES,
                    Rule.N_05,
                    "the other end's line is not proven by this end's shared secret; give both ends the same, and see"
                            + " whether another process answers there");
        }
        return bare;
    }

    private byte[] proof(boolean byDialler, long number, String line) {
        Mac mac = secret.mac();
        mac.update(byDialler ? DIALLER : ACCEPTOR);
        mac.update(ascii(dialled ? mine : theirs));
        mac.update(ascii(dialled ? theirs : mine));
        mac.update(fingerprint);
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        return mac.doFinal(ascii(line));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
