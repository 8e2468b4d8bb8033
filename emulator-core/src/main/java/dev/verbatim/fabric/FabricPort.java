// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;

/** A device's place on a fabric. */
public interface FabricPort extends AutoCloseable {

    /** The device's own GID there. */
    Gid gid();

    /** The lane on which everything of the device runs. */
    Lane lane();

    /** The link to {@code peer}, the same one each time as long as the peer lives. On the lane. */
    Link linkTo(Gid peer);

    /**
     * The device's programs may do with that memory what they like from now on: what still refers to it, to be sent or to be
     * filled, goes on with bytes of its own. On the lane.
     */
    default void letGo(ByteBuffer memory) {}

    /** Leaves the fabric: what is sent to the device from now on is lost. */
    @Override
    void close();
}
