// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbatim.verbs.Errno;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where may be listened with which options, and what is wrong with files that options are made of. */
class ProtectionTest {

    private static final SharedSecret SECRET = SharedSecret.of(new byte[16]);
    private static final NettyOptions NONE = NettyOptions.defaults();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void loopbackMayBeListenedAtWithoutProtection(String host) {
        assertThatCode(() -> NONE.requireMayListen(new InetSocketAddress(host, 7471)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "10.1.2.3", "2001:db8::1", "fe80::1"})
    void elsewhereStrangersMustProveThemselvesOrBeWelcome(String host) {
        InetSocketAddress address = new InetSocketAddress(host, 7471);
        String words = "listening at address=" + address + " would accept every peer; use NettyOptions"
                + ".withTls, which authenticates them, or withSecret, or a loopback address, or, where every peer may"
                + " be trusted, withListeningOpenly(true)";
        assertRefused(Errno.EACCES, words, () -> NONE.requireMayListen(address));
        assertRefused(
                Errno.EACCES,
                words,
                () -> NONE.withListeningOpenly(true).withListeningOpenly(false).requireMayListen(address));
        assertRefused(
                Errno.EACCES,
                words,
                () -> NONE.withTls(Pem.server().withMutual(false)).requireMayListen(address));
        assertThatCode(() -> {
                    NONE.withTls(Pem.server()).requireMayListen(address);
                    NONE.withSecret(SECRET).requireMayListen(address);
                    NONE.withTls(Pem.server().withMutual(false))
                            .withSecret(SECRET)
                            .requireMayListen(address);
                    NONE.withListeningOpenly(true).requireMayListen(address);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void fabricAndOutOfBandAskThatBeforeTheyListen() {
        InetSocketAddress everywhere = new InetSocketAddress(0);
        try (Node node = Node.open(1)) {
            assertRefused(Errno.EACCES, "would accept every peer", () -> node.fabric.listen(everywhere));
        }
        assertRefused(Errno.EACCES, "would accept every peer", () -> OutOfBandListener.open(everywhere));
    }

    @Test
    void whoListensWithTlsNeedsACertificate() {
        NettyOptions options = Pem.with(Tls.trusting(Pem.TRUSTED));
        try (Node node = Node.open(1, options)) {
            assertRefused(Errno.EINVAL, "make its options with Tls.of(certificates, key, trusted)", node::listen);
        }
    }

    /** Files that are not what they should be: certificates, key, trusted, and what is said. */
    static Stream<Arguments> wrongFiles() {
        String key = "-----BEGIN %s-----\nAAAA\n-----END %<s-----\n";
        return Stream.of(
                Arguments.of("missing.pem", null, Errno.ENOENT, "does not exist; name a file that holds"),
                Arguments.of(".", null, Errno.EIO, "reading"),
                Arguments.of("empty.pem", "", Errno.EINVAL, "has no certificate; it must hold -----BEGIN CERTIFICATE"),
                Arguments.of("noise.pem", "\u0000\u0001 noise", Errno.EINVAL, "has no certificate"),
                Arguments.of("damaged.pem", key.formatted("CERTIFICATE"), Errno.EINVAL, "cannot be read"),
                Arguments.of(
                        "padded.pem", key.formatted("CERTIFICATE").replace("AAAA", "A"), Errno.EINVAL, "is damaged"),
                Arguments.of("long.pem", " ".repeat(1 << 20) + " ", Errno.EINVAL, "more than 1048576 bytes"));
    }

    @ParameterizedTest
    @MethodSource("wrongFiles")
    void wrongFileOfCertificatesIsNamed(String name, String content, Errno errno, String words) throws IOException {
        Path file = file(name, content);
        assertRefused(errno, file.toString(), () -> Tls.trusting(file));
        assertRefused(errno, words, () -> Tls.trusting(file));
        assertRefused(errno, words, () -> Tls.of(file, Pem.of("server.key"), Pem.TRUSTED));
        assertRefused(errno, words, () -> Tls.of(Pem.of("server.pem"), Pem.of("server.key"), file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
    void keyInAFormThatJavaDoesNotReadIsNamedWithTheWayOut(String kind) throws IOException {
        Path file = file("key.pem", "-----BEGIN " + kind + "-----\nAAAA\n-----END " + kind + "-----\n");
        assertRefused(
                Errno.EINVAL,
                file + " has an " + kind + ", which Java does not read; make it a plain one with openssl pkcs8",
                () -> Tls.of(Pem.of("server.pem"), file, Pem.TRUSTED));
    }

    @Test
    void keyThatIsNoneOrAnothersIsNamed() throws IOException {
        assertRefused(
                Errno.EINVAL,
                Pem.TRUSTED + " has no private key",
                () -> Tls.of(Pem.of("server.pem"), Pem.TRUSTED, Pem.TRUSTED));
        assertRefused(
                Errno.EINVAL,
                "the key in " + Pem.of("client.key") + " is not that of the first certificate in "
                        + Pem.of("server.pem"),
                () -> Tls.of(Pem.of("server.pem"), Pem.of("client.key"), Pem.TRUSTED));
        Path damaged = file("key.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertRefused(
                Errno.EINVAL,
                damaged + " has no key that belongs to a certificate of a key of kind EC",
                () -> Tls.of(Pem.of("server.pem"), damaged, Pem.TRUSTED));
    }

    @Test
    void optionsSayWhoTheyAreAndNothingOfTheKey() {
        assertThat(Pem.server().withHost("here.example"))
                .hasToString("Tls[identity=CN=server, trusted=[CN=trusted], mutual=true, host=here.example]");
    }

    @Test
    void secretIsReadWithoutTheEndOfItsLine() throws IOException {
        SharedSecret read = SharedSecret.read(file("secret", "0123456789abcdef\r\n"));
        SharedSecret same = SharedSecret.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        assertThat(read.mac().doFinal()).isEqualTo(same.mac().doFinal());
    }

    @Test
    void wrongFileOfASecretIsNamed() throws IOException {
        Path brief = file("brief", "0123456789abcde\n");
        assertRefused(
                Errno.EINVAL,
                brief + " has secretBytes=15 < 16; draw a secret with openssl rand -hex 32 > " + brief,
                () -> SharedSecret.read(brief));
        Path longer = file("longer", " ".repeat(4097));
        assertRefused(Errno.EINVAL, longer + " has more than 4096 bytes", () -> SharedSecret.read(longer));
        Path missing = folder.resolve("missing");
        assertRefused(Errno.ENOENT, missing + " does not exist", () -> SharedSecret.read(missing));
    }

    private Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        return content == null ? file : Files.writeString(file, content);
    }
}
