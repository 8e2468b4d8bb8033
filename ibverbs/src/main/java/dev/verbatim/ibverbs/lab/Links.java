// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the links of devices carry, by their GIDs: nothing while a port is down, and no packet that is longer than its MTU. From any thread. */
final class Links {

    /** Bytes of payload; 0 where the port is down. */
    private final Map<Gid, Integer> mostBytes = new ConcurrentHashMap<>();

    private final Map<Gid, Boolean> down = new ConcurrentHashMap<>();

    void down(Gid device) {
        down.put(device, true);
    }

    void up(Gid device) {
        down.remove(device);
    }

    void mtu(Gid device, int bytes) {
        mostBytes.put(device, bytes);
    }

    /** Whether the packet is lost on its way. */
    boolean lose(Gid from, Gid to, Packet packet) {
        return !(down.isEmpty() && mostBytes.isEmpty()) && (loses(from, packet) || loses(to, packet));
    }

    private boolean loses(Gid device, Packet packet) {
        Integer most = mostBytes.get(device);
        return down.containsKey(device) || (most != null && packet.payload().lengthBytes() > most);
    }
}
