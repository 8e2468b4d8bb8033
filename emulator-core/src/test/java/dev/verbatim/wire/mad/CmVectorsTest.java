// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.ExtensionHeader.Deth;
import dev.verbatim.wire.Icrc;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams as Linux sent them, read field by field and made again byte for byte. */
class CmVectorsTest {

    private static final int CLIENT = 0x0a4d000c;
    private static final int SERVER = 0x0a4d000b;
    private static final int CLIENT_ID = 0x013d2208;
    private static final int SERVER_ID = 0x2318ac6a;
    private static final long CLIENT_GUID = 0x5054_00ff_fe77_0002L;
    private static final long SERVER_GUID = 0x5054_00ff_fe77_0001L;
    private static final long TRANSACTION = 0x0000_0002_0822_3d01L;
    private static final long OTHER_TRANSACTION = 0x1122_3344_5566_7788L;

    @Test
    @Rule("MAD-08")
    void requestIsReadFieldByField() {
        Req req = (Req) parsed(CmVectors.REQ, TRANSACTION);
        Path path = new Path(
                Path.PERMISSIVE_LID, Path.PERMISSIVE_LID, ipv4(CLIENT), ipv4(SERVER), 0xc0051, 0, 64, 0, 0, false, 19);
        assertThat(req)
                .isEqualTo(new Req(
                        CLIENT_ID,
                        0,
                        ServiceId.of(ServiceId.PORT_SPACE_TCP, 7174),
                        CLIENT_GUID,
                        0,
                        0x17,
                        1,
                        0,
                        1,
                        0,
                        20,
                        Req.TRANSPORT_RC,
                        false,
                        0x617dae,
                        20,
                        7,
                        0xffff,
                        3,
                        false,
                        7,
                        15,
                        false,
                        0,
                        path,
                        Path.NONE,
                        false,
                        IpHeader.of(58965, ipv4(CLIENT), ipv4(SERVER)).emit(Octets.EMPTY)));
        assertThat(req.alternate().isPresent()).isFalse();
        assertThat(req.primary().isPresent()).isTrue();
    }

    @Test
    @Rule("MAD-08")
    void requestIsMadeByTheBuilderFromWhatDiffersFromTheUsual() {
        Octets made = Req.builder()
                .localId(CLIENT_ID)
                .serviceId(ServiceId.of(ServiceId.PORT_SPACE_TCP, 7174))
                .localCaGuid(CLIENT_GUID)
                .localQpn(0x17)
                .responderResources(1)
                .initiatorDepth(1)
                .startingPsn(0x617dae)
                .primary(new Path(0xffff, 0xffff, ipv4(CLIENT), ipv4(SERVER), 0xc0051, 0, 64, 0, 0, false, 19))
                .privateData(IpHeader.of(58965, ipv4(CLIENT), ipv4(SERVER)).emit(Octets.EMPTY))
                .build()
                .emit(TRANSACTION);
        assertThat(made).isEqualTo(CmVectors.REQ);
    }

    @Test
    @Rule("MAD-08")
    void requestOverIpv6IsReadFieldByField() {
        Req req = (Req) parsed(CmVectors.REQ_OVER_IPV6, 0x0000_0002_26a6_6c0dL);
        Gid client = new Gid(0xfd77_0000_0000_0000L, 0x12);
        Gid server = new Gid(0xfd77_0000_0000_0000L, 0x11);
        assertThat(req.localId()).isEqualTo(0x0d6ca626);
        assertThat(req.localQpn()).isEqualTo(0x13);
        assertThat(req.startingPsn()).isEqualTo(0xa81783);
        assertThat(req.primary().localGid()).isEqualTo(client);
        assertThat(req.primary().remoteGid()).isEqualTo(server);
        assertThat(req.primary().flowLabel()).isEqualTo(0x3db91).isEqualTo(41749 * 31 + 7174 & 0xfffff);
        assertThat(IpHeader.parse(req.privateData()))
                .isEqualTo(new IpHeader(0, 0, IpHeader.IPV6, 41749, client, server));
    }

    @Test
    @Rule("MAD-08")
    void requestOfAnAdapterIsReadFieldByField() {
        Req req = (Req) parsed(CmVectors.REQ_OF_CONNECTX, 0x0000_0003_57fe_b735L);
        assertThat(req.vendorId()).isEqualTo(0x15b3);
        assertThat(req.serviceId()).isEqualTo(ServiceId.of(ServiceId.PORT_SPACE_TCP, 0x6b13));
        assertThat(req.localQpn()).isEqualTo(0x144);
        assertThat(req.responderResources()).isEqualTo(16).isEqualTo(req.initiatorDepth());
        assertThat(req.startingPsn()).isEqualTo(0xcf7bf6);
        assertThat(req.pathMtu()).isEqualTo(3);
        assertThat(req.primary().ackTimeout()).isEqualTo(18);
        assertThat(IpHeader.parse(req.privateData()))
                .isEqualTo(new IpHeader(0, 0, IpHeader.IPV4, 0xaffa, ipv4(0xc0aa0102), ipv4(0xc0aa0132)));
    }

    @Test
    @Rule("MAD-08")
    void ipHeaderOfARequestIsRead() {
        Octets privateData = ((Req) parsed(CmVectors.REQ, TRANSACTION)).privateData();
        assertThat(IpHeader.parse(privateData))
                .isEqualTo(new IpHeader(0, 0, IpHeader.IPV4, 58965, ipv4(CLIENT), ipv4(SERVER)));
        assertThat(IpHeader.userData(privateData)).isEqualTo(Octets.of(new byte[56]));
    }

    @Test
    @Rule("MAD-08")
    void replyIsReadFieldByField() {
        assertThat(parsed(CmVectors.REP, TRANSACTION))
                .isEqualTo(new Rep(
                        SERVER_ID,
                        CLIENT_ID,
                        0,
                        0x117,
                        0,
                        0x67f472,
                        0,
                        1,
                        1,
                        15,
                        0,
                        false,
                        7,
                        false,
                        SERVER_GUID,
                        Octets.EMPTY));
    }

    @Test
    @Rule("MAD-08")
    void theSmallOnesAreReadFieldByField() {
        assertThat(parsed(CmVectors.RTU, TRANSACTION)).isEqualTo(new Rtu(CLIENT_ID, SERVER_ID, Octets.EMPTY));
        assertThat(parsed(CmVectors.DREQ, TRANSACTION)).isEqualTo(new Dreq(CLIENT_ID, SERVER_ID, 0x117, Octets.EMPTY));
        assertThat(parsed(CmVectors.DREP, TRANSACTION)).isEqualTo(new Drep(SERVER_ID, CLIENT_ID, Octets.EMPTY));
        assertThat(parsed(CmVectors.MRA, OTHER_TRANSACTION))
                .isEqualTo(new Mra(0xe04a0d66, 0x01020302, Mra.MESSAGE_REQ, 24, Octets.EMPTY));
    }

    @Test
    @Rule("MAD-08")
    void rejectsAreReadFieldByField() {
        assertThat(parsed(CmVectors.REJ_NOBODY_LISTENS, OTHER_TRANSACTION))
                .isEqualTo(new Rej(0, 0x01020300, Rej.MESSAGE_REQ, 8, Octets.EMPTY, Octets.EMPTY));
        Rej byProgram = (Rej) parsed(CmVectors.REJ_BY_PROGRAM, OTHER_TRANSACTION);
        assertThat(byProgram)
                .isEqualTo(new Rej(
                        0xe24a0d66,
                        0x01020301,
                        Rej.MESSAGE_REQ,
                        28,
                        Octets.EMPTY,
                        Octets.of("ABCD".getBytes(StandardCharsets.US_ASCII))));
        assertThat(byProgram.reason()).isEqualTo(28);
    }

    @Test
    @Rule("MAD-08")
    void additionalInformationOfARejectStandsBehindItsLength() {
        Octets guid = Octets.of(HexFormat.of().parseHex("505400fffe770002"));
        byte[] gaveUp = new Rej(CLIENT_ID, 0, Rej.MESSAGE_OTHER, 4, guid, Octets.EMPTY)
                .body()
                .toBytes();
        assertThat(HexFormat.of().formatHex(gaveUp, 0, 24))
                .isEqualTo("013d2208000000008010" + "0004" + guid + "00000000");

        Octets gid = Octets.of(HexFormat.of().parseHex("fe80000000000000505400fffe770001"));
        byte[] foreign = new Rej(0, CLIENT_ID, Rej.MESSAGE_REQ, 12, gid, Octets.EMPTY)
                .body()
                .toBytes();
        assertThat(HexFormat.of().formatHex(foreign, 8, 28)).isEqualTo("0020" + "000c" + gid);
    }

    @Test
    @Rule("MAD-08")
    void theMessagesOfDatagramServicesAreReadFieldByField() {
        SidrReq asked = (SidrReq) parsed(CmVectors.SIDR_REQ, 0x0000_0002_26a6_6c0cL);
        long service = ServiceId.of(ServiceId.PORT_SPACE_UDP, 7174);
        assertThat(asked)
                .isEqualTo(new SidrReq(
                        0x0c6ca626,
                        0xffff,
                        service,
                        IpHeader.of(35767, ipv4(CLIENT), ipv4(SERVER)).emit(Octets.EMPTY)));
        assertThat(parsed(CmVectors.SIDR_REP, 0x0000_0002_26a6_6c0cL))
                .isEqualTo(new SidrRep(
                        0x0c6ca626, SidrRep.STATUS_VALID, 0, 0x25, service, 0x01234567, Octets.EMPTY, Octets.EMPTY));
    }

    /** BTH and DETH, who sends to whom, the identification of the IPv4 header, the ICRC: as they were captured. */
    static Stream<Arguments> packetsOfTheCapture() {
        return Stream.of(
                Arguments.of(
                        CmVectors.REQ, "6400ffff000000018000000a8001000000000001", CLIENT, SERVER, 0x48e1, 0xb4520c33),
                Arguments.of(
                        CmVectors.REP, "6400ffff000000018000000e8001000000000001", SERVER, CLIENT, 0xb0c1, 0x5193101c),
                Arguments.of(
                        CmVectors.RTU, "6400ffff000000018000000d8001000000000001", CLIENT, SERVER, 0x48e5, 0xb8e75e69),
                Arguments.of(
                        CmVectors.DREQ, "6400ffff000000018000000e8001000000000001", CLIENT, SERVER, 0x48f2, 0x59f0a8e5),
                Arguments.of(
                        CmVectors.DREP,
                        "6400ffff000000018000000f8001000000000001",
                        SERVER,
                        CLIENT,
                        0xb0cf,
                        0x152a2ef2));
    }

    @ParameterizedTest
    @MethodSource("packetsOfTheCapture")
    @Rule("MAD-08")
    void wholePacketIsReadAndMadeAgain(Octets mad, String headers, int from, int to, int identification, int icrc) {
        byte[] packet = HexFormat.of().parseHex(headers + mad);
        PacketRecord read = PacketRecord.parse(packet);
        assertThat(read.bth().opcode()).isEqualTo(Opcode.UD_SEND_ONLY);
        assertThat(read.bth().destQp()).isEqualTo(1);
        assertThat(read.bth().ackRequest()).isTrue();
        assertThat(read.bth().migRequest()).isFalse();
        assertThat(read.extensions()).containsExactly(new Deth(0x80010000, 1));
        assertThat(read.payload()).isEqualTo(mad);
        assertThat(read.emit()).isEqualTo(packet);
        assertThat(icrcOverIpv4(packet, from, to, identification)).isEqualTo(icrc);
    }

    private static int icrcOverIpv4(byte[] packet, int from, int to, int identification) {
        ByteBuffer datagram = ByteBuffer.allocate(28 + packet.length);
        datagram.putShort((short) 0x4500)
                .putShort((short) (32 + packet.length))
                .putShort((short) identification)
                .putShort((short) 0x4000)
                .putShort((short) 0x4011)
                .putShort((short) 0)
                .putInt(from)
                .putInt(to);
        datagram.putShort((short) 0xd872)
                .putShort((short) 4791)
                .putShort((short) (12 + packet.length))
                .putShort((short) 0);
        datagram.put(packet);
        return new Icrc().of(datagram, 0, datagram.capacity());
    }

    /** The header is as all of them are; what is emitted again is the same. */
    private static CmMessage parsed(Octets datagram, long transaction) {
        Mad mad = Mad.parse(datagram);
        CmMessage message = CmMessage.parse(mad);
        assertThat(mad.header())
                .isEqualTo(new MadHeader(
                        1, 7, 2, 3, 0, 0, transaction, message.attribute().number(), 0));
        assertThat(mad.emit()).isEqualTo(datagram);
        assertThat(message.emit(transaction)).isEqualTo(datagram);
        assertThat(Arrays.copyOfRange(
                        datagram.toBytes(), 256 - message.privateData().lengthBytes(), 256))
                .isEqualTo(message.privateData().toBytes());
        return message;
    }

    private static Gid ipv4(int address) {
        return new Gid(0, 0xffff_0000_0000L | address);
    }
}
