// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The devices of one fabric. They reach each other, and each itself, without a socket (QV-12). On the lane. */
final class Neighbours {

    private final Map<Gid, NettyPort> ports = new TreeMap<>();

    /**
     * A device has come, and whoever has waited for one of its GID meets it.
     *
     * @throws VerbsException EBUSY if another one has its GID
     */
    void add(NettyPort fresh) {
        if (at(fresh.gid()) != null) {
            throw VerbsException.of(
                    Errno.EBUSY, "KEY-07", "gid=%s is taken on this fabric; give the device another GUID", fresh.gid());
        }
        ports.put(fresh.gid(), fresh);
        all().forEach(port -> port.links().hasCome(fresh));
    }

    /** A device has gone for good, which those learn who have met it. */
    void remove(NettyPort gone) {
        ports.remove(gone.gid(), gone);
        all().forEach(port -> port.links().hasGone(gone));
    }

    /** The device that has this GID; null if there is none, or it is closing. */
    @Nullable
    NettyPort at(Gid gid) {
        NettyPort port = ports.get(gid);
        return port != null && port.isOpen() ? port : null;
    }

    /** All that are not closing, in the order of their GIDs. */
    List<NettyPort> all() {
        return ports.values().stream().filter(NettyPort::isOpen).toList();
    }
}
