// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.PacketRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bytes as all that a stranger says to an end that listens, however they are cut: no handler fails, packets come to the device only
 * behind a hello that was welcomed, the cuts change nothing, and no memory is kept.
 */
@Tag("smoke")
class GreetingFuzzTest {

    private static final Gid OWN = Gid.ofGuid(1);
    private static final Gid CONNECTED = Gid.ofGuid(2);
    private static final long INCARNATION = 5;
    private static final long TICKET = 77;
    private static final int SETTINGS_BYTES = 3;

    /** The first three bytes are settings: whether this end wants checksums, and how the rest is cut. */
    @FuzzTest
    void greeting(byte[] input) throws Exception {
        int settings = input.length > 0 ? input[0] : 0;
        int seed = input.length >= SETTINGS_BYTES ? (input[1] & 0xff) << 8 | (input[2] & 0xff) | 1 << 16 : 1;
        assertThat(hear(input, settings, seed)).isEqualTo(hear(input, settings, 0));
    }

    /** The packets that came to the device, the answer, and whether the connection is open in the end. */
    private static List<Object> hear(byte[] input, int settings, int seed) throws Exception {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        NettyOptions options = NettyOptions.defaults()
                .withRandomness(() -> TICKET)
                .withSpinning(true)
                .withChecksum((settings & 1) != 0);
        List<Object> outcome = new ArrayList<>();
        // A lane of its own has a log of its own, from which nothing was left out yet.
        NettyLane lane = new NettyLane(SocketTransport.NIO, true);
        try (LogLines log = LogLines.open()) {
            NettyPort port =
                    new NettyPort(lane, options, buffers, OWN, (link, packet) -> outcome.add(PacketRecord.of(packet)));
            EmbeddedSocket standing = (settings & 2) != 0 ? connect(port, buffers) : null;
            EmbeddedSocket socket = accepted(port, buffers);
            Chunks chunks = new Chunks(input, Math.min(SETTINGS_BYTES, input.length), seed);
            while (socket.isOpen() && !chunks.isEmpty()) {
                socket.arrive(chunks);
            }
            Hello answer = answerOf(socket);
            if (answer == null || answer.verdict() != Verdict.WELCOME) {
                assertThat(outcome).as("packets without a welcome").isEmpty();
            }
            outcome.add(String.valueOf(answer));
            outcome.add(socket.isOpen());
            assertThat(log.records()).noneMatch(record -> record.getLevel().intValue() >= Level.SEVERE.intValue());
            outcome.add(log.texts());
            if (standing != null && !standing.isOpen()) {
                assertProven(Hello.read(
                        ByteBuffer.wrap(input, SETTINGS_BYTES, Hello.SIZE_BYTES).slice()));
            }
            port.close();
            socket.finishAndReleaseAll();
            if (standing != null) {
                standing.finishAndReleaseAll();
            }
        }
        lane.loop().close();
        assertThat(buffers.metric().usedDirectMemory()).as("memory left").isZero();
        return outcome;
    }

    /** Nobody takes the place of a connection but who was told its ticket. */
    private static void assertProven(Hello hello) {
        assertThat(List.of(hello.gid(), hello.incarnation(), hello.ticket()))
                .isEqualTo(List.of(CONNECTED, INCARNATION, TICKET));
    }

    private static EmbeddedSocket accepted(NettyPort port, UnpooledByteBufAllocator buffers) throws Exception {
        EmbeddedSocket socket = new EmbeddedSocket();
        socket.config().setAllocator(buffers);
        return socket.begin(new AcceptedGreeting(port, socket));
    }

    /** A peer that the device has already. */
    private static EmbeddedSocket connect(NettyPort port, UnpooledByteBufAllocator buffers) throws Exception {
        EmbeddedSocket socket = accepted(port, buffers);
        socket.arrive(new Chunks(RawPeer.bytes(RawPeer.hello(CONNECTED, INCARNATION)), 0, 0));
        assertThat(answerOf(socket).verdict()).isEqualTo(Verdict.WELCOME);
        return socket;
    }

    private static Hello answerOf(EmbeddedSocket socket) {
        ByteBuf said = socket.readOutbound();
        if (said == null) {
            return null;
        }
        byte[] bytes = new byte[said.readableBytes()];
        said.readBytes(bytes);
        said.release();
        assertThat(bytes).hasSize(Hello.SIZE_BYTES);
        return Hello.read(ByteBuffer.wrap(bytes));
    }

    @Test
    void seedsAreGreetings() throws IOException {
        byte[] ack = RawPeer.frame(PacketRecord.of(Packets.ack(5)));
        byte[] read = RawPeer.frame(PacketRecord.of(Packets.readRequest(6, 0x7f00_0000_1000L, 0x105, 9)));
        Map<String, byte[]> seeds = new TreeMap<>();
        seeds.put("peer", seed(0, RawPeer.hello(Gid.ofGuid(3), 9), ack, read));
        seeds.put("peer-half", seed(0, RawPeer.hello(Gid.ofGuid(3), 9), ack, RawPeer.firstOf(read, 9)));
        seeds.put("own-gid", seed(0, RawPeer.hello(OWN, 9), ack));
        seeds.put("connected-gid", seed(2, RawPeer.hello(CONNECTED, INCARNATION), ack));
        seeds.put("other-life", seed(2, RawPeer.hello(CONNECTED, INCARNATION + 1), ack));
        Hello proven =
                new Hello(Verdict.WELCOME, false, TransportLimits.LARGEST_PACKET_BYTES, CONNECTED, INCARNATION, TICKET);
        seeds.put("with-ticket", seed(2, proven, ack));
        Seeds.assertKept(GreetingFuzzTest.class, "greeting", seeds);
    }

    private static byte[] seed(int settings, Hello hello, byte[]... frames) {
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        seed.writeBytes(new byte[] {(byte) settings, 3, 4});
        seed.writeBytes(RawPeer.bytes(hello));
        for (byte[] frame : frames) {
            seed.writeBytes(frame);
        }
        return seed.toByteArray();
    }
}
