// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.link;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The devices of one fabric. They reach each other, and each itself, without a socket (QV-12). On the lane. */
public final class Neighbours {

    private final Map<Gid, LinkTable> devices = new TreeMap<>();

    /**
     * A device was opened; dials that wait for its GID are connected to it.
     *
     * @throws VerbsException EBUSY if another one has its GID
     */
    public void add(LinkTable fresh) {
        if (at(fresh.gid()) != null) {
            throw VerbsException.of(
                    Errno.EBUSY,
                    Rule.KEY_07,
                    "gid=%s is taken on this fabric; give the device another GUID",
                    fresh.gid());
        }
        devices.put(fresh.gid(), fresh);
        all().forEach(device -> device.hasCome(fresh));
    }

    /** A device has gone for good, which those learn who have met it. */
    public void remove(LinkTable gone) {
        devices.remove(gone.gid(), gone);
        all().forEach(device -> device.hasGone(gone));
    }

    /** The device that has this GID; null if there is none, or it is closing. */
    @Nullable
    LinkTable at(Gid gid) {
        LinkTable device = devices.get(gid);
        return device != null && device.intake().isOpen() ? device : null;
    }

    /** All that are not closing, in the order of their GIDs. */
    private List<LinkTable> all() {
        return devices.values().stream()
                .filter(device -> device.intake().isOpen())
                .toList();
    }
}
