// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdObject;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end in the words of NetworkDirect: NdReceiveConnClosed, CM-3, CM-5, and what becomes of everything that is left. */
@OnEveryFabric
class NdDisconnectContractTest {

    @Parameter
    FabricKind fabric;

    private static Supplier<NdStatus> disconnect(NdConnector connector) {
        return NdSide.start(connector, connector::disconnect);
    }

    private static Supplier<NdStatus> notice(NdConnector connector) {
        return NdSide.start(connector, connector::notifyDisconnect);
    }

    @Test
    void ndReceiveConnClosed_receivesAreCancelledThoughNobodyAsksTheConnector() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(meeting.server.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> disconnected = disconnect(ends.ofClient());
            NdResult result = meeting.server.poll();
            while (result == null) {
                result = meeting.server.poll();
            }
            assertThat(result.status()).isEqualTo(NdStatus.CANCELED);
            assertThat(result.requestContext()).isEqualTo("posted");
            // Nor had it to be asked for the client's end of it to come.
            assertThat(disconnected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
        }
    }

    @Test
    void noticeComesBeforeTheResultsThatItCancels() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdCompletionPort port = new NdCompletionPort();
            port.associate(meeting.server.file, 7);
            assertThat(meeting.server.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdMeeting.Ends ends = meeting.connected();
            while (port.poll() != null) {
                // What connecting has delivered.
            }
            NdOverlapped notice = new NdOverlapped();
            NdOverlapped results = new NdOverlapped();
            assertThat(meeting.server.cq.notify(NdNotifyType.ERRORS, results)).isEqualTo(NdStatus.PENDING);
            assertThat(ends.ofServer().notifyDisconnect(notice)).isEqualTo(NdStatus.PENDING);
            Supplier<NdStatus> disconnected = disconnect(ends.ofClient());
            NdCompletionPort.Entry first = port.get(Await.LIMIT);
            NdCompletionPort.Entry second = port.get(Await.LIMIT);
            assertThat(first).isEqualTo(new NdCompletionPort.Entry(7, notice, NdStatus.SUCCESS));
            assertThat(second).isEqualTo(new NdCompletionPort.Entry(7, results, NdStatus.SUCCESS));
            meeting.server.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
            assertThat(disconnected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(notice(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void receivesStayUntilTheLocalDisconnectWhereTheProfileSaysSo() {
        NdProfile profile = NdProfile.REFERENCE.withFlushOnPeerDisconnect(false);
        try (NdMeeting meeting = new NdMeeting(fabric, profile)) {
            assertThat(meeting.server.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> notice = notice(ends.ofServer());
            assertThat(disconnect(ends.ofClient()).get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(notice.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.server.poll()).isNull();
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
            meeting.server.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
        }
    }

    @Test
    void disconnectWaitsForTheOthersWhereTheProfileSaysSo() {
        try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE.withAutoDrep(false))) {
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> notice = notice(ends.ofServer());
            NdOverlapped ending = new NdOverlapped();
            assertThat(ends.ofClient().disconnect(ending)).isEqualTo(NdStatus.PENDING);
            assertThat(notice.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(ends.ofClient().getOverlappedResult(ending, false)).isEqualTo(NdStatus.PENDING);
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(ends.ofClient().getOverlappedResult(ending, true)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void disconnectCancelsWhatIsPostedAndLeavesBothQueuePairsDead() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            assertThat(meeting.client.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            Supplier<NdStatus> own = notice(ends.ofClient());
            Supplier<NdStatus> other = notice(ends.ofClient());
            assertThat(disconnect(ends.ofClient()).get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(own.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(other.get()).isEqualTo(NdStatus.SUCCESS);
            meeting.client.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
            assertThat(meeting.client.qp.send("late", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.expect(NdStatus.CANCELED, NdRequestType.SEND, "late");
            NdMemoryWindow window = meeting.client.adapter.createMemoryWindow();
            assertThat(meeting.client.qp.bind(
                            "late", meeting.client.mr, window, meeting.client.address(0), 64, NdMeeting.ALLOW_READ))
                    .isEqualTo(NdStatus.CONNECTION_INVALID);
            window.release();
            assertThat(disconnect(ends.ofClient()).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(notice(ends.ofClient()).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
            NdStatus limits = ends.ofClient().getReadLimits(null, null);
            assertThat(limits).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(limits.explanation()).contains("the connector is CLOSED");
            assertThat(meeting.connect(meeting.newClient()).get()).isEqualTo(NdStatus.CONNECTION_ACTIVE);
            ends.ofClient().release();
            assertThat(meeting.connect(meeting.newClient()).get()).isEqualTo(NdStatus.INVALID_PARAMETER_1);
        }
    }

    @Test
    void cm3_disconnectsThatCrossEndBothSides() {
        for (boolean answers : new boolean[] {true, false}) {
            try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE.withAutoDrep(answers))) {
                NdMeeting.Ends ends = meeting.connected();
                Supplier<NdStatus> one = disconnect(ends.ofClient());
                Supplier<NdStatus> other = disconnect(ends.ofServer());
                assertThat(one.get()).isEqualTo(NdStatus.SUCCESS);
                assertThat(other.get()).isEqualTo(NdStatus.SUCCESS);
            }
        }
    }

    @Test
    void nothingCanBeEndedThatNeverStood() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdConnector connector = meeting.newClient();
            assertThat(disconnect(connector).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(notice(connector).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(connector.reject(null)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(NdMeeting.complete(connector)).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(meeting.accept(meeting.newServer()).get()).isEqualTo(NdStatus.CONNECTION_INVALID);
            assertThat(connector.getPrivateData(null, new NdSize())).isEqualTo(NdStatus.CONNECTION_INVALID);
        }
    }

    @Test
    void cancelledNoticeLeavesTheConnectionAndCancelledDisconnectDoesNot() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> notice = notice(ends.ofClient());
            assertThat(ends.ofClient().cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(notice.get()).isEqualTo(NdStatus.CANCELED);
            assertThat(meeting.server.qp.receive("r", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("s", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.succeeds(NdRequestType.SEND, "s");
            meeting.server.succeeds(NdRequestType.RECEIVE, "r");
            assertThat(meeting.client.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            Supplier<NdStatus> disconnected = disconnect(ends.ofClient());
            assertThat(ends.ofClient().cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
            assertThat(disconnected.get()).isIn(NdStatus.CANCELED, NdStatus.SUCCESS);
            meeting.client.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
            assertThat(notice(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue pair", "connector"})
    void releaseOfEitherIsAnImplicitDisconnect(String which) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> notice = notice(ends.ofServer());
            Supplier<NdStatus> own = notice(ends.ofClient());
            assertThat(meeting.client.qp.receive("posted", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            if (which.equals("connector")) {
                ends.ofClient().release();
                assertThat(own.get()).isEqualTo(NdStatus.CANCELED);
                assertThat(NdMeeting.complete(ends.ofClient())).isEqualTo(NdStatus.INVALID_HANDLE);
            } else {
                meeting.client.qp.release();
                assertThat(own.get()).isEqualTo(NdStatus.SUCCESS);
            }
            meeting.client.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "posted");
            assertThat(notice.get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void queuePairThatBreaksIsANoticeOfABrokenConnection() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> ofClient = notice(ends.ofClient());
            Supplier<NdStatus> ofServer = notice(ends.ofServer());
            assertThat(meeting.client.qp.write("bad", meeting.client.sge(0, 8), meeting.server.address(0), 0, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            meeting.client.expect(NdStatus.ACCESS_VIOLATION, NdRequestType.WRITE, "bad");
            assertThat(ofClient.get()).isEqualTo(NdStatus.CONNECTION_DISCONNECTED);
            assertThat(ofServer.get()).isEqualTo(NdStatus.CONNECTION_DISCONNECTED);
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void closedDeviceEndsAllThatIsPendingAndItsPeerHearsOfIt() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            Supplier<NdStatus> notice = notice(ends.ofServer());
            NdConnector waiting = meeting.newServer();
            Supplier<NdStatus> request =
                    NdSide.start(meeting.listener, o -> meeting.listener.getConnectionRequest(waiting, o));
            meeting.verbs.right.device.closeAll();
            assertThat(notice.get()).isEqualTo(NdStatus.DEVICE_REMOVED);
            assertThat(request.get()).isEqualTo(NdStatus.DEVICE_REMOVED);
            assertThat(disconnect(ends.ofServer()).get()).isEqualTo(NdStatus.DEVICE_REMOVED);
            assertThat(waiting.bind(meeting.address)).isEqualTo(NdStatus.DEVICE_REMOVED);
            assertThat(meeting.listener.listen(0)).isEqualTo(NdStatus.DEVICE_REMOVED);
        }
    }

    @Test
    void cm5_everythingIsReleasedInAnyOrderAtAnyTime() {
        Random random = new Random(7);
        for (int round = 0; round < 12; round++) {
            try (NdMeeting meeting = new NdMeeting(fabric)) {
                List<NdObject> all = new ArrayList<>(meeting.parts());
                NdConnector asking = meeting.newClient();
                Supplier<NdStatus> connected = meeting.connect(asking);
                NdConnector asked = meeting.newServer();
                if (round % 6 > 0) {
                    NdOverlapped request = new NdOverlapped();
                    assertThat(meeting.listener.getConnectionRequest(asked, request))
                            .isEqualTo(NdStatus.PENDING);
                    assertThat(meeting.listener.getOverlappedResult(request, true))
                            .isEqualTo(NdStatus.SUCCESS);
                }
                if (round % 6 > 1) {
                    NdOverlapped accept = new NdOverlapped();
                    assertThat(asked.accept(meeting.server.qp, 1, 1, null, accept))
                            .isEqualTo(NdStatus.PENDING);
                }
                if (round % 6 > 2) {
                    assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
                }
                if (round % 6 > 3) {
                    assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
                }
                if (round % 6 > 4) {
                    assertThat(asking.disconnect(new NdOverlapped())).isEqualTo(NdStatus.PENDING);
                }
                all.add(asking);
                all.add(asked);
                Collections.shuffle(all, random);
                all.forEach(NdObject::release);
            }
        }
    }
}
