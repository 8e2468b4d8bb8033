// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Octets;

/** Handles management datagrams for a device; called by its {@link ManagementPort}. All on the lane. */
public interface ManagementAgent {

    /**
     * A datagram came from queue pair 1 of a device. Its contents are not checked: any peer can send any bytes.
     *
     * @param source the device that sent it, as its carrier names it
     * @param mad {@value ManagementPort#MAD_BYTES} bytes
     */
    void received(Gid source, Octets mad);

    /**
     * The way to the peer went away and did not come back in the time that is granted for that: what was sent to it lately is
     * likely lost, and what is sent from now on is, until it is there again. Carriers that have no way of knowing never say so.
     *
     * @param isGone whether the peer itself is gone, and not only the way there
     */
    default void carrierLost(Gid peer, boolean isGone) {}

    /** The program ends and is about to close the device: peers are told that what they have with the agent is over. */
    default void programEnds() {}

    /**
     * The device is being closed, or failed for good; told once. Nothing will be received any more. What is sent during this call
     * by a device that did not fail goes out if its carrier takes it at once; nothing that is sent later does.
     */
    void deviceClosed();
}
