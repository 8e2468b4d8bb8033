// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sa_path_rec;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.verbs.Qp;
import dev.verbatim.ibverbs.verbs.Vectors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct rdma_cm_id}: the program's view of an identifier, kept as librdmacm fills it. The identifier of the device is made
 * when the program binds it or resolves an address, because only then it is known of which device it is.
 */
final class Id extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<Id> TABLE = new Table<>(new Field.I32(rdma_cm_id.SIZE), "rdma_cm_id");

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int GID_BYTES = 16;

    /** Of a path record: what is said is exact; the life time of RoCE in Linux. */
    private static final int EXACTLY = 2, LIFE_TIME = 18, HOP_LIMIT = 64;

    private final int space;
    private final List<Consumer<CmId>> options = new ArrayList<>();
    private volatile EvChannel channel;

    /** Calls wait for their events, on a channel that is this identifier's own. */
    private volatile boolean isSynchronous;

    private volatile @Nullable Home home;
    private volatile @Nullable CmId id;

    /** Those of further devices, of a listener at the wildcard address. */
    private final List<CmId> others = new ArrayList<>();

    /** What rdma_create_ep gave for the queue pairs of requests: a copy of the attributes; 0 if there are none. */
    private long endpointAttributes;

    /** What rdma_create_ep gave to be sent before the private data of rdma_connect. */
    private byte[] connectData = {};

    /** A {@code struct rdma_addrinfo} that the program has not asked for; 0 if there is none. */
    private long resolvedNames;

    /** Events that the program has got and not acknowledged. */
    private int unacknowledged;

    private @Nullable NativeCallSite fetched;
    private @Nullable CmEventType last;

    private boolean isEnding;
    private final boolean isRequest;
    private volatile boolean isListening;
    private @Nullable Event held;

    /** An identifier of the program's; without a channel it is synchronous. */
    Id(@Nullable EvChannel channel, int space, long context) {
        super(rdma_cm_id.SIZE + Long.BYTES);
        this.space = space;
        this.isSynchronous = channel == null;
        this.channel = channel == null ? new EvChannel() : channel;
        this.isRequest = false;
        describe(PortSpaces.qpTypeOf(space), context);
    }

    /** That of a request, on the channel of its listener. */
    Id(CmId id, Id listener, EvChannel channel, Home home) {
        super(rdma_cm_id.SIZE + Long.BYTES);
        this.space = listener.space;
        this.home = home;
        this.id = id;
        this.channel = channel;
        this.isRequest = true;
        id.context(this);
        if (listener.isSynchronous) {
            this.channel = new EvChannel();
            this.isSynchronous = true;
            id.migrate(this.channel.on(home));
        }
        describe(rdma_cm_id.qp_type.get(listener.address()), rdma_cm_id.context.get(listener.address()));
        boolean asIb = IdAddresses.isIb(listener.source());
        InetSocketAddress peer = id.peerAddress();
        InetSocketAddress local = id.localAddress();
        InetSocketAddress bound = IdAddresses.read(listener.source());
        if (peer != null) {
            IdAddresses.write(peer, destination(), asIb, space);
        }
        if (local != null) {
            InetAddress own = asIb ? home.gid().toInetAddress() : home.address();
            if (bound != null && !bound.getAddress().isAnyLocalAddress()) {
                own = bound.getAddress();
            }
            IdAddresses.write(new InetSocketAddress(own, local.getPort()), source(), asIb, space);
        }
        describeDevice();
        describePath();
    }

    private void describe(int qpType, long context) {
        rdma_cm_id.channel.set(address(), channel.address());
        rdma_cm_id.context.set(address(), context);
        rdma_cm_id.ps.set(address(), space);
        rdma_cm_id.qp_type.set(address(), qpType);
        TABLE.add(this);
    }

    /** The number of its port space. */
    int space() {
        return space;
    }

    /** Whether it is for datagrams. */
    boolean isDatagram() {
        return PortSpaces.isDatagram(space);
    }

    EvChannel channel() {
        return channel;
    }

    boolean isSynchronous() {
        return isSynchronous;
    }

    /** Where the struct has its own address. */
    long source() {
        return rdma_cm_id.route$addr$src_storage.of(address());
    }

    /** Where the struct has the peer's. */
    long destination() {
        return rdma_cm_id.route$addr$dst_storage.of(address());
    }

    /** The queue pair that its struct names; null if there is none. */
    @Nullable
    Qp qp() {
        return Qp.TABLE.find(rdma_cm_id.qp.get(address()));
    }

    /** The struct's queue pair shows its state. */
    void showState() {
        Qp qp = qp();
        if (qp != null) {
            qp.stateChanged();
        }
    }

    // ---- its device

    /**
     * The identifier of the device.
     *
     * @throws Refused EINVAL before it is bound, or an address resolved
     */
    CmId id() {
        CmId known = id;
        if (known == null) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has no address yet");
        }
        return known;
    }

    @Nullable
    CmId idOrNull() {
        return id;
    }

    /**
     * Its device.
     *
     * @throws Refused EINVAL before it has one
     */
    Home home() {
        Home known = home;
        if (known == null || rdma_cm_id.verbs.get(address()) == 0) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has no device yet");
        }
        return known;
    }

    /** The identifier of a device, which is made unless there is one of any device already. */
    synchronized CmId on(Home wanted) {
        requireNotEnding();
        CmId known = id;
        if (known != null) {
            return known;
        }
        CmId made = made(wanted);
        home = wanted;
        id = made;
        return made;
    }

    /** One more, of another device. */
    synchronized CmId further(Home wanted) {
        requireNotEnding();
        CmId made = made(wanted);
        others.add(made);
        return made;
    }

    private CmId made(Home wanted) {
        CmId made = channel.on(wanted).createId(this, PortSpaces.of(space));
        try {
            options.forEach(option -> option.accept(made));
        } catch (VerbsException e) {
            made.close();
            throw e;
        }
        return made;
    }

    private void requireNotEnding() {
        if (isEnding) {
            throw new Refused(Errno.EINVAL.number(), "the identifier is being destroyed");
        }
    }

    /** It is as before it was bound. */
    void unbind() {
        List<CmId> all = ofDevices();
        synchronized (this) {
            id = null;
            home = null;
            others.clear();
        }
        close(all);
    }

    private synchronized List<CmId> ofDevices() {
        List<CmId> all = new ArrayList<>(others);
        CmId known = id;
        if (known != null) {
            all.add(known);
        }
        return all;
    }

    /** They wait for acknowledgements of events that other threads have fetched at this moment, so no lock is held. */
    private static void close(List<CmId> all) {
        all.forEach(one -> one.close(FOR_EVER));
    }

    synchronized List<CmId> others() {
        return List.copyOf(others);
    }

    /** Sets an option, now or when it is bound. */
    synchronized void option(Consumer<CmId> option) {
        ofDevices().forEach(option);
        options.add(option);
    }

    // ---- its struct

    /** The struct says of which device it is. */
    void describeDevice() {
        Home own = home;
        if (own == null) {
            return;
        }
        rdma_cm_id.verbs.set(address(), own.context().address());
        rdma_cm_id.port_num.set(address(), own.port());
        if (rdma_cm_id.pd.get(address()) == 0) {
            rdma_cm_id.pd.set(address(), own.pd().address());
        }
        Vectors.putGid(own.gid(), rdma_cm_id.route$addr$addr$ibaddr$sgid.of(address()));
        rdma_cm_id.route$addr$addr$ibaddr$pkey.setBigEndian(address(), DEFAULT_PKEY);
    }

    /** The struct says which port it got. */
    void describePort() {
        InetSocketAddress local = id().localAddress();
        if (local != null) {
            if (IdAddresses.isIb(source())) {
                IdAddresses.setService(source(), space, local.getPort());
            } else {
                IdAddresses.setPort(source(), local.getPort());
            }
        }
    }

    /** The address is resolved: the struct has the device's address, unless the program has chosen one, and the peer's GID. */
    private void describeResolved() {
        describeDevice();
        InetSocketAddress own = IdAddresses.read(source());
        InetSocketAddress to = IdAddresses.read(destination());
        Home of = home;
        InetSocketAddress local = id().localAddress();
        if ((own == null || own.getAddress().isAnyLocalAddress()) && to != null && of != null && local != null) {
            boolean asIb = IdAddresses.isIb(destination());
            InetAddress usual = asIb ? of.gid().toInetAddress() : of.address();
            InetAddress chosen = asIb || IdAddresses.isOfSameFamily(usual, to.getAddress())
                    ? usual
                    : IdAddresses.loopbackLike(to.getAddress());
            IdAddresses.write(new InetSocketAddress(chosen, local.getPort()), source(), asIb, space);
        } else if (own != null) {
            describePort();
        }
        describePeer();
    }

    private void describePeer() {
        InetSocketAddress peer = id().peerAddress();
        if (peer != null) {
            Vectors.putGid(Gid.of(peer.getAddress()), rdma_cm_id.route$addr$addr$ibaddr$dgid.of(address()));
        }
    }

    /** There is a path to the peer. */
    private void describePath() {
        describePeer();
        Home of = home;
        if (of == null || rdma_cm_id.route$path_rec.get(address()) != 0) {
            return;
        }
        long path = Native.allocate(ibv_sa_path_rec.SIZE);
        Native.copy(rdma_cm_id.route$addr$addr$ibaddr$sgid.of(address()), ibv_sa_path_rec.sgid.of(path), GID_BYTES);
        Native.copy(rdma_cm_id.route$addr$addr$ibaddr$dgid.of(address()), ibv_sa_path_rec.dgid.of(path), GID_BYTES);
        ibv_sa_path_rec.hop_limit.set(path, HOP_LIMIT);
        ibv_sa_path_rec.reversible.set(path, 1);
        ibv_sa_path_rec.numb_path.set(path, 1);
        ibv_sa_path_rec.pkey.setBigEndian(path, DEFAULT_PKEY);
        ibv_sa_path_rec.mtu_selector.set(path, EXACTLY);
        ibv_sa_path_rec.mtu.set(
                path, of.device().queryPort(of.port()).activeMtu().number());
        ibv_sa_path_rec.rate_selector.set(path, EXACTLY);
        ibv_sa_path_rec.packet_life_time_selector.set(path, EXACTLY);
        ibv_sa_path_rec.packet_life_time.set(path, LIFE_TIME);
        rdma_cm_id.route$path_rec.set(address(), path);
        rdma_cm_id.route$num_paths.set(address(), 1);
    }

    /** What an event says of the identifier stands in its struct when the program sees the event. */
    void happened(CmEventType type) {
        last = type;
        switch (type) {
            case ADDR_RESOLVED -> describeResolved();
            case ROUTE_RESOLVED -> describePath();
            default -> showState();
        }
    }

    @Override
    public String toString() {
        return String.valueOf(id);
    }

    boolean isListening() {
        return isListening;
    }

    /** It takes requests from now on. */
    void listens() {
        isListening = true;
    }

    /** What an event of it is waited for, and what would bring it. */
    String awaited() {
        CmId known = id;
        if (known == null) {
            return "the identifier has no address; call rdma_resolve_addr, or rdma_bind_addr and rdma_listen";
        }
        return known + ": " + (isRequest && last == null ? "accept or reject the request" : awaitedBehind());
    }

    private String awaitedBehind() {
        if (isListening) {
            return "no client has asked for a connection";
        }
        if (last == null) {
            return "no event of it has come";
        }
        return switch (last) {
            case ADDR_RESOLVED -> "its address is resolved; call rdma_resolve_route";
            case ROUTE_RESOLVED -> "the peer has neither accepted nor rejected, if rdma_connect was called";
            case ESTABLISHED, CONNECT_RESPONSE -> "it is connected, and ends when either side disconnects";
            default -> "its last event was RDMA_CM_EVENT_" + last + ", so that none is due; destroy it";
        };
    }

    // ---- its events

    /** The program gets an event; false if the identifier is being destroyed, so that nobody must get it. */
    synchronized boolean eventTaken() {
        if (!isEnding) {
            unacknowledged++;
            fetched = NativeCallSite.here();
        }
        return !isEnding;
    }

    /** The program has acknowledged one. */
    synchronized void eventAcknowledged() {
        unacknowledged--;
        notifyAll();
    }

    private synchronized Waits.Wait owed() {
        return Waits.owed(
                unacknowledged, "events of the identifier", "rdma_get_cm_event", "rdma_ack_cm_event", fetched);
    }

    private synchronized void awaitAcknowledgements(String call) {
        if (unacknowledged == 0) {
            return;
        }
        try {
            Waits.during(call, this::owed, () -> {
                while (unacknowledged > 0) {
                    wait();
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(Errno.EINTR.number(), "interrupted before all events were acknowledged");
        }
    }

    /**
     * Moves it to another channel, with its events; then waits until those that came from the old one are acknowledged.
     *
     * @param to null for one of its own: calls wait for their events then
     */
    void migrate(@Nullable EvChannel to) {
        if (isSynchronous && to == null) {
            throw new Refused(Errno.EINVAL.number(), "the identifier is synchronous already");
        }
        EvChannel from = channel;
        boolean wasSynchronous = isSynchronous;
        EvChannel target = to == null ? new EvChannel() : to;
        synchronized (this) {
            CmId known = id;
            Home of = home;
            if (known != null && of != null) {
                known.migrate(target.on(of));
            }
            for (CmId other : others) {
                other.migrate(target.on(Home.of(other)));
            }
            channel = target;
            isSynchronous = to == null;
        }
        from.moveEvents(this, target);
        release();
        awaitAcknowledgements("rdma_migrate_id");
        rdma_cm_id.channel.set(address(), target.address());
        if (wasSynchronous) {
            from.destroy();
        } else {
            from.left();
        }
    }

    /**
     * Waits for the event that ends a call, if it is synchronous, and keeps it.
     *
     * @throws Refused with the error number that the event says
     */
    void complete() {
        if (!isSynchronous) {
            return;
        }
        release();
        Event event = channel.await();
        hold(event);
        int status = event.status();
        if (event.type() == CmEventType.REJECTED.number()) {
            throw new Refused(Errno.ECONNREFUSED.number(), "the peer rejected the connection");
        }
        if (status != 0) {
            throw new Refused(Math.abs(status), event.explanation());
        }
    }

    /** Keeps an event for the program until the next call. */
    void hold(Event event) {
        held = event;
        rdma_cm_id.event.set(address(), event.address());
    }

    /** The event of the call before is not needed any more. */
    void release() {
        Event event = held;
        held = null;
        if (event != null) {
            rdma_cm_id.event.set(address(), 0);
            // The program may have acknowledged it by itself.
            if (Event.TABLE.find(event.address()) == event) {
                event.acknowledge();
            }
        }
    }

    // ---- what rdma_create_ep gave

    void endpointAttributes(long copy) {
        endpointAttributes = copy;
    }

    long endpointAttributes() {
        return endpointAttributes;
    }

    void connectData(byte[] data) {
        connectData = data;
    }

    byte[] connectData() {
        return connectData;
    }

    // ---- names that are resolved for it

    boolean isResolvingNames() {
        return resolvedNames != 0;
    }

    void resolvedNames(long info) {
        resolvedNames = info;
    }

    long takeResolvedNames() {
        long info = resolvedNames;
        resolvedNames = 0;
        return info;
    }

    // ---- its end

    /** Destroys it; waits until the program has acknowledged its events, as on Linux. */
    void destroy() {
        synchronized (this) {
            requireNotEnding();
            isEnding = true;
        }
        release();
        awaitAcknowledgements("rdma_destroy_id");
        close(ofDevices());
        channel.dropEvents(this);
        long path = rdma_cm_id.route$path_rec.get(address());
        boolean isOwn = isSynchronous;
        Native.free(endpointAttributes);
        Addresses.rdma_freeaddrinfo(takeResolvedNames());
        TABLE.remove(this);
        Native.free(path);
        if (isOwn) {
            channel.destroy();
        } else {
            channel.left();
        }
    }
}
