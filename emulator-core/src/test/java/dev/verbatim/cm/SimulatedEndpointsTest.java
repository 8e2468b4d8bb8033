// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.MemoryTap;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that wait for each step of a connection, each at a time of its own, over links that fail. */
class SimulatedEndpointsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;
    private static final LinkFaults FAULTS = LinkFaults.NONE
            .dropping(150)
            .duplicating(100)
            .with(ChoicePoint.LINK_REORDER, 100)
            .with(ChoicePoint.LINK_CORRUPT, 30);

    /** What both programs have. */
    private static final class Side {
        final Device device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion region;

        Side(Device device) {
            this.device = device;
            pd = device.allocatePd();
            cq = device.createCq(16);
            region = pd.register(Memory.allocate(4096), 1);
        }

        QpInitAttributes attributes() {
            return QpInitAttributes.rc(cq);
        }
    }

    private static List<String> conversation(long seed) {
        MemoryTap tap = new MemoryTap(100_000);
        List<String> said = new ArrayList<>();
        SimulationOptions options = SimulationOptions.USUAL.withFaults(FAULTS);
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), options).tap(tap)) {
            Side server = new Side(simulation.open("server"));
            Side client = new Side(simulation.open("client"));
            InetSocketAddress there = new InetSocketAddress(server.device.gid().toInetAddress(), 7);
            ListeningEndpoint listener = Endpoint.listen(server.device, there, 0);
            simulation.node("server", node -> serve(node, server, listener, said));
            simulation.node("client", node -> ask(node, client, there, said));
            assertThat(simulation.run()).isTrue();
            listener.close();
            assertThat(CmAgent.of(server.device).leftovers()).isEmpty();
            assertThat(CmAgent.of(client.device).leftovers()).isEmpty();
        }
        said.add(Integer.toString(tap.events().toString().hashCode()));
        return said;
    }

    private static void serve(Node node, Side side, ListeningEndpoint listener, List<String> said) {
        ConnectionRequest request = listener.getRequest(PATIENCE);
        try (Endpoint end = request.accept(side.pd, side.attributes(), USUAL.withPrivateData((byte) 2), PATIENCE)) {
            end.qp().postRecv(ReceiveWorkRequest.of(1, side.region.sge(0, 8)));
            assertThat(side.cq.awaitCompletion(PATIENCE).isSuccess()).isTrue();
            said.add(node.name() + " got " + end.privateData()[0]);
            end.awaitDisconnected(PATIENCE);
            end.disconnect(PATIENCE);
        }
    }

    private static void ask(Node node, Side side, InetSocketAddress there, List<String> said) {
        try (Endpoint end = Endpoint.connect(
                side.device, there, side.pd, side.attributes(), USUAL.withPrivateData((byte) 1), PATIENCE)) {
            end.qp().postSend(SendWorkRequest.send(1, side.region.sge(0, 8)));
            assertThat(side.cq.awaitCompletion(PATIENCE).isSuccess()).isTrue();
            said.add(node.name() + " got " + end.privateData()[0]);
            end.disconnect(PATIENCE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void programsFindEachOtherWhateverTheLinkDoesAndTheRunRepeats(long seed) {
        List<String> said = conversation(seed);
        assertThat(said).contains("client got 2", "server got 1");
        assertThat(conversation(seed)).isEqualTo(said);
    }

    /** Both send as soon as they are connected, and a message that finds no receive fails at once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void receivesThatArePostedInTwoStepsAreThereWhenThePeerSends(long seed) {
        ConnectionParameters strict = USUAL.withRnrRetryCount(0);
        try (Simulation simulation = new Simulation(
                Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), SimulationOptions.USUAL.withFaults(FAULTS))) {
            Side server = new Side(simulation.open("server"));
            Side client = new Side(simulation.open("client"));
            InetSocketAddress there = new InetSocketAddress(server.device.gid().toInetAddress(), 7);
            ListeningEndpoint listener = Endpoint.listen(server.device, there, 0);
            List<Side> done = new ArrayList<>();
            simulation.node("server", node -> {
                ConnectionRequest request = listener.getRequest(PATIENCE);
                assertThat(request).isNotNull();
                request.createQp(server.pd, server.attributes())
                        .postRecv(ReceiveWorkRequest.of(1, server.region.sge(0, 8)));
                exchange(node, server, request.accept(strict, PATIENCE), done);
            });
            simulation.node("client", node -> {
                Endpoint end = Endpoint.create(client.device, there, client.pd, client.attributes(), PATIENCE);
                end.qp().postRecv(ReceiveWorkRequest.of(1, client.region.sge(0, 8)));
                end.connect(strict, PATIENCE);
                exchange(node, client, end, done);
            });
            assertThat(simulation.run()).isTrue();
            listener.close();
            assertThat(CmAgent.of(server.device).leftovers()).isEmpty();
            assertThat(CmAgent.of(client.device).leftovers()).isEmpty();
        }
    }

    /** Sends at once, sees both its requests complete, and goes when those of the peer have, too. */
    private static void exchange(Node node, Side side, Endpoint end, List<Side> done) {
        end.qp().postSend(SendWorkRequest.send(2, side.region.sge(8, 8)));
        assertThat(side.cq.awaitCompletion(PATIENCE).isSuccess()).isTrue();
        assertThat(side.cq.awaitCompletion(PATIENCE).isSuccess()).isTrue();
        done.add(side);
        node.await(() -> done.size() == 2);
        end.disconnect(PATIENCE);
        end.close();
    }

    @Test
    void crashedPeerIsUnreachableAndItsSuccessorIsNot() {
        try (CmWorld world = new CmWorld()) {
            world.server.listen(0);
            CmId[] ends = world.connected();
            long guid = world.client.device.query().guid();
            world.client.device.closeAll();
            // The same machine again: it begins with the same queue pair numbers.
            Side again = new Side(dev.verbatim.device.EmulatedDevice.open(
                    world.fabric, "again", guid, dev.verbatim.profile.DeviceProfile.STRICT_IBTA, null));
            InetSocketAddress there = world.server.address(CmWorld.PORT);
            ConnectionException refused = null;
            try {
                Endpoint.connect(again.device, there, again.pd, again.attributes(), USUAL, PATIENCE);
            } catch (ConnectionException e) {
                refused = e;
            }
            assertThat(refused).isNotNull();
            assertThat(refused.errno()).isEqualTo(Errno.ECONNREFUSED);
            assertThat(refused.status()).isEqualTo(RejectReason.STALE_CONN.number());
            // The successor knows nothing of the old connection, and says so.
            assertThat(world.server.expect(CmEventType.DISCONNECTED).id()).isSameAs(ends[1]);
            ends[1].close();
        }
    }

    @Test
    @Rule({"QP-22", "CM-18"})
    void flushedRequestsSayWhoEndedTheConnection() {
        try (CmWorld world = new CmWorld()) {
            world.server.listen(0);
            CmId[] ends = world.connected();
            for (CmId end : ends) {
                Objects.requireNonNull(end.qp()).postRecv(ReceiveWorkRequest.of(1));
            }
            ends[0].disconnect();
            world.server.expect(CmEventType.DISCONNECTED);
            ends[1].disconnect();
            assertThat(flushed(ends[0])).contains("has ended: this side disconnected it [CM-18]");
            assertThat(flushed(ends[1])).contains("has ended: the peer ended the connection [CM-18]");
        }
    }

    private static String flushed(CmId id) {
        QueuePair qp = Objects.requireNonNull(id.qp());
        return Objects.requireNonNull(qp.initAttributes().recvCq())
                .awaitCompletion(PATIENCE)
                .explanation();
    }

    /** One program has both ends, so neither call may wait for the other. */
    @Test
    void endpointConfirmsThatItsPeerDisconnects() {
        try (Simulation simulation =
                new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL)) {
            Side server = new Side(simulation.open("server"));
            Side client = new Side(simulation.open("client"));
            InetSocketAddress there = new InetSocketAddress(server.device.gid().toInetAddress(), 7);
            ListeningEndpoint listener = Endpoint.listen(server.device, there, 0);
            List<Endpoint> ends = new ArrayList<>();
            simulation.node("server", node -> {
                ConnectionRequest request = listener.getRequest(PATIENCE);
                ends.add(request.accept(server.pd, server.attributes(), USUAL, PATIENCE));
            });
            simulation.node("client", node -> {
                ends.add(Endpoint.connect(client.device, there, client.pd, client.attributes(), USUAL, PATIENCE));
                node.await(() -> ends.size() == 2);
                assertThatThrownBy(() -> ends.get(0).awaitDisconnected(Duration.ofSeconds(3)))
                        .hasMessageContaining(ends.get(0).id() + " did not end within PT3S");
                ends.get(0).disconnect(PATIENCE);
                ends.get(1).disconnect(PATIENCE);
            });
            assertThat(simulation.run()).isTrue();
        }
    }

    /** Another thread of the client disconnects its end as well, or closes it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothSidesDisconnectAtOnce(boolean thirdCloses) {
        SimulationOptions options = SimulationOptions.USUAL.withFaults(FAULTS);
        for (long seed = 0; seed < 40; seed++) {
            try (Simulation simulation =
                    new Simulation(Schedule.by(Choices.seeded(seed), OpenChoices.LEGAL), options)) {
                Side server = new Side(simulation.open("server"));
                Side client = new Side(simulation.open("client"));
                InetSocketAddress there =
                        new InetSocketAddress(server.device.gid().toInetAddress(), 7);
                ListeningEndpoint listener = Endpoint.listen(server.device, there, 0);
                Map<String, Endpoint> ends = new HashMap<>();
                simulation.node("server", node -> {
                    ConnectionRequest request = listener.getRequest(PATIENCE);
                    try (Endpoint end = request.accept(server.pd, server.attributes(), USUAL, PATIENCE)) {
                        ends.put("server", end);
                        node.await(() -> ends.size() == 2);
                        end.disconnect(PATIENCE);
                    }
                });
                simulation.node("client", node -> {
                    Endpoint end =
                            Endpoint.connect(client.device, there, client.pd, client.attributes(), USUAL, PATIENCE);
                    ends.put("client", end);
                    node.await(() -> ends.size() == 2);
                    Throwable refusal = catchThrowable(() -> end.disconnect(PATIENCE));
                    if (!thirdCloses) {
                        assertThat(refusal).isNull();
                    } else if (refusal != null) {
                        assertThat(refusal).hasMessageContaining("closed").hasMessageContaining("[CM-29]");
                    }
                });
                simulation.node("third", node -> {
                    node.await(() -> ends.size() == 2);
                    if (thirdCloses) {
                        ends.get("client").close();
                    } else {
                        ends.get("client").disconnect(PATIENCE);
                    }
                });
                assertThat(simulation.run()).isTrue();
                if (!thirdCloses) {
                    ends.get("client").close();
                }
                listener.close();
                assertThat(CmAgent.of(server.device).leftovers()).isEmpty();
                assertThat(CmAgent.of(client.device).leftovers()).isEmpty();
            }
        }
    }

    @Test
    void endsThatCrossAreBothAnswered() {
        try (CmWorld world = new CmWorld()) {
            world.server.listen(0);
            CmId[] ends = world.connected();
            ends[0].disconnect();
            ends[1].disconnect();
            world.client.expect(CmEventType.DISCONNECTED);
            world.server.expect(CmEventType.DISCONNECTED);
            ends[0].disconnect();
            ends[1].disconnect();
            world.client.expect(CmEventType.TIMEWAIT_EXIT);
            world.server.expect(CmEventType.TIMEWAIT_EXIT);
            assertThat(world.client.hasEvent()).isFalse();
            assertThat(world.server.hasEvent()).isFalse();
        }
    }
}
