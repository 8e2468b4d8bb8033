// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.cm.ScriptedPeer.Heard;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.SidrRep;
import dev.verbatim.wire.mad.SidrReq;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Questions for the queue pairs of datagram services, on both sides. */
class DatagramServiceTest {

    private static final long SERVICE = 0x0000_0000_0111_1c06L;

    @AutoClose
    private final CmWorld world = new CmWorld();

    private final CmWorld.End client = world.client;
    private final CmWorld.End server = world.server;
    private final ScriptedPeer peer = new ScriptedPeer(world.fabric);

    private static QpInitAttributes attributes(CmWorld.End end) {
        return QpInitAttributes.ud(end.cq, end.cq, QpCapabilities.USUAL);
    }

    private CmId resolved(InetSocketAddress destination) {
        CmId id = client.channel.createId(PortSpace.UDP);
        id.resolveAddress(destination, CmWorld.SECOND);
        client.expect(CmEventType.ADDR_RESOLVED);
        assertThatThrownBy(() -> client.createQp(id)).hasMessageContaining("UD");
        assertThat(id.createQp(client.pd, attributes(client)).state()).isEqualTo(QpState.RTS);
        id.resolveRoute(CmWorld.SECOND);
        client.expect(CmEventType.ROUTE_RESOLVED);
        return id;
    }

    private CmId listen() {
        CmId listener = server.channel.createId(PortSpace.UDP);
        listener.bindAddress(server.address(CmWorld.PORT));
        listener.listen(1);
        return listener;
    }

    @Test
    @Rule({"CM-15", "CM-22"})
    void askedServiceTellsItsQueuePair() {
        CmId listener = listen();
        CmId asking = resolved(server.address(CmWorld.PORT));
        asking.connect(ConnectionParameters.USUAL.withPrivateData((byte) 1));
        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertThat(request.privateData()).isEqualTo(Arrays.copyOf(new byte[] {1}, 180));
        CmId asked = request.id();
        QueuePair far = asked.createQp(server.pd, attributes(server));
        asked.accept(ConnectionParameters.USUAL.withPrivateData((byte) 2));
        CmEvent told = client.expect(CmEventType.ESTABLISHED);
        assertThat(told.parameters().qpNumber()).isEqualTo(far.number());
        assertThat(told.queueKey()).isEqualTo(0x0123_4567);
        assertThat(told.addressVector()).isEqualTo(AddressVector.to(server.device.gid()));
        assertThat(told.privateData()).isEqualTo(Arrays.copyOf(new byte[] {2}, 136));
        assertThat(server.hasEvent()).isFalse();
        assertThatThrownBy(() -> asked.accept(ConnectionParameters.USUAL)).hasMessageContaining("EINVAL");
        asking.disconnect();
        assertThat(far.state()).isEqualTo(QpState.RTS);
        asked.close();
        asking.close();
        listener.close();
        assertThat(client.leftovers()).isEmpty();
        assertThat(server.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-02", "CM-15", "CM-22"})
    void refusedQuestionIsUnreachableWithThePeersStatus() {
        CmId listener = listen();
        CmId asking = resolved(server.address(CmWorld.PORT));
        asking.connect(ConnectionParameters.USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        asked.reject((byte) 3);
        CmEvent event = client.expect(CmEventType.UNREACHABLE);
        assertThat(event.status()).isEqualTo(SidrRep.STATUS_REJECTED);
        assertThat(event.privateData()).isEqualTo(Arrays.copyOf(new byte[] {3}, 136));
        listener.close();
        CmId again = resolved(server.address(CmWorld.PORT));
        again.connect(ConnectionParameters.USUAL);
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(SidrRep.STATUS_SERVICE_NOT_SUPPORTED);
    }

    @Test
    @Rule({"CM-03", "CM-12", "CM-22"})
    void unansweredQuestionIsRepeated() {
        CmId asking = resolved(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT));
        asking.connect(ConnectionParameters.USUAL.withPrivateData((byte) 9));
        Heard first = peer.hear();
        InetSocketAddress own = asking.localAddress();
        assertThat(own).isNotNull();
        Gid near = client.device.gid();
        assertThat(first.message())
                .isEqualTo(new SidrReq(
                        ((SidrReq) first.message()).requestId(),
                        0xffff,
                        SERVICE,
                        IpHeader.of(own.getPort(), near, peer.device.gid()).emit(Octets.of((byte) 9))));
        int requestId = ((SidrReq) first.message()).requestId();
        SidrRep reply = new SidrRep(requestId, 0, 0, 0x25, SERVICE, 1, Octets.EMPTY, Octets.EMPTY);
        ScriptedPeer stranger = new ScriptedPeer(world.fabric);
        stranger.say(near, 1, reply);
        assertThat(client.hasEvent()).isFalse();
        for (int sent = 2; sent <= 16; sent++) {
            Heard again = peer.hear();
            assertThat(again.bytes()).isEqualTo(first.bytes());
            assertThat(again.millis() - first.millis()).isEqualTo((sent - 1) * 4_096L);
        }
        assertThat(client.expect(CmEventType.UNREACHABLE).status()).isEqualTo(-110);
        asking.close();
        assertThat(client.leftovers()).isEmpty();
    }

    @Test
    @Rule({"CM-17", "CM-22"})
    void answerIsTheMeasuredOne() {
        CmId listener = listen();
        Gid far = server.device.gid();
        SidrReq question = new SidrReq(
                0x0c6c_a626,
                0xffff,
                SERVICE,
                IpHeader.of(35_767, peer.device.gid(), far).emit(Octets.EMPTY));
        peer.say(far, ScriptedPeer.TRANSACTION, question);
        peer.say(far, ScriptedPeer.TRANSACTION, question);
        // There is room for one that was not fetched.
        peer.say(far, ScriptedPeer.TRANSACTION, new SidrReq(2, 0xffff, SERVICE, question.privateData()));
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        assertThat(server.hasEvent()).isFalse();
        asked.accept(ConnectionParameters.USUAL.withQpNumber(0x25));
        assertThat(peer.hear().bytes().toString())
                .isEqualTo("010702030000000011223344556677880018000000000000"
                        + "0c6ca626"
                        + "00000000"
                        + "00002500"
                        + "0000000001111c06"
                        + "01234567"
                        + "00".repeat(208));
        peer.say(far, ScriptedPeer.TRANSACTION, new SidrReq(3, 0x1234, SERVICE, question.privateData()));
        assertThat(peer.hear(SidrRep.class).status()).isEqualTo(SidrRep.STATUS_REJECTED);
        peer.say(far, ScriptedPeer.TRANSACTION, question);
        listener.close();
        assertThat(peer.hear(SidrRep.class).status()).isEqualTo(SidrRep.STATUS_REJECTED);
        asked.close();
        assertThat(server.leftovers()).isEmpty();
    }
}
