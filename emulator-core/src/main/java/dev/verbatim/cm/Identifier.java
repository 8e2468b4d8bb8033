// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.CmContext;
import dev.verbatim.cm.protocol.ConnectionTerms;
import dev.verbatim.cm.protocol.DeviceUser;
import dev.verbatim.cm.protocol.Listener;
import dev.verbatim.fabric.Resolution;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is behind a {@link CmId}: its state, address, queue pair and exchange with the peer. On the lane, unless stated otherwise. */
final class Identifier implements DeviceUser {

    private final CmAgent agent;
    private final CmContext cm;
    private final CmId id;
    private final PortSpace portSpace;
    private final CmOptions options;
    private final UnacknowledgedEvents unacknowledged = new UnacknowledgedEvents();
    private volatile EventChannel channel;
    private volatile @Nullable Object context;
    private volatile @Nullable QueuePair qp;
    private IdState state = IdState.IDLE;

    private @Nullable InetSocketAddress bound;
    private @Nullable InetSocketAddress peer;

    private @Nullable Listener listener;
    private final OwnPort ownPort;
    private final CmExchange exchange;

    Identifier(EventChannel channel, @Nullable Object context, PortSpace portSpace) {
        this.agent = channel.agent();
        this.cm = agent.context();
        this.channel = channel;
        this.options = channel.options();
        this.context = context;
        this.portSpace = portSpace;
        this.id = new CmId(this, portSpace);
        this.ownPort = new OwnPort(agent, portSpace);
        this.exchange = new CmExchange(agent, this, options);
        agent.addIdentifier(this);
        channel.count(1);
    }

    CmId id() {
        return id;
    }

    CmOptions options() {
        return options;
    }

    /** Runs it on the lane, if the identifier can still be used. */
    void act(Runnable work) {
        cm.call(() -> {
            requireUsable();
            work.run();
        });
    }

    <T> T ask(Supplier<T> work) {
        return resultOf(work, cm::call);
    }

    private static <T> T resultOf(Supplier<T> work, Consumer<Runnable> caller) {
        List<T> result = new ArrayList<>(1);
        caller.accept(() -> result.add(work.get()));
        return result.get(0);
    }

    private void requireUsable() {
        if (state == IdState.CLOSED) {
            throw closed();
        }
        if (state == IdState.DEVICE_REMOVAL) {
            throw VerbsException.of(
                    Errno.ENODEV,
                    Rule.CM_26,
                    "device %s was closed; close this identifier",
                    cm.port().deviceName());
        }
    }

    private static VerbsException closed() {
        return VerbsException.of(Errno.ENOENT, Rule.CM_29, "the identifier was closed before");
    }

    VerbsException wrongState(String call) {
        return VerbsException.of(
                Errno.EINVAL, Rule.CM_27, "%s is not legal in state %s of the identifier", call, state);
    }

    @Nullable
    Object context() {
        return context;
    }

    void context(@Nullable Object own) {
        context = own;
    }

    EventChannel channel() {
        return channel;
    }

    @Nullable
    QueuePair qp() {
        return qp;
    }

    @Nullable
    InetSocketAddress localAddress() {
        return bound;
    }

    @Nullable
    InetSocketAddress peerAddress() {
        return peer;
    }

    /** Not on the lane: where devices are reached over sockets, one is bound. */
    void bindAddress(InetSocketAddress address) {
        act(() -> requireState("bindAddress", IdState.IDLE));
        ownPort.bind(
                address,
                there -> act(() -> {
                    requireState("bindAddress", IdState.IDLE);
                    take(there);
                }));
    }

    private void requireState(String call, IdState wanted) {
        if (state != wanted) {
            throw wrongState(call);
        }
    }

    private void take(InetSocketAddress address) {
        bound = ownPort.take(address);
        state = IdState.ADDR_BOUND;
    }

    private void takeAny() {
        take(new InetSocketAddress(cm.gid().toInetAddress(), 0));
    }

    int localPort() {
        InetSocketAddress own = bound;
        return own == null ? 0 : own.getPort();
    }

    /** Resolves the peer's address, and requests a connection if there are parameters. */
    void resolveAddress(
            @Nullable InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            @Nullable ConnectionParameters asked) {
        if (state != IdState.IDLE && state != IdState.ADDR_BOUND) {
            throw wrongState("resolveAddress");
        }
        long nanos = Addresses.nanos(timeout);
        if (destination.getPort() == 0) {
            throw VerbsException.of(Errno.EINVAL, Rule.CM_28, "destination=%s has no port", destination);
        }
        if (state == IdState.IDLE && source != null) {
            Addresses.requireOwn(cm, source);
            take(source);
        } else if (state == IdState.IDLE) {
            takeAny();
        }
        state = IdState.ADDR_QUERY;
        cm.port().resolve(destination, nanos, new Resolution() {
            @Override
            public void found(Gid gid) {
                resolved(gid, destination.getPort(), asked);
            }

            @Override
            public void failed(VerbsException reason) {
                unresolved(reason);
            }
        });
    }

    private void resolved(Gid gid, int port, @Nullable ConnectionParameters asked) {
        if (state == IdState.ADDR_QUERY) {
            peer = new InetSocketAddress(gid.toInetAddress(), port);
            bound = new InetSocketAddress(cm.gid().toInetAddress(), localPort());
            if (asked != null) {
                goOn(asked);
                return;
            }
            state = IdState.ADDR_RESOLVED;
            post(CmEventType.ADDR_RESOLVED, 0, "the peer is gid=" + gid);
        }
    }

    private void goOn(ConnectionParameters asked) {
        routeResolved();
        try {
            connect(asked);
        } catch (VerbsException unfit) {
            post(CmEventType.CONNECT_ERROR, unfit);
        }
    }

    private void unresolved(VerbsException reason) {
        if (state == IdState.ADDR_QUERY) {
            state = IdState.ADDR_BOUND;
            post(CmEventType.ADDR_ERROR, reason);
        }
    }

    void resolveRoute(Duration timeout) {
        requireState("resolveRoute", IdState.ADDR_RESOLVED);
        Addresses.requirePositive(timeout);
        routeResolved();
        post(CmEventType.ROUTE_RESOLVED, 0, "all devices are on one subnet");
    }

    private void routeResolved() {
        exchange.path().resolved();
        state = IdState.ROUTE_RESOLVED;
    }

    void ackTimeout(int code) {
        if (portSpace.qpType() != QpType.RC) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_12,
                    "ack_timeout=%d: datagrams of port space %s are not acknowledged",
                    code,
                    portSpace);
        }
        exchange.path().ackTimeout(code);
    }

    void typeOfService(int trafficClass) {
        exchange.path().trafficClass(trafficClass);
    }

    void reuseAddress(boolean value) {
        if (state != IdState.IDLE && (!value || state == IdState.LISTEN)) {
            throw wrongState(value ? "reuseAddress" : "reuseAddress with false");
        }
        ownPort.share(value);
    }

    void oneFamily(boolean value) {
        if (state != IdState.IDLE && state != IdState.ADDR_BOUND) {
            throw wrongState("oneFamily");
        }
        ownPort.oneFamily(value);
    }

    /** From any thread. */
    QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        return resultOf(() -> created(pd, attributes), cm.lane()::call);
    }

    private QueuePair created(ProtectionDomain pd, QpInitAttributes attributes) {
        exchange.requireNotWithdrawn();
        if (qp != null || !mayHaveQp()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.CM_27,
                    "createQp is not legal in state %s of the identifier, queue pair=%s",
                    state,
                    String.valueOf(qp));
        }
        QueuePair made =
                QpSetup.create(pd, attributes, portSpace, channel.device(), cm.portNumber(), exchange.connection());
        qp = made;
        return made;
    }

    private boolean mayHaveQp() {
        return state == IdState.ADDR_RESOLVED || state == IdState.ROUTE_RESOLVED || exchange.isRequest();
    }

    /** From any thread. */
    void destroyQp() {
        cm.lane().call(() -> {
            QueuePair own = qp;
            if (own != null) {
                own.close();
                qp = null;
            }
        });
    }

    QpAttributes initQpAttributes(QpState wanted) {
        if (exchange.connection() == null && wanted == QpState.INIT && mayHaveQp()) {
            return ConnectionTerms.init(cm.portNumber(), 0);
        }
        return exchange.terms("initQpAttributes").attributes(cm.portNumber(), wanted);
    }

    void listen(int most, boolean refuseRest) {
        if (state == IdState.IDLE) {
            takeAny();
            bound = new InetSocketAddress(localPort());
        }
        requireState("listen", IdState.ADDR_BOUND);
        ownPort.requireAlone();
        state = IdState.LISTEN;
        Listener own = new IncomingRequests(this, most, refuseRest).listener();
        listener = own;
        agent.listen(portSpace.serviceId(localPort()), own);
        ownPort.listen();
    }

    /** A new identifier, for a request of that peer. */
    Identifier brought(Gid source, int sourcePort) {
        Identifier brought = new Identifier(channel, context, portSpace);
        brought.state = IdState.CONNECT;
        brought.bound = new InetSocketAddress(cm.gid().toInetAddress(), localPort());
        brought.peer = new InetSocketAddress(source.toInetAddress(), sourcePort);
        return brought;
    }

    /** Adds the event of a request with its new identifier; the event is made when it is fetched. */
    void bring(Identifier brought, Supplier<CmEvent> making) {
        channel.add(new PendingEvent(this, brought, making));
    }

    /** Requests the connection. */
    void connect(ConnectionParameters parameters) {
        InetSocketAddress there = peer;
        if (state != IdState.ROUTE_RESOLVED || there == null) {
            throw wrongState("connect");
        }
        Gid gid = Gid.of(there.getAddress());
        if (portSpace == PortSpace.UDP) {
            exchange.query(localPort(), gid, there.getPort(), parameters);
        } else {
            exchange.connect(portSpace, localPort(), gid, there.getPort(), parameters);
        }
        state = IdState.CONNECT;
    }

    CmExchange exchange() {
        return exchange;
    }

    /** Whether a connection was requested and has not ended. */
    boolean isConnecting() {
        return state == IdState.CONNECT;
    }

    /** Whether it takes requests. */
    boolean isListening() {
        return state == IdState.LISTEN;
    }

    /** Whether a connection was established and has ended. */
    boolean isDisconnected() {
        return state == IdState.DISCONNECT;
    }

    void disconnected() {
        state = IdState.DISCONNECT;
    }

    /** An event that is made when it is fetched. */
    void post(Supplier<CmEvent> making) {
        channel.add(new PendingEvent(this, this, making));
    }

    void post(CmEventType type, int status, String why) {
        post(() -> event(type, status, ConnectionParameters.NONE, why));
    }

    private void post(CmEventType type, VerbsException why) {
        post(type, -why.errno().number(), why.refusal().toString());
    }

    CmEvent event(CmEventType type, int status, ConnectionParameters said, String why) {
        return new CmEvent(this, id, null, type, status, said, 0, null, why);
    }

    /** The event with the peer's queue pair. */
    CmEvent event(CmEventType type, ConnectionParameters said, int queueKey, AddressVector vector) {
        return new CmEvent(
                this, id, null, type, 0, said, queueKey, vector, "the peer sent the number of its queue pair");
    }

    /** One of its events was fetched. */
    CmEvent fetched(PendingEvent event) {
        cm.decided(Rule.CM_15);
        CmEvent made = event.making().get();
        unacknowledged.fetched();
        return made;
    }

    /** From any thread. */
    void acknowledged() {
        unacknowledged.acknowledged();
    }

    void migrate(EventChannel to) {
        EventChannel from = channel;
        to.requireUsableFor(agent);
        for (PendingEvent event : from.removeOf(this)) {
            to.add(event);
            if (event.isOfRequest()) {
                event.brought().move(to);
            }
        }
        move(to);
    }

    private void move(EventChannel to) {
        channel.count(-1);
        to.count(1);
        channel = to;
    }

    /** From any thread. */
    void close() {
        cm.lane().call(() -> {
            if (state == IdState.CLOSED) {
                throw closed();
            }
            unacknowledged.requireNone();
            end();
        });
        ownPort.unbind();
    }

    /** The same, once its events are acknowledged. From any thread but the lane's. */
    void close(Duration patience) {
        VerbsException.requireNonNull(patience, "patience");
        if (closeIfAcknowledged() == null
                && cm.lane().awaitTaken(unacknowledged, this::closeIfAcknowledged, Addresses.capped(patience))
                        == null) {
            throw unacknowledged.notWithin(patience);
        }
        ownPort.unbind();
    }

    /** Null if one more was fetched meanwhile. */
    private @Nullable Object closeIfAcknowledged() {
        return resultOf(this::isClosedNow, cm.lane()::call) ? this : null;
    }

    private boolean isClosedNow() {
        if (state == IdState.CLOSED) {
            throw closed();
        }
        if (unacknowledged.count() > 0) {
            return false;
        }
        end();
        return true;
    }

    private void end() {
        exchange.end();
        release();
        state = IdState.CLOSED;
        agent.removeIdentifier(this);
        channel.count(-1);
    }

    /** Releases service and port, and rejects requests whose events were not fetched. */
    private void release() {
        Listener own = listener;
        if (own != null) {
            agent.stopListening(portSpace.serviceId(localPort()), own);
            listener = null;
        }
        ownPort.release();
        for (PendingEvent event : channel.removeOf(this)) {
            if (event.isOfRequest()) {
                event.brought().endWithListener(this);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // an identifier is its identity
    private void endWithListener(Identifier listener) {
        if (listener != this) {
            end();
        }
    }

    /** Also where an event of it is not acknowledged, so that the program could not close it. */
    @Override
    public void programEnds() {
        exchange.end();
    }

    /** The device is gone, and its queue pairs with it. */
    @Override
    public void deviceClosed() {
        if (state == IdState.CLOSED) {
            return;
        }
        exchange.drop();
        List<PendingEvent> before = channel.removeOf(this);
        for (PendingEvent event : before) {
            if (event.isOfRequest()) {
                event.brought().endWithListener(this);
            }
        }
        release();
        for (PendingEvent event : before) {
            if (!event.isOfRequest()) {
                channel.add(event);
            }
        }
        cm.decided(Rule.CM_26);
        state = IdState.DEVICE_REMOVAL;
        qp = null;
        post(CmEventType.DEVICE_REMOVAL, 0, "device " + cm.port().deviceName() + " was closed");
    }

    @Override
    public String toString() {
        return "identifier " + bound + " to " + peer + " " + state;
    }
}
