// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdCompletionPort.Entry;
import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdNotifyType;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSharedReceiveQueue;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.Await;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues in the words of NetworkDirect: ndcq (5.3), NdReceiveFlushQP (5.1), CQ-1 to CQ-4, SRQ-1 and SRQ-2 (5.4). */
@OnEveryFabric
class NdQueuesContractTest {

    /** A while in which nobody looks at the queue. */
    private static final long UNSEEN_NANOS = 10_000_000;

    private final NdOverlapped first = new NdOverlapped();
    private final NdOverlapped second = new NdOverlapped();

    @Parameter
    FabricKind fabric;

    /** The two completion queues of ndcq, whose requests one port tells of. */
    private final class Ndcq {

        final NdCompletionPort port = new NdCompletionPort();
        final NdCompletionQueue one;
        final NdCompletionQueue other;

        Ndcq(NdSide side) {
            NdOverlappedFile file = side.adapter.createOverlappedFile();
            port.associate(file, 1);
            one = side.adapter.createCompletionQueue(file, 4, 0, 0);
            other = side.adapter.createCompletionQueue(file, 4, 0, 0);
        }

        void notify(NdCompletionQueue cq, NdOverlapped overlapped) {
            assertThat(cq.notify(NdNotifyType.ANY, overlapped)).isEqualTo(NdStatus.PENDING);
        }

        void cancel(NdCompletionQueue cq) {
            assertThat(cq.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        }

        /** The next one of the port is there at once. */
        void cancelled(NdCompletionQueue cq, NdOverlapped overlapped) {
            assertThat(port.poll()).isEqualTo(new Entry(1, overlapped, NdStatus.CANCELED));
            assertThat(cq.getOverlappedResult(overlapped, false)).isEqualTo(NdStatus.CANCELED);
        }

        void release() {
            assertThat(port.poll()).isNull();
            one.release();
            other.release();
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void ndcq_cancelledRequestsComeOutInTheOrderOfCancellation(boolean backwards) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            Ndcq ndcq = new Ndcq(meeting.client);
            NdCompletionQueue early = backwards ? ndcq.other : ndcq.one;
            NdCompletionQueue late = backwards ? ndcq.one : ndcq.other;
            for (int i = 0; i < NdScale.CANCELLATIONS; i++) {
                ndcq.notify(ndcq.one, first);
                ndcq.notify(ndcq.other, second);
                ndcq.cancel(early);
                ndcq.cancel(late);
                ndcq.cancelled(early, backwards ? second : first);
                ndcq.cancelled(late, backwards ? first : second);
            }
            ndcq.release();
        }
    }

    @Test
    void ndcq_twoOfOneQueueComeOutInTheOrderOfTheirIssue() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            Ndcq ndcq = new Ndcq(meeting.client);
            for (int i = 0; i < NdScale.CANCELLATIONS; i++) {
                ndcq.notify(ndcq.one, second);
                ndcq.notify(ndcq.one, first);
                ndcq.cancel(ndcq.one);
                ndcq.cancelled(ndcq.one, second);
                ndcq.cancelled(ndcq.one, first);
            }
            ndcq.release();
        }
    }

    @Test
    void ndReceiveFlushQp_receivesOfAnUnconnectedQueuePairAreCancelled() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdSide server = meeting.server;
            assertThat(server.qp.receive("first", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(server.qp.receive("second", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(server.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
            assertThat(server.qp.flush()).isEqualTo(NdStatus.SUCCESS);
            assertThat(server.cq.getOverlappedResult(first, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
            NdResult[] results = NdResult.array(2);
            int count = server.cq.getResults(results);
            assertThat(count).isEqualTo(2);
            assertThat(results).allMatch(result -> result.status().equals(NdStatus.CANCELED));
            assertThat(results).extracting(NdResult::requestContext).containsExactly("first", "second");
            assertThat(server.poll()).isNull();
        }
    }

    /** What can complete at the server. */
    private enum Happening {
        PLAIN,
        SOLICITED,
        ERROR
    }

    private static void receive(NdMeeting meeting, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(meeting.server.qp.receive("receive", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
        }
    }

    /** It has happened when this returns: a Send completes behind its receive. */
    private static void happen(NdMeeting meeting, Happening what) {
        if (what == Happening.ERROR) {
            assertThat(meeting.server.qp.flush()).isEqualTo(NdStatus.SUCCESS);
        } else {
            int flags = what == Happening.SOLICITED ? NdOpFlags.SEND_AND_SOLICIT_EVENT : 0;
            assertThat(meeting.client.qp.send("send", NdSge.NONE, flags)).isEqualTo(NdStatus.SUCCESS);
            meeting.client.succeeds(NdRequestType.SEND, "send");
        }
    }

    private static void notify(NdMeeting meeting, NdNotifyType type, NdOverlapped overlapped) {
        assertThat(meeting.server.cq.notify(type, overlapped)).isEqualTo(NdStatus.PENDING);
    }

    private static void assertTold(NdMeeting meeting, NdOverlapped overlapped, boolean told) {
        NdCompletionQueue cq = meeting.server.cq;
        if (told) {
            assertThat(cq.getOverlappedResult(overlapped, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
        } else {
            assertThat(cq.getOverlappedResult(overlapped, false)).isEqualTo(NdStatus.PENDING);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ANY, PLAIN, true", "ANY, SOLICITED, true", "ANY, ERROR, true",
        "SOLICITED, SOLICITED, true", "SOLICITED, ERROR, true", "SOLICITED, PLAIN, false",
        "ERRORS, PLAIN, false", "ERRORS, SOLICITED, false", "ERRORS, ERROR, true"
    })
    void cq1_whatComesBetweenAnEmptyGetResultsAndNotifyIsNotLost(NdNotifyType type, Happening what, boolean told) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends unused = meeting.connected();
            receive(meeting, 2);
            // One that is told of everything before: from now on it is known what is solicited.
            notify(meeting, NdNotifyType.ANY, first);
            happen(meeting, Happening.SOLICITED);
            assertTold(meeting, first, true);
            meeting.server.succeeds(NdRequestType.RECEIVE, "receive");
            assertThat(meeting.server.poll()).isNull();
            happen(meeting, what);
            notify(meeting, type, first);
            assertTold(meeting, first, told);
        }
    }

    /** The weaker of two Notifies is told when the stronger is: ANY outranks SOLICITED, and errors satisfy all. */
    @ParameterizedTest
    @CsvSource({
        "ERRORS, ERRORS, false, false",
        "ERRORS, SOLICITED, false, true",
        "SOLICITED, ERRORS, false, true",
        "SOLICITED, SOLICITED, false, true",
        "ANY, ERRORS, true, true",
        "ERRORS, ANY, true, true",
        "ANY, SOLICITED, true, true",
        "SOLICITED, ANY, true, true",
        "ANY, ANY, true, true"
    })
    void cq3_theStrongestOfAllThatArePendingDecidesForAll(
            NdNotifyType one, NdNotifyType other, boolean byPlain, boolean bySolicited) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMeeting.Ends unused = meeting.connected();
            receive(meeting, 3);
            notify(meeting, one, first);
            notify(meeting, other, second);
            happen(meeting, Happening.PLAIN);
            assertBothTold(meeting, byPlain);
            if (!byPlain) {
                happen(meeting, Happening.SOLICITED);
                assertBothTold(meeting, bySolicited);
            }
            if (!byPlain && !bySolicited) {
                happen(meeting, Happening.ERROR);
                assertBothTold(meeting, true);
            }
        }
    }

    private void assertBothTold(NdMeeting meeting, boolean told) {
        assertTold(meeting, first, told);
        assertTold(meeting, second, told);
    }

    @Test
    void cq2_overrunIsTheEndOfTheQueueAndOfAllThatUseIt() {
        NdSide.Sizes two = NdSide.Sizes.USUAL.cqDepth(2);
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE, two)) {
            NdCompletionQueue cq = pair.peer.cq;
            assertThat(cq.notify(NdNotifyType.ERRORS, first)).isEqualTo(NdStatus.PENDING);
            assertThat(writeUntilOverrun(pair)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(cq.notify(NdNotifyType.ANY, second)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(cq.resize(8)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            NdMemoryWindow window = pair.peer.adapter.createMemoryWindow();
            assertThat(pair.peer.qp.bind("dead", pair.peer.mr, window, pair.peer.address(0), 8, NdPair.READ))
                    .isEqualTo(NdStatus.CONNECTION_INVALID);
        }
    }

    /**
     * Whoever waits for the queue takes some out of it, all where they come slowly. So it is given time in which nobody looks; what was
     * taken out all the same gives back its slots, and there are more.
     */
    private NdStatus writeUntilOverrun(NdPair pair) {
        NdResult[] results = NdResult.array(8);
        NdStatus told = NdStatus.PENDING;
        for (int round = 0; round < 100 && told.equals(NdStatus.PENDING); round++) {
            NdStatus posted = NdStatus.SUCCESS;
            long startNanos = System.nanoTime();
            while (System.nanoTime() - startNanos < UNSEEN_NANOS && !posted.equals(NdStatus.CONNECTION_INVALID)) {
                posted = pair.peer.qp.write(round, NdSge.NONE, 0, 0, 0);
                Thread.yield();
            }
            told = pair.peer.cq.getOverlappedResult(first, Duration.ofMillis(200));
            for (int taken = 1; told.equals(NdStatus.PENDING) && taken > 0; ) {
                taken = pair.peer.cq.getResults(results);
            }
        }
        return told;
    }

    @Test
    void cq4_resizeUnderLoadLosesNothing() {
        int writes = 200;
        try (NdPair pair = NdPair.open(fabric)) {
            NdResult[] results = NdResult.array(8);
            int posted = 0;
            for (int taken = 0; taken < writes; ) {
                while (posted < writes
                        && pair.peer.qp.write(posted, NdSge.NONE, 0, 0, 0).isSuccess()) {
                    posted++;
                }
                assertThat(pair.peer.cq.resize(64 + posted % 5 * 48)).isEqualTo(NdStatus.SUCCESS);
                int count = pair.peer.cq.getResults(results);
                for (int i = 0; i < count; i++) {
                    assertThat(results[i].status()).isEqualTo(NdStatus.SUCCESS);
                    assertThat(results[i].requestContext()).isEqualTo(taken++);
                }
                Thread.yield();
            }
            assertThat(pair.peer.poll()).isNull();
        }
    }

    @Test
    void cq4_queueIsNotMadeSmallerThanWhatIsInIt() {
        try (NdPair pair = NdPair.open(fabric)) {
            for (int i = 0; i < 10; i++) {
                assertThat(pair.peer.qp.write(i, NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
                // Told of once each, so as many are there.
                assertThat(pair.peer.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
                assertThat(pair.peer.cq.getOverlappedResult(first, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(pair.peer.cq.resize(9)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(pair.peer.cq.resize(10)).isEqualTo(NdStatus.SUCCESS);
            for (int i = 0; i < 10; i++) {
                pair.peer.succeeds(NdRequestType.WRITE, i);
            }
        }
    }

    /** A client's queue pair, and one of the server that takes its receives from a shared queue, connected. */
    private static NdQueuePair connectShared(NdMeeting meeting, NdSharedReceiveQueue srq) {
        NdSide server = meeting.server;
        NdQueuePair shared = server.adapter.createQueuePairWithSrq(server.cq, server.cq, srq, "shared", 4, 1, 0);
        NdConnector asking = meeting.newClient();
        Supplier<NdStatus> connected = meeting.connect(asking);
        NdConnector asked = meeting.request();
        Supplier<NdStatus> accepted = NdSide.start(asked, o -> asked.accept(shared, 1, 1, null, o));
        assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
        assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
        assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
        return shared;
    }

    @Test
    void srq1_emptySharedQueueStallsTheSenderWithoutEnd() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdSharedReceiveQueue srq =
                    meeting.server.adapter.createSharedReceiveQueue(meeting.server.file, 4, 1, 0, 0, 0);
            NdQueuePair shared = connectShared(meeting, srq);
            assertThat(meeting.client.qp.send("stalls", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            assertThat(meeting.client.cq.notify(NdNotifyType.ANY, first)).isEqualTo(NdStatus.PENDING);
            assertThat(meeting.client.cq.getOverlappedResult(first, Duration.ofMillis(20)))
                    .isEqualTo(NdStatus.PENDING);
            assertThat(srq.receive("late", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            meeting.server.succeeds(NdRequestType.RECEIVE, "late");
            meeting.client.succeeds(NdRequestType.SEND, "stalls");
            srq.release();
            shared.release();
        }
    }

    @Test
    void srq2_allNotifiesComeWhenFewerAreOutstandingThanTheThresholdSays() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdSharedReceiveQueue srq =
                    meeting.server.adapter.createSharedReceiveQueue(meeting.server.file, 8, 1, 3, 0, 0);
            NdQueuePair shared = connectShared(meeting, srq);
            for (int i = 0; i < 4; i++) {
                assertThat(srq.receive(i, NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(srq.notify(first)).isEqualTo(NdStatus.PENDING);
            assertThat(srq.notify(second)).isEqualTo(NdStatus.PENDING);
            happen(meeting, Happening.PLAIN);
            assertThat(srq.getOverlappedResult(first, false)).isEqualTo(NdStatus.PENDING);
            happen(meeting, Happening.PLAIN);
            assertThat(srq.getOverlappedResult(first, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
            assertThat(srq.getOverlappedResult(second, Await.LIMIT)).isEqualTo(NdStatus.SUCCESS);
            srq.release();
            shared.release();
        }
    }
}
