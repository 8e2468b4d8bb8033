// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.security;

import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of certificates or of a key, as openssl writes them. What is wrong with it is said in one sentence. */
public final class PemFile {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private final Path file;
    private final String text;

    private PemFile(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * All certificates of a file, in its order, at least one.
     *
     * @throws VerbsException ENOENT, EACCES, EIO or EINVAL if that fails
     */
    public static List<X509Certificate> certificates(Path file) {
        return open(file, "certificates").certificates();
    }

    /**
     * The key of a file, of the same kind as that of the certificate it belongs to.
     *
     * @throws VerbsException ENOENT, EACCES, EIO or EINVAL if that fails
     */
    public static PrivateKey privateKey(Path file, X509Certificate certificate) {
        return open(file, "a private key").privateKey(certificate.getPublicKey().getAlgorithm());
    }

    private static PemFile open(Path file, String what) {
        byte[] bytes = SmallFile.read(file, TransportLimits.LONGEST_PEM_BYTES, what + " in PEM");
        return new PemFile(file, new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private List<X509Certificate> certificates() {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (CERTIFICATE.equals(block.group(1))) {
                certificates.add(certificate(bytes(block)));
            }
        }
        if (certificates.isEmpty()) {
            throw refusal("has no certificate; it must hold -----BEGIN " + CERTIFICATE
                    + "----- and what belongs to it, as openssl writes it");
        }
        return List.copyOf(certificates);
    }

    private X509Certificate certificate(byte[] bytes) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes));
        } catch (CertificateException e) {
            throw refusal("has a certificate that cannot be read: " + e.getMessage() + "; write it anew with openssl");
        }
    }

    private PrivateKey privateKey(String algorithm) {
        Matcher block = BLOCK.matcher(text);
        String other = "";
        while (block.find()) {
            if (PRIVATE_KEY.equals(block.group(1))) {
                return privateKey(algorithm, bytes(block));
            }
            other = block.group(1);
        }
        if (other.endsWith(PRIVATE_KEY)) {
            throw refusal(
                    "has an " + other + ", which Java does not read; make it a plain one with openssl pkcs8 -topk8"
                            + " -nocrypt -in " + file + " -out another.pem");
        }
        throw refusal("has no private key; it must hold -----BEGIN " + PRIVATE_KEY
                + "----- and what belongs to it, as openssl writes it");
    }

    private PrivateKey privateKey(String algorithm, byte[] bytes) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException e) {
            throw refusal("has no key that belongs to a certificate of a key of kind " + algorithm + ": "
                    + e.getMessage() + "; name the key with which that certificate was made");
        }
    }

    private byte[] bytes(Matcher block) {
        try {
            return Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            throw refusal("is damaged: " + e.getMessage() + "; write it anew with openssl");
        }
    }

    private VerbsException refusal(String sentence) {
        return VerbsException.of(Errno.EINVAL, Rule.N_05, "%s %s", file, sentence);
    }
}
