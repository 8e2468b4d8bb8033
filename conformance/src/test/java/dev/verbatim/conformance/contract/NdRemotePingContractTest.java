// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdAdapterFlags;
import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** ndrping and ndrpingpong (5.3): Reads and Writes through windows, as many under way as may be, and seen without a completion. */
@OnEveryFabric
@Timeout(600)
class NdRemotePingContractTest {

    private static final int DEPTH = 16;
    private static final int SPINS = 1000;

    /** Token, limit and address. */
    private static final int PEER_INFO_BYTES = 2 * Integer.BYTES + Long.BYTES;

    @Parameter
    FabricKind fabric;

    static IntStream sizes() {
        return IntStream.concat(IntStream.of(3), NdPingContractTest.sizes());
    }

    /** One of the two, with memory that the other reaches through a window. */
    private static final class Station {

        final NdSide side;
        final Memory memory;
        final NdMemoryRegion region;
        final NdMemoryWindow window;
        int token;
        int limit;
        long address;

        Station(NdSide side, int bytes) {
            this.side = side;
            memory = Memory.allocate(bytes);
            region = side.register(memory, NdSide.ALL_RIGHTS);
            window = side.adapter.createMemoryWindow();
        }

        NdSge[] sge(int offset, int lengthBytes) {
            return new NdSge[] {region.sge(offset, lengthBytes)};
        }

        /** Binds its window, and lets the other know. */
        void invite(Station other, int lengthBytes, int inboundReads, int rights) {
            assertThat(other.side.qp.receive("invitation", other.side.sge(0, PEER_INFO_BYTES)))
                    .isEqualTo(NdStatus.SUCCESS);
            long start = region.addressOf(0);
            assertThat(side.qp.bind("bind", region, window, start, lengthBytes, rights))
                    .isEqualTo(NdStatus.SUCCESS);
            side.bytes()
                    .putInt(64, window.getRemoteToken())
                    .putInt(64 + Integer.BYTES, inboundReads)
                    .putLong(64 + 2 * Integer.BYTES, start);
            assertThat(side.qp.send("invitation", side.sge(64, PEER_INFO_BYTES), 0))
                    .isEqualTo(NdStatus.SUCCESS);
            side.succeeds(NdRequestType.BIND, "bind");
            side.succeeds(NdRequestType.SEND, "invitation");
            NdResult received = other.side.succeeds(NdRequestType.RECEIVE, "invitation");
            // Not the whole of its memory, as Microsoft's server sends.
            assertThat(received.bytesTransferred()).isEqualTo(PEER_INFO_BYTES);
            other.token = other.side.bytes().getInt(0);
            other.limit = other.side.bytes().getInt(Integer.BYTES);
            other.address = other.side.bytes().getLong(2 * Integer.BYTES);
        }

        void release() {
            window.release();
            region.release();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // the client wants, the server serves, what the client keeps under way
        "true, 4, 7, 4",
        "true, 7, 3, 3",
        "true, 128, 128, 16",
        "false, 1, 1, 16",
    })
    void ndrping_clientKeepsAsManyUnderWayAsBothLimitsAllow(boolean reads, int wants, int serves, int expected) {
        int size = NdScale.WINDOW_BYTES;
        try (NdMeeting meeting = NdScale.meeting(fabric, NdSide.Sizes.USUAL, NdScale.MESSAGES)) {
            assertThat(meeting.client.adapter.query().adapterFlags() & NdAdapterFlags.IN_ORDER_DMA_SUPPORTED)
                    .isNotZero();
            NdConnector client = meeting.newClient();
            Supplier<NdStatus> connected =
                    NdSide.start(client, o -> client.connect(meeting.client.qp, meeting.address, 0, wants, null, o));
            NdConnector server = meeting.request();
            Supplier<NdStatus> accepted =
                    NdSide.start(server, o -> server.accept(meeting.server.qp, serves, 0, null, o));
            assertThat(connected.get()).isEqualTo(NdStatus.SUCCESS);
            NdSize outbound = new NdSize();
            assertThat(client.getReadLimits(null, outbound)).isEqualTo(NdStatus.SUCCESS);
            int mostOfAll = meeting.client.adapter.query().maxOutboundReadLimit();
            assertThat(outbound.value()).isEqualTo(Math.min(mostOfAll, Math.min(wants, serves)));
            assertThat(NdMeeting.complete(client)).isEqualTo(NdStatus.SUCCESS);
            assertThat(accepted.get()).isEqualTo(NdStatus.SUCCESS);
            NdSize inbound = new NdSize();
            assertThat(server.getReadLimits(inbound, null)).isEqualTo(NdStatus.SUCCESS);

            Station near = new Station(meeting.client, DEPTH * size);
            Station far = new Station(meeting.server, size);
            far.invite(near, size, inbound.value(), reads ? NdPair.READ : NdPair.WRITE);
            int most = reads ? Math.min(DEPTH, Math.min(outbound.value(), near.limit)) : DEPTH;
            assertThat(most).isEqualTo(Math.min(expected, reads ? outbound.value() : DEPTH));
            ping(near, far, size, most, reads);
            near.release();
            far.release();
        }
    }

    /** All of the window again and again, {@code most} times at once. */
    private static void ping(Station near, Station far, int size, int most, boolean reads) {
        Memory source = reads ? far.memory : near.memory;
        for (int i = 0; i < source.sizeBytes(); i++) {
            source.buffer().put(i, byteOf(0, i % size));
        }
        int posted = 0;
        for (int done = 0; done < NdScale.MESSAGES; done++) {
            for (; posted < NdScale.MESSAGES && posted - done < most; posted++) {
                NdSge[] sge = near.sge(posted % DEPTH * size, size);
                assertThat(
                                reads
                                        ? near.side.qp.read(posted, sge, near.address, near.token, 0)
                                        : near.side.qp.write(posted, sge, near.address, near.token, 0))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            near.side.succeeds(reads ? NdRequestType.READ : NdRequestType.WRITE, done);
        }
        Memory target = reads ? near.memory : far.memory;
        for (int i = 0; i < target.sizeBytes(); i += size) {
            assertRound(target.buffer(), i, size, 0);
        }
        assertThat(far.side.poll()).isNull();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void ndrpingpong_lastByteIsSeenLastAndWithoutACompletion(int size) {
        try (NdMeeting meeting = NdScale.meeting(fabric, NdSide.Sizes.USUAL, NdScale.MESSAGES)) {
            NdMeeting.Ends unused = meeting.connected(null, null, 0);
            // The upper half is what it sends.
            Station near = new Station(meeting.client, 2 * size);
            Station far = new Station(meeting.server, 2 * size);
            near.invite(far, size, 0, NdPair.WRITE);
            far.invite(near, size, 0, NdPair.WRITE);
            for (int round = 1; round <= NdScale.MESSAGES; round++) {
                pass(near, far, size, round);
                pass(far, near, size, round);
            }
            near.release();
            far.release();
        }
    }

    private static void pass(Station from, Station to, int size, int round) {
        for (int i = 0; i < size; i++) {
            from.memory.buffer().put(size + i, byteOf(round, i));
        }
        assertThat(from.side.qp.write(round, from.sge(size, size), from.address, from.token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        ByteBuffer seen = to.memory.buffer();
        while (!isThere(seen, size - 1, byteOf(round, size - 1))) {
            // Taking nothing lets a simulated world go on.
            assertThat(to.side.cq.getResults(new NdResult[0])).isZero();
            int none = from.side.cq.getResults(new NdResult[0]);
            assertThat(none).isZero();
            Thread.yield();
        }
        assertRound(seen, 0, size, round);
        from.side.succeeds(NdRequestType.WRITE, round);
        assertThat(to.side.poll()).isNull();
    }

    /** Looks for a while, as quickly as can be; what is read afterwards was there before the byte. */
    private static boolean isThere(ByteBuffer seen, int index, byte awaited) {
        boolean there = false;
        for (int i = 0; i < SPINS && !there; i++) {
            there = seen.get(index) == awaited;
            VarHandle.acquireFence();
        }
        return there;
    }

    private static void assertRound(ByteBuffer seen, int from, int size, int round) {
        for (int i = 0; i < size; i++) {
            if (seen.get(from + i) != byteOf(round, i)) {
                throw new AssertionError(
                        "byte %d of %d in round %d is %d".formatted(i, size, round, seen.get(from + i)));
            }
        }
    }

    /** Another one in each round of 256. */
    private static byte byteOf(int round, int index) {
        return (byte) (round + index * 7 + 1);
    }
}
