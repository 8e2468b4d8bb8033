// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim.network;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The devices of a lossy fabric, and which of them reach which. On the lane. */
public final class LossyNetwork {

    private final Map<Gid, LossyPort> ports = new TreeMap<>();
    private final Map<Gid, Integer> lives = new TreeMap<>();
    private final Map<Gid, Set<Gid>> cuts = new TreeMap<>();
    private final Set<Gid> silent = new TreeSet<>();
    private final Set<Gid> unplugged = new TreeSet<>();
    private final SteppedLane lane;
    private final BiConsumer<LossyLink, Packet> carrier;

    /**
     * A network without devices.
     *
     * @param carrier decides about packets of links that are passable, and sends them
     */
    public LossyNetwork(SteppedLane lane, BiConsumer<LossyLink, Packet> carrier) {
        this.lane = lane;
        this.carrier = carrier;
    }

    SteppedLane lane() {
        return lane;
    }

    /**
     * Attaches the device; a silenced GID can be used again.
     *
     * @throws VerbsException EBUSY if another one has its GID
     */
    public void attach(LossyPort port) {
        Gid gid = port.gid();
        silent.remove(gid);
        unplugged.remove(gid);
        if (ports.putIfAbsent(gid, port) != null) {
            throw VerbsException.of(
                    Errno.EBUSY, Rule.KEY_07, "gid=%s is taken on this fabric; give the device another GUID", gid);
        }
        port.live(lives.merge(gid, 1, Integer::sum));
    }

    void detach(LossyPort port) {
        ports.remove(port.gid(), port);
    }

    @Nullable
    LossyPort portAt(Gid gid) {
        return ports.get(gid);
    }

    void carry(LossyLink link, Packet packet) {
        carrier.accept(link, packet);
    }

    /** Nothing arrives between the two, in both directions. */
    public void cut(Gid a, Gid b) {
        cuts.computeIfAbsent(a, gid -> new TreeSet<>()).add(b);
        cuts.computeIfAbsent(b, gid -> new TreeSet<>()).add(a);
    }

    /** Ends {@link #cut}. */
    public void heal(Gid a, Gid b) {
        mend(a, b);
        mend(b, a);
    }

    private void mend(Gid from, Gid to) {
        cuts.computeIfPresent(from, (gid, unreachable) -> {
            unreachable.remove(to);
            return unreachable.isEmpty() ? null : unreachable;
        });
    }

    /** The device neither sends nor receives anything, and its port is down. */
    public void unplug(Gid gid) {
        LossyPort port = ports.get(gid);
        if (port != null && unplugged.add(gid)) {
            port.carrierChanged(false);
        }
    }

    /** Ends {@link #unplug}. */
    public void plug(Gid gid) {
        LossyPort port = ports.get(gid);
        if (unplugged.remove(gid) && port != null) {
            port.carrierChanged(true);
        }
    }

    /** The device neither sends nor receives, and is not notified. */
    public void silence(Gid gid) {
        silent.add(gid);
    }

    /** The device is gone as if its machine had lost power. */
    public void kill(Gid gid) {
        LossyPort port = ports.get(gid);
        if (port != null) {
            port.die();
        }
    }

    public void killAll() {
        List.copyOf(ports.values()).forEach(LossyPort::die);
    }

    boolean isUnplugged(Gid gid) {
        return unplugged.contains(gid);
    }

    boolean isCut(Gid a, Gid b) {
        if (isDead(silent, a, b) || isDead(unplugged, a, b)) {
            return true;
        }
        if (cuts.isEmpty()) {
            return false;
        }
        Set<Gid> unreachable = cuts.get(a);
        return unreachable != null && unreachable.contains(b);
    }

    private static boolean isDead(Set<Gid> dead, Gid a, Gid b) {
        return !dead.isEmpty() && (dead.contains(a) || dead.contains(b));
    }
}
