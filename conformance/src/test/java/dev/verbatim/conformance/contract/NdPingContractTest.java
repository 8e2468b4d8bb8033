// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.Memory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ndping and ndpingpong (5.3): messages of all sizes, one way with credits, and both ways. */
@OnEveryFabric
@Timeout(600)
class NdPingContractTest {

    private static final int DEPTH = 16;

    @Parameter
    FabricKind fabric;

    static IntStream sizes() {
        return IntStream.concat(
                IntStream.iterate(1, size -> size < NdScale.WINDOW_BYTES, size -> size * 64),
                IntStream.of(NdScale.WINDOW_BYTES));
    }

    /** One of the two, with a place for each message of a queue. */
    private static final class Station {

        final NdSide side;
        final int size;
        final Memory memory;
        private final NdMemoryRegion region;
        private int sends;
        private int arrived;

        Station(NdSide side, int size) {
            this.side = side;
            this.size = size;
            memory = Memory.allocate(2 * DEPTH * size);
            region = side.register(memory, NdMrFlags.ALLOW_LOCAL_WRITE);
            for (int i = 0; i < DEPTH; i++) {
                post(i);
            }
        }

        private NdSge[] place(int number) {
            return new NdSge[] {region.sge((long) number * size, size)};
        }

        private void post(int number) {
            assertThat(side.qp.receive(number, place(number))).isEqualTo(NdStatus.SUCCESS);
        }

        /** Bytes that say which message they are of. */
        void send(int number) {
            int at = DEPTH + number % DEPTH;
            memory.buffer().put(at * size, bytesOf(number));
            boolean isSmall = size <= NdSide.Sizes.USUAL.inlineBytes()
                    && size <= side.adapter.query().inlineRequestThreshold();
            send(place(at), isSmall ? NdOpFlags.INLINE : 0);
        }

        /** A message that means something by its length alone: 1 is a credit, 0 is asked for and answered. */
        void send(NdSge[] sge, int flags) {
            assertThat(side.qp.send("send", sge, flags)).isEqualTo(NdStatus.SUCCESS);
            sends++;
        }

        NdSge[] credit() {
            return new NdSge[] {region.sge(0, 1)};
        }

        /** The next message; what was sent meanwhile completes, too. */
        int receive() {
            NdResult result = side.result();
            while (result.requestType() == NdRequestType.SEND) {
                assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
                sends--;
                result = side.result();
            }
            assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.SUCCESS);
            assertThat(result.requestContext()).isEqualTo(arrived % DEPTH);
            return result.bytesTransferred();
        }

        /** The message that was received last is that one, and its place is posted again. */
        void take(int number) {
            byte[] received = new byte[size];
            memory.buffer().get(arrived % DEPTH * size, received);
            assertThat(received).isEqualTo(bytesOf(number));
            take();
        }

        private byte[] bytesOf(int number) {
            byte[] bytes = new byte[size];
            for (int i = 0; i < size; i++) {
                bytes[i] = (byte) (number + i * 3);
            }
            return bytes;
        }

        void take() {
            post(arrived++ % DEPTH);
        }

        void finish() {
            while (sends > 0) {
                side.succeeds(NdRequestType.SEND, "send");
                sends--;
            }
            assertThat(side.poll()).isNull();
            region.release();
        }
    }

    /** A message of no bytes, and its answer. */
    private static void synchronise(Station client, Station server) {
        client.send(NdSge.NONE, 0);
        assertThat(server.receive()).isZero();
        server.take();
        server.send(NdSge.NONE, 0);
        assertThat(client.receive()).isZero();
        client.take();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void ndping_sendsFlowByCreditsThatTheServerGives(int size) {
        try (NdMeeting meeting = NdScale.meeting(fabric, NdSide.Sizes.USUAL, NdScale.MESSAGES)) {
            // Posted before anybody asks; one of them is for the message without bytes.
            Station server = new Station(meeting.server, size);
            Station client = new Station(meeting.client, size);
            byte[] advertised = {DEPTH - 1};
            // Who asked has read it.
            NdMeeting.Ends unused = meeting.connected(null, advertised, 0);
            int credits = advertised[0];
            synchronise(client, server);
            int sent = 0;
            int received = 0;
            while (received < NdScale.MESSAGES) {
                for (; credits > 0 && sent < NdScale.MESSAGES; credits--) {
                    client.send(sent++);
                }
                while (received < sent) {
                    assertThat(server.receive()).isEqualTo(size);
                    server.take(received++);
                    if (received % (DEPTH / 2) == 0) {
                        server.send(server.credit(), 0);
                        assertThat(client.receive()).isOne();
                        client.take();
                        credits += DEPTH / 2;
                    }
                }
            }
            synchronise(client, server);
            client.finish();
            server.finish();
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void ndpingpong_eachMessageIsAnswered(int size) {
        try (NdMeeting meeting = NdScale.meeting(fabric, NdSide.Sizes.USUAL, NdScale.MESSAGES)) {
            Station server = new Station(meeting.server, size);
            Station client = new Station(meeting.client, size);
            NdMeeting.Ends unused = meeting.connected(null, null, 0);
            for (int i = 0; i < NdScale.MESSAGES; i++) {
                client.send(i);
                assertThat(server.receive()).isEqualTo(size);
                server.take(i);
                server.send(i);
                assertThat(client.receive()).isEqualTo(size);
                client.take(i);
            }
            client.finish();
            server.finish();
        }
    }
}
