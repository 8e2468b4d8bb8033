// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import java.util.OptionalLong;

/** What carries packets between devices: the seam between the emulated devices and the world. */
public interface Fabric extends AutoCloseable {

    /**
     * Gives a device its place.
     *
     * @param gid the device's GID
     * @param sink takes the packets that are for the device
     * @throws dev.verbatim.verbs.VerbsException EBUSY if the GID is taken, EINVAL if the fabric is closed
     */
    FabricPort attach(Gid gid, PacketSink sink);

    /** A node GUID that no other device of the fabric has: counted from 1 where all devices are known, else drawn. */
    long freshGuid();

    /**
     * A seed for the keys of a device, drawn afresh, if strangers can send to it and must not guess them (KEY-P6); empty where
     * all devices are in this JVM, so that keys are readable and runs repeat.
     */
    default OptionalLong freshKeySeed() {
        return OptionalLong.empty();
    }

    /** Stops carrying and gives back threads and connections. */
    @Override
    void close();
}
