// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The ports of a device, each attached to the fabric by itself. */
final class EmulatedPorts {

    /** The second octet of a GUID counts the ports of a device. */
    private static final int PORT_SHIFT = 48;

    private final DeviceContext device;
    private final List<EmulatedPort> ports = new ArrayList<>();

    EmulatedPorts(
            DeviceContext device, long guid, Fabric fabric, AsyncEventQueue events, Consumer<Throwable> stepFailed) {
        this.device = device;
        for (DevicePort port : device.ports()) {
            ManagementQueuePair management =
                    new ManagementQueuePair(device, port, guid, fabric.freshKeySeed(), stepFailed);
            ports.add(new EmulatedPort(device, port, events, management));
        }
    }

    /** The GUID of a port; that of the first is the node's. */
    private static long guidOf(long guid, int number) {
        return guid ^ ((number - 1L) << PORT_SHIFT);
    }

    /**
     * Attaches all of them, or none.
     *
     * @param sinkOf what receives the packets of each
     */
    void attach(Fabric fabric, long guid, Function<EmulatedPort, PacketSink> sinkOf) {
        List<FabricPort> attached = new ArrayList<>();
        try {
            for (EmulatedPort port : ports) {
                attached.add(fabric.attach(Gid.ofGuid(guidOf(guid, port.number())), sinkOf.apply(port)));
            }
        } catch (RuntimeException | Error e) {
            attached.forEach(FabricPort::close);
            throw e;
        }
        device.attach(attached);
        for (EmulatedPort port : ports) {
            if (attached.get(port.number() - 1).tellsReasons()) {
                device.lane().call(port.management()::tellReasons);
            }
        }
    }

    /** The GIDs, in the order of the numbers. */
    List<Gid> gids() {
        return device.ports().stream().map(DevicePort::gid).toList();
    }

    /** The port with that number, of a queue pair or of a program that knows it. */
    EmulatedPort at(int number) {
        return ports.get(number - 1);
    }

    /**
     * The port that a program names.
     *
     * @throws VerbsException EINVAL if there is none (QV-06), EIO if the device has failed
     */
    EmulatedPort require(int number) {
        device.requireAlive();
        if (number < 1 || number > ports.size()) {
            throw VerbsException.of(Errno.EINVAL, Rule.QV_06, "port_num=%d is not in 1..%d", number, ports.size());
        }
        return at(number);
    }

    /** The device has failed. On the lane. */
    void die() {
        ports.forEach(port -> port.management().die());
    }

    /** The device is closed. On the lane. */
    void end() {
        ports.forEach(port -> port.management().end());
    }

    /** They leave the fabric. */
    void close() {
        device.ports().forEach(port -> port.attachment().close());
    }
}
