// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.UdReadiness;
import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two devices with two ports each: what belongs to a port, and what to the device. */
class PortsTest {

    private static final RcConnection SHORT = RcConnection.USUAL.withRetries(8, 1, 7, 12);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int QUEUE_KEY = 0x11;

    private final LossyFabric fabric = new LossyFabric(1, LinkFaults.NONE);

    @AutoClose
    private final Verbatim door = Verbatim.over(fabric).profile(withPorts(2)).tap(RuleCoverage::observe);

    private final Side left = new Side(door.open("left"), QpCapabilities.USUAL);
    private final Side right = new Side(door.open("right"), QpCapabilities.USUAL);

    private static DeviceProfile withPorts(int count) {
        DeviceLimits limits =
                DeviceLimits.DEFAULT.toBuilder().physicalPorts(count).build();
        return DeviceProfile.STRICT_IBTA.toBuilder().limits(limits).build();
    }

    private SendWorkRequest write(long id) {
        return SendWorkRequest.write(id, right.address(0), right.rkey(), left.sge(0, 8));
    }

    /** Connects two more queue pairs, port by port. */
    private QueuePair connected(int port) {
        QueuePair near = left.newQueuePair();
        SHORT.withPort(port).join(near, right.newQueuePair());
        return near;
    }

    private static void assertPortEvent(Device device, EventType type, int port) {
        AsyncEvent event = device.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(type);
        assertThat(event.portNumber()).isEqualTo(port);
        event.acknowledge();
        assertThat(device.pollAsyncEvent()).isNull();
        asserted();
    }

    @Test
    @Rule("QV-06")
    void eachPortAnswersForItself() {
        Device device = left.device;
        assertThat(device.query().physicalPorts()).isEqualTo(2);
        assertThat(device.gids()).containsExactly(device.queryGid(1, 0), device.queryGid(2, 0));
        assertThat(device.gids()).doesNotHaveDuplicates().first().isEqualTo(device.gid());
        device.changeLink(2, PathMtu.MTU_512, LinkWidth.X4, LinkSpeed.EDR);
        assertThat(device.queryPort(1).activeMtu()).isEqualTo(PathMtu.MTU_4096);
        assertThat(device.queryPort(2).activeMtu()).isEqualTo(PathMtu.MTU_512);
        assertThat(device.queryPort(2).activeWidth()).isEqualTo(LinkWidth.X4);
        for (int port : new int[] {-1, 0, 3}) {
            assertRefused(Errno.EINVAL, "QV-06", () -> device.queryPort(port));
            assertRefused(Errno.EINVAL, "QV-06", () -> device.queryGid(port, 0));
            assertRefused(Errno.EINVAL, "QV-06", () -> device.queryPkey(port, 0));
            assertRefused(Errno.EINVAL, "QV-06", () -> device.inject(EventType.PORT_ERR, port));
            assertRefused(Errno.EINVAL, "QV-06", () -> EventChannel.open(device, port, CmOptions.USUAL));
            assertRefused(
                    Errno.EINVAL,
                    "QV-06",
                    () -> left.pd.createAddressHandle(
                            AddressVector.to(device.gid()).withPort(port)));
            assertRefused(
                    Errno.EINVAL,
                    "QV-06",
                    () -> left.qp.modify(new QpAttributes()
                            .state(QpState.INIT)
                            .pkeyIndex(0)
                            .portNumber(port)
                            .accessFlags(0)));
        }
    }

    @Test
    void numberOfPortsHasItsRange() {
        for (int count : new int[] {0, DeviceLimits.MOST_PHYSICAL_PORTS + 1}) {
            assertThatThrownBy(() -> withPorts(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("physicalPorts=" + count + " is not in 1..4");
        }
    }

    @Test
    @Rule({"AE-11", "QP-29"})
    void portThatIsDownStopsItsQueuePairsAndNoOthers() {
        QueuePair first = connected(1);
        QueuePair second = connected(2);
        fabric.unplug(left.device.queryGid(1, 0));
        assertPortEvent(left.device, EventType.PORT_ERR, 1);
        assertThat(left.device.queryPort(1).state()).isEqualTo(PortState.DOWN);
        assertThat(left.device.queryPort(2).state()).isEqualTo(PortState.ACTIVE);

        left.bytes().putLong(0, 7);
        second.postSend(write(2));
        assertThat(left.sent()).isSuccess().hasId(2);
        assertThat(right.bytes().getLong(0)).isEqualTo(7);
        first.postSend(write(1));
        assertThat(left.sent()).hasStatus(WcStatus.RETRY_EXC_ERR).hasId(1);
        assertState(second, QpState.RTS);

        fabric.plug(left.device.queryGid(1, 0));
        assertPortEvent(left.device, EventType.PORT_ACTIVE, 1);
    }

    @Test
    @Rule("AE-11")
    void injectedEventIsOfThePortThatIsNamed() {
        left.device.inject(EventType.GID_CHANGE, 2);
        assertPortEvent(left.device, EventType.GID_CHANGE, 2);
        left.device.inject(EventType.PORT_ERR, 2);
        assertPortEvent(left.device, EventType.PORT_ERR, 2);
        assertThat(left.device.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
        assertThat(left.device.queryPort(2).state()).isEqualTo(PortState.DOWN);
    }

    @Test
    @Rule("QV-13")
    void vectorOfAnotherPortIsRefusedInRtr() {
        left.qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(2)
                .accessFlags(0));
        QpAttributes values = new QpAttributes()
                .state(QpState.RTR)
                .pathMtu(PathMtu.MTU_1024)
                .destinationQp(right.qp.number())
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12);
        assertRefused(
                Errno.EINVAL,
                "QV-13",
                () -> left.qp.modify(new QpAttributes(values).addressVector(AddressVector.to(right.device.gid()))));
        left.qp.modify(values.addressVector(AddressVector.to(right.device.gid()).withPort(2)));
        assertState(left.qp, QpState.RTR);
        assertThat(left.qp.query().portNumber()).isEqualTo(2);
    }

    @Test
    @Rule("QV-13")
    void drainedQueuePairGoesOnByThePortThatItsNewVectorNames() {
        SHORT.join(left.qp, right.qp);
        left.qp.postSend(write(1));
        assertThat(left.sent()).isSuccess().hasId(1);
        for (Side side : new Side[] {left, right}) {
            side.qp.modify(new QpAttributes().state(QpState.SQD));
        }
        fabric.unplug(left.device.queryGid(1, 0));
        fabric.unplug(right.device.queryGid(1, 0));
        assertRefused(
                Errno.EINVAL,
                "QV-13",
                () -> left.qp.modify(new QpAttributes().portNumber(1).addressVector(byPortTwo(right))));
        left.qp.modify(new QpAttributes().addressVector(byPortTwo(right)));
        right.qp.modify(new QpAttributes().portNumber(2).addressVector(byPortTwo(left)));
        for (Side side : new Side[] {left, right}) {
            assertThat(side.qp.query().portNumber()).isEqualTo(2);
            side.qp.modify(new QpAttributes().state(QpState.RTS));
        }
        left.qp.postSend(write(2));
        assertThat(left.sent()).isSuccess().hasId(2);
    }

    private static AddressVector byPortTwo(Side peer) {
        return AddressVector.to(peer.device.queryGid(2, 0)).withPort(2);
    }

    @Test
    @Rule("QV-13")
    void portAloneTakesTheVectorWithIt() {
        SHORT.join(left.qp, right.qp);
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        left.qp.modify(new QpAttributes().portNumber(2));
        QpAttributes now = left.qp.query();
        assertThat(now.portNumber()).isEqualTo(2);
        assertThat(now.addressVector())
                .isEqualTo(AddressVector.to(right.device.gid()).withPort(2));
        asserted();
    }

    @Test
    @Rule("H3-1")
    void queuePairOfOnePortHearsNothingAtAnother() {
        QueuePair far = right.newQueuePair();
        SHORT.readyToReceive(left.qp, new RcConnection.Endpoint(right.device.queryGid(2, 0), far.number(), 1));
        SHORT.readyToReceive(far, RcConnection.Endpoint.of(left.qp, 1));
        SHORT.readyToSend(left.qp, 1);
        left.qp.postSend(write(1));
        WorkCompletion failed = left.sent();
        assertThat(failed).hasStatus(WcStatus.RETRY_EXC_ERR);
        assertThat(failed.explanation())
                .contains("qp " + far.number() + " of device right uses port 1, and the request came to port 2");
    }

    @Test
    @Rule({"UD-01", "QV-14"})
    void datagramGoesByThePortOfItsQueuePair() {
        Side from = new Side(left.device, QpCapabilities.USUAL, null, QpType.UD);
        Side to = new Side(right.device, QpCapabilities.USUAL, null, QpType.UD);
        new UdReadiness(QUEUE_KEY, 2).toRts(from.qp, to.qp);
        for (int i = 0; i < 2; i++) {
            to.qp.postRecv(ReceiveWorkRequest.of(i, to.sge(64 * i, 64)));
        }
        Gid portOne = right.device.queryGid(1, 0);
        Gid portTwo = right.device.queryGid(2, 0);
        from.qp.postSend(datagram(from, 1, to, AddressVector.to(portOne).withPort(2)));
        assertThat(from.sent()).isSuccess();
        from.qp.postSend(datagram(from, 2, to, AddressVector.to(portTwo).withPort(2)));
        assertThat(from.sent()).isSuccess();
        assertThat(to.received()).isSuccess().hasId(0);
        assertThat(to.recvCq.poll(1)).as("what was for the other port").isEmpty();

        from.qp.postSend(datagram(from, 3, to, AddressVector.to(portTwo)));
        assertThat(from.sent()).hasStatus(WcStatus.LOC_QP_OP_ERR).hasId(3);
        assertState(from.qp, QpState.SQE);
    }

    private static SendWorkRequest datagram(Side from, long id, Side to, AddressVector vector) {
        return SendWorkRequest.send(id, from.sge(0, 8))
                .to(from.pd.createAddressHandle(vector), to.qp.number(), QUEUE_KEY);
    }

    @Test
    @Rule("CM-18")
    void connectionManagerOfEachPortConnectsThere() {
        try (EventChannel client = EventChannel.open(left.device, 2, CmOptions.USUAL);
                EventChannel server = EventChannel.open(right.device, 2, CmOptions.USUAL);
                CmId listener = server.createId();
                CmId asking = client.createId()) {
            InetSocketAddress address =
                    new InetSocketAddress(right.device.queryGid(2, 0).toInetAddress(), 7174);
            listener.bindAddress(address);
            listener.listen(1);
            asking.resolveAddress(address, SECOND);
            expect(client, CmEventType.ADDR_RESOLVED);
            QueuePair near = asking.createQp(left.pd, left.qp.initAttributes());
            asking.resolveRoute(SECOND);
            expect(client, CmEventType.ROUTE_RESOLVED);
            asking.connect(ConnectionParameters.USUAL);
            try (CmId asked = expect(server, CmEventType.CONNECT_REQUEST)) {
                QueuePair far = asked.createQp(right.pd, right.qp.initAttributes());
                asked.accept(ConnectionParameters.USUAL);
                expect(client, CmEventType.ESTABLISHED);
                expect(server, CmEventType.ESTABLISHED);
                assertThat(near.query().portNumber()).isEqualTo(2);
                assertThat(far.query().portNumber()).isEqualTo(2);
                assertThat(asked.portNumber()).isEqualTo(2);
                near.postSend(write(1));
                assertThat(left.sent()).isSuccess().hasId(1);
                asked.destroyQp();
            }
            asking.destroyQp();
        }
    }

    private static CmId expect(EventChannel channel, CmEventType wanted) {
        CmEvent event = channel.getEvent(Duration.ofHours(1));
        assertThat(event.type()).as("%s", event).isEqualTo(wanted);
        event.acknowledge();
        asserted();
        return event.id();
    }
}
