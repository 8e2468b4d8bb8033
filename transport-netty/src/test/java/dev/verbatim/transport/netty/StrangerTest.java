// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.transport.netty.frame.GrhPart;
import dev.verbatim.transport.netty.frame.WriteBatch;
import dev.verbatim.transport.netty.hello.Hello;
import dev.verbatim.transport.netty.hello.Verdict;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever a stranger does, his connection ends with one line in the log that names him and the reason, and a
 * connection that was there before carries packets on.
 */
@Timeout(600)
class StrangerTest {

    private static final int LIMIT = 3;
    private static final NettyOptions OPTIONS =
            NettyOptions.defaults().withMaxConnections(LIMIT).withRandomness(() -> 42);
    private static final NettyOptions HASTY = OPTIONS.withHelloTimeoutNanos(1_000_000_000L);
    private static final Gid STRANGER = Gid.ofGuid(66);
    private static final byte[] ACK =
            PacketRecord.of(new Packet().begin(Opcode.ACKNOWLEDGE).psn(5)).emit();

    private LogLines log;
    private Node server;
    private Node friend;
    private InetSocketAddress address;
    private int sent;

    @BeforeEach
    void connectAFriend() {
        log = LogLines.open();
        server = Node.open(1, OPTIONS);
        friend = Node.open(2, OPTIONS.withRandomness(() -> 43));
        address = server.listen();
        friend.fabric.dial(address);
        carryOn();
    }

    @AfterEach
    void theFriendIsUndisturbed() {
        carryOn();
        friend.close();
        server.close();
        log.close();
    }

    @Test
    void wrongMagicEndsTheConnection() throws IOException {
        try (RawPeer stranger = RawPeer.dial(address)) {
            stranger.say("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                    .awaitEnd();
            assertOneLine(stranger, "magic=0x474554202f204854 != 0x564552424154494d");
        }
    }

    @Test
    void wrongVersionEndsTheConnection() throws IOException {
        byte[] hello = RawPeer.bytes(RawPeer.hello(STRANGER, 7));
        ByteBuffer.wrap(hello).putShort(8, (short) 1);
        try (RawPeer stranger = RawPeer.dial(address)) {
            // Which is told, so that it has its own sentence.
            byte[] answer = stranger.say(hello).hearBytes(Hello.SIZE_BYTES);
            assertThat(ByteBuffer.wrap(answer).getLong(0)).isEqualTo(Hello.MAGIC);
            assertThat(ByteBuffer.wrap(answer).getShort(8)).isEqualTo((short) 2);
            stranger.awaitEnd();
            assertOneLine(stranger, "version=1 != 2; run the same Verbatim at both ends");
        }
    }

    @Test
    void reservedFlagEndsTheConnection() throws IOException {
        byte[] hello = RawPeer.bytes(RawPeer.hello(STRANGER, 7));
        ByteBuffer.wrap(hello).putInt(12, 2);
        try (RawPeer stranger = RawPeer.dial(address)) {
            stranger.say(hello).awaitEnd();
            assertOneLine(stranger, "flags=0x00000002");
        }
    }

    @Test
    void silenceEndsTheConnection() throws IOException {
        try (Node hasty = Node.open(3, HASTY);
                RawPeer stranger = RawPeer.dial(hasty.listen())) {
            stranger.awaitEnd();
            assertOneLine(stranger, "arrivedBytes=0 < 56 bytes of a hello within helloTimeoutNanos=1000000000");
        }
    }

    @Test
    void halfAHelloEndsTheConnection() throws IOException {
        try (Node hasty = Node.open(3, HASTY);
                RawPeer stranger = RawPeer.dial(hasty.listen())) {
            stranger.say(RawPeer.firstOf(RawPeer.bytes(RawPeer.hello(STRANGER, 7)), 28))
                    .awaitEnd();
            assertOneLine(stranger, "arrivedBytes=28 < 56");
        }
    }

    @Test
    void hangingUpBeforeTheHelloIsWhole() throws IOException {
        RawPeer stranger = RawPeer.dial(address);
        stranger.say(RawPeer.firstOf(RawPeer.bytes(RawPeer.hello(STRANGER, 7)), 10));
        String name = stranger.name();
        stranger.close();
        server.await("a line", () -> !log.records().isEmpty());
        assertOneLine(name, "closed it after 10 bytes of its hello");
    }

    @Test
    void oversizedLengthEndsTheConnection() throws IOException {
        try (RawPeer stranger = acquaintance()) {
            stranger.say(ByteBuffer.allocate(4).putInt(4161).array()).awaitEnd();
            assertOneLine(stranger, "packetBytes=4161 is not in 12..4160");
        }
    }

    @Test
    void zeroLengthEndsTheConnection() throws IOException {
        try (RawPeer stranger = acquaintance()) {
            stranger.say(new byte[4]).awaitEnd();
            assertOneLine(stranger, "packetBytes=0 is not in 12..4160");
        }
    }

    @Test
    void datagramWithoutItsWayEndsTheConnection() throws IOException {
        byte[] datagram =
                PacketRecord.of(new Packet().begin(Opcode.UD_SEND_ONLY)).emit();
        try (RawPeer stranger = acquaintance()) {
            stranger.say(RawPeer.frame(datagram)).awaitEnd();
            assertOneLine(stranger, "lacks what stands before a datagram");
        }
    }

    @Test
    void wayOfNoDatagramEndsTheConnection() throws IOException {
        try (RawPeer stranger = acquaintance()) {
            stranger.say(ByteBuffer.allocate(12 + ACK.length)
                            .putInt(1 << 31 | ACK.length)
                            .putLong(64)
                            .put(ACK)
                            .array())
                    .awaitEnd();
            assertOneLine(stranger, "has what stands before a datagram, and only there");
        }
    }

    @Test
    void reservedBitsOfAWayEndTheConnection() throws IOException {
        byte[] datagram = RawPeer.frame(PacketRecord.of(new Packet().begin(Opcode.UD_SEND_ONLY)));
        ByteBuffer.wrap(datagram).putInt(4, 1 << 28);
        try (RawPeer stranger = acquaintance()) {
            stranger.say(datagram).awaitEnd();
            assertOneLine(stranger, "reserved bits are set before a datagram: 0x10000000");
        }
    }

    /** Its packets are not waited for: there need not be room for them all. */
    @Test
    void headOfARunOfDatagramsEndsTheConnection() throws IOException {
        int runOfTwo = GrhPart.FLAG | 1 << WriteBatch.PACKETS_SHIFT | 4096;
        try (RawPeer stranger = acquaintance()) {
            stranger.say(ByteBuffer.allocate(4).putInt(runOfTwo).array()).awaitEnd();
            assertOneLine(stranger, "packets=2 in a frame of a datagram, which has one");
        }
    }

    @Test
    void negativeLengthEndsTheConnection() throws IOException {
        try (RawPeer stranger = acquaintance()) {
            stranger.say(ByteBuffer.allocate(4).putInt(-1).array()).awaitEnd();
            assertOneLine(stranger, "packetBytes=16777215 is not in 12..");
        }
    }

    @Test
    void truncatedHeaderEndsTheConnection() throws IOException {
        try (RawPeer stranger = acquaintance()) {
            stranger.say(RawPeer.frame(RawPeer.firstOf(ACK, 12))).awaitEnd();
            assertOneLine(stranger, "ACKNOWLEDGE is cut off in its AETH");
        }
    }

    @Test
    void unknownOpcodeEndsTheConnection() throws IOException {
        byte[] packet = ACK.clone();
        packet[0] = (byte) 0xc3;
        try (RawPeer stranger = acquaintance()) {
            stranger.say(RawPeer.frame(packet)).awaitEnd();
            assertOneLine(stranger, "opcode=0xc3");
        }
    }

    @Test
    void badPadEndsTheConnection() throws IOException {
        byte[] packet = PacketRecord.of(new Packet().begin(Opcode.SEND_ONLY)).emit();
        packet[1] |= 0x30;
        try (RawPeer stranger = acquaintance()) {
            stranger.say(RawPeer.frame(packet)).awaitEnd();
            assertOneLine(stranger, "padCount=3 > 0");
        }
    }

    @Test
    void garbageAfterAGoodPacketEndsTheConnectionAndTheGoodPacketCounts() throws IOException {
        int before = server.inbox.size();
        try (RawPeer stranger = acquaintance()) {
            stranger.say(RawPeer.frame(ACK)).say(new byte[100]).awaitEnd();
            assertOneLine(stranger, "packetBytes=0");
        }
        assertThat(server.inbox.await(before + 1).get(before).opcode()).isEqualTo(Opcode.ACKNOWLEDGE);
    }

    @Test
    void brokenChecksumEndsTheConnection() throws IOException {
        try (Node careful = Node.open(3, OPTIONS.withChecksum(true));
                RawPeer stranger = RawPeer.dial(careful.listen())) {
            stranger.say(new Hello(Verdict.WELCOME, true, TransportLimits.LARGEST_PACKET_BYTES, STRANGER, 7, 0));
            assertThat(stranger.hear().checksum()).isTrue();
            stranger.say(RawPeer.frame(ACK)).say(new byte[4]).awaitEnd();
            assertOneLine(stranger, "checksum=0x0 != crc32c=0x");
        }
    }

    @Test
    void oneTooManyIsTurnedAwayAndTheNextIsLetInWhenThereIsRoom() throws IOException {
        try (RawPeer second = acquaintance();
                RawPeer third = RawPeer.dial(address)) {
            third.say(RawPeer.hello(Gid.ofGuid(67), 7)).hear();
            try (RawPeer fourth = RawPeer.dial(address)) {
                assertThat(fourth.say(RawPeer.hello(Gid.ofGuid(68), 7)).hear().verdict())
                        .isEqualTo(Verdict.FULL);
                fourth.awaitEnd();
                assertOneLine(fourth, "(maxConnections=3)");
            }
            second.hangUp();
            server.await("room for another", () -> linkOf(STRANGER) == null);
            try (RawPeer fifth = RawPeer.dial(address)) {
                assertThat(fifth.say(RawPeer.hello(Gid.ofGuid(68), 7)).hear().verdict())
                        .isEqualTo(Verdict.WELCOME);
            }
        }
    }

    @Test
    void diallerWhoProvesThatItIsTheSameTakesItsOwnPlaceThoughThereIsNoRoom() throws IOException {
        try (RawPeer second = RawPeer.dial(address);
                RawPeer third = RawPeer.dial(address);
                RawPeer again = RawPeer.dial(address)) {
            third.say(RawPeer.hello(Gid.ofGuid(67), 7)).hear();
            long ticket = second.say(RawPeer.hello(STRANGER, 7)).hear().ticket();
            Hello proven = new Hello(Verdict.WELCOME, false, TransportLimits.LARGEST_PACKET_BYTES, STRANGER, 7, ticket);
            assertThat(again.say(proven).hear().verdict()).isEqualTo(Verdict.WELCOME);
            second.awaitEnd();
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void ourOwnGidEndsTheConnection() throws IOException {
        try (RawPeer stranger = RawPeer.dial(address)) {
            assertThat(stranger.say(RawPeer.hello(server.gid, 7)).hear().verdict())
                    .isEqualTo(Verdict.OWN_GID);
            stranger.awaitEnd();
            assertOneLine(stranger, "gid=" + server.gid + " is refused: both ends have this GID");
        }
    }

    @Test
    void theFriendsGidWithAnotherIncarnationIsRefusedWhileTheFriendIsThere() throws IOException {
        try (RawPeer stranger = RawPeer.dial(address)) {
            assertThat(stranger.say(RawPeer.hello(friend.gid, 7)).hear().verdict())
                    .isEqualTo(Verdict.OTHER_LIFE_CONNECTED);
            stranger.awaitEnd();
            assertOneLine(stranger, "gid=" + friend.gid + " is refused");
        }
    }

    @Test
    void theFriendsIncarnationWithoutItsTicketIsNotLetIn() throws IOException {
        try (RawPeer stranger = RawPeer.dial(address)) {
            Hello answer = stranger.say(RawPeer.hello(friend.gid, 43)).hear();
            assertThat(answer.verdict()).isEqualTo(Verdict.ALREADY_CONNECTED);
            assertThat(answer.ticket()).isZero();
            stranger.awaitEnd();
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void strangersThatComeAndGoLeaveNoLinkBehind() throws IOException {
        for (int guid = 100; guid < 120; guid++) {
            Gid gid = Gid.ofGuid(guid);
            try (RawPeer stranger = RawPeer.dial(address)) {
                stranger.say(RawPeer.hello(gid, 7)).hear();
            }
            server.await("no link to " + gid, () -> linkOf(gid) == null);
        }
    }

    @Test
    void linesBeyondTheLimitOfASecondAreCountedInsteadOfSaid() throws IOException {
        int noisy = 10 * TransportLimits.MOST_LOG_LINES_PER_SECOND;
        for (int i = 0; i < noisy; i++) {
            try (RawPeer stranger = RawPeer.dial(address)) {
                stranger.say(new byte[8]).awaitEnd();
            }
        }
        assertThat(log.texts()).hasSizeLessThan(noisy);
    }

    private NettyLink linkOf(Gid gid) {
        return ((NettyPort) server.port).links().at(gid);
    }

    /** A stranger who has said a good hello. */
    private RawPeer acquaintance() throws IOException {
        RawPeer stranger = RawPeer.dial(address);
        assertThat(stranger.say(RawPeer.hello(STRANGER, 7)).hear().verdict()).isEqualTo(Verdict.WELCOME);
        return stranger;
    }

    private void carryOn() {
        int before = server.inbox.size();
        friend.send(friend.linkTo(server.gid), sent, 10, 100);
        List<PacketRecord> arrived = server.inbox.await(before + 10);
        assertThat(arrived.subList(before, before + 10)).isEqualTo(NettyFabricTest.expected(sent, 10, 100));
        sent += 10;
    }

    private void assertOneLine(RawPeer stranger, String reason) {
        assertOneLine(stranger.name(), reason);
    }

    private void assertOneLine(String name, String reason) {
        assertThat(log.records()).hasSize(1);
        LogRecord line = log.records().get(0);
        assertThat(line.getLevel()).isEqualTo(Level.WARNING);
        assertThat(line.getThrown()).isNull();
        assertThat(line.getMessage()).contains(name).contains(reason);
    }
}
