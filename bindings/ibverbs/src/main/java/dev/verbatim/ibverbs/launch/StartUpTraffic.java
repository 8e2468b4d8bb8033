// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_context;
import dev.verbatim.ibverbs.abi.Layouts.ibv_context_ops;
import dev.verbatim.ibverbs.abi.Layouts.ibv_global_route;
import dev.verbatim.ibverbs.abi.Layouts.ibv_mr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_init_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_recv_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_send_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Layouts.ibv_wc;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** WRITEs and SENDs between two devices, so that the cache knows the classes of the data path, and how often its branches are taken. */
final class StartUpTraffic {

    private static final int REQUESTS = 40_000, BURST = 100, DEPTH = 128, REGION_BYTES = 4096, SHORT_BYTES = 8;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private static final int INIT =
            QpAttributeMask.STATE | QpAttributeMask.PKEY_INDEX | QpAttributeMask.PORT | QpAttributeMask.ACCESS_FLAGS;
    private static final int RTR = QpAttributeMask.STATE
            | QpAttributeMask.AV
            | QpAttributeMask.PATH_MTU
            | QpAttributeMask.DEST_QPN
            | QpAttributeMask.RQ_PSN
            | QpAttributeMask.MAX_DEST_RD_ATOMIC
            | QpAttributeMask.MIN_RNR_TIMER;
    private static final int RTS = QpAttributeMask.STATE
            | QpAttributeMask.TIMEOUT
            | QpAttributeMask.RETRY_CNT
            | QpAttributeMask.RNR_RETRY
            | QpAttributeMask.SQ_PSN
            | QpAttributeMask.MAX_QP_RD_ATOMIC;

    private final StartUpRun start;
    private final End one;
    private final End two;

    StartUpTraffic(StartUpRun start, long context, long otherContext) throws Throwable {
        this.start = start;
        this.one = new End(context);
        this.two = new End(otherContext);
    }

    void run() throws Throwable {
        one.connect(two);
        two.connect(one);
        for (int i = 0; i < REQUESTS; i++) {
            one.write(two, 1);
            two.write(one, 1);
        }
        for (int i = 0; i < REQUESTS / BURST; i++) {
            one.write(two, BURST);
        }
        for (int i = 0; i < REQUESTS / BURST; i++) {
            two.receive();
            one.send();
            two.reap(1);
        }
        one.close();
        two.close();
    }

    private static void require(long errno, String what) {
        if (errno != 0) {
            throw new IllegalStateException(what + " gave " + errno);
        }
    }

    /** A queue pair with all that belongs to it. */
    private final class End {

        private final long context;
        private final long pd;
        private final long memory = Native.allocate(REGION_BYTES);
        private final long mr;
        private final long cq;
        private final long qp;
        private final long request = Native.allocate(ibv_send_wr.SIZE);
        private final long receive = Native.allocate(ibv_recv_wr.SIZE);
        private final long element = Native.allocate(ibv_sge.SIZE);
        private final long bad = Native.allocate(Long.BYTES);
        private final long completions = Native.allocate(BURST * ibv_wc.SIZE);
        private final MethodHandle post;
        private final MethodHandle postReceive;
        private final MethodHandle poll;

        End(long context) throws Throwable {
            this.context = context;
            pd = start.call("ibv_alloc_pd", context);
            mr = start.call("ibv_reg_mr", pd, memory, REGION_BYTES, ACCESS);
            cq = start.call("ibv_create_cq", context, DEPTH, 0, 0, 0);
            long wanted = Native.allocate(ibv_qp_init_attr.SIZE);
            ibv_qp_init_attr.send_cq.set(wanted, cq);
            ibv_qp_init_attr.recv_cq.set(wanted, cq);
            ibv_qp_init_attr.cap$max_send_wr.set(wanted, DEPTH);
            ibv_qp_init_attr.cap$max_recv_wr.set(wanted, DEPTH);
            ibv_qp_init_attr.cap$max_send_sge.set(wanted, 1);
            ibv_qp_init_attr.cap$max_recv_sge.set(wanted, 1);
            ibv_qp_init_attr.qp_type.set(wanted, QpType.RC.number());
            qp = start.call("ibv_create_qp", pd, wanted);
            post = operation(ibv_context_ops.post_send.get(ibv_context.ops.of(context)));
            postReceive = operation(ibv_context_ops.post_recv.get(ibv_context.ops.of(context)));
            poll = operation(ibv_context_ops.poll_cq.get(ibv_context.ops.of(context)));
            ibv_sge.addr.set(element, memory);
            ibv_sge.length.set(element, SHORT_BYTES);
            ibv_sge.lkey.set(element, ibv_mr.lkey.get(mr));
            ibv_send_wr.sg_list.set(request, element);
            ibv_send_wr.num_sge.set(request, 1);
            ibv_recv_wr.sg_list.set(receive, element);
            ibv_recv_wr.num_sge.set(receive, 1);
        }

        private static MethodHandle operation(long pointer) {
            return StartUpRun.function(MemorySegment.ofAddress(pointer));
        }

        void connect(End peer) throws Throwable {
            long attributes = Native.allocate(ibv_qp_attr.SIZE);
            ibv_qp_attr.port_num.set(attributes, 1);
            ibv_qp_attr.qp_access_flags.set(attributes, ACCESS);
            ibv_qp_attr.path_mtu.set(attributes, 3);
            ibv_qp_attr.dest_qp_num.set(attributes, ibv_qp.qp_num.get(peer.qp));
            ibv_qp_attr.max_rd_atomic.set(attributes, 1);
            ibv_qp_attr.max_dest_rd_atomic.set(attributes, 1);
            ibv_qp_attr.timeout.set(attributes, 14);
            ibv_qp_attr.retry_cnt.set(attributes, 7);
            ibv_qp_attr.rnr_retry.set(attributes, 7);
            long way = ibv_qp_attr.ah_attr.of(attributes);
            ibv_ah_attr.is_global.set(way, 1);
            ibv_ah_attr.port_num.set(way, 1);
            ibv_global_route.hop_limit.set(ibv_ah_attr.grh.of(way), 1);
            require(
                    start.call("ibv_query_gid", peer.context, 1, 0, ibv_global_route.dgid.of(ibv_ah_attr.grh.of(way))),
                    "ibv_query_gid");
            modify(attributes, QpState.INIT, INIT);
            modify(attributes, QpState.RTR, RTR);
            modify(attributes, QpState.RTS, RTS);
        }

        private void modify(long attributes, QpState state, int mask) throws Throwable {
            ibv_qp_attr.qp_state.set(attributes, state.number());
            require(start.call("ibv_modify_qp", qp, attributes, mask), "ibv_modify_qp to " + state);
        }

        /** Posts WRITEs of which the last one completes, and waits for that. */
        void write(End peer, int count) throws Throwable {
            ibv_send_wr.opcode.set(request, WrOpcode.RDMA_WRITE.number());
            ibv_send_wr.wr$rdma$remote_addr.set(request, peer.memory);
            ibv_send_wr.wr$rdma$rkey.set(request, ibv_mr.rkey.get(peer.mr));
            for (int i = 1; i <= count; i++) {
                ibv_send_wr.send_flags.set(request, i < count ? 0 : SendFlags.SIGNALED);
                call(post, qp, request, bad);
            }
            reap(1);
        }

        void send() throws Throwable {
            ibv_send_wr.opcode.set(request, WrOpcode.SEND.number());
            ibv_send_wr.send_flags.set(request, SendFlags.SIGNALED);
            call(post, qp, request, bad);
            reap(1);
        }

        void receive() throws Throwable {
            call(postReceive, qp, receive, bad);
        }

        private static void call(MethodHandle post, long qp, long request, long bad) throws Throwable {
            int errno = (int) (long) post.invokeExact(qp, request, bad, 0L, 0L, 0L);
            require(errno, "posting");
        }

        void reap(int wanted) throws Throwable {
            int done = 0;
            while (done < wanted) {
                done += (int) (long) poll.invokeExact(cq, (long) BURST, completions, 0L, 0L, 0L);
            }
            require(ibv_wc.status.get(completions), "a request of status " + WcStatus.SUCCESS);
        }

        void close() throws Throwable {
            require(start.call("ibv_destroy_qp", qp), "ibv_destroy_qp");
            require(start.call("ibv_destroy_cq", cq), "ibv_destroy_cq");
            require(start.call("ibv_dereg_mr", mr), "ibv_dereg_mr");
            require(start.call("ibv_dealloc_pd", pd), "ibv_dealloc_pd");
        }
    }
}
