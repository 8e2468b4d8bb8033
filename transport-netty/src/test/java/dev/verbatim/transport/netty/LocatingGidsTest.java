// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices that find each other by nothing but GIDs: each is on a fabric of its own, as in a process of its own. */
@Timeout(600)
class LocatingGidsTest {

    private static final NettyOptions OPTIONS = NettyOptions.defaults().withLocatingGids();

    /** 8 us, so that a peer that is not there is given up soon. */
    private static final int SHORT_TIMEOUT = 1;

    private static final int QUEUE_KEY = 0x11111111;

    private final List<Verbatim> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Verbatim::close);
    }

    private Side side(NettyOptions options, QpType type) {
        return new Side(device(options), QpCapabilities.USUAL, null, type);
    }

    private Device device(NettyOptions options) {
        Verbatim rdma = Verbatim.over(NettyFabric.open(options));
        open.add(rdma);
        return rdma.open("device" + open.size());
    }

    private void leave(Side side) {
        Verbatim gone = open.stream()
                .filter(rdma -> rdma.devices().contains(side.device))
                .findFirst()
                .orElseThrow();
        open.remove(gone);
        gone.close();
    }

    private static void write(Side from, QueuePair over, Side to, long word) {
        from.bytes().putLong(0, word);
        over.postSend(SendWorkRequest.write(1, to.address(8), to.rkey(), from.sge(0, 8)));
        assertThat(from.sent()).isSuccess();
        assertThat(to.bytes().getLong(8)).isEqualTo(word);
    }

    @Test
    @Rule("N-06")
    void eachDeviceHasAnAddressWithItsLidOfItsOwn() {
        Device first = device(OPTIONS);
        Device second = device(OPTIONS.withLinkLayer(LinkLayer.INFINIBAND));
        PortAttributes port = second.queryPort(1);
        assertThat(first.gid()).isNotEqualTo(second.gid());
        assertThat(second.gid().toInetAddress().getHostAddress())
                .isEqualTo("127.1." + port.lid() / 256 + "." + port.lid() % 256);
        assertThat(port.lid()).isBetween(1, 0xbfff);
        assertThat(first.gidOfLid(port.lid())).isEqualTo(second.gid());
        assertRefused(Errno.EINVAL, "QV-10", () -> first.gidOfLid(0));
        assertRefused(Errno.EINVAL, "QV-10", () -> first.gidOfLid(0xc000));
        assertThat(port.linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
        assertThat(port.flags()).isZero();
        assertThat(first.queryPort(1).linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        assertThat(first.queryPort(1).flags()).isEqualTo(PortAttributes.GRH_REQUIRED);
    }

    @Test
    @Rule("N-06")
    void queuePairsReachEachOtherByGidAlone() {
        Side left = side(OPTIONS, QpType.RC);
        Side right = side(OPTIONS, QpType.RC);
        RcConnection.connect(left.qp, right.qp);
        write(left, left.qp, right, 1);
        write(right, right.qp, left, 2);
    }

    @Test
    @Rule("N-06")
    void dialsThatCrossMakeOneConnection() {
        Side left = side(OPTIONS, QpType.RC);
        Side right = side(OPTIONS, QpType.RC);
        RcConnection.connect(left.qp, right.qp);
        for (Side side : List.of(left, right)) {
            Side other = side == left ? right : left;
            side.bytes().putLong(0, 7);
            side.qp.postSend(SendWorkRequest.write(1, other.address(8), other.rkey(), side.sge(0, 8)));
        }
        assertThat(left.sent()).isSuccess();
        assertThat(right.sent()).isSuccess();
        write(left, left.qp, right, 8);
        write(right, right.qp, left, 9);
    }

    @Test
    @Rule("N-06")
    void firstDatagramWaitsForTheConnection() {
        Side from = side(OPTIONS, QpType.UD);
        Side to = side(OPTIONS, QpType.UD);
        new UdReadiness(QUEUE_KEY).toRts(from.qp, to.qp);
        to.qp.postRecv(ReceiveWorkRequest.of(1, to.sge(0, 48)));
        from.qp.postSend(datagram(from, to));
        assertThat(to.received()).isSuccess().hasByteLength(48);
    }

    private static SendWorkRequest datagram(Side from, Side to) {
        return SendWorkRequest.send(2, from.sge(0, 8))
                .to(from.pd.createAddressHandle(AddressVector.to(to.device.gid())), to.qp.number(), QUEUE_KEY);
    }

    @Test
    @Rule("N-06")
    void furtherDevicesOfAnAddressHaveGidsWithTheirPorts() {
        NettyOptions named = NettyOptions.defaults().withLocatingGids(LoopbackAddress.of(201));
        Side first = side(named, QpType.RC);
        Side second = side(named, QpType.RC);
        Side elsewhere = side(OPTIONS, QpType.RC);
        assertThat(first.device.gid()).isEqualTo(Gid.of(LoopbackAddress.of(201)));
        Gid further = second.device.gid();
        assertThat(further).isEqualTo(Gid.ofGuid(further.interfaceId()));
        assertThat((int) (further.interfaceId() >>> 32))
                .isEqualTo((int) first.device.gid().interfaceId());
        assertThat(second.device.queryPort(1).lid()).isZero();
        RcConnection.connect(first.qp, second.qp);
        write(first, first.qp, second, 1);
        write(second, second.qp, first, 2);
        QueuePair near = elsewhere.newQueuePair();
        QueuePair far = second.newQueuePair();
        RcConnection.connect(near, far);
        write(elsewhere, near, second, 3);
    }

    @Test
    @Rule({"N-06", "QP-29"})
    void whereNobodyListensRetriesEnd() {
        Side gone = side(OPTIONS, QpType.RC);
        Side left = side(OPTIONS, QpType.RC);
        RcConnection.USUAL.withRetries(SHORT_TIMEOUT, 1, 0, 1).join(left.qp, gone.qp);
        leave(gone);
        left.qp.postSend(SendWorkRequest.write(1, 0, 0, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    @Rule({"N-06", "QP-29"})
    void deviceThatReturnsIsFoundByNewQueuePairsOfEitherSide() {
        NettyOptions named = NettyOptions.defaults().withLocatingGids(LoopbackAddress.of(202));
        Side before = side(named, QpType.RC);
        Side left = side(OPTIONS, QpType.RC);
        RcConnection.connect(left.newQueuePair(), before.qp);
        write(before, before.qp, left, 1);
        RcConnection.USUAL.withRetries(SHORT_TIMEOUT, 1, 0, 1).join(left.qp, before.newQueuePair());
        leave(before);
        left.qp.postSend(SendWorkRequest.write(1, 0, 0, left.sge(0, 8)));
        assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);

        Side after = side(named, QpType.RC);
        assertThat(after.device.gid()).isEqualTo(before.device.gid());
        QueuePair again = left.newQueuePair();
        RcConnection.connect(again, after.qp);
        write(left, again, after, 2);
        write(after, after.qp, left, 3);
    }

    @Test
    @Rule({"N-06", "QV-12"})
    void deviceReachesItself() {
        Side own = side(OPTIONS, QpType.RC);
        RcConnection.connect(own.qp, own.qp);
        write(own, own.qp, own, 1);
    }

    @Test
    @Rule("N-05")
    void addressThatMayNotBeListenedAtIsRefused() throws UnknownHostException {
        InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        NettyOptions careful = NettyOptions.defaults().withLocatingGids(elsewhere);
        assertRefused(Errno.EACCES, "N-05", () -> device(careful));
        assertRefused(Errno.EADDRNOTAVAIL, "N-05", () -> device(careful.withListeningOpenly(true)));
        InetAddress six = InetAddress.getByName("::1");
        assertThatThrownBy(() -> NettyOptions.defaults().withLocatingGids(six))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
