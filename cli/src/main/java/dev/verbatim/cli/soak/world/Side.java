// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.world;

import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import java.util.stream.IntStream;

/** One device and what is on it at present. */
public final class Side {

    private static final int MOST_DOMAINS = 3;
    private static final int MOST_CQS = 8;
    private static final int MOST_CHANNELS = 3;
    private static final int MOST_REGIONS = 24;
    private static final int MOST_WINDOWS = 16;
    private static final int MOST_SRQS = 6;
    private static final int MOST_HANDLES = 6;
    private static final int BLOCKS = 24;

    private final SoakState world;
    private final Device device;
    private final List<MemoryBlock> blocks;
    private final Pool<ProtectionDomain> domains = new Pool<>(MOST_DOMAINS);
    private final Pool<TrackedCq> cqs = new Pool<>(MOST_CQS);
    private final Pool<CompletionChannel> channels = new Pool<>(MOST_CHANNELS);
    private final Pool<TrackedRegion> regions = new Pool<>(MOST_REGIONS);
    private final Pool<TrackedSrq> srqs = new Pool<>(MOST_SRQS);
    private final Pool<AddressHandle> addressHandles = new Pool<>(MOST_HANDLES);
    private final XrcDomain xrcDomain;
    private final Pool<TrackedWindow> windows = new Pool<>(MOST_WINDOWS);

    Side(SoakState world, Device device) {
        this.world = world;
        this.device = device;
        this.xrcDomain = device.openXrcDomain();
        this.blocks = IntStream.range(0, BLOCKS)
                .mapToObj(i -> new MemoryBlock(world.failures()))
                .toList();
    }

    SoakState world() {
        return world;
    }

    public Device device() {
        return device;
    }

    public List<MemoryBlock> blocks() {
        return blocks;
    }

    public Pool<ProtectionDomain> domains() {
        return domains;
    }

    public Pool<TrackedCq> cqs() {
        return cqs;
    }

    public Pool<CompletionChannel> channels() {
        return channels;
    }

    public Pool<TrackedRegion> regions() {
        return regions;
    }

    public Pool<TrackedSrq> srqs() {
        return srqs;
    }

    public Pool<AddressHandle> addressHandles() {
        return addressHandles;
    }

    /** The one in which XRC goes on; it stays. */
    public XrcDomain xrcDomain() {
        return xrcDomain;
    }

    public Pool<TrackedWindow> windows() {
        return windows;
    }

    @Override
    public String toString() {
        return device.name();
    }
}
