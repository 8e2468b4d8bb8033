// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEventType;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_pd;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr_ex;
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
import dev.verbatim.verbs.VerbsException;

/** Queue pairs and shared receive queues of identifiers, and identifiers that come with all of it. */
final class Endpoints {

    private static final int PASSIVE = 1;
    private static final int TIMEOUT_MILLIS = 2000;

    /** {@code IBV_QP_INIT_ATTR_PD}; {@code IBV_SRQ_INIT_ATTR_TYPE} and {@code IBV_SRQ_INIT_ATTR_PD}. */
    private static final int QP_PD = 1, SRQ_TYPE = 1, SRQ_PD = 2;

    /** The completion queues that are made for an identifier: for sending and for receiving. */
    private record Made(Field.I64 queue, Field.I64 channel, Field.I64 asked) {

        private static final Made SEND =
                new Made(rdma_cm_id.send_cq, rdma_cm_id.send_cq_channel, ibv_qp_init_attr.send_cq);
        private static final Made RECEIVE =
                new Made(rdma_cm_id.recv_cq, rdma_cm_id.recv_cq_channel, ibv_qp_init_attr.recv_cq);

        /** Makes one, unless the program gives one, or there is one already. */
        void make(Id of, long attributes, int entries) {
            long id = of.address();
            long given = asked.get(attributes);
            if (given != 0 && queue.get(id) != 0 && given != queue.get(id)) {
                throw new Refused(Errno.EINVAL.number(), "the identifier has another completion queue");
            }
            if (given == 0 && queue.get(id) == 0 && entries > 0) {
                Channel told = new Channel(of.home().context());
                channel.set(id, told.address());
                Cq made = IdentifierObjects.completionQueue(of.home().context(), entries, id, told);
                queue.set(id, made.address());
            }
            if (given == 0) {
                asked.set(attributes, queue.get(id));
            }
        }

        void destroy(long id) {
            if (queue.get(id) != 0) {
                Cq cq = Cq.TABLE.find(queue.get(id));
                if (cq != null) {
                    IdentifierObjects.destroyCompletionQueue(cq);
                }
                queue.set(id, 0);
            }
            if (channel.get(id) != 0) {
                Channel told = Channel.TABLE.find(channel.get(id));
                if (told != null) {
                    told.close();
                }
                channel.set(id, 0);
            }
        }
    }

    private Endpoints() {}

    static int rdma_create_qp(long id, long pd, long attributes) {
        create(Id.TABLE.at(id), pd, attributes, false);
        return 0;
    }

    static int rdma_create_qp_ex(long id, long attributes) {
        Id of = Id.TABLE.at(id);
        int mask = ibv_qp_init_attr_ex.comp_mask.get(attributes);
        long pd = (mask & QP_PD) == 0 ? 0 : ibv_qp_init_attr_ex.pd.get(attributes);
        create(of, pd, attributes, IdentifierObjects.isExtended(of.home().context(), attributes));
        return 0;
    }

    private static void create(Id of, long given, long attributes, boolean extended) {
        long id = of.address();
        if (rdma_cm_id.qp.get(id) != 0) {
            throw new Refused(Errno.EINVAL.number(), "the identifier has a queue pair already");
        }
        Pd pd = domain(of, given);
        if (ibv_qp_init_attr.srq.get(attributes) == 0) {
            ibv_qp_init_attr.srq.set(attributes, rdma_cm_id.srq.get(id));
        }
        try {
            Made.RECEIVE.make(of, attributes, ibv_qp_init_attr.cap$max_recv_wr.get(attributes));
            Made.SEND.make(of, attributes, ibv_qp_init_attr.cap$max_send_wr.get(attributes));
            Qp made = IdentifierObjects.queuePair(
                    pd, attributes, extended, asked -> of.id().createQp(pd.domain(), asked));
            rdma_cm_id.qp.set(id, made.address());
            rdma_cm_id.pd.set(id, pd.address());
        } catch (VerbsException e) {
            destroyQueues(id);
            throw e.errno() == Errno.ECONNABORTED ? new Refused(Errno.EINVAL.number(), e.getMessage()) : e;
        } catch (RuntimeException e) {
            destroyQueues(id);
            throw e;
        }
    }

    /** The domain that the program gives, which is of the identifier's context; without one that of the identifier. */
    private static Pd domain(Id of, long given) {
        long context = of.home().context().address();
        if (given != 0 && ibv_pd.context.get(Pd.TABLE.at(given).address()) != context) {
            throw new Refused(Errno.EINVAL.number(), "the protection domain is of another context than id->verbs");
        }
        return Pd.TABLE.at(given == 0 ? rdma_cm_id.pd.get(of.address()) : given);
    }

    private static void destroyQueues(long id) {
        Made.RECEIVE.destroy(id);
        Made.SEND.destroy(id);
    }

    static void rdma_destroy_qp(long id) {
        Id of = Id.TABLE.at(id);
        Qp qp = of.qp();
        if (qp != null) {
            IdentifierObjects.destroyQueuePair(qp, of.id()::destroyQp);
        }
        rdma_cm_id.qp.set(id, 0);
        destroyQueues(id);
    }

    static int rdma_create_srq(long id, long pd, long attributes) {
        Id of = Id.TABLE.at(id);
        Pd domain = domain(of, pd);
        rdma_cm_id.srq.set(of.address(), IdentifierObjects.sharedQueue(domain, attributes));
        rdma_cm_id.pd.set(of.address(), domain.address());
        return 0;
    }

    static int rdma_create_srq_ex(long id, long attributes) {
        Id unused = Id.TABLE.at(id);
        int mask = ibv_srq_init_attr_ex.comp_mask.get(attributes);
        if ((mask & SRQ_TYPE) == 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + mask + " says no type");
        }
        if (ibv_srq_init_attr_ex.srq_type.get(attributes) != 0) {
            throw new Refused(
                    Errno.EOPNOTSUPP.number(), "identifiers have shared receive queues of the basic type only");
        }
        long pd = (mask & SRQ_PD) == 0 ? 0 : ibv_srq_init_attr_ex.pd.get(attributes);
        // Its beginning is a struct ibv_srq_init_attr.
        return rdma_create_srq(id, pd, attributes);
    }

    static void rdma_destroy_srq(long id) {
        Id of = Id.TABLE.at(id);
        long srq = rdma_cm_id.srq.get(of.address());
        if (srq != 0) {
            IdentifierObjects.destroySharedQueue(srq);
            rdma_cm_id.srq.set(of.address(), 0);
            destroyQueues(id);
        }
    }

    static int rdma_create_ep(long id, long info, long pd, long attributes) {
        if (id == 0 || info == 0) {
            throw new Refused(Errno.EINVAL.number(), "id or res is NULL");
        }
        Id made = new Id(null, PortSpaces.require(rdma_addrinfo.ai_port_space.get(info)), 0);
        rdma_cm_id.qp_type.set(made.address(), rdma_addrinfo.ai_qp_type.get(info));
        try {
            if ((rdma_addrinfo.ai_flags.get(info) & PASSIVE) != 0) {
                createPassive(made, info, pd, attributes);
            } else {
                createActive(made, info, pd, attributes);
            }
        } catch (RuntimeException e) {
            rdma_destroy_ep(made.address());
            throw e;
        }
        Native.putLong(id, made.address());
        return 0;
    }

    private static void createPassive(Id made, long info, long pd, long attributes) {
        Ids.bind(made, rdma_addrinfo.ai_src_addr.get(info));
        if (pd != 0) {
            rdma_cm_id.pd.set(made.address(), pd);
        }
        if (attributes != 0) {
            long copy = Native.allocate(ibv_qp_init_attr.SIZE);
            Native.copy(attributes, copy, ibv_qp_init_attr.SIZE);
            ibv_qp_init_attr.qp_type.set(copy, rdma_addrinfo.ai_qp_type.get(info));
            made.endpointAttributes(copy);
        }
    }

    private static void createActive(Id made, long info, long pd, long attributes) {
        Ids.resolve(made, rdma_addrinfo.ai_src_addr.get(info), rdma_addrinfo.ai_dst_addr.get(info), TIMEOUT_MILLIS);
        Ids.route(made, TIMEOUT_MILLIS);
        if (attributes != 0) {
            ibv_qp_init_attr.qp_type.set(attributes, rdma_addrinfo.ai_qp_type.get(info));
            create(made, pd, attributes, false);
        }
        long data = rdma_addrinfo.ai_connect.get(info);
        int length = (int) Math.min(rdma_addrinfo.ai_connect_len.get(info), Byte.toUnsignedInt((byte) -1));
        if (data != 0 && length > 0) {
            made.connectData(Native.bytes(data, length));
        }
    }

    static void rdma_destroy_ep(long id) {
        Id of = Id.TABLE.at(id);
        if (rdma_cm_id.qp.get(id) != 0) {
            rdma_destroy_qp(id);
        }
        rdma_destroy_srq(id);
        of.destroy();
    }

    static int rdma_get_request(long listener, long id) {
        Id of = Id.TABLE.at(listener);
        if (!of.isSynchronous()) {
            throw new Refused(Errno.EINVAL.number(), "requests of a listener with a channel come as events");
        }
        of.release();
        Event request = of.channel().await();
        if (request.type() != CmEventType.CONNECT_REQUEST.number() || request.status() != 0) {
            of.hold(request);
            throw new Refused(
                    request.status() == 0 ? Errno.EINVAL.number() : Math.abs(request.status()), request.explanation());
        }
        Id made = Id.TABLE.at(rdma_cm_event.id.get(request.address()));
        made.hold(request);
        if (of.endpointAttributes() != 0) {
            long copy = Native.allocate(ibv_qp_init_attr.SIZE);
            Native.copy(of.endpointAttributes(), copy, ibv_qp_init_attr.SIZE);
            try {
                create(made, rdma_cm_id.pd.get(listener), copy, false);
            } catch (RuntimeException e) {
                made.destroy();
                throw e;
            } finally {
                Native.free(copy);
            }
        }
        Native.putLong(id, made.address());
        return 0;
    }
}
