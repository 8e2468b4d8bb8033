// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A fabric for each node, joined by TCP connections over the loopback interface. */
final class TcpRunner extends ThreadedRunner {

    private final Tap tap;
    private final Map<String, NettyFabric> fabrics = new LinkedHashMap<>();
    private final Map<String, Verbatim> doors = new LinkedHashMap<>();
    private final Map<Gid, InetSocketAddress> addresses = new LinkedHashMap<>();
    private final Map<String, Device> devices = new LinkedHashMap<>();

    TcpRunner(Tap tap, long patienceNanos) {
        super(tap, patienceNanos);
        this.tap = tap;
    }

    @Override
    public Device open(String node, DeviceProfile profile) {
        NettyFabric fabric = NettyFabric.open();
        Verbatim door = Verbatim.over(fabric).tap(tap).profile(profile);
        fabrics.put(node, fabric);
        doors.put(node, door);
        Device device = door.open(node);
        devices.put(node, device);
        return device;
    }

    @Override
    public void join(String a, String b) {
        if (a.equals(b)) {
            return;
        }
        for (Gid to : gids(b)) {
            InetSocketAddress there = addresses.computeIfAbsent(
                    to, port -> fabric(b).listen(port, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            for (Gid from : gids(a)) {
                fabric(a).dial(from, there);
            }
        }
    }

    private List<Gid> gids(String node) {
        return Objects.requireNonNull(devices.get(node), node).gids();
    }

    private NettyFabric fabric(String node) {
        return Objects.requireNonNull(fabrics.get(node), node);
    }

    @Override
    public void close() {
        doors.values().forEach(Verbatim::close);
    }
}
