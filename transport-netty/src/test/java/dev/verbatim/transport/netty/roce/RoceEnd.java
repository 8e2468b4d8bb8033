// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** A device on a RoCEv2 fabric of its own, at a loopback address. */
final class RoceEnd implements AutoCloseable {

    final RoceFabric fabric;
    final Device device;
    private final Verbatim door;

    private RoceEnd(RoceFabric fabric, @Nullable Tap tap) {
        this.fabric = fabric;
        this.door = Verbatim.over(fabric).tap(tap);
        this.device = door.open("device");
    }

    static RoceEnd open(RoceOptions options) {
        return new RoceEnd(RoceFabric.open(options), null);
    }

    static RoceEnd open(RoceOptions options, Tap tap) {
        return new RoceEnd(RoceFabric.open(options), tap);
    }

    Side side(QpCapabilities capabilities, QpType type) {
        return new Side(device, capabilities, null, type);
    }

    /** An address as numbers. */
    static InetAddress address(String numbers) {
        try {
            return InetAddress.getByName(numbers);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        door.close();
    }
}
