// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Layouts.rdma_conn_param;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Identifiers: made, bound, resolved, connected, and destroyed. */
final class Ids {

    private static final int COMM_EST = 4;

    /** What a port without a number is resolved by: no device needs it to be found. */
    private static final int ANY_PORT = 1;

    private static final int USUAL_TIMEOUT_MILLIS = 2000;

    private Ids() {}

    static int rdma_create_id(long channel, long id, long context, int space) {
        if (id == 0) {
            throw new Refused(Errno.EINVAL.number(), "id is NULL");
        }
        Id made = new Id(channel == 0 ? null : EvChannel.TABLE.at(channel), PortSpaces.require(space), context);
        Native.putLong(id, made.address());
        return 0;
    }

    static int rdma_destroy_id(long id) {
        Id.TABLE.at(id).destroy();
        return 0;
    }

    // ---- addresses

    static int rdma_bind_addr(long id, long address) {
        bind(Id.TABLE.at(id), address);
        return 0;
    }

    /** Binds it to an address of the program's. */
    static void bind(Id of, long address) {
        InetSocketAddress wanted = IdAddresses.require(address);
        requireUnbound(of);
        bind(of, wanted);
        IdAddresses.copy(address, of.source());
        of.describePort();
        if (!wanted.getAddress().isAnyLocalAddress()) {
            of.describeDevice();
        }
    }

    private static void requireUnbound(Id of) {
        if (of.idOrNull() != null) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has an address already");
        }
    }

    /** Binds it to its port; to the wildcard of all ports of all devices. */
    private static void bind(Id of, InetSocketAddress wanted) {
        InetAddress host = wanted.getAddress();
        try {
            CmId first = of.on(Home.at(host));
            first.bindAddress(wanted);
            InetSocketAddress bound = first.localAddress();
            if (host.isAnyLocalAddress() && bound != null) {
                List<Home> all = Home.all();
                for (Home home : all.subList(1, all.size())) {
                    InetAddress own = home.gid().toInetAddress();
                    of.further(home).bindAddress(new InetSocketAddress(own, bound.getPort()));
                }
            }
        } catch (VerbsException e) {
            of.unbind();
            throw asOfLinux(of, wanted, e);
        }
    }

    /** Why a port is not free: EADDRNOTAVAIL if the address, or one that has the port already, is for all devices. */
    private static RuntimeException asOfLinux(Id of, InetSocketAddress wanted, VerbsException e) {
        boolean isForAll = isForAll(wanted)
                || Id.TABLE.all().stream()
                        .filter(other -> other.space() == of.space())
                        .map(other -> IdAddresses.read(other.source()))
                        .anyMatch(taken -> taken != null && taken.getPort() == wanted.getPort() && isForAll(taken));
        return e.errno() == Errno.EADDRINUSE && isForAll
                ? new Refused(Errno.EADDRNOTAVAIL.number(), e.getMessage())
                : e;
    }

    /** A wildcard, or a loopback address that is no device's own. */
    private static boolean isForAll(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return host.isAnyLocalAddress()
                || (host.isLoopbackAddress()
                        && Home.all().stream().noneMatch(home -> home.gid().equals(Gid.of(host))));
    }

    static int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis) {
        resolve(Id.TABLE.at(id), source, destination, timeoutMillis);
        return 0;
    }

    /** Resolves addresses of the program's. */
    static void resolve(Id of, long source, long destination, int timeoutMillis) {
        InetSocketAddress to = IdAddresses.require(destination);
        @Nullable InetSocketAddress from = source == 0 ? null : IdAddresses.require(source);
        of.release();
        boolean isFresh = of.idOrNull() == null;
        requireOneFamily(isFresh ? source : of.source(), destination);
        CmId known = of.on(Home.at(from == null ? to.getAddress() : from.getAddress()));
        IdAddresses.copy(destination, of.destination());
        if (isFresh && from != null) {
            IdAddresses.copy(source, of.source());
        }
        try {
            known.resolveAddress(from, reachable(of, to), timeout(timeoutMillis));
        } catch (VerbsException e) {
            if (isFresh) {
                of.unbind();
            }
            throw e;
        }
        of.complete();
    }

    private static void requireOneFamily(long source, long destination) {
        if (IdAddresses.length(source) != 0 && !IdAddresses.isOfSameFamily(source, destination)) {
            throw new Refused(Errno.EINVAL.number(), "source and destination are of different families");
        }
    }

    /**
     * Where the device finds the peer. The wildcard stands for this machine; a group, which nobody can join, and a port without a number
     * lead somewhere, too.
     */
    private static InetSocketAddress reachable(Id of, InetSocketAddress to) {
        InetAddress host = to.getAddress();
        Home home = Home.of(of.id());
        int port = to.getPort() == 0 ? ANY_PORT : to.getPort();
        if (host.isMulticastAddress() || (host.isAnyLocalAddress() && !home.isReachedBySockets())) {
            return new InetSocketAddress(home.gid().toInetAddress(), port);
        }
        return new InetSocketAddress(host.isAnyLocalAddress() ? IdAddresses.loopbackLike(host) : host, port);
    }

    private static Duration timeout(int millis) {
        if (millis == 0) {
            return Duration.ofMillis(USUAL_TIMEOUT_MILLIS);
        }
        return Duration.ofMillis(millis < 0 ? Integer.MAX_VALUE : millis);
    }

    static int rdma_resolve_route(long id, int timeoutMillis) {
        route(Id.TABLE.at(id), timeoutMillis);
        return 0;
    }

    static void route(Id of, int timeoutMillis) {
        of.release();
        of.id().resolveRoute(timeout(timeoutMillis));
        of.complete();
    }

    /** In network byte order, as it stands in the address. */
    static int rdma_get_src_port(long id) {
        return IdAddresses.rawPort(Id.TABLE.at(id).source());
    }

    /** In network byte order, as it stands in the address. */
    static int rdma_get_dst_port(long id) {
        return IdAddresses.rawPort(Id.TABLE.at(id).destination());
    }

    // ---- connections

    static int rdma_listen(long id, int backlog) {
        Id of = Id.TABLE.at(id);
        if (of.idOrNull() == null) {
            InetSocketAddress any = new InetSocketAddress(0);
            bind(of, any);
            int unused = SocketAddresses.write(any, of.source());
        }
        try {
            of.id().listen(backlog);
        } catch (VerbsException e) {
            InetSocketAddress own = IdAddresses.read(of.source());
            throw own == null ? e : asOfLinux(of, own, e);
        }
        of.others().forEach(other -> other.listen(backlog));
        of.listens();
        of.describePort();
        return 0;
    }

    /** What the program says of a connection; NULL stands for what is usual. */
    private static ConnectionParameters read(Id of, long parameters, byte[] before) {
        ConnectionParameters usual = ConnectionParameters.USUAL.withPrivateData(before);
        if (parameters == 0) {
            requireQueuePair(of);
            return usual;
        }
        int length = rdma_conn_param.private_data_len.get(parameters);
        long data = rdma_conn_param.private_data.get(parameters);
        ConnectionParameters read = usual.withPrivateData(joined(before, data, length))
                .withResponderResources(rdma_conn_param.responder_resources.get(parameters))
                .withInitiatorDepth(rdma_conn_param.initiator_depth.get(parameters))
                .withFlowControl(rdma_conn_param.flow_control.get(parameters) != 0)
                .withRetryCount(rdma_conn_param.retry_count.get(parameters))
                .withRnrRetryCount(rdma_conn_param.rnr_retry_count.get(parameters))
                .withSrq(rdma_conn_param.srq.get(parameters) != 0);
        var qp = of.qp();
        int number = qp == null
                ? rdma_conn_param.qp_num.get(parameters) & 0xff_ffff
                : qp.queuePair().number();
        return read.withQpNumber(number);
    }

    private static byte[] joined(byte[] before, long data, int length) {
        if (data == 0 || length == 0) {
            return before;
        }
        byte[] all = Arrays.copyOf(before, before.length + length);
        System.arraycopy(Native.bytes(data, length), 0, all, before.length, length);
        return all;
    }

    private static void requireQueuePair(Id of) {
        if (of.space() == PortSpace.TCP.number() && of.qp() == null) {
            throw new Refused(Errno.EINVAL.number(), "without a queue pair the parameters have to name one");
        }
    }

    /** A request that the peer has withdrawn is EINVAL in Linux. */
    private static void answer(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            throw e.errno() == Errno.ECONNABORTED ? new Refused(Errno.EINVAL.number(), e.getMessage()) : e;
        }
    }

    static int rdma_connect(long id, long parameters) {
        Id of = Id.TABLE.at(id);
        of.release();
        of.id().connect(read(of, parameters, of.connectData()));
        of.complete();
        return 0;
    }

    static int rdma_establish(long id) {
        Id of = Id.TABLE.at(id);
        if (of.qp() != null) {
            throw new Refused(Errno.EINVAL.number(), "a queue pair of the identifier is connected without this call");
        }
        of.id().establish();
        return 0;
    }

    static int rdma_accept(long id, long parameters) {
        Id of = Id.TABLE.at(id);
        if (parameters == 0 && of.qp() == null) {
            throw new Refused(Errno.EINVAL.number(), "without a queue pair the parameters have to name one");
        }
        answer(() -> of.id().accept(read(of, parameters, new byte[0])));
        of.showState();
        if (!of.isDatagram()) {
            of.complete();
        }
        return 0;
    }

    static int rdma_reject(long id, long privateData, int length) {
        Id of = Id.TABLE.at(id);
        byte[] bytes = privateData == 0 ? new byte[0] : Native.bytes(privateData, length & 0xff);
        answer(() -> of.id().reject(bytes));
        return 0;
    }

    static int rdma_reject_ece(long id, long privateData, int length) {
        Id of = Id.TABLE.at(id);
        byte[] bytes = privateData == 0 ? new byte[0] : Native.bytes(privateData, length & 0xff);
        answer(() -> of.id().rejectOptions(bytes));
        return 0;
    }

    static int rdma_notify(long id, int event) {
        CmId of = Id.TABLE.at(id).id();
        if (event != COMM_EST) {
            throw new Refused(Errno.EINVAL.number(), "event=" + event + " is not IBV_EVENT_COMM_EST");
        }
        of.notifyEstablished();
        return 0;
    }

    static int rdma_disconnect(long id) {
        Id of = Id.TABLE.at(id);
        if (rdma_cm_id.verbs.get(id) == 0) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has no device yet");
        }
        of.id().disconnect();
        of.showState();
        of.complete();
        return 0;
    }

    static int rdma_migrate_id(long id, long channel) {
        Id.TABLE.at(id).migrate(channel == 0 ? null : EvChannel.TABLE.at(channel));
        return 0;
    }
}
