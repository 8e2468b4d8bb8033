// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.TcpPorts;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two JVMs' worth of devices that find each other by a socket's address, as the ten lines of the README do. */
@Timeout(600)
class EndpointTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;

    private Verbatim near;
    private Verbatim far;
    private Side left;
    private Side right;
    private ListeningEndpoint listener;
    private boolean listening = true;

    @BeforeEach
    void open() {
        NettyOptions options = NettyOptions.defaults().withCarrierGraceNanos(50_000_000);
        near = Verbatim.over(NettyFabric.open(options));
        far = Verbatim.over(NettyFabric.open(options));
        left = new Side(near.open("left"), QpCapabilities.USUAL);
        right = new Side(far.open("right"), QpCapabilities.USUAL);
        listener = Endpoint.listen(right.device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @AfterEach
    void close() {
        if (listening) {
            listener.close();
        }
        near.close();
        far.close();
    }

    private static QpInitAttributes attributes(Side side) {
        return QpInitAttributes.rc(side.sendCq, side.recvCq, QpCapabilities.USUAL);
    }

    private CompletableFuture<Endpoint> connecting(ConnectionParameters parameters) {
        InetSocketAddress there = listener.localAddress();
        return CompletableFuture.supplyAsync(
                () -> Endpoint.connect(left.device, there, left.pd, attributes(left), parameters, Await.LIMIT));
    }

    private ConnectionRequest request() {
        return Objects.requireNonNull(listener.getRequest(Await.LIMIT));
    }

    @Test
    @SuppressWarnings("try") // closing twice is what is tried
    void endsFindEachOtherByASocketsAddressAndCarryData() {
        CompletableFuture<Endpoint> connecting = connecting(USUAL.withPrivateData((byte) 1));
        ConnectionRequest request = request();
        assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1}, 56));
        assertThat(request.peerAddress().getAddress())
                .isEqualTo(left.device.gid().toInetAddress());
        try (Endpoint theirs =
                        request.accept(right.pd, attributes(right), USUAL.withPrivateData((byte) 2), Await.LIMIT);
                Endpoint ours = connecting.join()) {
            assertThat(ours.privateData()).isEqualTo(Arrays.copyOf(new byte[] {2}, 196));
            theirs.qp().postRecv(ReceiveWorkRequest.of(1, right.sge(0, 64)));
            ours.qp().postSend(SendWorkRequest.send(2, left.sge(0, 64)));
            Outcomes.assertThat(left.sent()).isSuccess();
            Outcomes.assertThat(right.received()).isSuccess().hasByteLength(64);
            CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> ours.disconnect(Await.LIMIT));
            theirs.awaitDisconnected(Await.LIMIT);
            theirs.disconnect(Await.LIMIT);
            ending.join();
            assertThat(ours.qp().state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void refusalIsAnExceptionWithItsReasonAndItsBytes() {
        CompletableFuture<Endpoint> connecting = connecting(USUAL);
        ConnectionRequest request = request();
        assertThatThrownBy(() -> request.reject(new byte[149])).hasMessageContaining("EINVAL");
        request.reject((byte) 7);
        assertThatThrownBy(connecting::join)
                .hasCauseInstanceOf(ConnectionException.class)
                .cause()
                .isInstanceOfSatisfying(ConnectionException.class, e -> {
                    assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED);
                    assertThat(e.status()).isEqualTo(RejectReason.CONSUMER_DEFINED.number());
                    assertThat(e.privateData()).isEqualTo(Arrays.copyOf(new byte[] {7}, 148));
                });
        listener.close();
        listening = false;
        // The device is still there; nobody listens.
        assertThatThrownBy(() -> connecting(USUAL).join())
                .cause()
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.status()).isEqualTo(8));
    }

    @Test
    void deviceThatNeverHeardOfConnectionsRefusesThem() {
        try (NettyFabric fabric = NettyFabric.open();
                Verbatim rdma = Verbatim.over(fabric)) {
            Device silent = rdma.open("silent");
            InetSocketAddress there = fabric.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(
                            () -> Endpoint.connect(left.device, there, left.pd, attributes(left), USUAL, Await.LIMIT))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            refused ->
                                    assertThat(refused.status()).isEqualTo(RejectReason.INVALID_SERVICE_ID.number()));
            assertThat(silent.gid()).isNotEqualTo(left.device.gid());
        }
    }

    @Test
    void nobodyAtTheSocketIsAnErrorOfItsOwn() throws Exception {
        try (Socket bound = TcpPorts.withoutListener()) {
            InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getLocalPort());
            assertThatThrownBy(
                            () -> Endpoint.connect(left.device, nobody, left.pd, attributes(left), USUAL, Await.LIMIT))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED));
        }
        assertThatThrownBy(() -> Endpoint.listen(left.device, listener.localAddress(), 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE));
    }

    @Test
    void oneWhoGivesUpWaitingLeavesNothingBehind() {
        assertRefused(Errno.ETIMEDOUT, "CM-06", () -> listener.getRequest(Duration.ofMillis(1)));
        InetSocketAddress there = listener.localAddress();
        assertThatThrownBy(() ->
                        Endpoint.connect(left.device, there, left.pd, attributes(left), USUAL, Duration.ofMillis(100)))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT));
        ConnectionRequest request = request();
        // What he said when he gave up came before this:
        CompletableFuture<Endpoint> later = connecting(USUAL);
        ConnectionRequest second = request();
        assertThatThrownBy(() -> request.accept(right.pd, attributes(right), USUAL, Await.LIMIT))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNABORTED));
        second.accept(right.pd, attributes(right), USUAL, Await.LIMIT).close();
        later.join().close();
    }

    @Test
    void deadPeerEndsTheConnection() {
        CompletableFuture<Endpoint> connecting = connecting(USUAL);
        Endpoint theirs = request().accept(right.pd, attributes(right), USUAL, Await.LIMIT);
        Endpoint ours = connecting.join();
        ours.qp().postRecv(ReceiveWorkRequest.of(1, left.sge(0, 64)));
        far.close();
        ours.awaitDisconnected(Await.LIMIT);
        assertThat(left.received().status().name()).isEqualTo("WR_FLUSH_ERR");
        theirs.awaitDisconnected(Await.LIMIT);
        theirs.close();
        ours.close();
    }
}
