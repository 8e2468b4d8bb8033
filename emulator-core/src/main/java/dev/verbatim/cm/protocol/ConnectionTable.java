// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Gid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connections of a device, by this side's number and by the numbers of the peer (CM-10, CM-11). On the lane. */
final class ConnectionTable {

    /** A number of a device: of a connection, or of a queue pair. */
    private record PeerKey(long guid, int number) {}

    private final Map<Integer, CmConnection> byLocalId = new LinkedHashMap<>();
    private final Map<PeerKey, CmConnection> byPeerId = new HashMap<>();
    private final Map<PeerKey, CmConnection> byPeerQp = new HashMap<>();
    private int halfOpen;

    /** It has a number from now on. */
    void add(CmConnection connection) {
        byLocalId.put(connection.localId(), connection);
    }

    void remove(CmConnection connection) {
        byLocalId.remove(connection.localId(), connection);
    }

    /** The numbers of its peer are known now. */
    void know(CmConnection connection) {
        byPeerId.putIfAbsent(new PeerKey(connection.peerGuid(), connection.peerId()), connection);
        byPeerQp.putIfAbsent(new PeerKey(connection.peerGuid(), connection.peerQpn()), connection);
    }

    /** The peer may use its numbers anew. */
    void forgetPeer(CmConnection connection) {
        if (connection.knowsPeer()) {
            byPeerId.remove(new PeerKey(connection.peerGuid(), connection.peerId()), connection);
            byPeerQp.remove(new PeerKey(connection.peerGuid(), connection.peerQpn()), connection);
        }
    }

    /** The connection of that number, if the peer's number is not known yet. */
    @Nullable
    CmConnection withoutPeer(int localId, Gid peer) {
        CmConnection connection = byLocalId.get(localId);
        return connection != null
                        && !connection.knowsPeer()
                        && connection.peer().equals(peer)
                ? connection
                : null;
    }

    /** The connection of both these numbers. */
    @Nullable
    CmConnection of(int localId, int peerId, Gid peer) {
        CmConnection connection = byLocalId.get(localId);
        return connection != null
                        && connection.knowsPeer()
                        && connection.peerId() == peerId
                        && connection.peer().equals(peer)
                ? connection
                : null;
    }

    @Nullable
    CmConnection ofPeerId(long guid, int peerId) {
        return byPeerId.get(new PeerKey(guid, peerId));
    }

    @Nullable
    CmConnection ofPeerQp(long guid, int qpn) {
        return byPeerQp.get(new PeerKey(guid, qpn));
    }

    /** Those with a peer. */
    List<CmConnection> with(Gid peer) {
        List<CmConnection> found = new ArrayList<>();
        for (CmConnection connection : byLocalId.values()) {
            if (connection.peer().equals(peer)) {
                found.add(connection);
            }
        }
        return found;
    }

    int count() {
        return byLocalId.size();
    }

    /** The connections that peers have requested and that are not established yet. */
    int halfOpenCount() {
        return halfOpen;
    }

    void countHalfOpen(int change) {
        halfOpen += change;
    }

    /** How many keys of peers there are. */
    int keyCount() {
        return byPeerId.size() + byPeerQp.size();
    }
}
