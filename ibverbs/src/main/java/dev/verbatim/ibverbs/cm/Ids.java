// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Layouts.ibv_ece;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Layouts.rdma_conn_param;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.verbs.QueuePairAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Identifiers: made, bound, resolved, connected, and destroyed. */
final class Ids {

    private static final int EAFNOSUPPORT = 97, ENOPROTOOPT = 92;
    private static final int LEAST_TIMEOUT = 1;
    private static final int LEVEL_ID = 0, LEVEL_IB = 1;
    private static final int OPTION_TOS = 0, OPTION_REUSEADDR = 1, OPTION_AFONLY = 2, OPTION_ACK_TIMEOUT = 3;
    private static final int COMM_EST = 4;

    private Ids() {}

    static int rdma_create_id(long channel, long id, long context, int space) {
        Id made = new Id(channel == 0 ? null : EvChannel.TABLE.at(channel), spaceOf(space), context);
        Native.putLong(id, made.address());
        return 0;
    }

    static PortSpace spaceOf(int number) {
        for (PortSpace space : PortSpace.values()) {
            if (space.number() == number) {
                return space;
            }
        }
        throw new Refused(
                Errno.EOPNOTSUPP.number(),
                String.format("port space 0x%04x is neither RDMA_PS_TCP nor RDMA_PS_UDP", number));
    }

    static int rdma_destroy_id(long id) {
        Id.TABLE.at(id).destroy();
        return 0;
    }

    private static InetSocketAddress addressAt(long address) {
        if (address == 0) {
            throw new Refused(Errno.EINVAL.number(), "the address is NULL");
        }
        InetSocketAddress read = SocketAddresses.read(address);
        if (read == null) {
            throw new Refused(EAFNOSUPPORT, "the address is neither of AF_INET nor of AF_INET6");
        }
        return read;
    }

    static int rdma_bind_addr(long id, long address) {
        Id of = Id.TABLE.at(id);
        InetSocketAddress wanted = addressAt(address);
        of.id().bindAddress(wanted);
        SocketAddresses.write(wanted, rdma_cm_id.route$addr$src_storage.of(id));
        of.describePort();
        if (!wanted.getAddress().isAnyLocalAddress()) {
            of.bindToDevice();
        }
        return 0;
    }

    static int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis) {
        Id of = Id.TABLE.at(id);
        InetSocketAddress to = addressAt(destination);
        @Nullable InetSocketAddress from = source == 0 ? null : addressAt(source);
        of.release();
        of.id().resolveAddress(from, to, Duration.ofMillis(Math.max(LEAST_TIMEOUT, timeoutMillis)));
        SocketAddresses.write(to, rdma_cm_id.route$addr$dst_storage.of(id));
        if (from != null) {
            SocketAddresses.write(from, rdma_cm_id.route$addr$src_storage.of(id));
        }
        of.complete();
        return 0;
    }

    static int rdma_resolve_route(long id, int timeoutMillis) {
        Id of = Id.TABLE.at(id);
        of.release();
        of.id().resolveRoute(Duration.ofMillis(Math.max(LEAST_TIMEOUT, timeoutMillis)));
        of.complete();
        return 0;
    }

    static int rdma_listen(long id, int backlog) {
        Id of = Id.TABLE.at(id);
        if (of.id().localAddress() == null) {
            InetSocketAddress any = new InetSocketAddress(0);
            of.id().bindAddress(any);
            SocketAddresses.write(any, rdma_cm_id.route$addr$src_storage.of(id));
        }
        of.id().listen(backlog);
        of.describePort();
        return 0;
    }

    /** What the program says of a connection; NULL stands for what is usual. */
    private static ConnectionParameters read(Id of, long parameters, ConnectionParameters usual) {
        ConnectionParameters read = usual;
        if (parameters != 0) {
            int length = rdma_conn_param.private_data_len.get(parameters);
            long data = rdma_conn_param.private_data.get(parameters);
            read = ConnectionParameters.USUAL
                    .withPrivateData(data == 0 ? new byte[0] : Native.bytes(data, length))
                    .withResponderResources(rdma_conn_param.responder_resources.get(parameters))
                    .withInitiatorDepth(rdma_conn_param.initiator_depth.get(parameters))
                    .withFlowControl(rdma_conn_param.flow_control.get(parameters) != 0)
                    .withRetryCount(rdma_conn_param.retry_count.get(parameters))
                    .withRnrRetryCount(rdma_conn_param.rnr_retry_count.get(parameters))
                    .withSrq(rdma_conn_param.srq.get(parameters) != 0);
            if (of.qp() == null) {
                read = read.withQpNumber(rdma_conn_param.qp_num.get(parameters) & 0xff_ffff);
            }
        }
        return read;
    }

    static int rdma_connect(long id, long parameters) {
        Id of = Id.TABLE.at(id);
        of.release();
        of.id().connect(read(of, parameters, ConnectionParameters.USUAL));
        of.complete();
        return 0;
    }

    static int rdma_establish(long id) {
        Id.TABLE.at(id).id().establish();
        return 0;
    }

    static int rdma_accept(long id, long parameters) {
        Id of = Id.TABLE.at(id);
        of.id().accept(read(of, parameters, ConnectionParameters.USUAL));
        if (of.qp() != null) {
            of.qp().stateChanged();
        }
        if (of.portSpace() == PortSpace.TCP) {
            of.complete();
        }
        return 0;
    }

    static int rdma_reject(long id, long privateData, int length) {
        byte[] bytes = privateData == 0 ? new byte[0] : Native.bytes(privateData, length & 0xff);
        Id.TABLE.at(id).id().reject(bytes);
        return 0;
    }

    static int rdma_reject_ece(long id) {
        return rdma_reject(id, 0, 0);
    }

    static int rdma_notify(long id, int event) {
        if (event != COMM_EST) {
            throw new Refused(Errno.EINVAL.number(), "event=" + event + " is not IBV_EVENT_COMM_EST");
        }
        Id.TABLE.at(id).id().notifyEstablished();
        return 0;
    }

    static int rdma_disconnect(long id) {
        Id of = Id.TABLE.at(id);
        of.id().disconnect();
        if (of.qp() != null) {
            of.qp().stateChanged();
        }
        return 0;
    }

    static int rdma_migrate_id(long id, long channel) {
        Id of = Id.TABLE.at(id);
        if (channel == 0) {
            of.becomeSynchronous();
        } else {
            of.id().migrate(EvChannel.TABLE.at(channel).channel());
            rdma_cm_id.channel.set(id, channel);
        }
        return 0;
    }

    static int rdma_set_option(long id, int level, int option, long value, long length) {
        CmId of = Id.TABLE.at(id).id();
        if (level == LEVEL_IB) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "paths of the program's are not taken");
        }
        if (level != LEVEL_ID || value == 0 || length < 1) {
            throw new Refused(ENOPROTOOPT, "level=" + level + " is not known, or there is no value");
        }
        switch (option) {
            case OPTION_TOS -> of.typeOfService(Native.getByte(value) & 0xff);
            case OPTION_ACK_TIMEOUT -> of.ackTimeout(Native.getByte(value) & 0xff);
            case OPTION_REUSEADDR, OPTION_AFONLY -> {}
            default -> throw new Refused(ENOPROTOOPT, "option=" + option + " is not known");
        }
        return 0;
    }

    /** In network byte order, as it stands in the address. */
    static int rdma_get_src_port(long id) {
        return sockaddr_in.sin_port.get(
                rdma_cm_id.route$addr$src_storage.of(Id.TABLE.at(id).address()));
    }

    /** In network byte order, as it stands in the address. */
    static int rdma_get_dst_port(long id) {
        return sockaddr_in.sin_port.get(
                rdma_cm_id.route$addr$dst_storage.of(Id.TABLE.at(id).address()));
    }

    static int rdma_init_qp_attr(long id, long attributes, long mask) {
        QpState[] states = QpState.values();
        int state = ibv_qp_attr.qp_state.get(attributes);
        if (state < 0 || state >= states.length) {
            throw new Refused(Errno.EINVAL.number(), "qp_state=" + state + " is not known");
        }
        QpAttributes wanted = Id.TABLE.at(id).id().initQpAttributes(states[state]);
        QueuePairAttributes.write(wanted, attributes);
        Native.putInt(mask, wanted.mask());
        return 0;
    }

    static int rdma_set_local_ece(long id, long ece) {
        Id unused = Id.TABLE.at(id);
        if (ibv_ece.vendor_id.get(ece) != 0 && ibv_ece.options.get(ece) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "enhanced connections are not supported");
        }
        return 0;
    }

    static int rdma_get_remote_ece(long id, long ece) {
        Id unused = Id.TABLE.at(id);
        Native.clear(ece, ibv_ece.SIZE);
        return 0;
    }

    static int rdma_join_multicast(long id, long address, long context) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(Errno.EOPNOTSUPP.number(), "the device has no multicast groups");
    }

    static int rdma_join_multicast_ex(long id, long attributes, long context) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(Errno.EOPNOTSUPP.number(), "the device has no multicast groups");
    }

    static int rdma_leave_multicast(long id, long address) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(Errno.EOPNOTSUPP.number(), "the device has no multicast groups");
    }
}
