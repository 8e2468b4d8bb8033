// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.testing.Packets;
import dev.verbatim.testing.Seeds;
import dev.verbatim.transport.netty.hello.Challenge;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.lane.NettyLane;
import dev.verbatim.transport.netty.link.Neighbours;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.PacketRecord;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bytes as all that a stranger says to an end that listens, however they are cut: no handler fails, packets come to the device only
 * behind a hello that was welcomed, and proven if there is a secret, the cuts change nothing, and no memory is kept.
 */
@Tag("smoke")
class GreetingFuzzTest {

    private static final Gid OWN = Gid.ofGuid(1);
    private static final Gid CONNECTED = Gid.ofGuid(2);
    private static final long INCARNATION = 5;
    private static final long TICKET = 77;
    private static final SharedSecret SECRET = SharedSecret.of(new byte[16]);
    private static final Challenge OUR_CHALLENGE = new Challenge(Verdict.WELCOME, TICKET, TICKET);
    private static final int SETTINGS_BYTES = 3;

    /** The first three bytes are settings: checksums, a peer that is there already, a secret, and how the rest is cut. */
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
        boolean secret = (settings & 4) != 0;
        if (secret) {
            options = options.withSecret(SECRET);
        }
        List<Object> outcome = new ArrayList<>();
        // A lane of its own has a log of its own, from which nothing was left out yet.
        NettyLane lane = new NettyLane("tcp", SocketTransport.NIO.handler(), true);
        try (LogLines log = LogLines.open()) {
            NettyPort port = new NettyPort(
                    lane,
                    options,
                    new Sockets(lane.loop().netty(), buffers, options),
                    new Neighbours(),
                    OWN,
                    (link, packet) -> outcome.add(PacketRecord.of(packet)));
            EmbeddedSocket standing = (settings & 2) != 0 && !secret ? connect(port, buffers) : null;
            EmbeddedSocket socket = accepted(port, buffers);
            Chunks chunks = new Chunks(input, Math.min(SETTINGS_BYTES, input.length), seed);
            while (socket.isOpen() && !chunks.isEmpty()) {
                socket.arrive(chunks);
            }
            List<Object> said = saidBy(socket);
            boolean welcome = said.stream().anyMatch(GreetingFuzzTest::isWelcome);
            if (!welcome) {
                assertThat(outcome).as("packets without a welcome").isEmpty();
            } else if (secret) {
                assertThat(isProven(input)).as("a welcome without a proof").isTrue();
            }
            outcome.add(said);
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
        assertThat(saidBy(socket)).anyMatch(GreetingFuzzTest::isWelcome);
        return socket;
    }

    /** The hello and the challenge that this end said, and whether a proof was behind it. */
    private static List<Object> saidBy(EmbeddedSocket socket) {
        List<Object> said = new ArrayList<>();
        for (ByteBuf next = socket.readOutbound(); next != null; next = socket.readOutbound()) {
            byte[] bytes = new byte[next.readableBytes()];
            next.readBytes(bytes);
            next.release();
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            assertThat(Hello.refusal(buffer, Math.min(bytes.length, Hello.SIZE_BYTES)))
                    .isNull();
            said.add(Challenge.isOne(buffer) ? Challenge.read(buffer) : Hello.read(buffer));
            said.add(bytes.length);
        }
        return said;
    }

    private static boolean isWelcome(Object said) {
        return said instanceof Hello hello && hello.verdict() == Verdict.WELCOME;
    }

    /** Whether the other end said a challenge, a hello, and what proves that it knows the secret. */
    private static boolean isProven(byte[] input) {
        ByteBuffer said = ByteBuffer.wrap(input, SETTINGS_BYTES, input.length - SETTINGS_BYTES)
                .slice();
        Proof proof = new Proof(SECRET, true, Challenge.read(said));
        proof.meet(OUR_CHALLENGE);
        int helloAt = Challenge.SIZE_BYTES;
        Hello hello = Hello.read(said.slice(helloAt, Hello.SIZE_BYTES));
        byte[] proven = new byte[Proof.SIZE_BYTES];
        said.get(helloAt + Hello.SIZE_BYTES, proven);
        return Arrays.equals(proven, proof.of(hello));
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
        seeds.put("secret-wanted", seed(4, RawPeer.hello(CONNECTED, INCARNATION), ack));
        seeds.put("secret-proven", seedWithProof(SECRET, ack));
        seeds.put("secret-guessed", seedWithProof(SharedSecret.of(new byte[17]), ack));
        seeds.put("secret-not-wanted", seedWithProof(SECRET, ack));
        seeds.get("secret-not-wanted")[0] = 0;
        Seeds.assertKept(GreetingFuzzTest.class, "greeting", seeds);
    }

    private static byte[] seedWithProof(SharedSecret secret, byte[] frame) {
        Proof proof = new Proof(secret, true, new Challenge(Verdict.WELCOME, 1, 2));
        proof.meet(OUR_CHALLENGE);
        ByteBuffer challenge = ByteBuffer.allocate(Challenge.SIZE_BYTES);
        proof.mine().write(challenge);
        Hello hello = RawPeer.hello(CONNECTED, INCARNATION);
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        seed.writeBytes(new byte[] {4, 3, 4});
        seed.writeBytes(challenge.array());
        seed.writeBytes(RawPeer.bytes(hello));
        seed.writeBytes(proof.of(hello));
        seed.writeBytes(frame);
        return seed.toByteArray();
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
