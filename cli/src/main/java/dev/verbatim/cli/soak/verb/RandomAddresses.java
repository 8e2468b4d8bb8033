// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.MemoryBlock;
import dev.verbatim.cli.soak.world.QpSlot;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.Target;
import dev.verbatim.cli.soak.world.TrackedQp;
import dev.verbatim.cli.soak.world.TrackedRegion;
import dev.verbatim.cli.soak.world.TrackedWindow;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Sge;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Draws bytes that requests name: mostly such as they may name. */
final class RandomAddresses {

    private static final double WRONG = 0.003;
    private static final int TRIES = 6;
    private static final List<Integer> SIZES = List.of(0, 8, 64, 64, 256, 1024, 4096, 5000, 20_000);

    private RandomAddresses() {}

    static int length(RandomGenerator random) {
        int most = SIZES.get(random.nextInt(SIZES.size()));
        return random.nextBoolean() ? most : random.nextInt(most + 1);
    }

    /** A region of that domain with all rights, mostly; null if the side has none. */
    private static @Nullable MemoryRegion region(Worker worker, Side side, @Nullable ProtectionDomain pd) {
        TrackedRegion found = side.regions().any(worker.random());
        for (int i = 0; i < TRIES && found != null && !isUsual(found.region(), pd); i++) {
            found = side.regions().any(worker.random());
        }
        return found == null ? null : found.region();
    }

    private static boolean isUsual(MemoryRegion region, @Nullable ProtectionDomain pd) {
        return region.pd().equals(pd)
                && region.lengthBytes() == MemoryBlock.BYTES
                && (region.access() & MemoryVerbs.ALL_RIGHTS) == MemoryVerbs.ALL_RIGHTS;
    }

    /** Elements of so many bytes together, mostly of one region. */
    static Sge[] local(Worker worker, Side side, ProtectionDomain pd, int lengthBytes) {
        if (lengthBytes == 0 && worker.random().nextBoolean()) {
            return new Sge[0];
        }
        MemoryRegion region = region(worker, side, pd);
        if (region == null || worker.chance(WRONG)) {
            return new Sge[] {wrong(worker, region, lengthBytes)};
        }
        int pieces = 1 + worker.random().nextInt(3);
        Sge[] elements = new Sge[pieces];
        int room = Math.max(0, Math.toIntExact(region.lengthBytes()));
        for (int i = 0; i < pieces; i++) {
            int length =
                    Math.min(room, i == pieces - 1 ? lengthBytes - lengthBytes / pieces * i : lengthBytes / pieces);
            int offset = room == length ? 0 : worker.random().nextInt(room - length);
            elements[i] = region.sge(length % Long.BYTES == 0 ? offset & -Long.BYTES : offset, length);
        }
        return elements;
    }

    private static Sge wrong(Worker worker, @Nullable MemoryRegion region, int lengthBytes) {
        int key = region == null ? worker.random().nextInt() : region.lkey();
        long address = region == null ? worker.random().nextLong() : region.address();
        return switch (worker.random().nextInt(6)) {
            case 0 -> new Sge(address, lengthBytes, worker.random().nextInt());
            case 1 -> new Sge(address - 1, Math.max(1, lengthBytes), key);
            case 2 -> new Sge(address + MemoryBlock.BYTES, lengthBytes, key);
            case 3 -> new Sge(address, Integer.MIN_VALUE, key);
            case 4 -> new Sge(address, -1, key);
            default -> new Sge(-lengthBytes, lengthBytes, key ^ 1);
        };
    }

    /** Where the peer may be reached, mostly. */
    static Target remote(Worker worker, QpSlot peer, int lengthBytes) {
        RandomGenerator random = worker.random();
        Target whole = whole(worker, peer);
        if (whole == null || worker.chance(WRONG)) {
            return new Target(random.nextLong(), lengthBytes, whole == null ? random.nextInt() : whole.key() ^ 1);
        }
        if (worker.chance(WRONG)) {
            long outside = random.nextBoolean() ? -1 : whole.lengthBytes() + 1;
            return new Target(whole.address() + outside, lengthBytes, whole.key());
        }
        long room = whole.lengthBytes() - lengthBytes;
        long offset = room <= 0 || room == Long.MAX_VALUE ? 0 : random.nextLong(room + 1) & -Long.BYTES;
        return new Target(whole.address() + offset, lengthBytes, whole.key());
    }

    private static @Nullable Target whole(Worker worker, QpSlot peer) {
        if (worker.chance(0.03)) {
            TrackedWindow window = peer.side().windows().any(worker.random());
            Target bound = window == null ? null : window.target();
            if (bound != null) {
                return bound;
            }
        }
        TrackedQp qp = peer.qp();
        MemoryRegion region = region(worker, peer.side(), qp == null ? null : qp.pd());
        return region == null ? null : new Target(region.address(), region.lengthBytes(), region.rkey());
    }
}
