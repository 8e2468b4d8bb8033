// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.fabric.Choices;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.Node;
import dev.verbatim.sim.OpenChoices;
import dev.verbatim.sim.Schedule;
import dev.verbatim.sim.Simulation;
import dev.verbatim.sim.SimulationOptions;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** {@link RandomRequests} of programs in a simulation in which everything that the rules leave open is drawn. */
final class SimulatedTraffic {

    private static final int DEPTH = 32;
    private static final int MOST_REQUESTS = 10;
    private static final int MOST_TURNS_BEFORE_THE_END = 100;
    private static final long LAST = 1_000_000;
    private static final Duration LONG = Duration.ofDays(1000);
    private static final QpCapabilities CAPABILITIES =
            new QpCapabilities(DEPTH, DEPTH, 3, 3, RandomRequests.INLINE_BYTES);
    private static final DeviceProfile AS_OFTEN_AS_IT_TAKES = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("as often as it takes")
            .infiniteRetrySeven(true)
            .build();

    private final SplittableRandom random;
    private final RandomRequests requests;
    private final boolean withErrors;
    private final Simulation simulation;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<RandomWindows> windows = new ArrayList<>();

    private SimulatedTraffic(long seed, boolean withErrors, OpenChoices openChoices, Tap tap) {
        this.random = new SplittableRandom(seed);
        this.requests = new RandomRequests(random, withErrors);
        this.withErrors = withErrors;
        LinkFaults faults = LinkFaults.NONE.dropping(50).duplicating(50).delaying(50, 100_000);
        this.simulation = new Simulation(
                        Schedule.by(Choices.seeded(seed), openChoices),
                        SimulationOptions.USUAL
                                .withFaults(faults)
                                .withProfile(withErrors ? DeviceProfile.STRICT_IBTA : AS_OFTEN_AS_IT_TAKES))
                .tap(tap);
    }

    /** All that is legal, over links that do not fail. */
    static void overPerfectLink(long seed, Tap tap, Runnable end) {
        new SimulatedTraffic(seed, false, OpenChoices.LEGAL, tap).run(tap, end);
    }

    /** The same, over links that lose, duplicate and delay. */
    static void overLossyLink(long seed, Tap tap, Runnable end) {
        new SimulatedTraffic(seed, false, OpenChoices.LEGAL.withFaults(OpenChoices.UNBOUNDED), tap).run(tap, end);
    }

    /** The same, with few retries, wrong keys, receives that are too short, and a region that goes in the middle. */
    static void withErrors(long seed, Tap tap, Runnable end) {
        new SimulatedTraffic(seed, true, OpenChoices.LEGAL.withFaults(4), tap).run(tap, end);
    }

    private void run(Tap tap, Runnable end) {
        try (simulation) {
            List<ProtectionDomain> domains = new ArrayList<>();
            for (String name : List.of("left", "right")) {
                domains.add(open(name, tap));
            }
            int pairs = 1 + random.nextInt(2);
            RcConnection connection = RcConnection.USUAL
                    .withPathMtu(random.nextBoolean() ? PathMtu.MTU_256 : PathMtu.MTU_1024)
                    .withDepth(1 + random.nextInt(3))
                    .withRetries(8, withErrors ? 1 : 7, withErrors ? 2 : 7, 4);
            for (int i = 0; i < pairs; i++) {
                QueuePair left = queuePair(domains.get(0));
                QueuePair right = queuePair(domains.get(1));
                connection.join(left, right);
                RandomWindows ofLeft = new RandomWindows(random, left, regions.get(0), withErrors);
                RandomWindows ofRight = new RandomWindows(random, right, regions.get(1), withErrors);
                windows.addAll(List.of(ofLeft, ofRight));
                addProgram("left-" + i, left, 0, ofLeft, ofRight);
                addProgram("right-" + i, right, 1, ofRight, ofLeft);
            }
            if (withErrors && random.nextInt(3) > 0) {
                MemoryRegion doomed = regions.get(random.nextInt(2));
                int turns = random.nextInt(MOST_TURNS_BEFORE_THE_END);
                simulation.node("revoker", node -> {
                    for (int i = 0; i < turns; i++) {
                        node.others();
                    }
                    windows.forEach(RandomWindows::deallocate);
                    deregister(doomed);
                });
            }
            simulation.run();
            end.run();
        }
    }

    /** Unless another program has bound a window to it meanwhile. */
    private static void deregister(MemoryRegion region) {
        try {
            region.close();
        } catch (VerbsException e) {
            if (e.errno() != Errno.EBUSY) {
                throw e;
            }
        }
    }

    private ProtectionDomain open(String name, Tap tap) {
        ProtectionDomain pd = simulation.open(name).allocatePd();
        Memory memory = Memory.allocate(RandomRequests.AREA_BYTES);
        byte[] bytes = new byte[RandomRequests.AREA_BYTES];
        random.nextBytes(bytes);
        memory.buffer().put(0, bytes);
        tap.on(new ProgramTouched(0, name, true, memory.address(), ByteBuffer.wrap(bytes)));
        regions.add(pd.register(memory, RandomWindows.REGION_RIGHTS));
        return pd;
    }

    private static QueuePair queuePair(ProtectionDomain pd) {
        Device device = pd.device();
        return pd.createQp(QpInitAttributes.rc(device.createCq(2 * DEPTH), device.createCq(2 * DEPTH), CAPABILITIES));
    }

    /**
     * Posts receives for all that the peer may send, then requests, with binds, loads, stores and polls between them. What the
     * peer may use is bound first, and the peer uses it when it is.
     */
    private void addProgram(String name, QueuePair queuePair, int side, RandomWindows ofOwn, RandomWindows ofOther) {
        MemoryRegion own = regions.get(side);
        MemoryRegion other = regions.get(1 - side);
        SplittableRandom ownRandom = random.split();
        simulation.node(name, node -> {
            for (int i = 0; i <= MOST_REQUESTS; i++) {
                queuePair.postRecv(requests.receive(own));
            }
            ofOwn.bindAll();
            if (!withErrors) {
                queuePair.initAttributes().sendCq().awaitCompletion(LONG);
            }
            ofOwn.shareAll();
            int count = ownRandom.nextInt(MOST_REQUESTS);
            for (int i = 0; i < count; i++) {
                queuePair.postSend(requests.send(own, ofOther));
                if (ownRandom.nextInt(4) == 0) {
                    ofOwn.post();
                }
                pass(node, own.memory(), queuePair, ownRandom);
            }
            queuePair.postSend(SendWorkRequest.write(LAST, other.address(), other.rkey(), own.sge(0, 8)));
            while (queuePair.initAttributes().sendCq().awaitCompletion(LONG).id() != LAST) {
                pass(node, own.memory(), queuePair, ownRandom);
            }
        });
    }

    private static void pass(Node node, Memory memory, QueuePair queuePair, SplittableRandom random) {
        int word = random.nextInt(RandomRequests.AREA_BYTES / Long.BYTES) * Long.BYTES;
        switch (random.nextInt(4)) {
            case 0 -> node.store(memory, word, random.nextLong());
            case 1 -> node.load(memory, word);
            case 2 -> queuePair.initAttributes().recvCq().poll(4);
            default -> {}
        }
    }
}
