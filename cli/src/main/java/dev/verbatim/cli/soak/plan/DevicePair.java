// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.plan;

import dev.verbatim.Verbatim;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Two devices that reach each other, and whatever carries them. */
public final class DevicePair implements AutoCloseable {

    /** What carries the packets. */
    public enum Kind {
        /** A connection over loopback between two fabrics, each with an event loop. */
        TCP,
        /** Both devices on one fabric in this JVM. */
        IN_PROCESS;

        /** As it is written on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    private final List<Verbatim> doors;
    private final List<Device> devices;

    private DevicePair(List<Verbatim> doors, List<Device> devices) {
        this.doors = doors;
        this.devices = devices;
    }

    public static DevicePair open(Kind kind) {
        if (kind == Kind.IN_PROCESS) {
            Verbatim door = Verbatim.inProcess();
            return new DevicePair(List.of(door), List.of(door.open("left"), door.open("right")));
        }
        NettyFabric near = NettyFabric.open();
        NettyFabric far = NettyFabric.open();
        Verbatim left = Verbatim.over(near);
        Verbatim right = Verbatim.over(far);
        DevicePair pair = new DevicePair(List.of(left, right), List.of(left.open("left"), right.open("right")));
        near.dial(far.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        return pair;
    }

    public List<Device> devices() {
        return devices;
    }

    @Override
    public void close() {
        doors.forEach(Verbatim::close);
    }
}
