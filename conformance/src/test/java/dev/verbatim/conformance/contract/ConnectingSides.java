// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;

/** Two devices on any fabric, each with a channel: the left one asks, the right one is asked. */
final class ConnectingSides implements AutoCloseable {

    static final int PORT = 7174;

    /** What is not answered fails soon, and TIMEWAIT is short. */
    static final CmOptions BRISK = CmOptions.USUAL
            .withPacketLifeTime(13)
            .withAckDelay(0)
            .withResponseTimeout(13)
            .withRetries(2);

    final Side left;
    final Side right;
    final EventChannel near;
    final EventChannel far;
    private final RcPair pair;

    ConnectingSides(FabricKind fabric, CmOptions options) {
        pair = fabric.openUnjudged(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA);
        left = pair.left;
        right = pair.right;
        // Over sockets of datagrams the first packets of a JVM take longer than a brisk timeout.
        CmOptions own = fabric == FabricKind.ROCE ? options.withResponseTimeout(17) : options;
        near = EventChannel.open(left.device, own);
        far = EventChannel.open(right.device, own);
    }

    static InetSocketAddress address(Side side, int port) {
        return new InetSocketAddress(side.device.gid().toInetAddress(), port);
    }

    /** The next event of the channel, which has to be that one; acknowledged. */
    static CmEvent expect(EventChannel channel, CmEventType type) {
        CmEvent event = channel.getEvent(Await.LIMIT);
        assertThat(event.type()).as("%s", event).isEqualTo(type);
        event.acknowledge();
        asserted();
        return event;
    }

    CmId listen(PortSpace space, int backlog) {
        CmId listener = far.createId(space);
        listener.bindAddress(address(right, PORT));
        listener.listen(backlog);
        return listener;
    }

    /** An identifier with a queue pair that only has to connect. */
    CmId resolved(PortSpace space, QpInitAttributes attributes) {
        CmId id = near.createId(space);
        id.resolveAddress(address(right, PORT), Await.LIMIT);
        expect(near, CmEventType.ADDR_RESOLVED);
        id.createQp(left.pd, attributes);
        id.resolveRoute(Await.LIMIT);
        expect(near, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    CmId resolved() {
        return resolved(PortSpace.TCP, QpInitAttributes.rc(left.sendCq, left.recvCq, QpCapabilities.USUAL));
    }

    CmId connecting(ConnectionParameters parameters) {
        CmId id = resolved();
        id.connect(parameters);
        return id;
    }

    QueuePair createQp(CmId asked) {
        return asked.createQp(right.pd, QpInitAttributes.rc(right.sendCq, right.recvCq, QpCapabilities.USUAL));
    }

    /** Both ends of a connection that stands, the one that asked first. */
    CmId[] connected() {
        CmId asking = connecting(ConnectionParameters.USUAL);
        CmId asked = expect(far, CmEventType.CONNECT_REQUEST).id();
        createQp(asked);
        asked.accept(ConnectionParameters.USUAL);
        expect(near, CmEventType.ESTABLISHED);
        expect(far, CmEventType.ESTABLISHED);
        return new CmId[] {asking, asked};
    }

    @Override
    public void close() {
        pair.close();
    }
}
