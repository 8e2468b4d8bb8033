// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device is told when the last connection of its port breaks, and when there is one again. */
@Timeout(600)
@Rule("AE-11")
class PortEventsTest {

    private final NettyFabric near = NettyFabric.open();
    private final NettyFabric far = NettyFabric.open();
    private final Verbatim left = Verbatim.over(near).tap(new RecordingTap());
    private final Verbatim right = Verbatim.over(far).tap(new RecordingTap());
    private final Device client = left.open("client");
    private final Device server = right.open("server");

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void portGoesDownWithItsConnectionAndComesBackWithTheNextOneWhileQueuePairsStay() throws IOException {
        Side one = new Side(client, QpCapabilities.USUAL);
        Side other = new Side(server, QpCapabilities.USUAL);
        try (Relay relay = Relay.to(far.listen(Node.loopback(0)))) {
            near.dial(relay.address());
            RcConnection.connect(one.qp, other.qp);
            assertUp(client);
            for (int cuts = 0; cuts < 2; cuts++) {
                relay.cut();
                assertPortEvent(client, EventType.PORT_ERR);
                assertPortEvent(server, EventType.PORT_ERR);
                assertPortEvent(client, EventType.PORT_ACTIVE);
                assertPortEvent(server, EventType.PORT_ACTIVE);
                assertUp(client);
                assertUp(server);
            }
            one.qp.postSend(SendWorkRequest.write(1, other.address(0), other.rkey(), one.sge(0, 8)));
            assertThat(one.sent()).isSuccess();
            assertThat(client.pollAsyncEvent()).isNull();
        }
    }

    @Test
    void portOfADeviceWhosePeerLeavesGoesDownAndSaysSo() {
        near.dial(far.listen(Node.loopback(0)));
        server.close();
        assertPortEvent(client, EventType.PORT_ERR);
        assertThat(client.queryPort(1).state()).isEqualTo(PortState.DOWN);
        asserted();
    }

    @Test
    void portStaysUpAsLongAsThereIsAnyConnectionAndBeforeThereIsOne() {
        assertUp(client);
        NettyFabric third = NettyFabric.open();
        try (Verbatim door = Verbatim.over(third)) {
            Device passer = door.open("third");
            near.dial(far.listen(Node.loopback(0)));
            third.dial(near.listen(Node.loopback(0)));
            assertUp(client);
            server.close();
            assertRefused(Errno.ETIMEDOUT, "AE-20", () -> client.getAsyncEvent(Duration.ofMillis(20)));
            assertUp(client);
            passer.close();
            assertPortEvent(client, EventType.PORT_ERR);
        }
    }

    @Test
    void portThatIsDownPassesNothingUntilItIsUp() {
        Side one = new Side(client, QpCapabilities.USUAL);
        Side other = new Side(server, QpCapabilities.USUAL);
        near.dial(far.listen(Node.loopback(0)));
        for (Device down : List.of(client, server)) {
            RcConnection.USUAL.withRetries(13, 7, 7, 12).join(one.qp, other.qp);
            down.inject(EventType.PORT_ERR);
            assertPortEvent(client, EventType.PORT_ERR);
            assertPortEvent(server, EventType.PORT_ERR);
            assertThat(down.queryPort(1).state()).isEqualTo(PortState.DOWN);
            one.qp.postSend(SendWorkRequest.write(1, other.address(0), other.rkey(), one.sge(0, 8)));
            assertThat(one.sent()).hasStatus(WcStatus.RETRY_EXC_ERR);
            reset(one, other);
            RcConnection.USUAL.withRetries(18, 7, 7, 12).join(one.qp, other.qp);
            one.qp.postSend(SendWorkRequest.write(2, other.address(0), other.rkey(), one.sge(0, 8)));
            down.inject(EventType.PORT_ACTIVE);
            assertThat(one.sent()).isSuccess();
            assertPortEvent(client, EventType.PORT_ACTIVE);
            assertPortEvent(server, EventType.PORT_ACTIVE);
            reset(one, other);
        }
    }

    private static void reset(Side... sides) {
        for (Side side : sides) {
            side.qp.modify(new QpAttributes().state(QpState.RESET));
        }
    }

    private static void assertPortEvent(Device device, EventType type) {
        AsyncEvent event = device.getAsyncEvent(Await.LIMIT);
        assertThat(event.type()).isEqualTo(type);
        assertThat(event.portNumber()).isEqualTo(1);
        assertThat(event.queuePair()).isNull();
        event.acknowledge();
        asserted();
    }

    private static void assertUp(Device device) {
        assertThat(device.queryPort(1).state()).as("port of %s", device.name()).isEqualTo(PortState.ACTIVE);
        assertThat(device.pollAsyncEvent()).isNull();
    }
}
