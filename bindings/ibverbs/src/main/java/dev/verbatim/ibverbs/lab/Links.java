// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the links of devices carry, by their GIDs: no packet that is longer than their MTU. From any thread. */
final class Links {

    /** Bytes of payload. */
    private final Map<Gid, Integer> mostBytes = new ConcurrentHashMap<>();

    void mtu(Gid device, int bytes) {
        mostBytes.put(device, bytes);
    }

    /** Whether the packet is lost on its way. */
    boolean lose(Gid from, Gid to, Packet packet) {
        return !mostBytes.isEmpty() && (loses(from, packet) || loses(to, packet));
    }

    private boolean loses(Gid device, Packet packet) {
        Integer most = mostBytes.get(device);
        return most != null && packet.payload().lengthBytes() > most;
    }
}
