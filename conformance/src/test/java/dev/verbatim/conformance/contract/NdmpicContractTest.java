// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionQueue;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdListener;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * ndmpic (5.2): the beginning and the end of an MPI. Of four ranks each asks each other for a connection, all at once; the higher rank of
 * two has its way. Ranks 0 and 2 are at the client's adapter, 1 and 3 at the server's.
 */
@OnEveryFabric
class NdmpicContractTest {

    private static final int RANKS = 4;
    private static final int CLOSE_BYTES = 4;

    @Parameter
    FabricKind fabric;

    private record Rank(int number, NdSide side, NdListener listener) {

        byte[] privateData() {
            byte[] bytes = new byte[39];
            bytes[38] = (byte) number;
            return bytes;
        }

        /** A request, and which rank it is from. */
        NdConnector request() {
            NdConnector asked = side.adapter.createConnector(side.file);
            assertThat(NdSide.await(listener, o -> listener.getConnectionRequest(asked, o)))
                    .isEqualTo(NdStatus.SUCCESS);
            return asked;
        }
    }

    private static int rankOf(NdConnector connector) {
        byte[] bytes = new byte[39];
        NdSize size = new NdSize();
        assertThat(connector.getPrivateData(bytes, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(size.value()).isEqualTo(56);
        return bytes[38];
    }

    /** What a rank has for one of the others. Its completion queue has room for what a link needs, and no more. */
    private static final class End {

        final Rank own;
        final NdSide side;
        final NdCompletionQueue cq;
        final NdConnector asking;
        NdQueuePair qp;
        NdConnector connector;
        private Supplier<NdStatus> connected = () -> NdStatus.INVALID_DEVICE_STATE;

        End(Rank own) {
            this.own = own;
            this.side = own.side();
            this.cq = side.adapter.createCompletionQueue(side.file, 4, 0, 0);
            this.asking = side.bound();
            this.connector = asking;
            this.qp = newQueuePair();
        }

        private NdQueuePair newQueuePair() {
            NdQueuePair made = side.adapter.createQueuePair(cq, cq, own.number(), 2, 2, 1, 1, 0);
            for (String what : List.of("close", "ack")) {
                assertThat(made.receive(what, side.sge(64 * own.number(), CLOSE_BYTES)))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            return made;
        }

        void ask(Rank other) {
            InetSocketAddress there = NdSide.addressOf(other.listener());
            connected = NdSide.start(asking, o -> asking.connect(qp, there, 0, 0, own.privateData(), o));
        }

        /** It was refused: what it had posted is of no use, and the other one's request is the connection. */
        Supplier<NdStatus> giveWay(NdConnector request) {
            assertThat(connected.get()).isEqualTo(NdStatus.CONNECTION_REFUSED);
            assertThat(qp.flush()).isEqualTo(NdStatus.SUCCESS);
            for (String what : List.of("close", "ack")) {
                NdResult result = NdSide.result(cq);
                assertThat(result.status()).isEqualTo(NdStatus.CANCELED);
                assertThat(result.requestContext()).isEqualTo(what);
            }
            qp.release();
            qp = newQueuePair();
            connector = request;
            return NdSide.start(request, o -> request.accept(qp, 0, 0, null, o));
        }

        void hasItsWay() {
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(NdMeeting.complete(asking)).isEqualTo(NdStatus.SUCCESS);
        }

        void send(String what) {
            NdSge[] sge = what.equals("close") ? side.sge(512, CLOSE_BYTES) : NdSge.NONE;
            assertThat(qp.send(what, sge, 0)).isEqualTo(NdStatus.SUCCESS);
        }

        /** Takes results until that many messages have come; the queue is asked for news whenever it is empty. */
        void receive(List<String> wanted) {
            for (String what : wanted) {
                NdResult result = NdSide.result(cq);
                while (result.requestType() != NdRequestType.RECEIVE) {
                    assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
                    result = NdSide.result(cq);
                }
                assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
                assertThat(result.requestContext()).isEqualTo(what);
                // A close that was answered is told from its answer by the length alone.
                assertThat(result.bytesTransferred()).isEqualTo(what.equals("close") ? CLOSE_BYTES : 0);
            }
        }

        void release() {
            qp.release();
            cq.release();
            asking.release();
            connector.release();
        }
    }

    private record Link(End lower, End higher) {

        static Link ask(Rank low, Rank high) {
            Link link = new Link(new End(low), new End(high));
            link.lower.ask(high);
            link.higher.ask(low);
            return link;
        }

        boolean isBetween(Rank one, int other) {
            return Math.min(one.number(), other) == lower.own.number()
                    && Math.max(one.number(), other) == higher.own.number();
        }

        void close() {
            lower.send("close");
            higher.send("close");
            for (End end : List.of(lower, higher)) {
                end.receive(List.of("close"));
                end.send("ack");
            }
            lower.receive(List.of("ack"));
            higher.receive(List.of("ack"));
            Supplier<NdStatus> one = NdSide.start(lower.connector, lower.connector::disconnect);
            Supplier<NdStatus> other = NdSide.start(higher.connector, higher.connector::disconnect);
            assertThat(one.get()).isEqualTo(NdStatus.SUCCESS);
            assertThat(other.get()).isEqualTo(NdStatus.SUCCESS);
        }
    }

    @Test
    void ndmpic_ofConnectsHeadToHeadTheHigherRankWins() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            List<Rank> ranks = new ArrayList<>();
            for (int i = 0; i < RANKS; i++) {
                NdSide side = i % 2 == 0 ? meeting.client : meeting.server;
                ranks.add(new Rank(i, side, side.listen(0)));
            }
            List<Link> links = new ArrayList<>();
            for (Rank high : ranks) {
                ranks.subList(0, high.number()).forEach(low -> links.add(Link.ask(low, high)));
            }
            List<Supplier<NdStatus>> accepted = new ArrayList<>();
            List<NdConnector> refused = new ArrayList<>();
            // The highest first, for the others wait to be refused by it.
            for (int i = RANKS - 1; i >= 0; i--) {
                Set<Integer> answered = new HashSet<>();
                while (answered.size() < RANKS - 1) {
                    answer(ranks.get(i), answered, links, accepted, refused);
                }
            }
            links.forEach(link -> link.higher().hasItsWay());
            accepted.forEach(status -> assertThat(status.get()).isEqualTo(NdStatus.SUCCESS));
            links.forEach(Link::close);
            refused.forEach(NdConnector::release);
            links.forEach(link -> {
                link.lower().release();
                link.higher().release();
            });
            ranks.forEach(NdmpicContractTest::stopListening);
        }
    }

    private static void answer(
            Rank rank,
            Set<Integer> answered,
            List<Link> links,
            List<Supplier<NdStatus>> accepted,
            List<NdConnector> refused) {
        NdConnector request = rank.request();
        int from = rankOf(request);
        if (!answered.add(from) || from < rank.number()) {
            assertThat(request.reject(null)).isEqualTo(NdStatus.SUCCESS);
            refused.add(request);
        } else {
            Link link = links.stream()
                    .filter(each -> each.isBetween(rank, from))
                    .findFirst()
                    .orElseThrow();
            accepted.add(link.lower().giveWay(request));
        }
    }

    private static void stopListening(Rank rank) {
        NdListener listener = rank.listener();
        NdOverlapped last = new NdOverlapped();
        NdConnector never = rank.side().adapter.createConnector(rank.side().file);
        assertThat(listener.getConnectionRequest(never, last)).isEqualTo(NdStatus.PENDING);
        while (listener.getOverlappedResult(last, false).isSuccess()) {
            // Somebody was impatient, and his second message crossed with the answer to the first.
            assertThat(never.reject(null)).isIn(NdStatus.SUCCESS, NdStatus.CONNECTION_ABORTED);
            never.release();
            never = rank.side().adapter.createConnector(rank.side().file);
            assertThat(listener.getConnectionRequest(never, last)).isEqualTo(NdStatus.PENDING);
        }
        assertThat(listener.cancelOverlappedRequests()).isEqualTo(NdStatus.SUCCESS);
        assertThat(listener.getOverlappedResult(last, true)).isEqualTo(NdStatus.CANCELED);
        never.release();
        listener.release();
    }
}
