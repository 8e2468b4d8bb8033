// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_srq_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_srq_init_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.rdma_addrinfo;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_event;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.verbs.Channel;
import dev.verbatim.ibverbs.verbs.Cq;
import dev.verbatim.ibverbs.verbs.IdentifierObjects;
import dev.verbatim.ibverbs.verbs.Pd;
import dev.verbatim.ibverbs.verbs.Qp;
import dev.verbatim.verbs.Errno;

/** Queue pairs and shared receive queues of identifiers, and identifiers that come with all of it. */
final class Endpoints {

    private static final int PASSIVE = 1;
    private static final int TIMEOUT_MILLIS = 2000;

    private Endpoints() {}

    static int rdma_create_qp(long id, long pd, long attributes) {
        create(Id.TABLE.at(id), pd, attributes, false);
        return 0;
    }

    /** {@code IBV_QP_INIT_ATTR_PD}. */
    private static final int MASK_PD = 1;

    static int rdma_create_qp_ex(long id, long attributes) {
        int mask = ibv_qp_init_attr_ex.comp_mask.get(attributes);
        long pd = (mask & MASK_PD) == 0 ? 0 : ibv_qp_init_attr_ex.pd.get(attributes);
        create(Id.TABLE.at(id), pd, attributes, true);
        return 0;
    }

    private static void create(Id of, long pd, long attributes, boolean extended) {
        long id = of.address();
        if (of.qp() != null || rdma_cm_id.verbs.get(id) == 0) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has a queue pair, or no device yet");
        }
        Pd domain = pd == 0 ? Pd.TABLE.at(rdma_cm_id.pd.get(id)) : Pd.TABLE.at(pd);
        if (ibv_qp_init_attr.srq.get(attributes) == 0) {
            ibv_qp_init_attr.srq.set(attributes, rdma_cm_id.srq.get(id));
        }
        boolean makesSend = ibv_qp_init_attr.send_cq.get(attributes) == 0;
        boolean makesReceive = ibv_qp_init_attr.recv_cq.get(attributes) == 0;
        if (makesSend) {
            ibv_qp_init_attr.send_cq.set(
                    attributes, makeCq(id, ibv_qp_init_attr.cap$max_send_wr.get(attributes), true));
        }
        if (makesReceive) {
            ibv_qp_init_attr.recv_cq.set(
                    attributes, makeCq(id, ibv_qp_init_attr.cap$max_recv_wr.get(attributes), false));
        }
        try {
            Qp made = IdentifierObjects.queuePair(
                    domain, attributes, extended, asked -> of.id().createQp(domain.domain(), asked));
            of.qp(made);
            rdma_cm_id.pd.set(id, domain.address());
        } catch (RuntimeException e) {
            destroyCqs(id, makesSend, makesReceive);
            throw e;
        }
    }

    private static long makeCq(long id, int entries, boolean sends) {
        Channel channel = new Channel(Home.get().context());
        Cq made = IdentifierObjects.completionQueue(Home.get().context(), Math.max(1, entries), id, channel);
        (sends ? rdma_cm_id.send_cq_channel : rdma_cm_id.recv_cq_channel).set(id, channel.address());
        (sends ? rdma_cm_id.send_cq : rdma_cm_id.recv_cq).set(id, made.address());
        return made.address();
    }

    private static void destroyCqs(long id, boolean send, boolean receive) {
        if (send && rdma_cm_id.send_cq.get(id) != 0) {
            IdentifierObjects.destroyCompletionQueue(rdma_cm_id.send_cq.get(id), rdma_cm_id.send_cq_channel.get(id));
            rdma_cm_id.send_cq.set(id, 0);
            rdma_cm_id.send_cq_channel.set(id, 0);
        }
        if (receive && rdma_cm_id.recv_cq.get(id) != 0) {
            IdentifierObjects.destroyCompletionQueue(rdma_cm_id.recv_cq.get(id), rdma_cm_id.recv_cq_channel.get(id));
            rdma_cm_id.recv_cq.set(id, 0);
            rdma_cm_id.recv_cq_channel.set(id, 0);
        }
    }

    static void rdma_destroy_qp(long id) {
        Id of = Id.TABLE.at(id);
        Qp qp = of.qp();
        if (qp != null) {
            of.id().destroyQp();
            IdentifierObjects.forget(qp);
            of.qp(null);
            destroyCqs(id, true, true);
        }
    }

    static int rdma_create_srq(long id, long pd, long attributes) {
        Id of = Id.TABLE.at(id);
        Pd domain = Pd.TABLE.at(pd == 0 ? rdma_cm_id.pd.get(id) : pd);
        rdma_cm_id.srq.set(of.address(), IdentifierObjects.sharedQueue(domain, attributes));
        rdma_cm_id.pd.set(of.address(), domain.address());
        return 0;
    }

    /** {@code IBV_SRQ_INIT_ATTR_TYPE} and {@code IBV_SRQ_INIT_ATTR_PD}. */
    private static final int SRQ_TYPE = 1, SRQ_PD = 2;

    static int rdma_create_srq_ex(long id, long attributes) {
        int mask = ibv_srq_init_attr_ex.comp_mask.get(attributes);
        if ((mask & SRQ_TYPE) != 0 && ibv_srq_init_attr_ex.srq_type.get(attributes) != 0) {
            throw new Refused(
                    Errno.EOPNOTSUPP.number(), "identifiers have shared receive queues of the basic type only");
        }
        long pd = (mask & SRQ_PD) == 0 ? 0 : ibv_srq_init_attr_ex.pd.get(attributes);
        // Its beginning is a struct ibv_srq_init_attr.
        return rdma_create_srq(id, pd, attributes + ibv_srq_init_attr.srq_context.offset());
    }

    static void rdma_destroy_srq(long id) {
        Id of = Id.TABLE.at(id);
        long srq = rdma_cm_id.srq.get(of.address());
        if (srq != 0) {
            IdentifierObjects.destroySharedQueue(srq);
            rdma_cm_id.srq.set(of.address(), 0);
        }
    }

    static int rdma_create_ep(long id, long info, long pd, long attributes) {
        int flags = rdma_addrinfo.ai_flags.get(info);
        Id made = new Id(null, Ids.spaceOf(rdma_addrinfo.ai_port_space.get(info)), 0);
        try {
            if (attributes != 0) {
                ibv_qp_init_attr.qp_type.set(attributes, rdma_addrinfo.ai_qp_type.get(info));
            }
            if ((flags & PASSIVE) != 0) {
                Ids.rdma_bind_addr(made.address(), rdma_addrinfo.ai_src_addr.get(info));
                if (attributes != 0) {
                    long copy = Native.allocate(ibv_qp_init_attr.SIZE);
                    Native.copy(attributes, copy, ibv_qp_init_attr.SIZE);
                    made.endpoint(copy, pd);
                }
            } else {
                Ids.rdma_resolve_addr(
                        made.address(),
                        rdma_addrinfo.ai_src_addr.get(info),
                        rdma_addrinfo.ai_dst_addr.get(info),
                        TIMEOUT_MILLIS);
                Ids.rdma_resolve_route(made.address(), TIMEOUT_MILLIS);
                if (attributes != 0) {
                    rdma_create_qp(made.address(), pd, attributes);
                }
            }
        } catch (RuntimeException e) {
            made.destroy();
            throw e;
        }
        Native.putLong(id, made.address());
        return 0;
    }

    static void rdma_destroy_ep(long id) {
        rdma_destroy_qp(id);
        rdma_destroy_srq(id);
        Id.TABLE.at(id).destroy();
    }

    static int rdma_get_request(long listener, long id) {
        Id of = Id.TABLE.at(listener);
        if (!of.isSynchronous()) {
            throw new Refused(Errno.EINVAL.number(), "requests of a listener with a channel come as events");
        }
        Event request = of.awaitRequest();
        Id made = Id.TABLE.at(rdma_cm_event.id.get(request.address()));
        try {
            made.becomeSynchronous();
            made.hold(request);
            if (of.endpointAttributes() != 0) {
                long copy = Native.allocate(ibv_qp_init_attr.SIZE);
                Native.copy(of.endpointAttributes(), copy, ibv_qp_init_attr.SIZE);
                ibv_qp_init_attr.qp_context.set(copy, 0);
                try {
                    rdma_create_qp(made.address(), of.endpointPd(), copy);
                } finally {
                    Native.free(copy);
                }
            }
        } catch (RuntimeException e) {
            made.destroy();
            throw e;
        }
        Native.putLong(id, made.address());
        return 0;
    }
}
