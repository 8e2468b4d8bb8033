// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RuleCoverage;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Two devices in virtual time, each with a channel. */
final class CmWorld implements AutoCloseable {

    static final int PORT = 7174;
    static final Duration SECOND = Duration.ofSeconds(1);

    final LossyFabric fabric;
    final CmOptions options;
    final End client;
    final End server;

    CmWorld() {
        this(1, LinkFaults.NONE, CmOptions.USUAL);
    }

    CmWorld(long seed, LinkFaults faults, CmOptions options) {
        this.fabric = new LossyFabric(seed, faults);
        this.options = options;
        this.client = new End("client");
        this.server = new End("server");
    }

    /** A device with what its connections need. */
    final class End {
        final Device device;
        final EventChannel channel;
        final ProtectionDomain pd;
        final CompletionQueue cq;

        End(String name) {
            device = EmulatedDevice.open(
                    fabric, name, fabric.freshGuid(), DeviceProfile.STRICT_IBTA, RuleCoverage::observe);
            channel = EventChannel.open(device, options);
            pd = device.allocatePd();
            cq = device.createCq(64);
        }

        InetSocketAddress address(int port) {
            return new InetSocketAddress(device.gid().toInetAddress(), port);
        }

        QpInitAttributes attributes() {
            return QpInitAttributes.rc(cq);
        }

        QueuePair createQp(CmId id) {
            return id.createQp(pd, attributes());
        }

        CmId listen(int backlog) {
            CmId listener = channel.createId();
            listener.bindAddress(address(PORT));
            listener.listen(backlog);
            return listener;
        }

        /** The next event, which has to be that one; not acknowledged. */
        CmEvent fetch(CmEventType wanted) {
            CmEvent event = channel.getEvent(Duration.ofHours(1));
            assertThat(event.type()).as("%s", event).isEqualTo(wanted);
            asserted();
            return event;
        }

        /** The next event, which has to be that one; acknowledged. */
        CmEvent expect(CmEventType wanted) {
            CmEvent event = fetch(wanted);
            event.acknowledge();
            return event;
        }

        @Nullable
        CmEvent poll() {
            return channel.pollEvent();
        }

        /** An identifier with a queue pair that only has to connect. */
        CmId resolved(InetSocketAddress destination) {
            CmId id = channel.createId();
            id.resolveAddress(destination, SECOND);
            expect(CmEventType.ADDR_RESOLVED);
            createQp(id);
            id.resolveRoute(SECOND);
            expect(CmEventType.ROUTE_RESOLVED);
            return id;
        }

        /** Whether there is one; nothing moves on. */
        boolean hasEvent() {
            return channel.hasEvent();
        }

        String leftovers() {
            return CmAgent.of(device).leftovers();
        }
    }

    /** An identifier of the client that asks the server with these parameters. */
    CmId connecting(ConnectionParameters parameters) {
        CmId id = client.resolved(server.address(PORT));
        id.connect(parameters);
        return id;
    }

    /** Both ends of a connection that stands, the client's first. */
    CmId[] connected() {
        CmId asking = connecting(ConnectionParameters.USUAL);
        CmId asked = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(asked);
        asked.accept(ConnectionParameters.USUAL);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        return new CmId[] {asking, asked};
    }

    void passMillis(long millis) {
        fabric.passNanos(Duration.ofMillis(millis).toNanos());
    }

    long nowMillis() {
        return Duration.ofNanos(fabric.clock().nanoTime()).toMillis();
    }

    @Override
    public void close() {
        client.device.closeAll();
        server.device.closeAll();
        fabric.close();
    }
}
