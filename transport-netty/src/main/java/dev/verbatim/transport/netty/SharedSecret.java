// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.security.SmallFile;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secret bytes that peers must know, for {@link NettyOptions#withSecret}. They are never sent and never printed.
 *
 * <p>Use random bytes, such as those of {@code openssl rand -hex 32 > secret}: an attacker who records a handshake can try guesses
 * offline.
 */
public final class SharedSecret {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private SharedSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * A secret of these bytes, which are copied.
     *
     * @throws IllegalArgumentException if there are fewer than 16
     */
    public static SharedSecret of(byte[] bytes) {
        if (bytes.length < TransportLimits.SHORTEST_SECRET_BYTES) {
            throw new IllegalArgumentException("secretBytes=" + bytes.length + " < "
                    + TransportLimits.SHORTEST_SECRET_BYTES + "; draw them at random");
        }
        return new SharedSecret(bytes);
    }

    /**
     * Reads a secret from a file; a line end at its end is not part of it.
     *
     * @throws VerbsException ENOENT, EACCES or EIO if the file cannot be read, EINVAL if it has fewer than 16 bytes or more than 4096
     */
    public static SharedSecret read(Path file) {
        byte[] bytes = SmallFile.read(file, TransportLimits.LONGEST_SECRET_BYTES, "a secret");
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
            length--;
        }
        if (length < TransportLimits.SHORTEST_SECRET_BYTES) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "%s has secretBytes=%d < %d; draw a secret with openssl rand -hex 32 > %s",
                    file,
                    length,
                    TransportLimits.SHORTEST_SECRET_BYTES,
                    file);
        }
        return new SharedSecret(Arrays.copyOf(bytes, length));
    }

    /** What makes proofs with it. */
    Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "SharedSecret";
    }
}
