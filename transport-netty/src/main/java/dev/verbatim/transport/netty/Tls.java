// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.security.PemFile;
import dev.verbatim.transport.netty.security.TlsFailure;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 for {@link NettyOptions#withTls}: this end's certificate, the trusted certificates, and whether diallers need one.
 * Immutable. PEM files are read and checked on creation; {@code docs/security.md} says how to make them.
 *
 * <p>A listener always needs a certificate that a trusted one signed and that names the dialled host. A dialler needs one with any
 * subject that a trusted one signed, unless {@link #withMutual} says otherwise.
 */
public final class Tls {

    /** What is signed to see whether a key belongs to a certificate. */
    private static final byte[] PROBE = {'v', 'e', 'r', 'b', 'a', 't', 'i', 'm'};

    private static final char[] NO_PASSWORD = {};

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    /** Java's name for the way in which a host is looked for in a certificate. */
    private static final String CHECK_HOST = "HTTPS";

    private record Identity(List<X509Certificate> chain, KeyManagerFactory keys) {

        /**
         * With its key in a store of the old format, which stays in memory. Java's default, which Netty would take, derives a key by
         * 10,000 rounds of a hash each time that one is put in or taken out.
         */
        static Identity of(List<X509Certificate> chain, PrivateKey key) {
            try {
                KeyStore store = KeyStore.getInstance("JKS");
                store.load(null, NO_PASSWORD);
                store.setKeyEntry("identity", key, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
                KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(store, NO_PASSWORD);
                return new Identity(chain, keys);
            } catch (GeneralSecurityException | IOException e) {
                throw unusable(e);
            }
        }
    }

    private final @Nullable Identity identity;
    private final List<X509Certificate> trusted;
    private final boolean mutual;
    private final @Nullable String host;
    private final SslContext dialling;
    private final @Nullable SslContext listening;

    private Tls(@Nullable Identity identity, List<X509Certificate> trusted, boolean mutual, @Nullable String host) {
        this.identity = identity;
        this.trusted = trusted;
        this.mutual = mutual;
        this.host = host;
        X509Certificate[] anchors = trusted.toArray(new X509Certificate[0]);
        SslContextBuilder client = SslContextBuilder.forClient();
        try {
            if (identity == null) {
                this.listening = null;
            } else {
                client.keyManager(identity.keys);
                this.listening = common(SslContextBuilder.forServer(identity.keys), anchors)
                        .clientAuth(mutual ? ClientAuth.REQUIRE : ClientAuth.NONE)
                        .build();
            }
            this.dialling = common(client, anchors)
                    .endpointIdentificationAlgorithm(CHECK_HOST)
                    .build();
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    private static VerbsException unusable(Exception e) {
        return VerbsException.of(
                Errno.EINVAL,
                Rule.N_05,
                "Java cannot do TLS with these certificates: %s; make others",
                TlsFailure.rootOf(e));
    }

    /**
     * For an end with a certificate, which requires one of diallers too.
     *
     * @param certificates PEM file of its certificate, followed by intermediate certificates if there are any
     * @param key PEM file of its private key, not encrypted (PKCS #8)
     * @param trusted PEM file of the certificates that sign those of peers, or of those certificates themselves
     * @throws VerbsException ENOENT, EACCES, EIO or EINVAL if a file cannot be read or is not valid, with its path and a remedy
     */
    public static Tls of(Path certificates, Path key, Path trusted) {
        List<X509Certificate> chain = PemFile.certificates(certificates);
        PrivateKey privateKey = PemFile.privateKey(key, chain.get(0));
        if (!belongs(privateKey, chain.get(0).getPublicKey())) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "the key in %s is not that of the first certificate in %s, which is %s; name the two that belong"
                            + " together",
                    key,
                    certificates,
                    chain.get(0).getSubjectX500Principal());
        }
        return new Tls(Identity.of(chain, privateKey), PemFile.certificates(trusted), true, null);
    }

    /**
     * For an end without a certificate, which can only dial listeners that do not require one.
     *
     * @param trusted PEM file of the certificates that sign those of peers, or of those certificates themselves
     * @throws VerbsException ENOENT, EACCES, EIO or EINVAL if the file cannot be read or is not valid, with its path and a remedy
     */
    public static Tls trusting(Path trusted) {
        return new Tls(null, PemFile.certificates(trusted), true, null);
    }

    /** Whether this end, when it listens, requires a certificate of diallers; true by default. */
    public Tls withMutual(boolean wanted) {
        return new Tls(identity, trusted, wanted, host);
    }

    /** The name or address that a dialled listener's certificate must contain; by default the dialled host. */
    public Tls withHost(String name) {
        Objects.requireNonNull(name, "name");
        return new Tls(identity, trusted, mutual, name);
    }

    boolean isMutual() {
        return mutual;
    }

    /**
     * Refuses to listen if that is not possible.
     *
     * @throws VerbsException EINVAL if this end cannot prove who it is
     */
    void requireIdentity() {
        if (identity == null) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "the listener with TLS must prove itself, and this end has no certificate; make its options with"
                            + " Tls.of(certificates, key, trusted)");
        }
    }

    /** What does TLS in a channel that this end opened to an address. */
    SslHandler dial(ByteBufAllocator buffers, InetSocketAddress address) {
        return untimed(dialling.newHandler(buffers, expectedHost(address), address.getPort()));
    }

    /** The TLS handler for a channel. */
    SslHandler accept(ByteBufAllocator buffers) {
        return untimed(Objects.requireNonNull(listening, "requireIdentity()").newHandler(buffers));
    }

    /**
     * Does TLS over a blocking socket that this end connected to an address; the handshake comes with the first byte.
     *
     * @throws IOException if the socket is closed already
     */
    SSLSocket dial(Socket plain, InetSocketAddress address) throws IOException {
        SSLSocket socket = over(plain, dialling, expectedHost(address), address.getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(CHECK_HOST);
        socket.setSSLParameters(parameters);
        return socket;
    }

    /**
     * Wraps a connected blocking socket in TLS; the handshake comes with the first byte.
     *
     * @throws IOException if the socket is closed already
     */
    SSLSocket accept(Socket plain) throws IOException {
        SSLSocket socket = over(plain, Objects.requireNonNull(listening, "requireIdentity()"), null, plain.getPort());
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(mutual);
        return socket;
    }

    private static SSLSocket over(Socket plain, SslContext context, @Nullable String host, int port)
            throws IOException {
        SSLSocket socket = (SSLSocket)
                ((JdkSslContext) context).context().getSocketFactory().createSocket(plain, host, port, true);
        socket.setEnabledProtocols(PROTOCOLS);
        return socket;
    }

    /** The name or number that the certificate of who listens there must have. */
    String expectedHost(InetSocketAddress address) {
        return host == null ? address.getHostString() : host;
    }

    /** Stands for the certificate by which this end proves itself when it listens. */
    byte[] fingerprint() {
        return fingerprintOf(
                Objects.requireNonNull(identity, "requireIdentity()").chain.get(0));
    }

    /** Stands for a certificate: no other has the same. */
    static byte[] fingerprintOf(Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was accepted has no bytes", e);
        }
    }

    private static SslContextBuilder common(SslContextBuilder builder, X509Certificate[] anchors) {
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS).trustManager(anchors);
    }

    /** The time for the handshake is part of that for the hello. */
    private static SslHandler untimed(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private static boolean belongs(PrivateKey key, PublicKey certified) {
        try {
            Signature signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "EC" -> "SHA256withECDSA";
                        case "RSA" -> "SHA256withRSA";
                        default -> key.getAlgorithm();
                    });
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** What this end trusts and whether it asks for proof, and nothing of the key. */
    @Override
    public String toString() {
        return "Tls[identity="
                + (identity == null ? "none" : identity.chain.get(0).getSubjectX500Principal())
                + ", trusted="
                + trusted.stream().map(X509Certificate::getSubjectX500Principal).toList()
                + ", mutual=" + mutual + ", host=" + (host == null ? "as dialled" : host) + "]";
    }
}
