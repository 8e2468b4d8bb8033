// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdObject;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * ndmw (5.1): the client hands the server a window over all of its memory; the server reads it, writes it, and writes every word of it
 * backwards. In the size that {@link NdScale#BYTES} says.
 */
@OnEveryFabric
@Timeout(3600)
class NdmwContractTest {

    private static final int KILO = 1024;
    private static final int WORD = Integer.BYTES;
    private static final int PEER_INFO_BYTES = Integer.BYTES + Long.BYTES;

    @Parameter
    FabricKind fabric;

    /** Judged, where that takes no time; and as many as there are to be. */
    static IntStream sizes() {
        return IntStream.of(1 << 12, NdScale.BYTES);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void ndmw_memoryIsReadAndWrittenThroughOneWindow(int bytes) {
        try (NdMeeting meeting = NdScale.meeting(fabric, NdScale.THEIRS, bytes)) {
            byte[] said = new byte[36];
            Arrays.fill(said, (byte) 0x5a);
            NdMeeting.Ends ends = meeting.connected(said, said, 1);
            assertThat(NdMeeting.limits(ends.ofClient())).isEqualTo("1/1");
            Programs ndmw = new Programs(meeting, bytes);
            ndmw.clientHandsOverItsWindow();
            ndmw.serverReadsTheUpperHalf();
            ndmw.serverWritesItInvertedBelow();
            ndmw.clientFindsTheLowerHalfInverted();
            ndmw.serverWritesWordsBackwards();
            ndmw.clientFindsAPalindrome();
            ndmw.bothClearUp(ends);
        }
    }

    /** The two of them; each waits for one request at a time. */
    private static final class Programs {

        private final int all;
        private final int half;
        private final NdSide client;
        private final NdSide server;
        private final Memory clients;
        private final Memory servers;
        private final NdMemoryRegion clientRegion;
        private final NdMemoryRegion serverRegion;
        private final NdMemoryWindow window;
        private final NdResult[] one = NdResult.array(1);
        private int token;
        private long base;

        Programs(NdMeeting meeting, int bytes) {
            all = bytes;
            half = bytes / 2;
            clients = Memory.allocate(bytes);
            servers = Memory.allocate(bytes);
            client = meeting.client;
            server = meeting.server;
            clientRegion = client.register(clients, NdMrFlags.RDMA_READ_SINK | NdMrFlags.ALLOW_LOCAL_WRITE);
            serverRegion = server.register(servers, NdSide.ALL_RIGHTS);
            window = client.adapter.createMemoryWindow();
            for (int i = 0; i < all; i++) {
                clients.buffer().put(i, (byte) (i * 31 + i / 251));
            }
        }

        void clientHandsOverItsWindow() {
            long start = clientRegion.addressOf(0);
            assertThat(client.qp.bind("bind", clientRegion, window, start, all, NdPair.READ | NdPair.WRITE))
                    .isEqualTo(NdStatus.SUCCESS);
            client.succeeds(NdRequestType.BIND, "bind");
            client.bytes().putInt(0, window.getRemoteToken()).putLong(Integer.BYTES, start);
            NdSge[] landing = {serverRegion.sge(0, KILO), server.mr.sge(0, PEER_INFO_BYTES)};
            assertThat(server.qp.receive("hello", landing)).isEqualTo(NdStatus.SUCCESS);
            NdSge[] hello = {clientRegion.sge(half, KILO), client.mr.sge(0, PEER_INFO_BYTES)};
            assertThat(client.qp.send("hello", hello, 0)).isEqualTo(NdStatus.SUCCESS);
            client.succeeds(NdRequestType.SEND, "hello");
            assertThat(server.succeeds(NdRequestType.RECEIVE, "hello").bytesTransferred())
                    .isEqualTo(KILO + PEER_INFO_BYTES);
            token = server.bytes().getInt(0);
            base = server.bytes().getLong(Integer.BYTES);
        }

        void serverReadsTheUpperHalf() {
            byte[] received = bytes(servers, 0, KILO);
            read(half, KILO);
            assertThat(bytes(servers, half, KILO)).isEqualTo(received);
            read(half + KILO, half - KILO);
            assertThat(bytes(servers, half, half)).isEqualTo(bytes(clients, half, half));
        }

        private void read(int offset, int lengthBytes) {
            assertThat(server.qp.read("read", sge(offset, lengthBytes), base + offset, token, 0))
                    .isEqualTo(NdStatus.SUCCESS);
            server.succeeds(NdRequestType.READ, "read");
        }

        private NdSge[] sge(int offset, int lengthBytes) {
            return new NdSge[] {serverRegion.sge(offset, lengthBytes)};
        }

        void serverWritesItInvertedBelow() {
            ByteBuffer buffer = servers.buffer();
            for (int i = half; i < all; i++) {
                buffer.put(i, (byte) ~buffer.get(i));
            }
            write(half + half / 2, half / 2, half / 2);
            write(half, 0, half / 2);
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
            byte[] inverted = bytes(clients, half, half);
            for (int i = 0; i < half; i++) {
                inverted[i] = (byte) ~inverted[i];
            }
            assertThat(bytes(clients, 0, half)).isEqualTo(inverted);
            signal(client, server);
        }

        /** Each word by itself, from the last one of the client's memory downwards. */
        void serverWritesWordsBackwards() {
            for (int i = 0; i < half / WORD; i++) {
                long to = base + all - (long) (i + 1) * WORD;
                NdStatus posted = server.qp.write(window, sge(half + i * WORD, WORD), to, token, 0);
                NdResult written = posted.isSuccess() && server.cq.getResults(one) == 1 ? one[0] : server.result();
                if (!written.status().isSuccess() || !window.equals(written.requestContext())) {
                    throw new AssertionError("word " + i + ": " + posted + ", " + written);
                }
            }
            signal(server, client);
        }

        /** What the server wrote last is what it wrote first, backwards. */
        void clientFindsAPalindrome() {
            ByteBuffer words = clients.buffer();
            for (int i = 0; i < half; i += WORD) {
                if (words.getInt(i) != words.getInt(all - WORD - i)) {
                    throw new AssertionError("words at " + i + " from both ends: " + words.getInt(i) + ", "
                            + words.getInt(all - WORD - i));
                }
            }
            signal(client, server);
        }

        /** Nobody waits for the end of Disconnect, nor looks at what Deregister says, and what rests on something is released after it. */
        void bothClearUp(NdMeeting.Ends ends) {
            clearUp(client, clientRegion, ends.ofClient(), List.of(window));
            clearUp(server, serverRegion, ends.ofServer(), List.of());
        }

        private static void clearUp(
                NdSide side, NdMemoryRegion region, NdConnector connector, List<NdMemoryWindow> windows) {
            assertThat(connector.disconnect(new NdOverlapped()))
                    .isIn(NdStatus.PENDING, NdStatus.SUCCESS, NdStatus.CONNECTION_INVALID);
            NdStatus deregistered = region.deregister(new NdOverlapped());
            assertThat(deregistered).isIn(NdStatus.PENDING, NdStatus.DEVICE_BUSY);
            region.release();
            windows.forEach(NdObject::release);
            List.of(side.mr, side.cq, side.qp, connector, side.adapter).forEach(NdObject::release);
        }

        private static byte[] bytes(Memory of, int offset, int lengthBytes) {
            byte[] bytes = new byte[lengthBytes];
            of.buffer().get(offset, bytes);
            return bytes;
        }
    }
}
