// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.VerbsException;

/** A device with an accessible queue pair 1, which connection management needs, for layers above verbs. */
public interface ManagedDevice {

    /** Queue pair 1 of port 1; always the same object. */
    default ManagementPort managementPort() {
        return managementPort(1);
    }

    /**
     * Queue pair 1 of a port; always the same object.
     *
     * @throws VerbsException EINVAL if there is no such port
     */
    ManagementPort managementPort(int portNumber);

    /**
     * A program is about to wait elsewhere for events of a channel of this device, of which none is there. A tool that watches the device
     * is told, as by a wait at the channel itself.
     */
    default void waitsFor(CompletionChannel channel) {}
}
