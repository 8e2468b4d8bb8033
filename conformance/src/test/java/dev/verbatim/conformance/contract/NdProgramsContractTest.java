// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSharedReceiveQueue;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Microsoft's programs that live of connections: ndconn, ndmpic, and the beginnings of ndmw and of a program with a shared receive queue. */
@ParameterizedClass
@EnumSource(FabricKind.class)
@Timeout(60)
class NdProgramsContractTest {

    private static final int ROUNDS = Integer.getInteger("verbatim.nd.connections", 6);

    @Parameter
    FabricKind fabric;

    /** Requests of one thread, which are told by their completion port. */
    private static final class Driver {

        final NdSide side;
        final NdOverlappedFile file;
        final NdCompletionPort port = new NdCompletionPort();
        final NdCompletionQueue cq;

        Driver(NdSide side) {
            this.side = side;
            this.file = side.adapter.createOverlappedFile();
            port.associate(file, 1);
            this.cq = side.adapter.createCompletionQueue(file, 4, 0, 0);
        }

        NdQueuePair newQueuePair() {
            return side.adapter.createQueuePair(cq, cq, null, 2, 2, 1, 1, 0);
        }

        /** How a call ends, which the port tells if it takes time. */
        NdStatus await(NdSide.Call call) {
            NdOverlapped overlapped = new NdOverlapped();
            NdStatus status = call.with(overlapped);
            while (status.equals(NdStatus.PENDING)) {
                NdCompletionPort.Entry entry = Objects.requireNonNull(port.get(NdSide.PATIENCE));
                if (entry.overlapped().equals(overlapped)) {
                    status = entry.status();
                }
            }
            return status;
        }

        /** The next result, announced by the port. */
        NdResult result() {
            NdResult[] one = NdResult.array(1);
            while (cq.getResults(one) == 0) {
                assertThat(await(overlapped -> cq.notify(NdNotifyType.ANY, overlapped)))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            return one[0];
        }

        void release() {
            cq.release();
        }
    }

    /** One connection of ndconn's client. */
    private static void connectOnce(Driver driver, InetSocketAddress address) {
        NdQueuePair qp = driver.newQueuePair();
        NdConnector connector = driver.side.adapter.createConnector(driver.file);
        assertThat(connector.bind(driver.side.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(o -> connector.connect(qp, address, 0, 0, null, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(connector::completeConnect)).isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.send("send", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        for (int i = 0; i < 2; i++) {
            NdResult result = driver.result();
            assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
        }
        assertThat(driver.await(connector::disconnect)).isEqualTo(NdStatus.SUCCESS);
        qp.release();
        connector.release();
    }

    /** One connection of ndconn's server. */
    private static void serveOnce(Driver driver, NdListener listener) {
        NdQueuePair qp = driver.newQueuePair();
        NdConnector connector = driver.side.adapter.createConnector(driver.file);
        assertThat(driver.await(o -> listener.getConnectionRequest(connector, o)))
                .isEqualTo(NdStatus.SUCCESS);
        assertThat(qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        assertThat(driver.await(o -> connector.accept(qp, 0, 0, null, o))).isEqualTo(NdStatus.SUCCESS);
        NdOverlapped notice = new NdOverlapped();
        assertThat(connector.notifyDisconnect(notice).isFailure()).isFalse();
        assertThat(driver.result().status()).isEqualTo(NdStatus.SUCCESS);
        NdStatus sent = qp.send("send", NdSge.NONE, 0);
        assertThat(sent).isEqualTo(NdStatus.SUCCESS);
        assertThat(connector.getOverlappedResult(notice, NdSide.PATIENCE))
                .isIn(NdStatus.SUCCESS, NdStatus.CONNECTION_DISCONNECTED);
        assertThat(driver.await(connector::disconnect)).isEqualTo(NdStatus.SUCCESS);
        qp.release();
        connector.release();
        NdResult[] late = NdResult.array(4);
        int unused = driver.cq.getResults(late);
    }

    @Test
    void ndconn_connectionsComeAndGoAndLeaveNothing() throws Exception {
        if (fabric == FabricKind.LOSSY) {
            // Virtual time has one thread.
            return;
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                all.add(threads.submit((Callable<Void>) () -> {
                    Driver driver = new Driver(meeting.server);
                    NdListener listener = driver.side.adapter.createListener(driver.file);
                    assertThat(listener.bind(driver.side.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
                    assertThat(listener.listen(0)).isEqualTo(NdStatus.SUCCESS);
                    Future<?> client = threads.submit(() -> {
                        Driver other = new Driver(meeting.client);
                        for (int round = 0; round < ROUNDS; round++) {
                            connectOnce(other, NdSide.addressOf(listener));
                        }
                        other.release();
                    });
                    for (int round = 0; round < ROUNDS; round++) {
                        serveOnce(driver, listener);
                    }
                    client.get();
                    listener.release();
                    driver.release();
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One process of ndmpic. */
    private static final class Rank {

        final int number;
        final NdSide side;
        final NdCompletionQueue cq;
        final NdQueuePair qp;
        final NdListener listener;
        final NdConnector asking;

        Supplier<NdStatus> connected = () -> NdStatus.INVALID_DEVICE_STATE;

        Rank(int number, NdSide side) {
            this.number = number;
            this.side = side;
            this.cq = side.adapter.createCompletionQueue(side.file, 4, 0, 0);
            this.qp = side.adapter.createQueuePair(cq, cq, number, 2, 2, 1, 1, 0);
            this.listener = side.listen(0);
            this.asking = side.bound();
        }

        byte[] privateData() {
            byte[] bytes = new byte[39];
            bytes[38] = (byte) number;
            return bytes;
        }

        void ask(Rank other) {
            assertThat(qp.receive("close", side.sge(64 * number, 4))).isEqualTo(NdStatus.SUCCESS);
            assertThat(qp.receive("ack", side.sge(64 * number + 8, 4))).isEqualTo(NdStatus.SUCCESS);
            InetSocketAddress there = NdSide.addressOf(other.listener);
            connected = NdSide.start(asking, o -> asking.connect(qp, there, 0, 0, privateData(), o));
        }

        NdConnector request() {
            NdConnector asked = side.adapter.createConnector(side.file);
            assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(asked, o)))
                    .isEqualTo(NdStatus.SUCCESS);
            return asked;
        }

        NdResult result() {
            return NdSide.result(cq);
        }

        void release() {
            qp.release();
            cq.release();
            asking.release();
            listener.release();
        }
    }

    private static int rankOf(NdConnector connector) {
        byte[] bytes = new byte[39];
        NdSize size = new NdSize();
        assertThat(connector.getPrivateData(bytes, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(size.value()).isEqualTo(56);
        return bytes[38];
    }

    @Test
    void ndmpic_ofConnectsHeadToHeadTheHigherRankWins() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            for (int low = 0; low < 4; low += 2) {
                Rank lower = new Rank(low, meeting.client);
                Rank higher = new Rank(low + 1, meeting.server);
                lower.ask(higher);
                higher.ask(lower);
                NdConnector atLower = lower.request();
                NdConnector atHigher = higher.request();
                assertThat(rankOf(atLower)).isEqualTo(low + 1);
                assertThat(rankOf(atHigher)).isEqualTo(low);
                // Who has the higher rank refuses; the other one gives his queue pair to the request that he got.
                assertThat(atHigher.reject(null)).isEqualTo(NdStatus.SUCCESS);
                assertThat(lower.connected.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
                Supplier<NdStatus> accepted = NdSide.start(atLower, o -> atLower.accept(lower.qp, 0, 0, null, o));
                assertThat(higher.connected.get()).isEqualTo(NdStatus.SUCCESS);
                assertThat(NdMeeting.complete(higher.asking)).isEqualTo(NdStatus.SUCCESS);
                assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
                closeLink(lower, higher);
                closeLink(higher, lower);
                Supplier<NdStatus> one = NdSide.start(higher.asking, higher.asking::disconnect);
                Supplier<NdStatus> other = NdSide.start(atLower, atLower::disconnect);
                assertThat(one.get()).isEqualTo(NdStatus.SUCCESS);
                assertThat(other.get()).isEqualTo(NdStatus.SUCCESS);
                NdOverlapped last = new NdOverlapped();
                NdConnector never = lower.side.adapter.createConnector(lower.side.file);
                assertThat(lower.listener.getConnectionRequest(never, last)).isEqualTo(NdStatus.PENDING);
                assertThat(lower.listener.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
                assertThat(lower.listener.getOverlappedResult(last, true)).isEqualTo(NdStatus.CANCELED);
                for (NdConnector connector : List.of(atLower, atHigher, never)) {
                    connector.release();
                }
                lower.release();
                higher.release();
            }
        }
    }

    /** Four bytes that say "close", which nothing answers; both fit the completion queue exactly. */
    private static void closeLink(Rank from, Rank to) {
        assertThat(from.qp.send("close", from.side.sge(512, 4), 0)).isEqualTo(NdStatus.SUCCESS);
        NdResult close = to.result();
        assertThat(close.requestType()).isEqualTo(NdRequestType.RECEIVE);
        assertThat(close.bytesTransferred()).isEqualTo(4);
        assertThat(to.qp.send("ack", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        for (Rank rank : List.of(to, from, from)) {
            NdResult result = rank.result();
            assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
            assertThat(result.bytesTransferred()).isZero();
        }
        assertThat(from.qp.receive("ack", from.side.sge(64, 4))).isEqualTo(NdStatus.SUCCESS);
        assertThat(to.qp.receive("ack", to.side.sge(128, 4))).isEqualTo(NdStatus.SUCCESS);
    }

    @Test
    void ndmw_bothSidesSayTheSame36BytesBeforeTheyMoveData() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            byte[] said = new byte[36];
            Arrays.fill(said, (byte) 0x5a);
            NdConnector asking = meeting.newClient();
            Supplier<NdStatus> connected = meeting.connect(asking, meeting.client.qp, said);
            NdConnector asked = meeting.request();
            byte[] atServer = NdMeeting.privateData(asked);
            assertThat(atServer).hasSizeGreaterThanOrEqualTo(36).startsWith(said);
            Supplier<NdStatus> accepted = meeting.accept(asked, said);
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.privateData(asking))
                    .hasSizeGreaterThanOrEqualTo(36)
                    .startsWith(said);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void ndSendNoReceive_emptyReceiveQueueFailsTheSenderAtOnce() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends ends = meeting.connected();
            assertThat(meeting.client.qp.send("nobody", meeting.client.sge(0, 4096), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            meeting.client.expect(NdStatus.IO_TIMEOUT, NdRequestType.SEND, "nobody");
            assertThat(meeting.server.poll()).isNull();
            assertThat(NdSide.await(ends.ofClient(), ends.ofClient()::disconnect))
                    .isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void srq1_emptySharedQueueStallsTheSenderWithoutEnd() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdSharedReceiveQueue srq =
                    meeting.server.adapter.createSharedReceiveQueue(meeting.server.file, 4, 1, 0, 0, 0);
            NdQueuePair shared = meeting.server.adapter.createQueuePairWithSrq(
                    meeting.server.cq, meeting.server.cq, srq, "shared", 4, 1, 0);
            NdConnector asking = meeting.newClient();
            Supplier<NdStatus> connected = meeting.connect(asking);
            NdConnector asked = meeting.request();
            Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(shared, 1, 1, null, o));
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.qp.send("stalls", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            NdOverlapped notify = new NdOverlapped();
            assertThat(meeting.client.cq.notify(NdNotifyType.ANY, notify)).isEqualTo(NdStatus.PENDING);
            assertThat(meeting.client.cq.getOverlappedResult(notify, Duration.ofMillis(20)))
                    .isEqualTo(NdStatus.PENDING);
            assertThat(srq.receive("late", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            meeting.server.succeeds(NdRequestType.RECEIVE, "late");
            meeting.client.succeeds(NdRequestType.SEND, "stalls");
            srq.release();
            shared.release();
        }
    }

    @Test
    void slowAnswersAreWaitedFor() {
        if (fabric != FabricKind.LOSSY) {
            // Minutes cost nothing in virtual time alone.
            return;
        }
        try (NdMeeting meeting = new NdMeeting(fabric, NdProfile.REFERENCE)) {
            NdConnector asking = meeting.newClient();
            NdOverlapped connect = new NdOverlapped();
            assertThat(asking.connect(meeting.client.qp, meeting.address, 1, 1, null, connect))
                    .isEqualTo(NdStatus.PENDING);
            NdConnector asked = meeting.request();
            pass(meeting, Duration.ofMinutes(5));
            assertThat(asking.getOverlappedResult(connect, false)).isEqualTo(NdStatus.PENDING);
            NdOverlapped accept = new NdOverlapped();
            assertThat(asked.accept(meeting.server.qp, 1, 1, null, accept)).isEqualTo(NdStatus.PENDING);
            assertThat(asking.getOverlappedResult(connect, true)).isEqualTo(NdStatus.SUCCESS);
            pass(meeting, Duration.ofMinutes(5));
            assertThat(asked.getOverlappedResult(accept, false)).isEqualTo(NdStatus.PENDING);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
            assertThat(asked.getOverlappedResult(accept, true)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** Whoever polls where nothing else is to be done has virtual time pass. */
    private static void pass(NdMeeting meeting, Duration time) {
        long end = FabricKind.nowNanos(meeting.verbs.left.device) + time.toNanos();
        while (FabricKind.nowNanos(meeting.verbs.left.device) < end) {
            assertThat(meeting.client.poll()).isNull();
        }
    }
}
