// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Side;
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
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random requests of several queue pairs on two sides. Unlike traffic that is judged by its results, nothing keeps these
 * requests out of each other's way: they gather from, fetch from and place into the same few pages, so that every order
 * shows in the bytes. Each kind of traffic is told a seed, who listens, and what to call when nothing is left to happen.
 */
final class RandomTraffic {

    private static final int DEPTH = 64;
    private static final int MOST_REQUESTS = 24;
    private static final int AREA_BYTES = 8192;
    private static final int LONGEST_BYTES = 2500;
    private static final int WORDS = 4;
    private static final int INLINE_BYTES = 48;
    private static final int MOST_STEPS = 200_000;
    private static final long LATE_NANOS = 2_000_000;
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(DEPTH, DEPTH, 3, 3, INLINE_BYTES);
    private static final DeviceProfile AS_OFTEN_AS_IT_TAKES = DeviceProfile.STRICT_IBTA.toBuilder()
            .name("as often as it takes")
            .infiniteRetrySeven(true)
            .build();

    private final SplittableRandom random;
    private final LinkFaults faults;
    private final boolean fails;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();

    private RandomTraffic(long seed, LinkFaults faults, boolean fails) {
        this.random = new SplittableRandom(seed);
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
                regions.get(random.nextInt(2)).close();
            }
            int steps = 0;
            while (fabric.step()) {
                if (++steps > MOST_STEPS) {
                    throw new AssertionError("no end after " + MOST_STEPS + " steps with seed " + seed);
                }
            }
            end.run();
        }
    }

    private void open(Verbatim door, Tap tap) {
        List<ProtectionDomain> domains = new ArrayList<>();
        for (String name : List.of("left", "right")) {
            ProtectionDomain pd = door.open(name).allocatePd();
            domains.add(pd);
            Memory memory = Memory.allocate(AREA_BYTES);
            byte[] bytes = new byte[AREA_BYTES];
            random.nextBytes(bytes);
            memory.buffer().put(0, bytes);
            tap.on(new ProgramTouched(0, name, true, memory.address(), ByteBuffer.wrap(bytes)));
            regions.add(pd.register(memory, Side.ALL_RIGHTS));
        }
        int pairs = 1 + random.nextInt(3);
        PathMtu mtu =
                List.of(PathMtu.MTU_256, PathMtu.MTU_512, PathMtu.MTU_1024).get(random.nextInt(3));
        RcConnection connection = RcConnection.USUAL
                .pathMtu(mtu)
                .depth(1 + random.nextInt(4))
                .retries(8, fails ? 1 : 7, fails ? 2 : 7, 4);
        for (int i = 0; i < pairs; i++) {
            QueuePair left = queuePair(domains.get(0));
            QueuePair right = queuePair(domains.get(1));
            connection.join(left, right);
            queuePairs.add(left);
            queuePairs.add(right);
        }
    }

    private static QueuePair queuePair(ProtectionDomain pd) {
        Device device = pd.device();
        return pd.createQp(QpInitAttributes.rc(device.createCq(2 * DEPTH), device.createCq(2 * DEPTH), CAPABILITIES));
    }

    private MemoryRegion own(QueuePair queuePair) {
        return regions.get(queuePairs.indexOf(queuePair) % 2);
    }

    private MemoryRegion other(QueuePair queuePair) {
        return regions.get(1 - queuePairs.indexOf(queuePair) % 2);
    }

    private void postReceives(QueuePair queuePair, int count) {
        for (int i = 0; i < count; i++) {
            int most = fails && random.nextInt(8) == 0 ? 100 : LONGEST_BYTES;
            queuePair.postRecv(ReceiveWorkRequest.of(random.nextInt(1000), pieces(own(queuePair), most)));
        }
    }

    private void postSends(QueuePair queuePair) {
        int count = random.nextInt(MOST_REQUESTS);
        for (int i = 0; i < count; i++) {
            SendWorkRequest request = request(random.nextInt(1000), own(queuePair), other(queuePair));
            int fence = random.nextInt(4) == 0 ? SendFlags.FENCE : 0;
            int signal = random.nextBoolean() ? SendFlags.SIGNALED : 0;
            queuePair.postSend(request.withFlags(request.flags() & SendFlags.INLINE | fence | signal));
        }
    }

    private SendWorkRequest request(long id, MemoryRegion own, MemoryRegion other) {
        int length = random.nextInt(3) == 0 ? random.nextInt(LONGEST_BYTES) : random.nextInt(300);
        int key = fails && random.nextInt(60) == 0 ? other.rkey() + 1 : other.rkey();
        int inline = random.nextInt(4) == 0 ? SendFlags.INLINE : 0;
        int gathered = inline == 0 ? length : random.nextInt(INLINE_BYTES);
        long there = other.address() + WORDS * 8 + random.nextInt(AREA_BYTES - WORDS * 8 - length);
        long word = other.address() + random.nextInt(WORDS) * 8;
        return switch (random.nextInt(8)) {
            case 0 -> SendWorkRequest.send(id, pieces(own, gathered)).plus(inline);
            case 1 ->
                SendWorkRequest.sendWithImmediate(id, 7, pieces(own, gathered)).plus(inline);
            case 2, 3 ->
                SendWorkRequest.write(id, there, key, pieces(own, gathered)).plus(inline);
            case 4 ->
                SendWorkRequest.writeWithImmediate(id, there, key, 7, pieces(own, gathered))
                        .plus(inline);
            case 5 -> SendWorkRequest.read(id, there, key, pieces(own, length));
            case 6 -> SendWorkRequest.fetchAndAdd(id, word, key, random.nextLong(), pieces(own, 8));
            default -> SendWorkRequest.compareAndSwap(id, word, key, 0, random.nextLong(), pieces(own, 8));
        };
    }

    /** A range as three elements at different places, which may be empty and may overlap. */
    private Sge[] pieces(MemoryRegion region, int lengthBytes) {
        int first = random.nextInt(lengthBytes + 1);
        int second = random.nextInt(lengthBytes - first + 1);
        return new Sge[] {piece(region, first), piece(region, second), piece(region, lengthBytes - first - second)};
    }

    private Sge piece(MemoryRegion region, int lengthBytes) {
        return region.sge(random.nextInt(AREA_BYTES - lengthBytes), lengthBytes);
    }
}
