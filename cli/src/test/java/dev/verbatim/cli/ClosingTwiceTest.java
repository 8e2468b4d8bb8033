// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.cm.ListeningEndpoint;
import dev.verbatim.fabric.Choices;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.ExplorationThreads;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceMemory;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the second close of everything does that is exported and can be closed. */
class ClosingTwiceTest {

    private static final int PORT = 7910;

    /** One of each exported package. */
    private static final Set<Class<?>> NEIGHBOURS = Set.of(
            Verbatim.class,
            CmId.class,
            Fabric.class,
            NdAdapter.class,
            Simulation.class,
            Tap.class,
            Device.class,
            NettyFabric.class,
            dev.verbatim.transport.netty.roce.RoceFabric.class,
            dev.verbatim.live.StatServer.class,
            dev.verbatim.page.RunRecorder.class,
            DeviceProfile.class,
            dev.verbatim.junit.SimulatedTest.class);

    /** What owns others, or memory and files only; who opened it and who was given it may both close it. */
    private static final Set<String> QUIET = Set.of(
            "Verbatim",
            "Simulation",
            "ExplorationThreads",
            "Fabric",
            "FabricPort",
            "InProcessFabric",
            "LossyFabric",
            "NettyFabric",
            "OutOfBand",
            "OutOfBandListener",
            "RoceFabric",
            "DeviceBean",
            "StatServer",
            "ControlSocket",
            "CaptureReader",
            "JsonLinesTap",
            "TextTap",
            "PcapngTap");

    @AutoClose
    private final Verbatim door = Verbatim.inProcess();

    private final Device device = door.open("device");
    private final Device peer = door.open("peer");

    /** Objects of a device, one of each kind, with nothing that would keep them from being closed. */
    private Map<Class<?>, AutoCloseable> objects() {
        Map<Class<?>, AutoCloseable> objects = new LinkedHashMap<>();
        objects.put(CompletionQueue.class, device.createCq(1));
        objects.put(CompletionChannel.class, device.createCompletionChannel());
        objects.put(XrcDomain.class, device.openXrcDomain());
        ProtectionDomain pd = device.allocatePd();
        objects.put(MemoryRegion.class, pd.register(Memory.allocate(8), 0));
        objects.put(MemoryWindow.class, pd.allocateWindow(MemoryWindowType.TYPE_2));
        objects.put(SharedReceiveQueue.class, pd.createSrq(SrqInitAttributes.basic(1)));
        objects.put(QueuePair.class, pd.createQp(QpInitAttributes.rc(device.createCq(1))));
        objects.put(AddressHandle.class, pd.createAddressHandle(AddressVector.to(peer.gid())));
        objects.put(ProtectionDomain.class, device.allocatePd());
        EventChannel channel = EventChannel.open(device);
        objects.put(CmId.class, channel.createId());
        objects.put(EventChannel.class, EventChannel.open(device));
        ListeningEndpoint listener = Endpoint.listen(peer, address(), 0);
        objects.put(Endpoint.class, connected(listener, pd));
        objects.put(ListeningEndpoint.class, listener);
        objects.put(Device.class, door.open("third"));
        objects.put(RcPeer.class, RcPeer.open(door.open("fourth")));
        objects.put(RcPair.class, RcPair.connect(door.open("fifth"), door.open("sixth")));
        door.profile(DeviceProfile.LINUX_LIKE);
        objects.put(DeviceMemory.class, door.open("seventh").allocateDeviceMemory(8, 0));
        return objects;
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(peer.gid().toInetAddress(), PORT);
    }

    private Endpoint connected(ListeningEndpoint listener, ProtectionDomain pd) {
        CompletableFuture<Endpoint> accepted = CompletableFuture.supplyAsync(() -> listener.getRequest(Await.LIMIT)
                .accept(
                        peer.allocatePd(),
                        QpInitAttributes.rc(peer.createCq(1)),
                        ConnectionParameters.USUAL,
                        Await.LIMIT));
        Endpoint end = Endpoint.connect(
                device,
                address(),
                pd,
                QpInitAttributes.rc(device.createCq(1)),
                ConnectionParameters.USUAL,
                Await.LIMIT);
        accepted.join();
        return end;
    }

    @Test
    @Rule({"PD-03", "CM-29"})
    void secondCloseOfAnObjectOfADeviceGivesEnoent() throws Exception {
        for (Map.Entry<Class<?>, AutoCloseable> each : objects().entrySet()) {
            each.getValue().close();
            assertClosedBefore(each.getKey(), each.getValue());
        }
    }

    /** Identifiers and channels outlive the device, and have to be closed. */
    @Test
    @Rule({"PD-03", "PD-07"})
    void whatWentWithItsDeviceIsClosedToo() throws Exception {
        Map<Class<?>, AutoCloseable> objects = objects();
        door.devices().forEach(Device::closeAll);
        for (Map.Entry<Class<?>, AutoCloseable> each : objects.entrySet()) {
            if (!each.getKey().getPackage().equals(CmId.class.getPackage())) {
                assertClosedBefore(each.getKey(), each.getValue());
            }
        }
    }

    private static void assertClosedBefore(Class<?> type, AutoCloseable closed) {
        VerbsException refused = catchThrowableOfType(VerbsException.class, closed::close);
        assertThat(refused).as("second close of %s", type.getSimpleName()).isNotNull();
        assertThat(refused.errno()).as("%s: %s", type.getSimpleName(), refused).isEqualTo(Errno.ENOENT);
        assertThat(refused.getMessage()).contains("before");
        asserted();
    }

    @Test
    void secondCloseOfAnOwnerDoesNothing() throws Exception {
        InProcessFabric fabric = new InProcessFabric();
        FabricPort port = fabric.attach(Gid.ofGuid(1), (link, packet) -> {});
        for (AutoCloseable owner : new AutoCloseable[] {
            port,
            fabric,
            new LossyFabric(1, LinkFaults.NONE),
            NettyFabric.open(),
            Verbatim.inProcess(),
            Verbatim.over(NettyFabric.open()),
            new Simulation(Schedule.by(Choices.canonical(), OpenChoices.NONE), SimulationOptions.USUAL),
            new ExplorationThreads(),
            new JsonLinesTap(new ByteArrayOutputStream()),
        }) {
            owner.close();
            assertThatCode(owner::close).as("%s", owner).doesNotThrowAnyException();
        }
    }

    /** Its words are statuses; a reference that is not there is not taken away. */
    @Test
    void networkDirectCountsReferencesInstead() throws Exception {
        assertThat(dev.verbatim.networkdirect.NdObject.class.getMethod("close").getExceptionTypes())
                .isEmpty();
    }

    @Test
    void everythingThatIsExportedAndCanBeClosedIsAccountedFor() throws Exception {
        Set<String> known = new TreeSet<>(QUIET);
        objects().keySet().forEach(type -> known.add(type.getSimpleName()));
        Set<String> found = new TreeSet<>();
        for (Class<?> neighbour : NEIGHBOURS) {
            for (Class<?> type : PublicTypes.beside(neighbour)) {
                boolean isNetworkDirect = type.getPackage().equals(NdAdapter.class.getPackage());
                if (AutoCloseable.class.isAssignableFrom(type) && !isNetworkDirect) {
                    found.add(type.getSimpleName());
                }
            }
        }
        assertThat(found).isEqualTo(known);
    }
}
