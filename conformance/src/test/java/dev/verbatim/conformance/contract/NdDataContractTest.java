// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data in the words of NetworkDirect: what Microsoft's programs move (5.1, 5.3), in the size that {@code -Dverbatim.nd.bytes} says. */
@ParameterizedClass
@EnumSource(FabricKind.class)
@Timeout(60)
class NdDataContractTest {

    /** 64 MiB in Microsoft's program. */
    private static final int NDMW_BYTES = Integer.getInteger("verbatim.nd.bytes", 1 << 16);

    private static final int KILO = 1024;
    private static final int PIECE = 1 << 14;
    private static final VarHandle BYTES_AS_INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    @Parameter
    FabricKind fabric;

    /** ndmw: client binds all of its memory to a window, the server reads it, writes its halves, and then every word of it backwards. */
    @Test
    void ndmw_memoryIsReadAndWrittenThroughOneWindow() {
        try (NdPair pair = NdPair.open(fabric)) {
            Ndmw ndmw = new Ndmw(pair);
            ndmw.clientHandsOverItsWindow();
            ndmw.serverReadsTheUpperHalf();
            ndmw.serverWritesItInvertedBelow();
            ndmw.clientFindsTheLowerHalfInverted();
            ndmw.serverWritesWordsBackwards();
            ndmw.clientFindsAPalindrome();
        }
    }

    /** The two programs of ndmw: the client is the one that owns the window. */
    private static final class Ndmw {

        private static final int HALF = NDMW_BYTES / 2;

        private final NdSide client;
        private final NdSide server;
        private final Memory clients = Memory.allocate(NDMW_BYTES);
        private final Memory servers = Memory.allocate(NDMW_BYTES);
        private final NdMemoryRegion clientRegion;
        private final NdMemoryRegion serverRegion;
        private int token;
        private long base;

        Ndmw(NdPair pair) {
            client = pair.owner;
            server = pair.peer;
            clientRegion = client.register(clients, NdMrFlags.RDMA_READ_SINK | NdMrFlags.ALLOW_LOCAL_WRITE);
            serverRegion = server.register(servers, NdSide.ALL_RIGHTS);
            for (int i = 0; i < NDMW_BYTES; i++) {
                clients.buffer().put(i, (byte) (i * 31 + i / 251));
            }
        }

        void clientHandsOverItsWindow() {
            NdMemoryWindow window = client.adapter.createMemoryWindow();
            assertThat(client.qp.bind(
                            "bind",
                            clientRegion,
                            window,
                            clientRegion.addressOf(0),
                            NDMW_BYTES,
                            NdPair.READ | NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            client.succeeds(NdRequestType.BIND, "bind");
            client.bytes().putInt(0, window.getRemoteToken()).putLong(Integer.BYTES, clientRegion.addressOf(0));
            int peerInfoBytes = Integer.BYTES + Long.BYTES;
            NdSge[] landing = {serverRegion.sge(0, KILO), server.mr.sge(0, peerInfoBytes)};
            assertThat(server.qp.receive("hello", landing)).isEqualTo(NdStatus.SUCCESS);
            NdSge[] hello = {clientRegion.sge(HALF, KILO), client.mr.sge(0, peerInfoBytes)};
            assertThat(client.qp.send("hello", hello, 0)).isEqualTo(NdStatus.SUCCESS);
            client.succeeds(NdRequestType.SEND, "hello");
            assertThat(server.succeeds(NdRequestType.RECEIVE, "hello").bytesTransferred())
                    .isEqualTo(KILO + peerInfoBytes);
            token = server.bytes().getInt(0);
            base = server.bytes().getLong(Integer.BYTES);
        }

        void serverReadsTheUpperHalf() {
            byte[] received = bytes(servers, 0, KILO);
            read(HALF, HALF, KILO);
            assertThat(bytes(servers, HALF, KILO)).isEqualTo(received);
            read(HALF + KILO, HALF + KILO, HALF - KILO);
            assertThat(bytes(servers, HALF, HALF)).isEqualTo(bytes(clients, HALF, HALF));
        }

        private void read(int to, int from, int lengthBytes) {
            assertThat(server.qp.read("read", sge(to, lengthBytes), base + from, token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            server.succeeds(NdRequestType.READ, "read");
        }

        private NdSge[] sge(int offset, int lengthBytes) {
            return new NdSge[] {serverRegion.sge(offset, lengthBytes)};
        }

        void serverWritesItInvertedBelow() {
            ByteBuffer buffer = servers.buffer();
            for (int i = HALF; i < NDMW_BYTES; i++) {
                buffer.put(i, (byte) ~buffer.get(i));
            }
            write(HALF + HALF / 2, HALF / 2, HALF / 2);
            write(HALF, 0, HALF / 2);
            signal(server, client);
        }

        private void write(int from, int to, int lengthBytes) {
            assertThat(server.qp.write("write", sge(from, lengthBytes), base + to, token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            server.succeeds(NdRequestType.WRITE, "write");
        }

        /** A message without data, which says that something is done. */
        private static void signal(NdSide from, NdSide to) {
            assertThat(to.qp.receive("done", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(from.qp.send("done", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
            from.succeeds(NdRequestType.SEND, "done");
            assertThat(to.succeeds(NdRequestType.RECEIVE, "done").bytesTransferred())
                    .isZero();
        }

        void clientFindsTheLowerHalfInverted() {
            byte[] inverted = bytes(clients, HALF, HALF);
            for (int i = 0; i < HALF; i++) {
                inverted[i] = (byte) ~inverted[i];
            }
            assertThat(bytes(clients, 0, HALF)).isEqualTo(inverted);
            signal(client, server);
        }

        /** Word by word, from the last word of the client's memory downwards; sixteen are under way at a time. */
        void serverWritesWordsBackwards() {
            int words = Math.min(HALF / Integer.BYTES, 1 << 11);
            int underWay = 0;
            for (int i = 0; i < words; i++) {
                NdSge[] word = sge(HALF + i * Integer.BYTES, Integer.BYTES);
                long to = base + NDMW_BYTES - (long) (i + 1) * Integer.BYTES;
                assertThat(server.qp.write(i, word, to, token, 0)).isEqualTo(NdStatus.SUCCESS);
                if (++underWay == 16) {
                    server.succeeds(NdRequestType.WRITE, i - --underWay);
                }
            }
            for (; underWay > 0; underWay--) {
                server.succeeds(NdRequestType.WRITE, words - underWay);
            }
            signal(server, client);
        }

        void clientFindsAPalindrome() {
            int words = Math.min(HALF / Integer.BYTES, 1 << 11);
            for (int i = 0; i < words; i++) {
                int low = servers.buffer().getInt(HALF + i * Integer.BYTES);
                int high = clients.buffer().getInt(NDMW_BYTES - (i + 1) * Integer.BYTES);
                assertThat(high).isEqualTo(low);
            }
            signal(client, server);
        }

        private static byte[] bytes(Memory of, int offset, int lengthBytes) {
            byte[] bytes = new byte[lengthBytes];
            of.buffer().get(offset, bytes);
            return bytes;
        }
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void ndmval_receiveThatIsTooSmallFailsAtBothEnds(Statuses whose) {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.statuses(whose))) {
            boolean reference = whose == Statuses.REFERENCE;
            assertThat(pair.owner.qp.receive("receive", pair.owner.sge(0, KILO - 1)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.send("send", pair.peer.sge(0, KILO), 0)).isEqualTo(NdStatus.SUCCESS);
            pair.owner.expect(
                    reference ? NdStatus.DATA_OVERRUN : NdStatus.BUFFER_OVERFLOW, NdRequestType.RECEIVE, "receive");
            pair.peer.expect(reference ? NdStatus.DATA_ERROR : NdStatus.REMOTE_ERROR, NdRequestType.SEND, "send");
        }
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void remoteAccessFaultHasTheStatusOfTheProfile(Statuses whose) {
        try (NdPair pair = NdPair.open(fabric, NdProfile.REFERENCE.statuses(whose))) {
            NdResult result = pair.write(0x12345678, pair.owner.address(0), 8);
            assertThat(result.status())
                    .isEqualTo(whose == Statuses.REFERENCE ? NdStatus.ACCESS_VIOLATION : NdStatus.REMOTE_ERROR);
        }
    }

    @Test
    void ndSendNoReceive_sendWithoutAReceiveTimesOutAndTheOtherSideSeesNothing() {
        try (NdPair pair = NdPair.open(fabric)) {
            assertThat(pair.peer.qp.send("send", pair.peer.sge(0, NdSide.BYTES), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.peer.expect(NdStatus.IO_TIMEOUT, NdRequestType.SEND, "send");
            assertThat(pair.owner.poll()).isNull();
        }
    }

    @Test
    void readsBeyondTheLimitWaitForThoseBeforeThem() {
        try (NdPair pair = NdPair.unconnected(fabric, NdProfile.REFERENCE, NdSide.Sizes.USUAL)) {
            NdSide.connect(pair.peer.qp, pair.owner.qp, 2, 1);
            for (int i = 0; i < 20; i++) {
                assertThat(pair.peer.qp.read(
                                i, pair.peer.sge(i * 64, 64), pair.owner.address(i * 64), token(pair.owner), 0))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            for (int i = 0; i < 20; i++) {
                pair.peer.succeeds(NdRequestType.READ, i);
            }
            assertThat(pair.peersBytes(0, 20 * 64)).isEqualTo(pair.ownersBytes(0, 20 * 64));
        }
    }

    private static int token(NdSide side) {
        return side.mr.getRemoteToken();
    }

    @Test
    void fencedSendDoesNotOvertakeTheReadBeforeIt() {
        try (NdPair pair = NdPair.open(fabric)) {
            NdSge[] read = pair.peer.sge(0, PIECE);
            assertThat(pair.owner.qp.receive("receive", pair.owner.sge(PIECE, PIECE)))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.read(
                            "read", read, pair.owner.address(0), token(pair.owner), NdOpFlags.SILENT_SUCCESS))
                    .isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.peer.qp.send("send", read, NdOpFlags.READ_FENCE)).isEqualTo(NdStatus.SUCCESS);
            assertThat(pair.owner.succeeds(NdRequestType.RECEIVE, "receive").bytesTransferred())
                    .isEqualTo(PIECE);
            pair.peer.succeeds(NdRequestType.SEND, "send");
            assertThat(pair.ownersBytes(PIECE, PIECE)).isEqualTo(pair.ownersBytes(0, PIECE));
        }
    }

    /** ndping: the receiver advertises what it has posted, and gives credit back for each half of it. */
    @Test
    void ndping_sendsFlowByCredits() {
        int depth = 16;
        int messages = 200;
        try (NdPair pair = NdPair.open(fabric)) {
            for (int i = 0; i < depth; i++) {
                assertThat(pair.owner.qp.receive("message", pair.owner.sge(i * 64, 64)))
                        .isEqualTo(NdStatus.SUCCESS);
                assertThat(pair.peer.qp.receive("credit", pair.peer.sge(8192 + i, 1)))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            int credit = depth;
            int sent = 0;
            int unreturned = 0;
            for (int received = 0; received < messages; ) {
                while (credit > 0 && sent < messages) {
                    assertThat(pair.peer.qp.send(
                                    "message", pair.peer.sge(0, 64), NdOpFlags.INLINE | NdOpFlags.SILENT_SUCCESS))
                            .isEqualTo(NdStatus.SUCCESS);
                    credit--;
                    sent++;
                }
                NdResult result = pair.owner.result();
                if (result.requestType() == NdRequestType.RECEIVE) {
                    assertThat(result.bytesTransferred()).isEqualTo(64);
                    assertThat(pair.owner.qp.receive("message", pair.owner.sge(0, 64)))
                            .isEqualTo(NdStatus.SUCCESS);
                    received++;
                    unreturned++;
                }
                if (unreturned == depth / 2) {
                    assertThat(pair.owner.qp.send("credit", pair.owner.sge(0, 1), 0))
                            .isEqualTo(NdStatus.SUCCESS);
                    pair.peer.succeeds(NdRequestType.RECEIVE, "credit");
                    assertThat(pair.peer.qp.receive("credit", pair.peer.sge(8192, 1)))
                            .isEqualTo(NdStatus.SUCCESS);
                    unreturned = 0;
                    credit += depth / 2;
                    takeSilentPlaces(pair);
                }
            }
        }
    }

    /** A result behind silent requests gives their places back. */
    private static void takeSilentPlaces(NdPair pair) {
        assertThat(pair.peer.qp.write("loud", NdSge.NONE, 0, 0, 0)).isEqualTo(NdStatus.SUCCESS);
        pair.peer.succeeds(NdRequestType.WRITE, "loud");
    }

    /** ndrpingpong: each side spins on the last byte of what the other writes; no completion tells of it. */
    @Test
    void ndrpingpong_lastByteComesLast() {
        int bytes = 1000;
        try (NdPair pair = NdPair.open(fabric)) {
            NdMemoryWindow peers = pair.peer.adapter.createMemoryWindow();
            NdMemoryWindow owners = pair.owner.adapter.createMemoryWindow();
            assertThat(pair.peer.qp.bind(peers, pair.peer.mr, peers, pair.peer.address(0), bytes, NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            pair.peer.succeeds(NdRequestType.BIND, peers);
            pair.bind(owners, 0, bytes, NdPair.WRITE);
            for (int round = 1; round <= 20; round++) {
                pingPong(pair.peer, pair.owner, owners.getRemoteToken(), bytes, round);
                pingPong(pair.owner, pair.peer, peers.getRemoteToken(), bytes, round);
            }
        }
    }

    private static void pingPong(NdSide from, NdSide to, int token, int bytes, int round) {
        for (int i = 0; i < bytes; i++) {
            from.bytes().put(PIECE + i, (byte) (round + i * 7));
        }
        // The word that is spun on is new in each round.
        from.bytes().putInt(PIECE + bytes - Integer.BYTES, 0x01010101 * round);
        assertThat(from.qp.write("write", from.sge(PIECE, bytes), to.address(0), token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        ByteBuffer seen = to.bytes();
        while ((int) BYTES_AS_INTS.getAcquire(seen, bytes - Integer.BYTES) != 0x01010101 * round) {
            // Taking nothing lets a simulated world go on.
            assertThat(to.cq.getResults(new NdResult[0])).isZero();
            from.cq.getResults(new NdResult[0]);
            Thread.onSpinWait();
        }
        for (int i = 0; i < bytes - Integer.BYTES; i++) {
            assertThat(seen.get(i)).isEqualTo((byte) (round + i * 7));
        }
        from.succeeds(NdRequestType.WRITE, "write");
    }
}
