// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.Verbatim;
import dev.verbatim.ibverbs.abi.Layouts.ibv_device;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.verbs.Device;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** One emulated adapter: the {@code struct ibv_device} that programs see, and the device, which is opened when it is needed. */
public final class Adapter {

    /** IBV_NODE_CA and IBV_TRANSPORT_IB. */
    private static final int NODE_CA = 1, TRANSPORT_IB = 0;

    private final int index;
    private final Settings settings;
    private final long struct = Native.allocate(ibv_device.SIZE);
    private @Nullable Verbatim door;
    private @Nullable Device device;

    Adapter(int index, Settings settings) {
        this.index = index;
        this.settings = settings;
        ibv_device.node_type.set(struct, NODE_CA);
        ibv_device.transport_type.set(struct, TRANSPORT_IB);
        Native.putString(ibv_device.name.of(struct), name(), ibv_device.name.sizeBytes());
        Native.putString(ibv_device.dev_name.of(struct), "uverbs" + index, ibv_device.dev_name.sizeBytes());
        Native.putString(
                ibv_device.dev_path.of(struct),
                "/sys/class/infiniband_verbs/uverbs" + index,
                ibv_device.dev_path.sizeBytes());
        Native.putString(
                ibv_device.ibdev_path.of(struct), "/sys/class/infiniband/" + name(), ibv_device.ibdev_path.sizeBytes());
    }

    /** Its name, as {@code ibv_get_device_name} says it. */
    public String name() {
        return "verbatim" + index;
    }

    public int index() {
        return index;
    }

    public Settings settings() {
        return settings;
    }

    /** The address of its {@code struct ibv_device}. */
    public long struct() {
        return struct;
    }

    /** The device, which is opened by the first call. */
    public synchronized Device device() {
        Device opened = device;
        if (opened == null) {
            Verbatim fresh = Verbatim.over(RoceFabric.at(address()));
            opened = fresh.profile(DeviceProfile.named(settings.profile())).open(name());
            door = fresh;
            device = opened;
        }
        return opened;
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(settings.address() == null ? "127.0.0.1" : settings.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("VERBATIM_ADDRESS=" + settings.address() + " is no address", e);
        }
    }

    synchronized void close() {
        if (door != null) {
            door.close();
            door = null;
            device = null;
        }
    }
}
