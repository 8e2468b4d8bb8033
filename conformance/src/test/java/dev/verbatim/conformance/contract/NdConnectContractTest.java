// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections in the words of NetworkDirect, up to where they stand: Microsoft's tests (5.2), and CM-1, CM-2, CM-4. */
@OnEveryFabric
class NdConnectContractTest {

    private static final int MOST_CALLER = 56;
    private static final int MOST_CALLEE = 148;

    @Parameter
    FabricKind fabric;

    private static NdProfile profile(boolean documented) {
        return documented ? NdProfile.DOCUMENTED : NdProfile.REFERENCE;
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private static Supplier<NdStatus>[] outcome() {
        return new Supplier[1];
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ndConnReject_acceptIsRefusedAndReadsWhy(boolean documented) {
        try (NdMeeting meeting = new NdMeeting(fabric, profile(documented))) {
            Supplier<NdStatus>[] accepted = outcome();
            assertThat(meeting.server.qp.receive("flushed", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdMeeting.Ends ends = meeting.accepted(accepted);
            assertThat(ends.ofClient().reject(pattern(MOST_CALLEE + 1))).isEqualTo(NdStatus.INVALID_BUFFER_SIZE);
            assertThat(ends.ofClient().reject(pattern(MOST_CALLEE))).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted[0].get())
                    .isEqualTo(documented ? NdStatus.CONNECTION_ABORTED : NdStatus.CONNECTION_REFUSED);
            assertThat(NdMeeting.privateData(ends.ofServer())).isEqualTo(pattern(MOST_CALLEE));
            meeting.server.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "flushed");
            assertThat(NdMeeting.complete(ends.ofClient())).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(ends.ofClient().reject(null)).isEqualTo(NdStatus.CONNECTION_INVALID);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "cancel"})
    void ndConnClose_acceptIsRefusedWhenTheClientGivesUp(String how) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            Supplier<NdStatus>[] accepted = outcome();
            NdMeeting.Ends ends = meeting.accepted(accepted);
            if (how.equals("release")) {
                ends.ofClient().release();
            } else {
                assertThat(ends.ofClient().cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(accepted[0].get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
        }
    }

    @Test
    void acceptIsAbortedIfTheClientGaveUpBefore() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdConnector asking = meeting.newClient();
            Supplier<NdStatus> connected = meeting.connect(asking);
            NdConnector asked = meeting.request();
            assertThat(asking.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(connected.get()).isEqualTo(NdStatus.CANCELED);
            while (!asked.getPrivateData(null, new NdSize()).equals(NdStatus.CONNECTION_ABORTED)) {
                assertThat(meeting.server.poll()).isNull();
            }
            assertThat(asked.reject(null)).isEqualTo(NdStatus.CONNECTION_ABORTED);
            assertThat(meeting.accept(asked).get()).isEqualTo(NdStatus.CONNECTION_INVALID);

            NdConnector again = meeting.newClient();
            Supplier<NdStatus> second = meeting.connect(again);
            NdConnector other = meeting.request();
            again.release();
            while (!other.getPrivateData(null, new NdSize()).equals(NdStatus.CONNECTION_ABORTED)) {
                assertThat(meeting.server.poll()).isNull();
            }
            assertThat(meeting.accept(other).get()).isEqualTo(NdStatus.CONNECTION_ABORTED);
            assertThat(second.get()).isEqualTo(NdStatus.CANCELED);
            // Neither has touched the queue pairs.
            NdMeeting.Ends ends = meeting.connected();
            assertThat(NdSide.await(ends.ofClient(), ends.ofClient()::disconnect))
                    .isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void ndConnListenClosing_whoAsksAListenerThatHasGoneIsRefused() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdOverlapped waiting = new NdOverlapped();
            NdConnector unused = meeting.newServer();
            assertThat(meeting.listener.getConnectionRequest(unused, waiting)).isEqualTo(NdStatus.PENDING);
            assertThat(meeting.listener.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(waiting.status()).isEqualTo(NdStatus.CANCELED);
            // The connector is free again, the listener listens on, and who waits is refused when it goes.
            assertThat(meeting.listener.getConnectionRequest(unused, waiting)).isEqualTo(NdStatus.PENDING);
            assertThat(meeting.listener.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            Supplier<NdStatus> before = meeting.connect(meeting.newClient());
            meeting.listener.addRef();
            meeting.listener.release();
            assertThat(meeting.listener.isReleased()).isFalse();
            meeting.listener.release();
            assertThat(before.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
            assertThat(meeting.connect(meeting.newClient()).get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
        }
    }

    @Test
    void releasedListenerCancelsWhatIsPending() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdOverlapped[] waiting = {new NdOverlapped(), new NdOverlapped()};
            for (NdOverlapped overlapped : waiting) {
                assertThat(meeting.listener.getConnectionRequest(meeting.newServer(), overlapped))
                        .isEqualTo(NdStatus.PENDING);
            }
            meeting.listener.release();
            assertThat(waiting[0].status()).isEqualTo(NdStatus.CANCELED);
            assertThat(waiting[1].status()).isEqualTo(NdStatus.CANCELED);
        }
    }

    @Test
    void backlogThatIsFullRefuses() {
        try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE, NdSide.Sizes.USUAL, 1)) {
            Supplier<NdStatus> first = meeting.connect(meeting.newClient());
            Supplier<NdStatus> second =
                    meeting.connect(meeting.newClient(), meeting.client.newQueuePair("second"), null);
            assertThat(second.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
            NdConnector asked = meeting.request();
            assertThat(asked.reject(null)).isEqualTo(NdStatus.SUCCESS);
            assertThat(first.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
        }
    }

    @Test
    void ndDualConnection_connectorAndQueuePairServeOneConnection() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            Supplier<NdStatus>[] accepted = outcome();
            NdMeeting.Ends ends = meeting.accepted(accepted);
            NdConnector first = ends.ofClient();
            assertThat(first.bind(meeting.client.ownAddress(0))).isEqualTo(NdStatus.ADDRESS_ALREADY_ASSOCIATED);
            assertThat(meeting.connect(first).get()).isEqualTo(NdStatus.CONNECTION_ACTIVE);
            assertThat(meeting.connect(first, meeting.client.newQueuePair("other"), null)
                            .get())
                    .isEqualTo(NdStatus.CONNECTION_ACTIVE);
            assertThat(meeting.connect(meeting.newClient()).get()).isEqualTo(NdStatus.CONNECTION_ACTIVE);
            assertThat(meeting.accept(ends.ofServer()).get()).isEqualTo(NdStatus.CONNECTION_ACTIVE);
            first.release();
            assertThat(accepted[0].get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
        }
    }

    @Test
    void ndDualListen_addressAndListenerAreTakenOnce() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(meeting.listener.bind(meeting.address)).isEqualTo(NdStatus.ADDRESS_ALREADY_ASSOCIATED);
            assertThat(meeting.listener.listen(0)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            NdListener second = meeting.server.adapter.createListener(meeting.server.file);
            assertThat(second.listen(0)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            assertThat(second.getLocalAddress(null, new NdSize())).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            assertThat(second.getConnectionRequest(meeting.newServer(), new NdOverlapped()))
                    .isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            assertThat(second.bind(meeting.address)).isEqualTo(NdStatus.SHARING_VIOLATION);
            assertThat(second.bind(new InetSocketAddress("fe80::1", 1))).isEqualTo(NdStatus.INVALID_ADDRESS);
            if (fabric != FabricKind.TCP && fabric != FabricKind.ONE_LOOP) {
                // There it would be all addresses of the machine, which only those who have a secret may listen at.
                assertThat(second.bind(new InetSocketAddress(meeting.address.getPort())))
                        .isEqualTo(NdStatus.SHARING_VIOLATION);
            }
            NdConnector connector = meeting.newServer();
            assertThat(connector.bind(meeting.address)).isEqualTo(NdStatus.SHARING_VIOLATION);
            assertThat(connector.bind(new InetSocketAddress("fe80::1", 1))).isEqualTo(NdStatus.INVALID_ADDRESS);
            assertThat(second.bind(meeting.server.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
            assertThat(second.listen(0)).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdSide.addressOf(second).getPort()).isBetween(49_152, 65_535);
            second.release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ndInvalidIp_wildcardIsNoDestination(boolean documented) {
        try (NdMeeting meeting = new NdMeeting(fabric, profile(documented))) {
            NdConnector connector = meeting.newClient();
            assertThat(connect(meeting, connector, new InetSocketAddress("0.0.0.0", 54_321)))
                    .isEqualTo(documented ? NdStatus.NETWORK_UNREACHABLE : NdStatus.BAD_NETWORK_NAME);
            assertThat(connect(meeting, connector, InetSocketAddress.createUnresolved("nowhere", 1)))
                    .isEqualTo(NdStatus.INVALID_ADDRESS);
            assertThat(connect(meeting, connector, meeting.server.ownAddress(0)))
                    .isEqualTo(NdStatus.INVALID_ADDRESS);
            assertThat(connector.connect(null, meeting.address, 1, 1, null, new NdOverlapped()))
                    .isEqualTo(NdStatus.INVALID_PARAMETER_1);
            assertThat(connector.connect(meeting.server.qp, meeting.address, 1, 1, null, new NdOverlapped()))
                    .isEqualTo(NdStatus.INVALID_PARAMETER_1);
            NdConnector unbound = meeting.client.adapter.createConnector(meeting.client.file);
            assertThat(connect(meeting, unbound, meeting.address)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            unbound.release();
            // None of that has done the connector any harm; this does.
            assertThat(connect(meeting, connector, new InetSocketAddress("fe80::1", 1)))
                    .isEqualTo(NdStatus.HOST_UNREACHABLE);
            NdStatus again = connect(meeting, connector, new InetSocketAddress("fe80::1", 1));
            assertThat(again).isEqualTo(documented ? NdStatus.HOST_UNREACHABLE : NdStatus.CONNECTION_ACTIVE);
        }
    }

    private static NdStatus connect(NdMeeting meeting, NdConnector connector, InetSocketAddress destination) {
        return NdSide.await(
                connector, overlapped -> connector.connect(meeting.client.qp, destination, 1, 1, null, overlapped));
    }

    @Test
    void ndLargePrivateData_tooMuchIsRefusedAndTheConnectorServesAllTheSame() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(meeting.server.qp.receive("r", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdConnector asking = meeting.newClient();
            assertThat(meeting.connect(asking, meeting.client.qp, pattern(MOST_CALLER + 1))
                            .get())
                    .isEqualTo(NdStatus.INVALID_BUFFER_SIZE);
            Supplier<NdStatus> connected = meeting.connect(asking, meeting.client.qp, pattern(MOST_CALLER));
            NdConnector asked = meeting.request();
            assertThat(NdMeeting.privateData(asked)).isEqualTo(pattern(MOST_CALLER));
            assertThat(meeting.accept(asked, pattern(MOST_CALLEE + 1)).get()).isEqualTo(NdStatus.INVALID_BUFFER_SIZE);
            Supplier<NdStatus> accepted = meeting.accept(asked, pattern(MOST_CALLEE));
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.privateData(asking)).isEqualTo(pattern(MOST_CALLEE));
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("s", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.succeeds(NdRequestType.SEND, "s");
            meeting.server.succeeds(NdRequestType.RECEIVE, "r");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void privateDataAreSeenPaddedInTheirTimeAndInPartIfThereIsNoRoom(boolean padded) {
        try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE.withPadPrivateData(padded))) {
            NdConnector asking = meeting.newClient();
            NdSize size = new NdSize();
            assertThat(asking.getPrivateData(null, size)).isEqualTo(NdStatus.CONNECTION_INVALID);
            Supplier<NdStatus> connected = meeting.connect(asking, meeting.client.qp, pattern(3));
            NdConnector asked = meeting.request();
            assertThat(NdMeeting.privateData(asked)).isEqualTo(Arrays.copyOf(pattern(3), padded ? MOST_CALLER : 3));
            byte[] two = new byte[2];
            assertThat(asked.getPrivateData(two, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(two).isEqualTo(pattern(2));
            assertThat(size.value()).isEqualTo(padded ? MOST_CALLER : 3);
            Supplier<NdStatus> accepted = meeting.accept(asked, pattern(4));
            assertThat(asked.getPrivateData(null, size)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.privateData(asking)).isEqualTo(Arrays.copyOf(pattern(4), padded ? MOST_CALLEE : 4));
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(asking.getPrivateData(null, size)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(size.value()).isZero();
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void cm2_refusedConnectReadsWhyAndTheQueuePairConnectsAnew() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(meeting.client.qp.receive("stays", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdConnector asking = meeting.newClient();
            Supplier<NdStatus> connected = meeting.connect(asking);
            NdConnector asked = meeting.request();
            assertThat(asked.reject(pattern(MOST_CALLEE + 1))).isEqualTo(NdStatus.INVALID_BUFFER_SIZE);
            assertThat(asked.reject(pattern(9))).isEqualTo(NdStatus.SUCCESS);
            assertThat(connected.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
            assertThat(NdMeeting.privateData(asking)).isEqualTo(Arrays.copyOf(pattern(9), MOST_CALLEE));
            assertThat(meeting.connect(asking).get()).isEqualTo(NdStatus.CONNECTION_ACTIVE);
            NdMeeting.Ends ends = meeting.connected();
            assertThat(meeting.server.qp.send("s", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.succeeds(NdRequestType.RECEIVE, "stays");
            assertThat(ends.ofClient().isReleased()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // what each side serves and wants; what the server sees, what holds for the server, what holds for the client
        "4, 4, 4, 4, 4/4, 4/4, 4/4",
        "1, 2, 3, 4, 2/1, 2/1, 1/2",
        "0, 4, 4, 4, 4/0, 4/0, 0/4",
        "4, 0, 4, 4, 0/4, 0/4, 4/0",
        "4, 4, 0, 4, 4/4, 0/4, 4/0",
        "4, 4, 4, 0, 4/4, 4/0, 0/4",
        "0, 0, 0, 0, 0/0, 0/0, 0/0",
        "-1, -1, -1, -1, max, max, max",
    })
    void cm1_neitherSideServesMoreThanTheOtherWants(
            int clientIn, int clientOut, int serverIn, int serverOut, String seen, String ofServer, String ofClient) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            String max = meeting.client.adapter.query().maxInboundReadLimit() + "/"
                    + meeting.client.adapter.query().maxOutboundReadLimit();
            NdConnector asking = meeting.newClient();
            assertThat(asking.getReadLimits(null, null)).isEqualTo(NdStatus.CONNECTION_INVALID);
            Supplier<NdStatus> connected = NdSide.start(
                    asking,
                    overlapped ->
                            asking.connect(meeting.client.qp, meeting.address, clientIn, clientOut, null, overlapped));
            NdConnector asked = meeting.request();
            assertThat(NdMeeting.limits(asked)).isEqualTo(seen.replace("max", max));
            Supplier<NdStatus> accepted = NdSide.start(
                    asked, overlapped -> asked.accept(meeting.server.qp, serverIn, serverOut, null, overlapped));
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.limits(asking)).isEqualTo(ofClient.replace("max", max));
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.limits(asked)).isEqualTo(ofServer.replace("max", max));
            boolean mayRead = !ofClient.endsWith("/0");
            assertThat(meeting.client.qp.read(
                            "read",
                            meeting.client.sge(0, 8),
                            meeting.server.address(0),
                            meeting.server.mr.getRemoteToken(),
                            0))
                    .isEqualTo(NdStatus.SUCCESS);
            meeting.client.expect(mayRead ? NdStatus.SUCCESS : NdStatus.DATA_ERROR, NdRequestType.READ, "read");
        }
    }

    @Test
    void readLimitsAreAskedForInTimeWhereTheProfileWantsThat() {
        try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE.withReadLimitsAfterAccept(false))) {
            NdMeeting.Ends ends = meeting.connected();
            assertThat(ends.ofServer().getReadLimits(null, null)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
            assertThat(ends.ofClient().getReadLimits(null, null)).isEqualTo(NdStatus.INVALID_DEVICE_STATE);
        }
    }

    @Test
    void addressesOfBothEndsAreEachOthers() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdConnector unbound = meeting.newServer();
            NdStatus status = unbound.getLocalAddress(null, new NdSize());
            assertThat(status).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(status.explanation()).contains("the connector is IDLE");
            assertThat(meeting.newClient().getPeerAddress(null, new NdSize())).isEqualTo(NdStatus.CONNECTION_INVALID);
            NdMeeting.Ends ends = meeting.connected();
            InetSocketAddress[] one = new InetSocketAddress[1];
            InetSocketAddress[] other = new InetSocketAddress[1];
            assertThat(ends.ofClient().getLocalAddress(null, new NdSize())).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(ends.ofClient().getLocalAddress(one, new NdSize())).isEqualTo(NdStatus.SUCCESS);
            assertThat(ends.ofServer().getPeerAddress(other, new NdSize())).isEqualTo(NdStatus.SUCCESS);
            assertThat(one).isEqualTo(other);
            assertThat(one[0].getPort()).isBetween(49_152, 65_535);
            assertThat(ends.ofClient().getPeerAddress(one, new NdSize())).isEqualTo(NdStatus.SUCCESS);
            assertThat(one[0]).isEqualTo(meeting.address);
        }
    }

    @Test
    void cm4_receiveCompletesBeforeAcceptAndSendsWaitForIt() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(meeting.server.qp.receive("early", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("before", NdSge.NONE, 0)).isEqualTo(NdStatus.CONNECTION_INVALID);
            NdConnector asking = meeting.newClient();
            Supplier<NdStatus> connected = meeting.connect(asking);
            NdConnector asked = meeting.request();
            NdOverlapped accept = new NdOverlapped();
            assertThat(asked.accept(meeting.server.qp, 1, 1, null, accept)).isEqualTo(NdStatus.PENDING);
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("before", NdSge.NONE, 0)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(meeting.server.qp.send("before", NdSge.NONE, 0)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("first", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.succeeds(NdRequestType.SEND, "first");
            assertThat(accept.isCompleted()).isFalse();
            meeting.server.succeeds(NdRequestType.RECEIVE, "early");
            assertThat(asked.getOverlappedResult(accept, true)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.server.qp.receive("r", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.server.qp.send("s", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        }
    }
}
