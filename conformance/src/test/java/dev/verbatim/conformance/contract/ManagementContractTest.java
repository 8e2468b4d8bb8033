// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.UdReadiness;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementDrop;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.testing.AddressAnswer;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.MadListener;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Queue pair 1 of two devices on every fabric, and where devices are found. */
@OnEveryFabric
class ManagementContractTest {

    private static final Gid NOBODY = Gid.ofGuid(0x0200_dead_beef_0000L);

    @Parameter
    FabricKind fabric;

    @AutoClose
    private RcPair pair;

    private ManagementPort left;
    private ManagementPort right;
    private final MadListener leftAgent = new MadListener();
    private final MadListener rightAgent = new MadListener();

    @BeforeEach
    void open() {
        pair = fabric.open(QpCapabilities.USUAL);
        left = ((ManagedDevice) pair.left.device).managementPort();
        right = ((ManagedDevice) pair.right.device).managementPort();
        left.agent(port -> leftAgent);
        right.agent(port -> rightAgent);
    }

    private static void send(ManagementPort from, ManagementPort to, Octets... mads) {
        from.lane().call(() -> {
            for (Octets mad : mads) {
                assertThat(from.send(to.gid(), mad)).isTrue();
            }
        });
    }

    private void await(BooleanSupplier condition) {
        assertThat(left.lane().spin(condition, Await.LIMIT.toNanos())).isTrue();
    }

    private static String heard(ManagementPort source, Octets mad) {
        return source.gid() + " " + mad;
    }

    private static Octets numbered(int number) {
        return new Rtu(number, -number, Octets.of((byte) number)).emit(number);
    }

    @Test
    @Rule({"MAD-01", "MAD-08"})
    void datagramsArriveInBothDirectionsWithTheirSource() {
        Octets[] mads = IntStream.range(0, 100)
                .mapToObj(ManagementContractTest::numbered)
                .toArray(Octets[]::new);
        send(left, right, mads);
        send(right, left, mads);
        await(() -> rightAgent.heard().size() + leftAgent.heard().size() == 200);

        List<String> fromLeft = new ArrayList<>();
        List<String> fromRight = new ArrayList<>();
        for (Octets mad : mads) {
            fromLeft.add(heard(left, mad));
            fromRight.add(heard(right, mad));
        }
        assertThat(rightAgent.heard()).containsExactlyElementsOf(fromLeft);
        assertThat(leftAgent.heard()).containsExactlyElementsOf(fromRight);
        assertThat(pair.tap.events(PacketSent.class))
                .hasSize(200)
                .allSatisfy(sent -> assertThat(sent.qp()).isEqualTo(ManagementPort.QP_NUMBER));
        asserted();
    }

    /** Whoever wants the lane meanwhile. */
    @Test
    @Rule("MAD-01")
    void lastWordOfADeviceThatIsClosedArrives() throws InterruptedException {
        leftAgent.lastWord(left, right.gid(), numbered(1));
        Thread closer = new Thread(pair.left.device::closeAll, "closes");
        left.lane().call(() -> {
            closer.start();
            Await.state(closer, Thread.State.WAITING);
        });
        Await.end(closer);
        assertThat(right.lane()
                        .spin(() -> rightAgent.heard().contains(heard(left, numbered(1))), Await.LIMIT.toNanos()))
                .isTrue();
        asserted();
    }

    @Test
    @Rule("MAD-01")
    void deviceSpeaksToItself() {
        send(left, left, numbered(1));
        await(() -> !leftAgent.heard().isEmpty());
        assertThat(leftAgent.heard()).containsExactly(heard(left, numbered(1)));
        assertThat(rightAgent.heard()).isEmpty();
        asserted();
    }

    @Test
    @Rule({"MAD-04", "MAD-05"})
    void questionAboutTheClassIsAnsweredAndOthersAreNot() {
        Octets others = mad(MadHeader.METHOD_GET, 0x10);
        Octets question = mad(MadHeader.METHOD_GET, MadHeader.ATTRIBUTE_CLASS_PORT_INFO);
        send(left, right, others, question);
        await(() -> left.dropped(ManagementDrop.METHOD) == 1);
        assertThat(right.dropped(ManagementDrop.METHOD)).isEqualTo(1);
        assertThat(leftAgent.heard()).isEmpty();
        assertThat(rightAgent.heard()).isEmpty();
        asserted();
    }

    private static Octets mad(int method, int attribute) {
        return new Mad(new MadHeader(1, 7, 2, method, 0, 0, 1, attribute, 0), Octets.EMPTY).emit();
    }

    @Test
    @Rule("MAD-02")
    void datagramOfAProgramIsNoManagementDatagram() {
        Side side = pair.left;
        QueuePair program = side.pd.createQp(
                new QpInitAttributes(QpType.UD, side.sendCq, side.recvCq, QpCapabilities.USUAL, false, null));
        new UdReadiness(0x1234).toRts(program);
        program.postSend(SendWorkRequest.send(1, side.sge(0, ManagementPort.MAD_BYTES))
                .to(side.pd.createAddressHandle(AddressVector.to(right.gid())), ManagementPort.QP_NUMBER, 0x8001_0000));
        assertThat(side.sent()).isSuccess();
        await(() -> right.dropped(ManagementDrop.QUEUE_KEY) == 1);
        assertThat(rightAgent.heard()).isEmpty();

        send(left, right, numbered(1));
        await(() -> !rightAgent.heard().isEmpty());
        assertThat(rightAgent.heard()).containsExactly(heard(left, numbered(1)));
        asserted();
    }

    @Test
    void deviceIsFoundByItsGid() {
        assertThat(resolve(new InetSocketAddress(right.gid().toInetAddress(), 7174))
                        .peer())
                .isEqualTo(right.gid());
        assertThat(resolve(new InetSocketAddress(left.gid().toInetAddress(), 0)).peer())
                .isEqualTo(left.gid());
    }

    @Test
    void deviceThatIsNotThereIsNotFound() {
        assertThat(resolve(new InetSocketAddress(NOBODY.toInetAddress(), 7174)).errno())
                .isEqualTo(Errno.EHOSTUNREACH);
        assertThat(resolve(InetSocketAddress.createUnresolved("nowhere.invalid", 7174))
                        .errno())
                .isEqualTo(Errno.EINVAL);
    }

    private AddressAnswer resolve(InetSocketAddress address) {
        AddressAnswer answer = new AddressAnswer(left.lane());
        left.lane().call(() -> left.resolve(address, Await.LIMIT.toNanos(), answer));
        await(answer::isThere);
        return answer;
    }

    @Test
    void deviceIsListenedForAtItsGid() {
        InetSocketAddress own = new InetSocketAddress(left.gid().toInetAddress(), 7174);
        assertThat(left.bind(own)).isEqualTo(own);
        assertThat(left.bind(own)).isEqualTo(own);
    }
}
