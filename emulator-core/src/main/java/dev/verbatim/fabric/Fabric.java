// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import java.util.OptionalLong;

/** Carries packets between devices: the interface between emulated devices and their network. */
public interface Fabric extends AutoCloseable {

    /**
     * Attaches a device.
     *
     * @param gid the device's GID
     * @param sink receives the packets for the device
     * @throws dev.verbatim.verbs.VerbsException EBUSY if the GID is taken, EINVAL if the fabric is closed
     */
    FabricPort attach(Gid gid, PacketSink sink);

    /**
     * A node GUID that no other device of the fabric has: a sequence number where all devices are known, otherwise a random number.
     */
    long freshGuid();

    /**
     * A random seed for the keys of a device, so that peers in other JVMs cannot guess them (KEY-P6); empty where all devices are in
     * this JVM, so that keys are readable and runs repeatable.
     */
    default OptionalLong freshKeySeed() {
        return OptionalLong.empty();
    }

    /**
     * A random seed for the numbers of a device's queue pairs, where a datagram with the right number reaches the queue pair, whoever sends it;
     * empty where peers have to be connected first, so that numbers count up.
     */
    default OptionalLong freshQpNumberSeed() {
        return OptionalLong.empty();
    }

    /** Closes the fabric and releases its threads and connections. */
    @Override
    void close();
}
