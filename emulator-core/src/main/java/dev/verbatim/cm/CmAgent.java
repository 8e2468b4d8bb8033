// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadFormatException;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import dev.verbatim.wire.mad.SidrRep;
import dev.verbatim.wire.mad.SidrReq;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of a device: finds out which connection a message is for. Nothing answers a message that cannot be placed,
 * but a REQ (REJ) and a DREQ (DREP), or two confused peers would never end (CM-09). On the lane.
 */
final class CmAgent implements ManagementAgent {

    private final ManagementPort port;
    private final DeviceAttributes attributes;
    private final int mostMtu;
    private final Numbers numbers;
    private final Ports ports;
    private final Connections connections = new Connections();
    private final EndedRequests ended = new EndedRequests(this);
    private final Datagrams datagrams = new Datagrams(this);
    private final Map<Long, Listener> listeners = new TreeMap<>();
    private final Set<Identifier> identifiers = new LinkedHashSet<>();

    /** Added by any thread. */
    private final Set<EventChannel> channels = ConcurrentHashMap.newKeySet();

    private volatile boolean gone;

    private CmAgent(ManagementPort port, Device device) {
        this.port = port;
        this.attributes = device.query();
        this.mostMtu = device.queryPort(1).activeMtu().number();
        this.numbers = new Numbers(port.seed());
        this.ports = new Ports(numbers);
    }

    /** That of a device. */
    static CmAgent of(Device device) {
        ManagementAgent agent = portOf(device).agent(port -> new CmAgent(port, device));
        if (!(agent instanceof CmAgent own)) {
            throw VerbsException.of(Errno.EBUSY, "CM-01", "queue pair 1 of %s has another user", device);
        }
        return own;
    }

    /** That of the device will be made when somebody asks it for something. */
    static void attend(Device device) {
        portOf(device).standIn(port -> new CmAgent(port, device));
    }

    private static ManagementPort portOf(Device device) {
        if (!(device instanceof ManagedDevice managed)) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP, "CM-01", "%s has no queue pair 1 to be had; use an emulated device", device);
        }
        return managed.managementPort();
    }

    ManagementPort port() {
        return port;
    }

    /** A rule decided something; whoever watches the device is told. */
    void decided(String rule) {
        port.decided(rule);
    }

    /** A step that was nobody's but the agent's threw something. On the lane. */
    void failed(Throwable thrown) {
        port.failed(thrown);
    }

    Lane lane() {
        return port.lane();
    }

    Gid gid() {
        return port.gid();
    }

    /** The channel is to hear that the device goes. From any thread; while it is closed somebody may hear of it later. */
    void add(EventChannel channel) {
        channels.add(channel);
        if (gone) {
            lane().call(channel::deviceClosed);
        }
    }

    void remove(EventChannel channel) {
        channels.remove(channel);
    }

    Numbers numbers() {
        return numbers;
    }

    Ports ports() {
        return ports;
    }

    Connections connections() {
        return connections;
    }

    EndedRequests ended() {
        return ended;
    }

    Datagrams datagrams() {
        return datagrams;
    }

    /** READs and atomics that a queue pair serves at most. */
    int mostServed() {
        return Math.min(ConnectionParameters.MAX, attributes.maxQpRdAtom());
    }

    /** READs and atomics that a queue pair has outstanding at most. */
    int mostIssued() {
        return Math.min(ConnectionParameters.MAX, attributes.maxQpInitRdAtom());
    }

    /** Code of the largest path MTU of the port. */
    int mostMtu() {
        return mostMtu;
    }

    /** As Linux has it: of the connection's number. */
    long transactionId(int localId) {
        return (2L << Integer.SIZE) | Integer.toUnsignedLong(Integer.reverseBytes(localId));
    }

    void send(Gid destination, Octets mad) {
        // What is dropped here is repeated, as if it had been lost on the way.
        boolean unused = port.send(destination, mad);
    }

    void requireAlive() {
        if (gone) {
            throw VerbsException.of(Errno.ENODEV, "CM-26", "device %s was closed", port.deviceName());
        }
    }

    boolean hasRoom(CmOptions options) {
        return identifiers.size() < options.mostIds();
    }

    void requireRoom(CmOptions options) {
        if (!hasRoom(options)) {
            throw VerbsException.of(
                    Errno.ENOMEM,
                    "CM-24",
                    "%d identifiers of device %s are in use; close some, or choose larger limits",
                    identifiers.size(),
                    port.deviceName());
        }
    }

    void add(Identifier identifier) {
        identifiers.add(identifier);
    }

    void remove(Identifier identifier) {
        identifiers.remove(identifier);
    }

    void listen(long serviceId, Listener listener) {
        listeners.put(serviceId, listener);
    }

    void deafen(long serviceId) {
        listeners.remove(serviceId);
    }

    @Nullable
    Listener listenerOf(long serviceId) {
        decided("CM-02");
        return listeners.get(serviceId);
    }

    @Override
    public void received(Gid source, Octets datagram) {
        Mad mad = Mad.parse(datagram);
        CmMessage message;
        try {
            message = CmMessage.parse(mad);
        } catch (MadFormatException unknown) {
            return;
        }
        place(source, message, mad.header().transactionId());
    }

    private void place(Gid source, CmMessage message, long transactionId) {
        if (message instanceof Req req) {
            received(source, req, transactionId);
        } else if (message instanceof Rep rep) {
            received(source, rep, transactionId);
        } else if (message instanceof Rtu rtu) {
            tell(connections.of(rtu.remoteId(), rtu.localId(), source), Stimulus.RTU, rtu, transactionId);
        } else if (message instanceof Mra mra) {
            received(source, mra, transactionId);
        } else if (message instanceof Rej rej) {
            received(source, rej, transactionId);
        } else if (message instanceof Dreq dreq) {
            received(source, dreq, transactionId);
        } else if (message instanceof Drep drep) {
            tell(connections.of(drep.remoteId(), drep.localId(), source), Stimulus.DREP, drep, transactionId);
        } else if (message instanceof SidrReq query) {
            datagrams.received(source, query, transactionId);
        } else if (message instanceof SidrRep reply) {
            datagrams.received(source, reply);
        }
        // LAP and APR are for fabrics with alternate paths; Linux drops them over RoCE, too.
    }

    private void tell(@Nullable Connection connection, Stimulus stimulus, CmMessage message, long transactionId) {
        if (connection != null) {
            connection.on(stimulus, message, transactionId);
        } else {
            decided("CM-09");
        }
    }

    private void received(Gid source, Req req, long transactionId) {
        Connection known = connections.ofPeerId(req.localCaGuid(), req.localId());
        if (known != null) {
            decided("CM-10");
            if (known.peer().equals(source)) {
                known.on(Stimulus.REQ, req, transactionId);
            }
            return;
        }
        if (ended.isCopy(source, req, transactionId)) {
            return;
        }
        Connection stale = connections.ofPeerQp(req.localCaGuid(), req.localQpn());
        if (stale != null) {
            decided("CM-11");
            refuse(source, req, transactionId, RequestChecks.refusal(RejectReason.STALE_CONN));
            if (stale.peer().equals(source)) {
                stale.on(Stimulus.FORGOTTEN);
            }
            return;
        }
        Listener listener = listenerOf(req.serviceId());
        RequestChecks.Refused refused = RequestChecks.check(this, listener, source, req);
        if (refused != null) {
            refuse(source, req, transactionId, refused);
        } else if (listener != null) {
            listener.requested(source, req, transactionId);
        }
    }

    void refuse(Gid source, Req req, long transactionId, RequestChecks.Refused refused) {
        decided("CM-21");
        Rej rej = new Rej(
                0, req.localId(), Rej.MESSAGE_REQ, refused.reason().number(), refused.additional(), Octets.EMPTY);
        Octets bytes = rej.emit(transactionId);
        ended.remember(source, req, transactionId, bytes);
        send(source, bytes);
    }

    private void received(Gid source, Rep rep, long transactionId) {
        Connection waiting = connections.withoutPeer(rep.remoteId(), source);
        if (waiting == null) {
            Connection known = connections.of(rep.remoteId(), rep.localId(), source);
            tell(known != null && known.isActive() ? known : null, Stimulus.REP, rep, transactionId);
            return;
        }
        if (connections.ofPeerId(rep.localCaGuid(), rep.localId()) != null) {
            return;
        }
        Connection stale = connections.ofPeerQp(rep.localCaGuid(), rep.localQpn());
        if (stale == null) {
            waiting.on(Stimulus.REP, rep, transactionId);
            return;
        }
        decided("CM-11");
        Rej rej = new Rej(
                /* localId= */ rep.remoteId(),
                /* remoteId= */ rep.localId(),
                Rej.MESSAGE_REP,
                RejectReason.STALE_CONN.number(),
                Octets.EMPTY,
                Octets.EMPTY);
        send(source, rej.emit(transactionId));
        if (stale.peer().equals(source)) {
            stale.on(Stimulus.FORGOTTEN);
        }
    }

    private void received(Gid source, Mra mra, long transactionId) {
        if (mra.message() == Mra.MESSAGE_REQ) {
            tell(connections.withoutPeer(mra.remoteId(), source), Stimulus.MRA_OF_REQ, mra, transactionId);
        } else if (mra.message() == Mra.MESSAGE_REP) {
            tell(connections.of(mra.remoteId(), mra.localId(), source), Stimulus.MRA_OF_REP, mra, transactionId);
        }
    }

    private void received(Gid source, Rej rej, long transactionId) {
        Stimulus stimulus = rej.reason() == RejectReason.STALE_CONN.number() ? Stimulus.REJ_STALE : Stimulus.REJ;
        Connection connection;
        if (rej.reason() == RejectReason.TIMEOUT.number()) {
            connection = givenUp(source, rej);
        } else if (rej.message() == Rej.MESSAGE_REQ) {
            connection = connections.withoutPeer(rej.remoteId(), source);
        } else {
            connection = connections.of(rej.remoteId(), rej.localId(), source);
        }
        tell(connection, stimulus, rej, transactionId);
    }

    /** Whoever gives up his request may not know this side's number; he tells his GUID instead. */
    private @Nullable Connection givenUp(Gid source, Rej rej) {
        byte[] guid = rej.additional().toBytes();
        if (guid.length < Long.BYTES) {
            return null;
        }
        Connection connection = connections.ofPeerId(ByteBuffer.wrap(guid).getLong(), rej.localId());
        return connection != null && connection.peer().equals(source) ? connection : null;
    }

    private void received(Gid source, Dreq dreq, long transactionId) {
        Connection connection = connections.of(dreq.remoteId(), dreq.localId(), source);
        if (connection == null) {
            decided("CM-09");
            send(
                    source,
                    new Drep(/* localId= */ dreq.remoteId(), /* remoteId= */ dreq.localId(), Octets.EMPTY)
                            .emit(transactionId));
        } else if (dreq.remoteQpn() == connection.ownQpn()) {
            connection.on(Stimulus.DREQ, dreq, transactionId);
        }
    }

    @Override
    public void carrierLost(Gid peer) {
        connections.with(peer).forEach(connection -> connection.on(Stimulus.CARRIER_LOST));
        datagrams.carrierLost(peer);
    }

    @Override
    public void deviceClosed() {
        gone = true;
        List.copyOf(identifiers).forEach(Identifier::deviceClosed);
        channels.forEach(EventChannel::deviceClosed);
        channels.clear();
        listeners.clear();
        ended.clear();
    }

    /** What is still there; empty when nothing was forgotten. */
    String leftovers() {
        StringBuilder left = new StringBuilder();
        leftover(left, "identifiers", identifiers.size());
        leftover(left, "listeners", listeners.size());
        leftover(left, "ports", ports.count());
        leftover(left, "connections", connections.count());
        leftover(left, "keys of peers", connections.keyCount());
        leftover(left, "half-open connections", connections.halfOpenCount());
        leftover(left, "datagram requests", datagrams.count());
        return left.toString();
    }

    private static void leftover(StringBuilder left, String what, int count) {
        if (count != 0) {
            left.append(what).append('=').append(count).append(' ');
        }
    }

    @Override
    public String toString() {
        return "connection manager of " + port.deviceName();
    }
}
