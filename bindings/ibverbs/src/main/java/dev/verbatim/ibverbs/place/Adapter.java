// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.Verbatim;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.ibverbs.abi.Layouts.ibv_device;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SocketTransport;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One emulated adapter: the {@code struct ibv_device} that programs see, and the device, which is opened when it is needed. */
public final class Adapter {

    /** IBV_NODE_CA and IBV_TRANSPORT_IB. */
    private static final int NODE_CA = 1, TRANSPORT_IB = 0;

    private static final int LAST_OF_ROCE = 254;

    /** What a device opens beside a socket for each port. */
    private static final int OWN_DESCRIPTORS = 8;

    private final int index;
    private final String name;
    private final Settings settings;
    private final Records records;
    private final long struct = Native.allocate(ibv_device.SIZE);
    private @Nullable Verbatim door;
    private @Nullable Device device;
    private final List<GidTable> gids = new ArrayList<>();

    Adapter(int index, String name, Settings settings, Records records) {
        this.index = index;
        this.name = name;
        this.settings = settings;
        this.records = records;
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
        return name;
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
            requireDescriptors();
            door = settings.isRoce() ? openOverRoce() : open(NettyFabric.open(overTcp()));
            opened = door.devices().get(0);
            if (Lab.ON) {
                Lab.opened(opened);
            }
            device = opened;
        }
        return opened;
    }

    /** Netty's classes, which open some when they are first used, would stay unusable if there were too few. */
    private void requireDescriptors() {
        int most = OWN_DESCRIPTORS + settings.ports();
        if (!Native.hasDescriptors(most)) {
            Messages.say("no device, since it opens %d descriptors and fewer are left (EMFILE): raise ulimit -n", most);
            throw new Refused(Refused.EMFILE, "too few descriptors are left");
        }
    }

    /** The GID table of a port that it has, from 1. */
    public synchronized GidTable gids(int port) {
        if (gids.isEmpty()) {
            device().gids().forEach(own -> gids.add(new GidTable(own, settings.gids())));
        }
        return gids.get(port - 1);
    }

    /** The device if it was opened. */
    public synchronized @Nullable Device opened() {
        return device;
    }

    private NettyOptions overTcp() {
        NettyOptions options = Protection.of(settings)
                .withLinkLayer(settings.linkLayer())
                .withTransport(transport())
                .withRefusalReasons(settings.tellsReasons());
        return options.withLocatingGids(settings.addresses().toArray(InetAddress[]::new));
    }

    /** Epoll, which takes less time for each packet, if Netty's native part can be loaded here. */
    private static SocketTransport transport() {
        return SocketTransport.EPOLL.isAvailable() ? SocketTransport.EPOLL : SocketTransport.NIO;
    }

    /** At the addresses of the settings, or the first ones in a row of 127.0.0.0/24 that no other process has, one for each port. */
    private Verbatim openOverRoce() {
        List<InetAddress> named = settings.addresses();
        for (int first = 1; ; first++) {
            RoceFabric fabric = RoceFabric.open(overRoce(named.isEmpty() ? inARow(first) : named));
            try {
                return open(fabric);
            } catch (VerbsException e) {
                fabric.close();
                if (!named.isEmpty() || e.errno() != Errno.EADDRINUSE || first + settings.ports() > LAST_OF_ROCE) {
                    throw e;
                }
            }
        }
    }

    private List<InetAddress> inARow(int first) {
        return IntStream.range(first, first + settings.ports())
                .mapToObj(last -> Settings.addressOf("127.0.0." + last))
                .toList();
    }

    private RoceOptions overRoce(List<InetAddress> addresses) {
        RoceOptions options = RoceOptions.at(addresses.toArray(InetAddress[]::new))
                .withLinkLayer(settings.linkLayer())
                .withTransport(transport())
                .withRefusalReasons(settings.tellsReasons());
        return Lab.ON ? options.withFaults(Lab.packets(name)) : options;
    }

    private Verbatim open(Fabric fabric) {
        Verbatim fresh = Verbatim.over(fabric).profile(settings.profile());
        fresh.tap(records.tap());
        if (Misuse.ON) {
            fresh.sanitize(Misuse.sanitizer());
        }
        fresh.open(name());
        return fresh;
    }

    synchronized void close() {
        if (door != null) {
            door.close();
            door = null;
            device = null;
        }
    }
}
