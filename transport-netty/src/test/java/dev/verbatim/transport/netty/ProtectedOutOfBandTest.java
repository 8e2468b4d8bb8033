// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversations out of band between ends that have TLS, a secret, both, or not the same. */
@Timeout(600)
class ProtectedOutOfBandTest {

    private static final long GENEROUS_NANOS = Await.LIMIT.toNanos();
    private static final NettyOptions PLAIN = NettyOptions.defaults().withHelloTimeoutNanos(GENEROUS_NANOS);
    private static final NettyOptions SECRET = PLAIN.withSecret(SharedSecret.of(new byte[16]));
    private static final NettyOptions OTHER =
            PLAIN.withSecret(SharedSecret.of("another secret than that".getBytes(US_ASCII)));
    private static final NettyOptions SERVER = PLAIN.withTls(Pem.server());
    private static final NettyOptions CLIENT = PLAIN.withTls(Pem.client());
    private static final ConnectionData MINE = ConnectionData.empty().with(ConnectionData.RKEY, 0x1234_5678);
    private static final ConnectionData THEIRS = ConnectionData.empty().with(ConnectionData.RKEY, 0x8765_4321);

    static Stream<Arguments> friends() {
        return Stream.of(
                Arguments.of(SECRET, SECRET),
                Arguments.of(SERVER, CLIENT),
                Arguments.of(
                        SERVER.withSecret(SharedSecret.of(new byte[16])),
                        CLIENT.withSecret(SharedSecret.of(new byte[16]))));
    }

    @ParameterizedTest
    @MethodSource("friends")
    void friendsHearWhatEachSays(NettyOptions listening, NettyOptions calling) {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0), listening)) {
            CompletableFuture<ConnectionData> heard = later(() -> talk(port.address(), calling));
            try (OutOfBand server = port.accept(GENEROUS_NANOS)) {
                assertThat(server.receive(GENEROUS_NANOS)).isEqualTo(MINE);
                assertThat(server.receive(GENEROUS_NANOS)).isEqualTo(MINE);
                server.send(THEIRS);
                assertThat(heard.join()).isEqualTo(THEIRS);
            }
        }
    }

    static Stream<Arguments> strangers() {
        return Stream.of(
                Arguments.of(SECRET, OTHER, "not proven by this end's shared secret", "is gone"),
                Arguments.of(SECRET, PLAIN, "is not authenticated by the shared secret", "has a shared secret"),
                Arguments.of(PLAIN, SECRET, "has a shared secret and this end has none", "is gone"),
                Arguments.of(SERVER, PLAIN, "what came is not TLS", "byte=0x15"),
                Arguments.of(PLAIN, CLIENT, "uses TLS and this end does not", "TLS"),
                Arguments.of(
                        SERVER,
                        PLAIN.withTls(Tls.trusting(Pem.TRUSTED)),
                        "the dialing side has no certificate",
                        // Its alert, unless the caller's line meets a socket that is closed already.
                        "peer="),
                Arguments.of(
                        PLAIN.withTls(Tls.of(Pem.of("elsewhere.pem"), Pem.of("server.key"), Pem.TRUSTED)),
                        CLIENT,
                        // The caller's alert, unless its socket is closed too soon.
                        "talking to peer=",
                        "is not good for host="));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void endsThatDoNotAcceptEachOtherSayWhy(NettyOptions listening, NettyOptions calling, String here, String there) {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0), listening)) {
            CompletableFuture<ConnectionData> heard = later(() -> talk(port.address(), calling));
            assertThatThrownBy(() -> {
                        try (OutOfBand server = port.accept(GENEROUS_NANOS)) {
                            server.receive(GENEROUS_NANOS);
                        }
                    })
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(here);
            assertThat(failureOf(heard)).isInstanceOf(VerbsException.class).hasMessageContaining(there);
        }
    }

    @Test
    void silentStrangerDelaysOthersNoLongerThanAHelloMay() throws IOException {
        long shortNanos = 50_000_000L;
        for (NettyOptions options : new NettyOptions[] {SECRET, SERVER}) {
            try (OutOfBandListener port =
                            OutOfBandListener.open(Node.loopback(0), options.withHelloTimeoutNanos(shortNanos));
                    Socket silent = new Socket("localhost", port.address().getPort())) {
                assertThat(silent.isConnected()).isTrue();
                assertThat(failureOf(later(() -> port.accept(GENEROUS_NANOS)))).isInstanceOf(VerbsException.class);
            }
        }
    }

    @Test
    void strangerWhoTricklesAHandshakeDelaysOthersNoLongerThanAHelloMay() throws IOException {
        try (OutOfBandListener port =
                        OutOfBandListener.open(Node.loopback(0), SERVER.withHelloTimeoutNanos(200_000_000L));
                Socket slow = new Socket("localhost", port.address().getPort())) {
            CompletableFuture<OutOfBand> accepted = later(() -> port.accept(GENEROUS_NANOS));
            slow.getOutputStream().write(new byte[] {22, 3, 1, 64, 0});
            while (!accepted.isDone()) {
                try {
                    slow.getOutputStream().write(0);
                } catch (IOException closed) {
                    break;
                }
                // So slowly that no single read waits for too long.
                LockSupport.parkNanos(10_000_000L);
            }
            assertThat(failureOf(accepted)).isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void lineThatIsSaidAgainOrComesLateOrWasChangedIsNotProven() {
        LineProof dialler = new LineProof(SharedSecret.of(new byte[16]), true, 1, 2, new byte[32]);
        String line = "verbatim rkey=0x1";
        dialler.meet(acceptor().challenge());
        String first = dialler.prove(line);
        String second = dialler.prove(line);
        LineProof acceptor = acceptor();
        assertThat(acceptor.proven(first)).isEqualTo(line);
        assertThat(acceptor.proven(second)).isEqualTo(line);
        assertThat(first).hasSize(line.length() + LineProof.SIZE_CHARS);
        LineProof deaf = acceptor();
        assertThat(deaf.proven(first)).isEqualTo(line);
        assertNotProven(deaf, first);
        assertNotProven(acceptor(), second);
        assertNotProven(acceptor(), first.replace("0x1", "0x2"));
        assertNotProven(acceptor(), "");
        assertNotProven(dialler, first);
        LineProof later = new LineProof(SharedSecret.of(new byte[16]), false, 3, 5, new byte[32]);
        later.meet(dialler.challenge());
        assertNotProven(later, first);
        LineProof certified = new LineProof(
                SharedSecret.of(new byte[16]), false, 3, 4, Pem.server().fingerprint());
        certified.meet(dialler.challenge());
        assertNotProven(certified, first);
    }

    private static LineProof acceptor() {
        LineProof acceptor = new LineProof(SharedSecret.of(new byte[16]), false, 3, 4, new byte[32]);
        acceptor.meet(new LineProof(SharedSecret.of(new byte[16]), true, 1, 2, new byte[32]).challenge());
        return acceptor;
    }

    private static void assertNotProven(LineProof judge, String line) {
        assertRefused(Errno.EACCES, "is not proven by this end's shared secret", () -> judge.proven(line));
    }

    @Test
    void strangerHearsAChallengeAndNothingElse() throws IOException {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0), SECRET);
                Socket stranger = new Socket("localhost", port.address().getPort())) {
            CompletableFuture<OutOfBand> accepted = later(() -> port.accept(GENEROUS_NANOS));
            BufferedReader lines = new BufferedReader(new InputStreamReader(stranger.getInputStream(), US_ASCII));
            assertThat(lines.readLine()).matches("verbatim challenge=[0-9a-f]{32}");
            stranger.getOutputStream().write("verbatim rkey=0x1\n".getBytes(US_ASCII));
            assertThat(lines.readLine()).isNull();
            assertThat(failureOf(accepted)).hasMessageContaining("is not authenticated");
        }
    }

    private static ConnectionData talk(InetSocketAddress address, NettyOptions options) {
        try (OutOfBand caller = OutOfBand.connect(address, GENEROUS_NANOS, options)) {
            caller.send(MINE);
            return caller.exchange(MINE, GENEROUS_NANOS);
        }
    }

    private static <T> CompletableFuture<T> later(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, run -> {
            Thread thread = new Thread(run, "other-end");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        try {
            throw new AssertionError("it ended well with " + future.get());
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
