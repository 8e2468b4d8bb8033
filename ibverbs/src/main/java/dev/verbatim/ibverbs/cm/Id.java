// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sa_path_rec;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.verbs.Qp;
import dev.verbatim.ibverbs.verbs.Vectors;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@code struct rdma_cm_id}: the program's view of an identifier, kept as librdmacm fills it. */
final class Id extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<Id> TABLE = new Table<>(new Field.I32(rdma_cm_id.SIZE), "rdma_cm_id");

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final int DEFAULT_PKEY = 0xffff;

    private final CmId id;

    /** Of an identifier without a channel of the program's: its calls wait for their events. */
    private @Nullable EvChannel own;

    /** Requests that came while another event was waited for. */
    private final ArrayDeque<Event> requests = new ArrayDeque<>();

    private @Nullable Event held;
    private @Nullable Qp qp;

    /** What rdma_create_ep gave for the queue pairs of requests: a copy of the attributes, and the domain. */
    private long endpointAttributes;

    private long endpointPd;

    /** An identifier of the program's. */
    Id(@Nullable EvChannel channel, PortSpace space, long context) {
        super(rdma_cm_id.SIZE + Long.BYTES);
        own = channel == null ? new EvChannel() : null;
        EvChannel events = channel == null ? Objects.requireNonNull(own) : channel;
        id = events.channel().createId(this, space);
        describe(events, context);
    }

    /** That of a request. */
    Id(CmId id, Id listener, EvChannel channel) {
        super(rdma_cm_id.SIZE + Long.BYTES);
        this.id = id;
        id.context(this);
        describe(channel, rdma_cm_id.context.get(listener.address()));
        InetSocketAddress peer = id.peerAddress();
        InetSocketAddress local = id.localAddress();
        if (peer != null) {
            SocketAddresses.write(peer, rdma_cm_id.route$addr$dst_storage.of(address()));
        }
        if (local != null) {
            SocketAddresses.write(
                    new InetSocketAddress(Home.get().address(), local.getPort()),
                    rdma_cm_id.route$addr$src_storage.of(address()));
        }
        bindToDevice();
        describePath();
    }

    private void describe(EvChannel channel, long context) {
        rdma_cm_id.channel.set(address(), channel.address());
        rdma_cm_id.context.set(address(), context);
        rdma_cm_id.ps.set(address(), id.portSpace().number());
        rdma_cm_id.qp_type.set(address(), id.portSpace().qpType().number());
        TABLE.add(this);
    }

    CmId id() {
        return id;
    }

    PortSpace portSpace() {
        return id.portSpace();
    }

    @Nullable
    Qp qp() {
        return qp;
    }

    void qp(@Nullable Qp made) {
        qp = made;
        rdma_cm_id.qp.set(address(), made == null ? 0 : made.address());
    }

    /** The identifier has its device from now on. */
    void bindToDevice() {
        Home home = Home.get();
        rdma_cm_id.verbs.set(address(), home.context().address());
        rdma_cm_id.port_num.set(address(), 1);
        if (rdma_cm_id.pd.get(address()) == 0) {
            rdma_cm_id.pd.set(address(), home.pd().address());
        }
        Vectors.putGid(home.device().gid(), rdma_cm_id.route$addr$addr$ibaddr$sgid.of(address()));
        rdma_cm_id.route$addr$addr$ibaddr$pkey.setBigEndian(address(), DEFAULT_PKEY);
        long source = rdma_cm_id.route$addr$src_storage.of(address());
        InetSocketAddress local = id.localAddress();
        if (sockaddr_in.sin_family.get(source) == SocketAddresses.AF_UNSPEC && local != null) {
            SocketAddresses.write(new InetSocketAddress(home.address(), local.getPort()), source);
        }
    }

    /** The port that the identifier got. */
    void describePort() {
        InetSocketAddress local = id.localAddress();
        if (local != null) {
            // The port is at the same place for both families.
            sockaddr_in.sin_port.setBigEndian(rdma_cm_id.route$addr$src_storage.of(address()), local.getPort());
        }
    }

    /** There is a path to the peer. */
    void describePath() {
        if (rdma_cm_id.route$path_rec.get(address()) != 0) {
            return;
        }
        long path = Native.allocate(ibv_sa_path_rec.SIZE);
        long sgid = rdma_cm_id.route$addr$addr$ibaddr$sgid.of(address());
        long dgid = rdma_cm_id.route$addr$addr$ibaddr$dgid.of(address());
        InetSocketAddress peer = id.peerAddress();
        if (peer != null) {
            Vectors.putGid(Gid.of(peer.getAddress()), dgid);
        }
        Native.copy(sgid, ibv_sa_path_rec.sgid.of(path), 16);
        Native.copy(dgid, ibv_sa_path_rec.dgid.of(path), 16);
        ibv_sa_path_rec.hop_limit.set(path, 64);
        ibv_sa_path_rec.reversible.set(path, 1);
        ibv_sa_path_rec.numb_path.set(path, 1);
        ibv_sa_path_rec.pkey.setBigEndian(path, DEFAULT_PKEY);
        ibv_sa_path_rec.mtu.set(
                path, Home.get().device().queryPort(1).activeMtu().number());
        rdma_cm_id.route$path_rec.set(address(), path);
        rdma_cm_id.route$num_paths.set(address(), 1);
    }

    /** What an event says of the identifier stands in its struct when the program sees the event. */
    private void happened(CmEventType type) {
        switch (type) {
            case ADDR_RESOLVED -> {
                bindToDevice();
                describePort();
                InetSocketAddress peer = id.peerAddress();
                if (peer != null) {
                    Vectors.putGid(Gid.of(peer.getAddress()), rdma_cm_id.route$addr$addr$ibaddr$dgid.of(address()));
                }
            }
            case ROUTE_RESOLVED -> describePath();
            default -> {
                if (qp != null) {
                    qp.stateChanged();
                }
            }
        }
    }

    /** Describes an event of a channel; null if it was of an identifier that is destroyed meanwhile, and is acknowledged. */
    static @Nullable Event describe(CmEvent event, EvChannel channel) {
        CmId listener = event.listenId();
        Object about = event.type() == CmEventType.CONNECT_REQUEST && listener != null
                ? listener.context()
                : event.id().context();
        if (!(about instanceof Id known) || TABLE.find(known.address()) == null) {
            event.acknowledge();
            return null;
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            return new Event(event, new Id(event.id(), known, channel), known.address());
        }
        known.happened(event.type());
        return new Event(event, known, 0);
    }

    // ---- identifiers that wait for their events

    boolean isSynchronous() {
        return own != null;
    }

    EvChannel ownChannel() {
        return Objects.requireNonNull(own);
    }

    /** From now on calls wait for their events, on a channel of this identifier's. */
    void becomeSynchronous() {
        EvChannel fresh = new EvChannel();
        id.migrate(fresh.channel());
        own = fresh;
        rdma_cm_id.channel.set(address(), fresh.address());
    }

    /**
     * Waits for the event that ends a call, if calls of this identifier do.
     *
     * @throws Refused with the error number that the event says
     */
    void complete() {
        EvChannel channel = own;
        if (channel == null) {
            return;
        }
        release();
        Event event = next(channel);
        while (event.type() == CmEventType.CONNECT_REQUEST) {
            requests.addLast(event);
            event = next(channel);
        }
        hold(event);
        int status = event.event().status();
        if (event.type() == CmEventType.REJECTED) {
            throw new Refused(Errno.ECONNREFUSED.number(), "the peer rejected the connection");
        }
        if (status < 0) {
            throw new Refused(-status, event.event().explanation());
        }
    }

    /** The next request of a listener that waits. */
    Event awaitRequest() {
        Event request = requests.pollFirst();
        while (request == null) {
            Event event = next(ownChannel());
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                request = event;
            } else {
                event.acknowledge();
            }
        }
        return request;
    }

    private static Event next(EvChannel channel) {
        Event event = null;
        while (event == null) {
            event = describe(channel.channel().getEvent(FOR_EVER), channel);
        }
        return event;
    }

    void hold(Event event) {
        held = event;
        rdma_cm_id.event.set(address(), event.address());
    }

    /** The event of the call before is not needed any more. */
    void release() {
        Event event = held;
        held = null;
        rdma_cm_id.event.set(address(), 0);
        if (event != null) {
            event.acknowledge();
        }
    }

    // ---- endpoints

    void endpoint(long attributes, long pd) {
        endpointAttributes = attributes;
        endpointPd = pd;
    }

    long endpointAttributes() {
        return endpointAttributes;
    }

    long endpointPd() {
        return endpointPd;
    }

    /** Ends it; waits until the program has acknowledged its events. */
    void destroy() {
        release();
        for (Event request : requests) {
            request.acknowledge();
        }
        id.close(FOR_EVER);
        Native.free(endpointAttributes);
        Native.free(rdma_cm_id.route$path_rec.get(address()));
        TABLE.remove(this);
        if (own != null) {
            own.close();
        }
    }
}
