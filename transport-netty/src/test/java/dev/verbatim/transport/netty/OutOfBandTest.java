// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.transport.netty.NettyFabricTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class OutOfBandTest {

    private static final long GENEROUS_NANOS = Await.LIMIT.toNanos();
    private static final long SHORT_NANOS = 20_000_000L;
    private static final ConnectionData MINE = ConnectionData.empty()
            .with(ConnectionData.GID, Gid.ofGuid(1))
            .with(ConnectionData.QPN, 0x11)
            .with(ConnectionData.ADDRESS, -1L)
            .with(ConnectionData.RKEY, 0x1234_5678);

    @Test
    void eachEndHearsWhatTheOtherSays() {
        ConnectionData theirs = ConnectionData.empty().with(ConnectionData.FABRIC_PORT, 7471);
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                OutOfBand client = OutOfBand.connect(port.address(), GENEROUS_NANOS);
                OutOfBand server = port.accept(GENEROUS_NANOS)) {
            client.send(MINE);
            assertThat(server.exchange(theirs, GENEROUS_NANOS)).isEqualTo(MINE);
            assertThat(client.receive(GENEROUS_NANOS).number(ConnectionData.FABRIC_PORT))
                    .isEqualTo(7471);
            assertThat(client.peerAddress()).isEqualTo(port.address().getAddress());
        }
    }

    @Test
    void severalLinesKeepTheirOrder() {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                OutOfBand client = OutOfBand.connect(port.address(), GENEROUS_NANOS);
                OutOfBand server = port.accept(GENEROUS_NANOS)) {
            client.send(MINE);
            client.send(ConnectionData.empty());
            assertThat(server.receive(GENEROUS_NANOS)).isEqualTo(MINE);
            assertThat(server.receive(GENEROUS_NANOS)).isEqualTo(ConnectionData.empty());
        }
    }

    @Test
    void dataIsALineOfNamesAndValues() {
        assertThat(MINE)
                .hasToString("verbatim gid=fe80:0000:0000:0000:0000:0000:0000:0001 qpn=0x11"
                        + " address=0xffffffffffffffff rkey=0x12345678");
        assertThat(ConnectionData.parse(MINE.toString())).isEqualTo(MINE).hasSameHashCodeAs(MINE);
        assertThat(MINE.gid(ConnectionData.GID)).isEqualTo(Gid.ofGuid(1));
        assertThat(MINE.number(ConnectionData.ADDRESS)).isEqualTo(-1);
        assertThat((int) MINE.number(ConnectionData.RKEY)).isEqualTo(0x1234_5678);
        assertThat(ConnectionData.parse("verbatim psn=17").number(ConnectionData.PSN))
                .isEqualTo(17);
        assertThat(MINE.has(ConnectionData.PSN)).isFalse();
    }

    @Test
    void missingOrMalformedValueIsNamed() {
        assertRefused(Errno.EINVAL, "lacks psn=", () -> MINE.number(ConnectionData.PSN));
        assertRefused(Errno.EINVAL, "gid=fe80", () -> MINE.number(ConnectionData.GID));
        assertRefused(Errno.EINVAL, "qpn=0x11 is not a GID", () -> MINE.gid(ConnectionData.QPN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "HTTP/1.1 400 Bad Request", "verbatim gid", "verbatim =1", "verbatim a=", "verbatim  a=1"})
    void lineOfAnotherKindIsRefused(String line) {
        assertRefused(Errno.EINVAL, "[" + line + "]", () -> ConnectionData.parse(line));
    }

    @Test
    void valueThatNoLineCanCarryIsRefused() {
        assertThatThrownBy(() -> MINE.with("name", "two words")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MINE.with("Name", "word")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MINE.with("name", "x".repeat(1000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("> 1024");
    }

    @Test
    void callThatNobodyAnswersSaysSo() throws IOException {
        try (Socket nobody = TcpPorts.withoutListener()) {
            InetSocketAddress there = Node.loopback(nobody.getLocalPort());
            assertRefused(Errno.EIO, "start the other process first", () -> OutOfBand.connect(there, GENEROUS_NANOS));
        }
    }

    @Test
    void waitingForACallEndsWithItsTimeout() {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0))) {
            assertRefused(Errno.ETIMEDOUT, "timeoutNanos=20000000", () -> port.accept(SHORT_NANOS));
        }
    }

    @Test
    void listeningAtATakenPortSaysSo() {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0))) {
            assertRefused(
                    Errno.EIO,
                    port.address().toString(),
                    () -> OutOfBandListener.open(port.address()).close());
        }
    }

    @Test
    void eachOfTwoThreadsThatWaitForACallKeepsItsTimeout() {
        OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
        CompletableFuture<Void> patient =
                CompletableFuture.runAsync(() -> port.accept(GENEROUS_NANOS).close());
        assertRefused(Errno.ETIMEDOUT, "timeoutNanos=20000000", () -> port.accept(SHORT_NANOS));
        assertThat(patient).isNotDone();
        port.close();
        assertThatThrownBy(() -> patient.get(GENEROUS_NANOS, TimeUnit.NANOSECONDS))
                .hasMessageContaining("EIO");
    }

    /** The thread takes one call first, so that it is in accept, or on its way there, when the listener is closed. */
    @Test
    void closedListenerLetsOthersListenThereAlthoughAThreadWaited() throws Exception {
        InetSocketAddress address = Node.loopback(TcpPorts.unasked());
        for (int round = 0; round < 200; round++) {
            OutOfBandListener port = OutOfBandListener.open(address);
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                port.accept(GENEROUS_NANOS).close();
                port.accept(GENEROUS_NANOS).close();
            });
            try (Socket peer = call(port, "verbatim qpn=")) {
                assertThat(peer.getInputStream().read()).isEqualTo(-1);
            }
            port.close();
            OutOfBandListener.open(address).close();
            assertThatThrownBy(() -> waiting.get(GENEROUS_NANOS, TimeUnit.NANOSECONDS))
                    .hasMessageContaining("EIO");
        }
    }

    @Test
    void silentPeerEndsTheWaitWithItsTimeout() throws IOException {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                Socket peer = call(port, "verbatim gid=");
                OutOfBand conversation = port.accept(GENEROUS_NANOS)) {
            assertThat(peer.isConnected()).isTrue();
            // How much of it is read in that time is up to the machine.
            assertRefused(
                    Errno.ETIMEDOUT, " and no more within timeoutNanos=", () -> conversation.receive(SHORT_NANOS));
        }
    }

    @Test
    void peerThatHangsUpInALineIsNamed() throws IOException {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                Socket peer = call(port, "verbatim qpn=");
                OutOfBand conversation = port.accept(GENEROUS_NANOS)) {
            peer.shutdownOutput();
            assertRefused(Errno.EIO, "after [verbatim qpn=]", () -> conversation.receive(GENEROUS_NANOS));
        }
    }

    @Test
    void endlessLineIsRefused() throws IOException {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                Socket peer = call(port, "x".repeat(1025));
                OutOfBand conversation = port.accept(GENEROUS_NANOS)) {
            assertThat(peer.isConnected()).isTrue();
            assertRefused(Errno.EINVAL, "at most 1024", () -> conversation.receive(GENEROUS_NANOS));
        }
    }

    @Test
    void controlCharacterIsRefused() throws IOException {
        try (OutOfBandListener port = OutOfBandListener.open(Node.loopback(0));
                Socket peer = call(port, "verbatim\r\n");
                OutOfBand conversation = port.accept(GENEROUS_NANOS)) {
            assertThat(peer.isConnected()).isTrue();
            assertRefused(Errno.EINVAL, "byte=0xd", () -> conversation.receive(GENEROUS_NANOS));
        }
    }

    private static Socket call(OutOfBandListener port, String words) throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
