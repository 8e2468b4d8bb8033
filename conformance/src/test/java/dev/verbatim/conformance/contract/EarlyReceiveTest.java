// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Outcomes;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends that have receives posted before the peer may send, in real time; simulations are in {@code SimulatedEndpointsTest}. */
@ParameterizedClass
@EnumSource(
        value = FabricKind.class,
        names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
@Timeout(600)
class EarlyReceiveTest {

    /** A message that finds no receive fails at once. */
    private static final ConnectionParameters STRICT = ConnectionParameters.USUAL.withRnrRetryCount(0);

    @Parameter
    FabricKind fabric;

    private RcPair pair;
    private Side left;
    private Side right;
    private ListeningEndpoint listener;

    @BeforeEach
    void open() {
        pair = fabric.openUnjudged(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA);
        left = pair.left;
        right = pair.right;
        listener = Endpoint.listen(right.device, ConnectingSides.address(right, ConnectingSides.PORT), 0);
    }

    @AfterEach
    void close() {
        listener.close();
        pair.close();
    }

    private static QpInitAttributes attributes(Side side) {
        return QpInitAttributes.rc(side.sendCq, side.recvCq, QpCapabilities.USUAL);
    }

    private Endpoint created() {
        InetSocketAddress there = listener.localAddress();
        return Endpoint.create(left.device, there, left.pd, attributes(left), Await.LIMIT);
    }

    private ConnectionRequest request() {
        return Objects.requireNonNull(listener.getRequest(Await.LIMIT));
    }

    @Test
    @Rule({"CM-18", "CM-27"})
    void endsThatSendAsSoonAsTheyAreConnectedMeetReceives() {
        Endpoint ours = created();
        assertThat(ours.qp().state()).isEqualTo(QpState.INIT);
        assertThat(ours.privateData()).isEmpty();
        assertRefused(Errno.EINVAL, "CM-27", () -> ours.awaitDisconnected(Await.LIMIT));
        ours.qp().postRecv(ReceiveWorkRequest.of(1, left.sge(0, 64)));
        CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> {
            ours.connect(STRICT.withPrivateData((byte) 1), Await.LIMIT);
            ours.qp().postSend(SendWorkRequest.send(2, left.sge(64, 64)));
        });
        ConnectionRequest request = request();
        assertRefused(Errno.EINVAL, "CM-27", () -> request.accept(STRICT, Await.LIMIT));
        request.createQp(right.pd, attributes(right)).postRecv(ReceiveWorkRequest.of(3, right.sge(0, 64)));
        try (Endpoint theirs = request.accept(STRICT.withPrivateData((byte) 2), Await.LIMIT)) {
            theirs.qp().postSend(SendWorkRequest.send(4, right.sge(64, 64)));
            connecting.join();
            Outcomes.assertThat(left.sent()).isSuccess();
            Outcomes.assertThat(left.received()).isSuccess().hasByteLength(64);
            Outcomes.assertThat(right.sent()).isSuccess();
            Outcomes.assertThat(right.received()).isSuccess().hasByteLength(64);
            assertThat(ours.privateData()).isEqualTo(Arrays.copyOf(new byte[] {2}, 196));
            assertThat(theirs.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1}, 56));
            assertRefused(Errno.EINVAL, "CM-27", () -> ours.connect(STRICT, Await.LIMIT));
            ours.close();
        }
    }

    /** What the test above prevents: without it, it would say nothing. */
    @Test
    @Rule("WC-22")
    void peerThatSendsToAnEndWithoutReceivesFails() {
        Endpoint ours = created();
        CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> {
            ours.connect(STRICT, Await.LIMIT);
            ours.qp().postSend(SendWorkRequest.send(2, left.sge(64, 64)));
        });
        try (Endpoint theirs = request().accept(right.pd, attributes(right), STRICT, Await.LIMIT)) {
            connecting.join();
            assertThat(left.sent().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
            assertThat(theirs.qp().state()).isEqualTo(QpState.RTS);
            ours.close();
        }
    }

    @Test
    @Rule("CM-21")
    void requestThatIsRefusedAfterAllLeavesNoQueuePair() {
        Endpoint ours = created();
        ours.qp().postRecv(ReceiveWorkRequest.of(1, left.sge(0, 64)));
        CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> ours.connect(STRICT, Await.LIMIT));
        ConnectionRequest request = request();
        var qp = request.createQp(right.pd, attributes(right));
        request.reject((byte) 9);
        assertThatThrownBy(connecting::join).cause().isInstanceOfSatisfying(ConnectionException.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.ECONNREFUSED);
            assertThat(refused.privateData()).startsWith((byte) 9);
        });
        assertThatThrownBy(qp::close).hasMessageContaining("destroyed");
        assertRefused(Errno.EINVAL, "CM-27", () -> ours.connect(STRICT, Await.LIMIT));
        ours.close();
        assertRefused(Errno.ENOENT, "CM-29", ours::close);
    }
}
