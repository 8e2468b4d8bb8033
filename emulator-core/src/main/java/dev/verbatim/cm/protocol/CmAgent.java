// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.ManagementAgent;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of a port: finds the connection or listener of each message. Of messages that have none only a REQ (with REJ)
 * and a DREQ (with DREP) are answered, so that two peers never answer each other without end (CM-09). On the lane.
 */
public final class CmAgent implements ManagementAgent {

    private final CmContext context;
    private final Ports ports;
    private final ConnectionTable connections = new ConnectionTable();
    private final EndedRequests ended;
    private final SidrExchanges sidr;
    private final Map<Long, Deque<Listener>> listeners = new TreeMap<>();
    private final Set<DeviceUser> identifiers = new LinkedHashSet<>();

    /** Added by any thread. */
    private final Set<DeviceUser> channels = ConcurrentHashMap.newKeySet();

    private volatile boolean gone;

    private CmAgent(ManagementPort port, Device device) {
        this.context = new CmContext(port, device);
        this.ports = new Ports(context.numbers());
        this.ended = new EndedRequests(context);
        this.sidr = new SidrExchanges(context, this::listenerOf, identifiers::size);
    }

    /**
     * The connection manager of port 1 of a device.
     *
     * @throws VerbsException as {@link #of(Device, int)}
     */
    public static CmAgent of(Device device) {
        return of(device, 1);
    }

    /**
     * The connection manager of a port.
     *
     * @throws VerbsException EOPNOTSUPP if the device has no queue pair 1 for this, EBUSY if that has another user, EINVAL if there is no
     *     such port or the device is closed, EIO if it has failed
     */
    public static CmAgent of(Device device, int portNumber) {
        ManagementAgent agent = managed(device).managementPort(portNumber).agent(port -> new CmAgent(port, device));
        if (!(agent instanceof CmAgent own)) {
            throw VerbsException.of(Errno.EBUSY, Rule.CM_01, "queue pair 1 of %s has another user", device);
        }
        return own;
    }

    /** The connection manager of each port of the device will be made when the first datagram comes to it. */
    public static void attend(Device device) {
        ManagedDevice managed = managed(device);
        for (int port = 1; port <= device.gids().size(); port++) {
            managed.managementPort(port).standIn(there -> new CmAgent(there, device));
        }
    }

    private static ManagedDevice managed(Device device) {
        VerbsException.requireNonNull(device, "device");
        if (!(device instanceof ManagedDevice managed)) {
            throw VerbsException.of(
                    Errno.EOPNOTSUPP, Rule.CM_01, "%s has no queue pair 1 to be had; use an emulated device", device);
        }
        return managed;
    }

    /** What it has of the device. */
    public CmContext context() {
        return context;
    }

    /** Where it runs. */
    public Lane lane() {
        return context.lane();
    }

    /** The port numbers of the device. */
    public Ports ports() {
        return ports;
    }

    /** Requests that are over. */
    public EndedRequests ended() {
        return ended;
    }

    /** Questions of datagram services. */
    public SidrExchanges sidr() {
        return sidr;
    }

    /** A connection that this side will request; {@code owner} gets its TELL reactions, with the message that caused them. */
    public CmConnection active(
            CmTimers timers, int lifeTime, BiConsumer<Reaction, @Nullable CmMessage> owner, Req request) {
        return CmConnection.active(context, connections, ended, timers, lifeTime, owner, request);
    }

    /** A connection that a peer has asked for. */
    public CmConnection passive(CmTimers timers, BiConsumer<Reaction, @Nullable CmMessage> owner, PeerRequest request) {
        return CmConnection.passive(context, connections, ended, timers, owner, request);
    }

    /** The channel is notified when the device is closed. From any thread. */
    public void addChannel(DeviceUser channel) {
        channels.add(channel);
        if (gone) {
            lane().call(channel::deviceClosed);
        }
    }

    /** The channel is not notified any more. */
    public void removeChannel(DeviceUser channel) {
        channels.remove(channel);
    }

    /** Refuses if the device is gone: ENODEV. */
    public void requireAlive() {
        if (gone) {
            throw VerbsException.of(
                    Errno.ENODEV,
                    Rule.CM_26,
                    "device %s was closed",
                    context.port().deviceName());
        }
    }

    /** Refuses if the device has that many identifiers: ENOMEM. */
    public void requireRoom(int mostIds) {
        if (identifiers.size() >= mostIds) {
            throw VerbsException.of(
                    Errno.ENOMEM,
                    Rule.CM_24,
                    "%d identifiers of device %s are in use; close some, or choose larger limits",
                    identifiers.size(),
                    context.port().deviceName());
        }
    }

    /** The identifier counts, and is notified when the device is closed. */
    public void addIdentifier(DeviceUser identifier) {
        identifiers.add(identifier);
    }

    /** The identifier was closed. */
    public void removeIdentifier(DeviceUser identifier) {
        identifiers.remove(identifier);
    }

    /** Requests for the service go to the listener from now on; of two, one for each family of addresses, to the one that was first. */
    public void listen(long serviceId, Listener listener) {
        listeners.computeIfAbsent(serviceId, unused -> new ArrayDeque<>()).add(listener);
    }

    /** They do not any more; without a listener they are refused. */
    public void stopListening(long serviceId, Listener listener) {
        listeners.computeIfPresent(serviceId, (unused, all) -> all.remove(listener) && all.isEmpty() ? null : all);
    }

    private @Nullable Listener listenerOf(long serviceId) {
        context.decided(Rule.CM_02);
        Deque<Listener> all = listeners.get(serviceId);
        return all == null ? null : all.peek();
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
            sidr.received(source, query, transactionId);
        } else if (message instanceof SidrRep reply) {
            sidr.received(source, reply);
        }
        // LAP and APR are for fabrics with alternate paths; Linux drops them over RoCE, too.
    }

    private void tell(@Nullable CmConnection connection, Stimulus stimulus, CmMessage message, long transactionId) {
        if (connection != null) {
            connection.on(stimulus, message, transactionId);
        } else {
            context.decided(Rule.CM_09);
        }
    }

    private void received(Gid source, Req req, long transactionId) {
        CmConnection known = connections.ofPeerId(req.localCaGuid(), req.localId());
        if (known != null) {
            context.decided(Rule.CM_10);
            if (known.peer().equals(source)) {
                known.on(Stimulus.REQ, req, transactionId);
            }
            return;
        }
        PeerRequest asked = new PeerRequest(source, req, transactionId);
        if (ended.isCopy(asked)) {
            return;
        }
        CmConnection stale = connections.ofPeerQp(req.localCaGuid(), req.localQpn());
        if (stale != null) {
            context.decided(Rule.CM_11);
            refuse(asked, RequestChecks.refusal(Rej.REASON_STALE_CONN));
            if (stale.peer().equals(source)) {
                stale.on(Stimulus.FORGOTTEN);
            }
            return;
        }
        Listener listener = listenerOf(req.serviceId());
        RequestChecks.Refused refused = RequestChecks.check(context, listener, source, req);
        if (refused != null) {
            refuse(asked, refused);
        } else if (listener != null) {
            place(listener, asked);
        }
    }

    private void place(Listener listener, PeerRequest asked) {
        if (listener.hasRoom(context, connections.halfOpenCount(), identifiers.size())) {
            listener.requested(asked);
        } else if (listener.refusesRest()) {
            refuse(asked, RequestChecks.refusal(Rej.REASON_NO_RESOURCES));
        }
    }

    private void refuse(PeerRequest asked, RequestChecks.Refused refused) {
        context.decided(Rule.CM_21);
        Rej rej = new Rej(
                0, asked.request().localId(), Rej.MESSAGE_REQ, refused.reason(), refused.additional(), Octets.EMPTY);
        Octets bytes = rej.emit(asked.transactionId());
        ended.remember(asked, bytes);
        context.send(asked.source(), bytes);
    }

    private void received(Gid source, Rep rep, long transactionId) {
        CmConnection waiting = connections.withoutPeer(rep.remoteId(), source);
        if (waiting == null) {
            CmConnection known = connections.of(rep.remoteId(), rep.localId(), source);
            tell(known != null && known.isActive() ? known : null, Stimulus.REP, rep, transactionId);
            return;
        }
        if (connections.ofPeerId(rep.localCaGuid(), rep.localId()) != null) {
            return;
        }
        CmConnection stale = connections.ofPeerQp(rep.localCaGuid(), rep.localQpn());
        if (stale == null) {
            waiting.on(Stimulus.REP, rep, transactionId);
            return;
        }
        context.decided(Rule.CM_11);
        Rej rej = new Rej(
                /* localId= */ rep.remoteId(),
                /* remoteId= */ rep.localId(),
                Rej.MESSAGE_REP,
                Rej.REASON_STALE_CONN,
                Octets.EMPTY,
                Octets.EMPTY);
        context.send(source, rej.emit(transactionId));
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
        Stimulus stimulus = rej.reason() == Rej.REASON_STALE_CONN ? Stimulus.REJ_STALE : Stimulus.REJ;
        CmConnection connection;
        if (rej.reason() == Rej.REASON_TIMEOUT) {
            connection = givenUp(source, rej);
        } else if (rej.message() == Rej.MESSAGE_REQ) {
            connection = connections.withoutPeer(rej.remoteId(), source);
        } else {
            connection = connections.of(rej.remoteId(), rej.localId(), source);
        }
        tell(connection, stimulus, rej, transactionId);
    }

    /** A peer that withdraws its request may not know this side's number; it sends its GUID instead. */
    private @Nullable CmConnection givenUp(Gid source, Rej rej) {
        byte[] guid = rej.additional().toBytes();
        if (guid.length < Long.BYTES) {
            return null;
        }
        CmConnection connection = connections.ofPeerId(ByteBuffer.wrap(guid).getLong(), rej.localId());
        return connection != null && connection.peer().equals(source) ? connection : null;
    }

    private void received(Gid source, Dreq dreq, long transactionId) {
        CmConnection connection = connections.of(dreq.remoteId(), dreq.localId(), source);
        if (connection == null) {
            context.decided(Rule.CM_09);
            context.send(
                    source,
                    new Drep(/* localId= */ dreq.remoteId(), /* remoteId= */ dreq.localId(), Octets.EMPTY)
                            .emit(transactionId));
        } else if (dreq.remoteQpn() == connection.ownQpn()) {
            connection.on(Stimulus.DREQ, dreq, transactionId);
        }
    }

    @Override
    public void carrierLost(Gid peer, boolean isGone) {
        connections
                .with(peer)
                .forEach(isGone ? CmConnection::peerGone : connection -> connection.on(Stimulus.CARRIER_LOST));
        sidr.carrierLost(peer);
    }

    @Override
    public void programEnds() {
        List.copyOf(identifiers).forEach(DeviceUser::programEnds);
    }

    @Override
    public void deviceClosed() {
        gone = true;
        List.copyOf(identifiers).forEach(DeviceUser::deviceClosed);
        channels.forEach(DeviceUser::deviceClosed);
        channels.clear();
        listeners.clear();
        ended.clear();
    }

    /** What is still there; empty when nothing was forgotten. */
    public String leftovers() {
        StringBuilder left = new StringBuilder();
        leftover(left, "identifiers", identifiers.size());
        leftover(left, "listeners", listeners.size());
        leftover(left, "ports", ports.count());
        leftover(left, "connections", connections.count());
        leftover(left, "keys of peers", connections.keyCount());
        leftover(left, "half-open connections", connections.halfOpenCount());
        leftover(left, "datagram requests", sidr.count());
        return left.toString();
    }

    private static void leftover(StringBuilder left, String what, int count) {
        if (count != 0) {
            left.append(what).append('=').append(count).append(' ');
        }
    }

    @Override
    public String toString() {
        return "connection manager of " + context.port().deviceName();
    }
}
