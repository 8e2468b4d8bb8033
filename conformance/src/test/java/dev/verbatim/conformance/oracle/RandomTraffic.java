// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * {@link RandomRequests} of several queue pairs on two sides, posted all at once. Each kind of traffic is told a seed, who
 * listens, and what to call when nothing is left to happen.
 */
final class RandomTraffic {

    private static final int DEPTH = 64;
    private static final int MOST_REQUESTS = 24;
    private static final int MOST_STEPS = 200_000;
    private static final long LATE_NANOS = 2_000_000;
    private static final QpCapabilities CAPABILITIES =
            new QpCapabilities(DEPTH, DEPTH, 3, 3, RandomRequests.INLINE_BYTES);
    private static final DeviceProfile AS_OFTEN_AS_IT_TAKES = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("as often as it takes")
            .infiniteRetrySeven(true)
            .build();

    private final SplittableRandom random;
    private final RandomRequests requests;
    private final LinkFaults faults;
    private final boolean fails;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<RandomWindows> windows = new ArrayList<>();

    private RandomTraffic(long seed, LinkFaults faults, boolean fails) {
        this.random = new SplittableRandom(seed);
        this.requests = new RandomRequests(random, fails);
        this.faults = faults;
        this.fails = fails;
    }

    /** Over a link that never fails. */
    static void overPerfectLink(long seed, Tap tap, Runnable end) {
        new RandomTraffic(seed, LinkFaults.NONE, false).run(seed, tap, end);
    }

    /** Over a link that loses, duplicates and mixes packets; everything succeeds in the end. */
    static void overLossyLink(long seed, Tap tap, Runnable end) {
        LinkFaults faults = LinkFaults.NONE.dropping(80).duplicating(80).delaying((int) (seed & 1) * 80, 3_000_000);
        new RandomTraffic(seed, faults, false).run(seed, tap, end);
    }

    /** With few retries, wrong keys and receives that are too short: most queue pairs end in ERR. */
    static void withErrors(long seed, Tap tap, Runnable end) {
        new RandomTraffic(seed, LinkFaults.NONE.dropping(100).duplicating(50), true).run(seed, tap, end);
    }

    private void run(long seed, Tap tap, Runnable end) {
        LossyFabric fabric = new LossyFabric(seed, faults);
        DeviceProfile profile = fails ? DeviceProfile.STRICT_IBTA : AS_OFTEN_AS_IT_TAKES;
        try (Verbatim door = Verbatim.over(fabric).profile(profile).tap(tap)) {
            open(door, tap);
            windows.forEach(RandomWindows::bindAll);
            passAll(fabric, seed);
            windows.forEach(RandomWindows::shareAll);
            for (QueuePair queuePair : queuePairs) {
                postReceives(queuePair, MOST_REQUESTS / 2);
            }
            for (QueuePair queuePair : queuePairs) {
                postSends(queuePair);
            }
            fabric.passNanos(LATE_NANOS);
            for (QueuePair queuePair : queuePairs) {
                postReceives(queuePair, MOST_REQUESTS / 2);
            }
            if (fails && random.nextInt(3) == 0) {
                windows.forEach(RandomWindows::deallocate);
                regions.get(random.nextInt(2)).close();
            }
            passAll(fabric, seed);
            end.run();
        }
    }

    private static void passAll(LossyFabric fabric, long seed) {
        int steps = 0;
        while (fabric.step()) {
            if (++steps > MOST_STEPS) {
                throw new AssertionError("no end after " + MOST_STEPS + " steps with seed " + seed);
            }
        }
    }

    private void open(Verbatim door, Tap tap) {
        List<ProtectionDomain> domains = new ArrayList<>();
        for (String name : List.of("left", "right")) {
            ProtectionDomain pd = door.open(name).allocatePd();
            domains.add(pd);
            Memory memory = Memory.allocate(RandomRequests.AREA_BYTES);
            byte[] bytes = new byte[RandomRequests.AREA_BYTES];
            random.nextBytes(bytes);
            memory.buffer().put(0, bytes);
            tap.on(new ProgramTouched(0, name, true, memory.address(), ByteBuffer.wrap(bytes)));
            regions.add(pd.register(memory, RandomWindows.REGION_RIGHTS));
        }
        int pairs = 1 + random.nextInt(3);
        PathMtu mtu =
                List.of(PathMtu.MTU_256, PathMtu.MTU_512, PathMtu.MTU_1024).get(random.nextInt(3));
        RcConnection connection = RcConnection.USUAL
                .withPathMtu(mtu)
                .withDepth(1 + random.nextInt(4))
                .withRetries(8, fails ? 1 : 7, fails ? 2 : 7, 4);
        for (int i = 0; i < pairs; i++) {
            QueuePair left = queuePair(domains.get(0));
            QueuePair right = queuePair(domains.get(1));
            connection.join(left, right);
            queuePairs.add(left);
            queuePairs.add(right);
            windows.add(new RandomWindows(random, left, regions.get(0), fails));
            windows.add(new RandomWindows(random, right, regions.get(1), fails));
        }
    }

    private static QueuePair queuePair(ProtectionDomain pd) {
        Device device = pd.device();
        return pd.createQp(QpInitAttributes.rc(device.createCq(2 * DEPTH), device.createCq(2 * DEPTH), CAPABILITIES));
    }

    private MemoryRegion own(QueuePair queuePair) {
        return regions.get(queuePairs.indexOf(queuePair) % 2);
    }

    /** What the queue pair's peer shares with it, which is the next; with errors sometimes what others do. */
    private RandomWindows other(QueuePair queuePair) {
        int peer = queuePairs.indexOf(queuePair) ^ 1;
        boolean ofOthers = fails && random.nextInt(20) == 0;
        return windows.get(ofOthers ? 2 * random.nextInt(queuePairs.size() / 2) + peer % 2 : peer);
    }

    private void postReceives(QueuePair queuePair, int count) {
        for (int i = 0; i < count; i++) {
            queuePair.postRecv(requests.receive(own(queuePair)));
        }
    }

    private void postSends(QueuePair queuePair) {
        int count = random.nextInt(MOST_REQUESTS);
        for (int i = 0; i < count; i++) {
            queuePair.postSend(requests.send(own(queuePair), other(queuePair)));
            if (random.nextInt(5) == 0) {
                windows.get(queuePairs.indexOf(queuePair)).post();
            }
        }
    }
}
