// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A fabric for each node, joined by TCP connections over the loopback interface. */
final class TcpRunner extends ThreadedRunner {

    private final Tap tap;
    private final Map<String, NettyFabric> fabrics = new LinkedHashMap<>();
    private final Map<String, Verbatim> doors = new LinkedHashMap<>();
    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();

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
        return door.open(node);
    }

    @Override
    public void join(String a, String b) {
        if (!a.equals(b)) {
            InetSocketAddress there = addresses.computeIfAbsent(
                    b, node -> fabric(node).listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            fabric(a).dial(there);
        }
    }

    private NettyFabric fabric(String node) {
        return Objects.requireNonNull(fabrics.get(node), node);
    }

    @Override
    public void close() {
        doors.values().forEach(Verbatim::close);
    }
}
