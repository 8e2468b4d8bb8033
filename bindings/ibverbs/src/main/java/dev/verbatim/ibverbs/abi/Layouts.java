// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.abi;

/**
 * The structs of libibverbs and librdmacm, and of the system where they name them, on 64-bit Linux. Structs and fields have their
 * names in C; a field within a field is joined by {@code $}. {@code LayoutsTest} compares each offset and size with the installed
 * headers. Fields are only ever added at the end, so these hold for programs of any release since 2012.
 */
public final class Layouts {

    private Layouts() {}

    /** {@code struct ibv_device}. */
    public static final class ibv_device {

        public static final int SIZE = 664;

        public static final Field.Part _ops = new Field.Part(0, 16);
        public static final Field.I64 _ops$_dummy1 = new Field.I64(0);
        public static final Field.I64 _ops$_dummy2 = new Field.I64(8);
        public static final Field.I32 node_type = new Field.I32(16);
        public static final Field.I32 transport_type = new Field.I32(20);
        public static final Field.Part name = new Field.Part(24, 64);
        public static final Field.Part dev_name = new Field.Part(88, 64);
        public static final Field.Part dev_path = new Field.Part(152, 256);
        public static final Field.Part ibdev_path = new Field.Part(408, 256);

        private ibv_device() {}
    }

    /** {@code struct ibv_context_ops}. */
    public static final class ibv_context_ops {

        public static final int SIZE = 256;

        public static final Field.I64 alloc_mw = new Field.I64(56);
        public static final Field.I64 bind_mw = new Field.I64(64);
        public static final Field.I64 dealloc_mw = new Field.I64(72);
        public static final Field.I64 poll_cq = new Field.I64(88);
        public static final Field.I64 req_notify_cq = new Field.I64(96);
        public static final Field.I64 post_srq_recv = new Field.I64(160);
        public static final Field.I64 post_send = new Field.I64(200);
        public static final Field.I64 post_recv = new Field.I64(208);

        private ibv_context_ops() {}
    }

    /** {@code struct ibv_context}. */
    public static final class ibv_context {

        public static final int SIZE = 328;

        public static final Field.I64 device = new Field.I64(0);
        public static final Field.Part ops = new Field.Part(8, 256);
        public static final Field.I32 cmd_fd = new Field.I32(264);
        public static final Field.I32 async_fd = new Field.I32(268);
        public static final Field.I32 num_comp_vectors = new Field.I32(272);
        public static final Field.Part mutex = new Field.Part(280, 40);
        public static final Field.Part mutex$__data = new Field.Part(280, 40);
        public static final Field.I32 mutex$__data$__lock = new Field.I32(280);
        public static final Field.I32 mutex$__data$__count = new Field.I32(284);
        public static final Field.I32 mutex$__data$__owner = new Field.I32(288);
        public static final Field.I32 mutex$__data$__nusers = new Field.I32(292);
        public static final Field.I32 mutex$__data$__kind = new Field.I32(296);
        public static final Field.U16 mutex$__data$__spins = new Field.U16(300);
        public static final Field.U16 mutex$__data$__elision = new Field.U16(302);
        public static final Field.Part mutex$__data$__list = new Field.Part(304, 16);
        public static final Field.I64 mutex$__data$__list$__prev = new Field.I64(304);
        public static final Field.I64 mutex$__data$__list$__next = new Field.I64(312);
        public static final Field.Part mutex$__size = new Field.Part(280, 40);
        public static final Field.I64 mutex$__align = new Field.I64(280);
        public static final Field.I64 abi_compat = new Field.I64(320);

        private ibv_context() {}
    }

    /** {@code struct verbs_context}. */
    public static final class verbs_context {

        public static final int SIZE = 648;

        public static final Field.I64 query_port = new Field.I64(0);
        public static final Field.I64 advise_mr = new Field.I64(8);
        public static final Field.I64 alloc_null_mr = new Field.I64(16);
        public static final Field.I64 read_counters = new Field.I64(24);
        public static final Field.I64 attach_counters_point_flow = new Field.I64(32);
        public static final Field.I64 create_counters = new Field.I64(40);
        public static final Field.I64 destroy_counters = new Field.I64(48);
        public static final Field.I64 reg_dm_mr = new Field.I64(56);
        public static final Field.I64 alloc_dm = new Field.I64(64);
        public static final Field.I64 free_dm = new Field.I64(72);
        public static final Field.I64 modify_flow_action_esp = new Field.I64(80);
        public static final Field.I64 destroy_flow_action = new Field.I64(88);
        public static final Field.I64 create_flow_action_esp = new Field.I64(96);
        public static final Field.I64 modify_qp_rate_limit = new Field.I64(104);
        public static final Field.I64 alloc_parent_domain = new Field.I64(112);
        public static final Field.I64 dealloc_td = new Field.I64(120);
        public static final Field.I64 alloc_td = new Field.I64(128);
        public static final Field.I64 modify_cq = new Field.I64(136);
        public static final Field.I64 post_srq_ops = new Field.I64(144);
        public static final Field.I64 destroy_rwq_ind_table = new Field.I64(152);
        public static final Field.I64 create_rwq_ind_table = new Field.I64(160);
        public static final Field.I64 destroy_wq = new Field.I64(168);
        public static final Field.I64 modify_wq = new Field.I64(176);
        public static final Field.I64 create_wq = new Field.I64(184);
        public static final Field.I64 query_rt_values = new Field.I64(192);
        public static final Field.I64 create_cq_ex = new Field.I64(200);
        public static final Field.I64 priv = new Field.I64(208);
        public static final Field.I64 query_device_ex = new Field.I64(216);
        public static final Field.I64 ibv_destroy_flow = new Field.I64(224);
        public static final Field.I64 ibv_create_flow = new Field.I64(240);
        public static final Field.I64 open_qp = new Field.I64(256);
        public static final Field.I64 create_qp_ex = new Field.I64(264);
        public static final Field.I64 get_srq_num = new Field.I64(272);
        public static final Field.I64 create_srq_ex = new Field.I64(280);
        public static final Field.I64 open_xrcd = new Field.I64(288);
        public static final Field.I64 close_xrcd = new Field.I64(296);
        public static final Field.I64 sz = new Field.I64(312);
        public static final Field.Part context = new Field.Part(320, 328);

        private verbs_context() {}
    }

    /** {@code struct ibv_pd}. */
    public static final class ibv_pd {

        public static final int SIZE = 16;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I32 handle = new Field.I32(8);

        private ibv_pd() {}
    }

    /** {@code struct ibv_mr}. */
    public static final class ibv_mr {

        public static final int SIZE = 48;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 pd = new Field.I64(8);
        public static final Field.I64 addr = new Field.I64(16);
        public static final Field.I64 length = new Field.I64(24);
        public static final Field.I32 handle = new Field.I32(32);
        public static final Field.I32 lkey = new Field.I32(36);
        public static final Field.I32 rkey = new Field.I32(40);

        private ibv_mr() {}
    }

    /** {@code struct ibv_mw}. */
    public static final class ibv_mw {

        public static final int SIZE = 32;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 pd = new Field.I64(8);
        public static final Field.I32 rkey = new Field.I32(16);
        public static final Field.I32 handle = new Field.I32(20);
        public static final Field.I32 type = new Field.I32(24);

        private ibv_mw() {}
    }

    /** {@code struct ibv_cq}. */
    public static final class ibv_cq {

        public static final int SIZE = 128;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 channel = new Field.I64(8);
        public static final Field.I64 cq_context = new Field.I64(16);
        public static final Field.I32 handle = new Field.I32(24);
        public static final Field.I32 cqe = new Field.I32(28);
        public static final Field.Part mutex = new Field.Part(32, 40);
        public static final Field.Part mutex$__data = new Field.Part(32, 40);
        public static final Field.I32 mutex$__data$__lock = new Field.I32(32);
        public static final Field.I32 mutex$__data$__count = new Field.I32(36);
        public static final Field.I32 mutex$__data$__owner = new Field.I32(40);
        public static final Field.I32 mutex$__data$__nusers = new Field.I32(44);
        public static final Field.I32 mutex$__data$__kind = new Field.I32(48);
        public static final Field.U16 mutex$__data$__spins = new Field.U16(52);
        public static final Field.U16 mutex$__data$__elision = new Field.U16(54);
        public static final Field.Part mutex$__data$__list = new Field.Part(56, 16);
        public static final Field.I64 mutex$__data$__list$__prev = new Field.I64(56);
        public static final Field.I64 mutex$__data$__list$__next = new Field.I64(64);
        public static final Field.Part mutex$__size = new Field.Part(32, 40);
        public static final Field.I64 mutex$__align = new Field.I64(32);
        public static final Field.Part cond = new Field.Part(72, 48);
        public static final Field.Part cond$__data = new Field.Part(72, 48);
        public static final Field.Part cond$__data$__wseq = new Field.Part(72, 8);
        public static final Field.I64 cond$__data$__wseq$__value64 = new Field.I64(72);
        public static final Field.Part cond$__data$__wseq$__value32 = new Field.Part(72, 8);
        public static final Field.I32 cond$__data$__wseq$__value32$__low = new Field.I32(72);
        public static final Field.I32 cond$__data$__wseq$__value32$__high = new Field.I32(76);
        public static final Field.Part cond$__data$__g1_start = new Field.Part(80, 8);
        public static final Field.I64 cond$__data$__g1_start$__value64 = new Field.I64(80);
        public static final Field.Part cond$__data$__g1_start$__value32 = new Field.Part(80, 8);
        public static final Field.I32 cond$__data$__g1_start$__value32$__low = new Field.I32(80);
        public static final Field.I32 cond$__data$__g1_start$__value32$__high = new Field.I32(84);
        public static final Field.Part cond$__data$__g_refs = new Field.Part(88, 8);
        public static final Field.Part cond$__data$__g_size = new Field.Part(96, 8);
        public static final Field.I32 cond$__data$__g1_orig_size = new Field.I32(104);
        public static final Field.I32 cond$__data$__wrefs = new Field.I32(108);
        public static final Field.Part cond$__data$__g_signals = new Field.Part(112, 8);
        public static final Field.Part cond$__size = new Field.Part(72, 48);
        public static final Field.I64 cond$__align = new Field.I64(72);
        public static final Field.I32 comp_events_completed = new Field.I32(120);
        public static final Field.I32 async_events_completed = new Field.I32(124);

        private ibv_cq() {}
    }

    /** {@code struct ibv_cq_ex}. */
    public static final class ibv_cq_ex {

        public static final int SIZE = 288;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 channel = new Field.I64(8);
        public static final Field.I64 cq_context = new Field.I64(16);
        public static final Field.I32 handle = new Field.I32(24);
        public static final Field.I32 cqe = new Field.I32(28);
        public static final Field.Part mutex = new Field.Part(32, 40);
        public static final Field.Part mutex$__data = new Field.Part(32, 40);
        public static final Field.I32 mutex$__data$__lock = new Field.I32(32);
        public static final Field.I32 mutex$__data$__count = new Field.I32(36);
        public static final Field.I32 mutex$__data$__owner = new Field.I32(40);
        public static final Field.I32 mutex$__data$__nusers = new Field.I32(44);
        public static final Field.I32 mutex$__data$__kind = new Field.I32(48);
        public static final Field.U16 mutex$__data$__spins = new Field.U16(52);
        public static final Field.U16 mutex$__data$__elision = new Field.U16(54);
        public static final Field.Part mutex$__data$__list = new Field.Part(56, 16);
        public static final Field.I64 mutex$__data$__list$__prev = new Field.I64(56);
        public static final Field.I64 mutex$__data$__list$__next = new Field.I64(64);
        public static final Field.Part mutex$__size = new Field.Part(32, 40);
        public static final Field.I64 mutex$__align = new Field.I64(32);
        public static final Field.Part cond = new Field.Part(72, 48);
        public static final Field.Part cond$__data = new Field.Part(72, 48);
        public static final Field.Part cond$__data$__wseq = new Field.Part(72, 8);
        public static final Field.I64 cond$__data$__wseq$__value64 = new Field.I64(72);
        public static final Field.Part cond$__data$__wseq$__value32 = new Field.Part(72, 8);
        public static final Field.I32 cond$__data$__wseq$__value32$__low = new Field.I32(72);
        public static final Field.I32 cond$__data$__wseq$__value32$__high = new Field.I32(76);
        public static final Field.Part cond$__data$__g1_start = new Field.Part(80, 8);
        public static final Field.I64 cond$__data$__g1_start$__value64 = new Field.I64(80);
        public static final Field.Part cond$__data$__g1_start$__value32 = new Field.Part(80, 8);
        public static final Field.I32 cond$__data$__g1_start$__value32$__low = new Field.I32(80);
        public static final Field.I32 cond$__data$__g1_start$__value32$__high = new Field.I32(84);
        public static final Field.Part cond$__data$__g_refs = new Field.Part(88, 8);
        public static final Field.Part cond$__data$__g_size = new Field.Part(96, 8);
        public static final Field.I32 cond$__data$__g1_orig_size = new Field.I32(104);
        public static final Field.I32 cond$__data$__wrefs = new Field.I32(108);
        public static final Field.Part cond$__data$__g_signals = new Field.Part(112, 8);
        public static final Field.Part cond$__size = new Field.Part(72, 48);
        public static final Field.I64 cond$__align = new Field.I64(72);
        public static final Field.I32 comp_events_completed = new Field.I32(120);
        public static final Field.I32 async_events_completed = new Field.I32(124);
        public static final Field.I32 comp_mask = new Field.I32(128);
        public static final Field.I32 status = new Field.I32(132);
        public static final Field.I64 wr_id = new Field.I64(136);
        public static final Field.I64 start_poll = new Field.I64(144);
        public static final Field.I64 next_poll = new Field.I64(152);
        public static final Field.I64 end_poll = new Field.I64(160);
        public static final Field.I64 read_opcode = new Field.I64(168);
        public static final Field.I64 read_vendor_err = new Field.I64(176);
        public static final Field.I64 read_byte_len = new Field.I64(184);
        public static final Field.I64 read_imm_data = new Field.I64(192);
        public static final Field.I64 read_qp_num = new Field.I64(200);
        public static final Field.I64 read_src_qp = new Field.I64(208);
        public static final Field.I64 read_wc_flags = new Field.I64(216);
        public static final Field.I64 read_slid = new Field.I64(224);
        public static final Field.I64 read_sl = new Field.I64(232);
        public static final Field.I64 read_dlid_path_bits = new Field.I64(240);
        public static final Field.I64 read_completion_ts = new Field.I64(248);
        public static final Field.I64 read_cvlan = new Field.I64(256);
        public static final Field.I64 read_flow_tag = new Field.I64(264);
        public static final Field.I64 read_tm_info = new Field.I64(272);
        public static final Field.I64 read_completion_wallclock_ns = new Field.I64(280);

        private ibv_cq_ex() {}
    }

    /** {@code struct ibv_comp_channel}. */
    public static final class ibv_comp_channel {

        public static final int SIZE = 16;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I32 fd = new Field.I32(8);
        public static final Field.I32 refcnt = new Field.I32(12);

        private ibv_comp_channel() {}
    }

    /** {@code struct ibv_qp}. */
    public static final class ibv_qp {

        public static final int SIZE = 160;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 qp_context = new Field.I64(8);
        public static final Field.I64 pd = new Field.I64(16);
        public static final Field.I64 send_cq = new Field.I64(24);
        public static final Field.I64 recv_cq = new Field.I64(32);
        public static final Field.I64 srq = new Field.I64(40);
        public static final Field.I32 handle = new Field.I32(48);
        public static final Field.I32 qp_num = new Field.I32(52);
        public static final Field.I32 state = new Field.I32(56);
        public static final Field.I32 qp_type = new Field.I32(60);
        public static final Field.Part mutex = new Field.Part(64, 40);
        public static final Field.Part mutex$__data = new Field.Part(64, 40);
        public static final Field.I32 mutex$__data$__lock = new Field.I32(64);
        public static final Field.I32 mutex$__data$__count = new Field.I32(68);
        public static final Field.I32 mutex$__data$__owner = new Field.I32(72);
        public static final Field.I32 mutex$__data$__nusers = new Field.I32(76);
        public static final Field.I32 mutex$__data$__kind = new Field.I32(80);
        public static final Field.U16 mutex$__data$__spins = new Field.U16(84);
        public static final Field.U16 mutex$__data$__elision = new Field.U16(86);
        public static final Field.Part mutex$__data$__list = new Field.Part(88, 16);
        public static final Field.I64 mutex$__data$__list$__prev = new Field.I64(88);
        public static final Field.I64 mutex$__data$__list$__next = new Field.I64(96);
        public static final Field.Part mutex$__size = new Field.Part(64, 40);
        public static final Field.I64 mutex$__align = new Field.I64(64);
        public static final Field.Part cond = new Field.Part(104, 48);
        public static final Field.Part cond$__data = new Field.Part(104, 48);
        public static final Field.Part cond$__data$__wseq = new Field.Part(104, 8);
        public static final Field.I64 cond$__data$__wseq$__value64 = new Field.I64(104);
        public static final Field.Part cond$__data$__wseq$__value32 = new Field.Part(104, 8);
        public static final Field.I32 cond$__data$__wseq$__value32$__low = new Field.I32(104);
        public static final Field.I32 cond$__data$__wseq$__value32$__high = new Field.I32(108);
        public static final Field.Part cond$__data$__g1_start = new Field.Part(112, 8);
        public static final Field.I64 cond$__data$__g1_start$__value64 = new Field.I64(112);
        public static final Field.Part cond$__data$__g1_start$__value32 = new Field.Part(112, 8);
        public static final Field.I32 cond$__data$__g1_start$__value32$__low = new Field.I32(112);
        public static final Field.I32 cond$__data$__g1_start$__value32$__high = new Field.I32(116);
        public static final Field.Part cond$__data$__g_refs = new Field.Part(120, 8);
        public static final Field.Part cond$__data$__g_size = new Field.Part(128, 8);
        public static final Field.I32 cond$__data$__g1_orig_size = new Field.I32(136);
        public static final Field.I32 cond$__data$__wrefs = new Field.I32(140);
        public static final Field.Part cond$__data$__g_signals = new Field.Part(144, 8);
        public static final Field.Part cond$__size = new Field.Part(104, 48);
        public static final Field.I64 cond$__align = new Field.I64(104);
        public static final Field.I32 events_completed = new Field.I32(152);

        private ibv_qp() {}
    }

    /** {@code struct ibv_qp_ex}. */
    public static final class ibv_qp_ex {

        public static final int SIZE = 352;

        public static final Field.Part qp_base = new Field.Part(0, 160);
        public static final Field.I64 comp_mask = new Field.I64(160);
        public static final Field.I64 wr_id = new Field.I64(168);
        public static final Field.I32 wr_flags = new Field.I32(176);
        public static final Field.I64 wr_atomic_cmp_swp = new Field.I64(184);
        public static final Field.I64 wr_atomic_fetch_add = new Field.I64(192);
        public static final Field.I64 wr_bind_mw = new Field.I64(200);
        public static final Field.I64 wr_local_inv = new Field.I64(208);
        public static final Field.I64 wr_rdma_read = new Field.I64(216);
        public static final Field.I64 wr_rdma_write = new Field.I64(224);
        public static final Field.I64 wr_rdma_write_imm = new Field.I64(232);
        public static final Field.I64 wr_send = new Field.I64(240);
        public static final Field.I64 wr_send_imm = new Field.I64(248);
        public static final Field.I64 wr_send_inv = new Field.I64(256);
        public static final Field.I64 wr_send_tso = new Field.I64(264);
        public static final Field.I64 wr_set_ud_addr = new Field.I64(272);
        public static final Field.I64 wr_set_xrc_srqn = new Field.I64(280);
        public static final Field.I64 wr_set_inline_data = new Field.I64(288);
        public static final Field.I64 wr_set_inline_data_list = new Field.I64(296);
        public static final Field.I64 wr_set_sge = new Field.I64(304);
        public static final Field.I64 wr_set_sge_list = new Field.I64(312);
        public static final Field.I64 wr_start = new Field.I64(320);
        public static final Field.I64 wr_complete = new Field.I64(328);
        public static final Field.I64 wr_abort = new Field.I64(336);
        public static final Field.I64 wr_atomic_write = new Field.I64(344);

        private ibv_qp_ex() {}
    }

    /** {@code struct ibv_qp_ex} since release 46, with what was added at its end. */
    @Since("46")
    public static final class ibv_qp_ex$46 {

        public static final int SIZE = 360;

        public static final Field.I64 wr_flush = new Field.I64(352);

        private ibv_qp_ex$46() {}
    }

    /** {@code struct ibv_srq}. */
    public static final class ibv_srq {

        public static final int SIZE = 128;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 srq_context = new Field.I64(8);
        public static final Field.I64 pd = new Field.I64(16);
        public static final Field.I32 handle = new Field.I32(24);
        public static final Field.Part mutex = new Field.Part(32, 40);
        public static final Field.Part mutex$__data = new Field.Part(32, 40);
        public static final Field.I32 mutex$__data$__lock = new Field.I32(32);
        public static final Field.I32 mutex$__data$__count = new Field.I32(36);
        public static final Field.I32 mutex$__data$__owner = new Field.I32(40);
        public static final Field.I32 mutex$__data$__nusers = new Field.I32(44);
        public static final Field.I32 mutex$__data$__kind = new Field.I32(48);
        public static final Field.U16 mutex$__data$__spins = new Field.U16(52);
        public static final Field.U16 mutex$__data$__elision = new Field.U16(54);
        public static final Field.Part mutex$__data$__list = new Field.Part(56, 16);
        public static final Field.I64 mutex$__data$__list$__prev = new Field.I64(56);
        public static final Field.I64 mutex$__data$__list$__next = new Field.I64(64);
        public static final Field.Part mutex$__size = new Field.Part(32, 40);
        public static final Field.I64 mutex$__align = new Field.I64(32);
        public static final Field.Part cond = new Field.Part(72, 48);
        public static final Field.Part cond$__data = new Field.Part(72, 48);
        public static final Field.Part cond$__data$__wseq = new Field.Part(72, 8);
        public static final Field.I64 cond$__data$__wseq$__value64 = new Field.I64(72);
        public static final Field.Part cond$__data$__wseq$__value32 = new Field.Part(72, 8);
        public static final Field.I32 cond$__data$__wseq$__value32$__low = new Field.I32(72);
        public static final Field.I32 cond$__data$__wseq$__value32$__high = new Field.I32(76);
        public static final Field.Part cond$__data$__g1_start = new Field.Part(80, 8);
        public static final Field.I64 cond$__data$__g1_start$__value64 = new Field.I64(80);
        public static final Field.Part cond$__data$__g1_start$__value32 = new Field.Part(80, 8);
        public static final Field.I32 cond$__data$__g1_start$__value32$__low = new Field.I32(80);
        public static final Field.I32 cond$__data$__g1_start$__value32$__high = new Field.I32(84);
        public static final Field.Part cond$__data$__g_refs = new Field.Part(88, 8);
        public static final Field.Part cond$__data$__g_size = new Field.Part(96, 8);
        public static final Field.I32 cond$__data$__g1_orig_size = new Field.I32(104);
        public static final Field.I32 cond$__data$__wrefs = new Field.I32(108);
        public static final Field.Part cond$__data$__g_signals = new Field.Part(112, 8);
        public static final Field.Part cond$__size = new Field.Part(72, 48);
        public static final Field.I64 cond$__align = new Field.I64(72);
        public static final Field.I32 events_completed = new Field.I32(120);

        private ibv_srq() {}
    }

    /** {@code struct ibv_ah}. */
    public static final class ibv_ah {

        public static final int SIZE = 24;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 pd = new Field.I64(8);
        public static final Field.I32 handle = new Field.I32(16);

        private ibv_ah() {}
    }

    /** {@code struct ibv_xrcd}. */
    public static final class ibv_xrcd {

        public static final int SIZE = 8;

        public static final Field.I64 context = new Field.I64(0);

        private ibv_xrcd() {}
    }

    /** {@code struct ibv_dm}. */
    public static final class ibv_dm {

        public static final int SIZE = 32;

        public static final Field.I64 context = new Field.I64(0);
        public static final Field.I64 memcpy_to_dm = new Field.I64(8);
        public static final Field.I64 memcpy_from_dm = new Field.I64(16);
        public static final Field.I32 comp_mask = new Field.I32(24);
        public static final Field.I32 handle = new Field.I32(28);

        private ibv_dm() {}
    }

    /** {@code struct ibv_wc}. */
    public static final class ibv_wc {

        public static final int SIZE = 48;

        public static final Field.I64 wr_id = new Field.I64(0);
        public static final Field.I32 status = new Field.I32(8);
        public static final Field.I32 opcode = new Field.I32(12);
        public static final Field.I32 vendor_err = new Field.I32(16);
        public static final Field.I32 byte_len = new Field.I32(20);
        public static final Field.I32 imm_data = new Field.I32(24);
        public static final Field.I32 invalidated_rkey = new Field.I32(24);
        public static final Field.I32 qp_num = new Field.I32(28);
        public static final Field.I32 src_qp = new Field.I32(32);
        public static final Field.I32 wc_flags = new Field.I32(36);
        public static final Field.U16 pkey_index = new Field.U16(40);
        public static final Field.U16 slid = new Field.U16(42);
        public static final Field.U8 sl = new Field.U8(44);
        public static final Field.U8 dlid_path_bits = new Field.U8(45);

        private ibv_wc() {}
    }

    /** {@code struct ibv_send_wr}. */
    public static final class ibv_send_wr {

        public static final int SIZE = 128;

        public static final Field.I64 wr_id = new Field.I64(0);
        public static final Field.I64 next = new Field.I64(8);
        public static final Field.I64 sg_list = new Field.I64(16);
        public static final Field.I32 num_sge = new Field.I32(24);
        public static final Field.I32 opcode = new Field.I32(28);
        public static final Field.I32 send_flags = new Field.I32(32);
        public static final Field.I32 imm_data = new Field.I32(36);
        public static final Field.I32 invalidate_rkey = new Field.I32(36);
        public static final Field.Part wr = new Field.Part(40, 32);
        public static final Field.Part wr$rdma = new Field.Part(40, 16);
        public static final Field.I64 wr$rdma$remote_addr = new Field.I64(40);
        public static final Field.I32 wr$rdma$rkey = new Field.I32(48);
        public static final Field.Part wr$atomic = new Field.Part(40, 32);
        public static final Field.I64 wr$atomic$remote_addr = new Field.I64(40);
        public static final Field.I64 wr$atomic$compare_add = new Field.I64(48);
        public static final Field.I64 wr$atomic$swap = new Field.I64(56);
        public static final Field.I32 wr$atomic$rkey = new Field.I32(64);
        public static final Field.Part wr$ud = new Field.Part(40, 16);
        public static final Field.I64 wr$ud$ah = new Field.I64(40);
        public static final Field.I32 wr$ud$remote_qpn = new Field.I32(48);
        public static final Field.I32 wr$ud$remote_qkey = new Field.I32(52);
        public static final Field.Part qp_type = new Field.Part(72, 4);
        public static final Field.Part qp_type$xrc = new Field.Part(72, 4);
        public static final Field.I32 qp_type$xrc$remote_srqn = new Field.I32(72);
        public static final Field.Part bind_mw = new Field.Part(80, 48);
        public static final Field.I64 bind_mw$mw = new Field.I64(80);
        public static final Field.I32 bind_mw$rkey = new Field.I32(88);
        public static final Field.Part bind_mw$bind_info = new Field.Part(96, 32);
        public static final Field.Part tso = new Field.Part(80, 16);
        public static final Field.I64 tso$hdr = new Field.I64(80);
        public static final Field.U16 tso$hdr_sz = new Field.U16(88);
        public static final Field.U16 tso$mss = new Field.U16(90);

        private ibv_send_wr() {}
    }

    /** {@code struct ibv_recv_wr}. */
    public static final class ibv_recv_wr {

        public static final int SIZE = 32;

        public static final Field.I64 wr_id = new Field.I64(0);
        public static final Field.I64 next = new Field.I64(8);
        public static final Field.I64 sg_list = new Field.I64(16);
        public static final Field.I32 num_sge = new Field.I32(24);

        private ibv_recv_wr() {}
    }

    /** {@code struct ibv_sge}. */
    public static final class ibv_sge {

        public static final int SIZE = 16;

        public static final Field.I64 addr = new Field.I64(0);
        public static final Field.I32 length = new Field.I32(8);
        public static final Field.I32 lkey = new Field.I32(12);

        private ibv_sge() {}
    }

    /** {@code struct ibv_data_buf}. */
    public static final class ibv_data_buf {

        public static final int SIZE = 16;

        public static final Field.I64 addr = new Field.I64(0);
        public static final Field.I64 length = new Field.I64(8);

        private ibv_data_buf() {}
    }

    /** {@code struct ibv_mw_bind_info}. */
    public static final class ibv_mw_bind_info {

        public static final int SIZE = 32;

        public static final Field.I64 mr = new Field.I64(0);
        public static final Field.I64 addr = new Field.I64(8);
        public static final Field.I64 length = new Field.I64(16);
        public static final Field.I32 mw_access_flags = new Field.I32(24);

        private ibv_mw_bind_info() {}
    }

    /** {@code struct ibv_mw_bind}. */
    public static final class ibv_mw_bind {

        public static final int SIZE = 48;

        public static final Field.I64 wr_id = new Field.I64(0);
        public static final Field.I32 send_flags = new Field.I32(8);
        public static final Field.Part bind_info = new Field.Part(16, 32);

        private ibv_mw_bind() {}
    }

    /** {@code struct ibv_qp_init_attr}. */
    public static final class ibv_qp_init_attr {

        public static final int SIZE = 64;

        public static final Field.I64 qp_context = new Field.I64(0);
        public static final Field.I64 send_cq = new Field.I64(8);
        public static final Field.I64 recv_cq = new Field.I64(16);
        public static final Field.I64 srq = new Field.I64(24);
        public static final Field.Part cap = new Field.Part(32, 20);
        public static final Field.I32 cap$max_send_wr = new Field.I32(32);
        public static final Field.I32 cap$max_recv_wr = new Field.I32(36);
        public static final Field.I32 cap$max_send_sge = new Field.I32(40);
        public static final Field.I32 cap$max_recv_sge = new Field.I32(44);
        public static final Field.I32 cap$max_inline_data = new Field.I32(48);
        public static final Field.I32 qp_type = new Field.I32(52);
        public static final Field.I32 sq_sig_all = new Field.I32(56);

        private ibv_qp_init_attr() {}
    }

    /** {@code struct ibv_qp_init_attr_ex}. */
    public static final class ibv_qp_init_attr_ex {

        public static final int SIZE = 136;

        public static final Field.I64 qp_context = new Field.I64(0);
        public static final Field.I64 send_cq = new Field.I64(8);
        public static final Field.I64 recv_cq = new Field.I64(16);
        public static final Field.I64 srq = new Field.I64(24);
        public static final Field.Part cap = new Field.Part(32, 20);
        public static final Field.I32 cap$max_send_wr = new Field.I32(32);
        public static final Field.I32 cap$max_recv_wr = new Field.I32(36);
        public static final Field.I32 cap$max_send_sge = new Field.I32(40);
        public static final Field.I32 cap$max_recv_sge = new Field.I32(44);
        public static final Field.I32 cap$max_inline_data = new Field.I32(48);
        public static final Field.I32 qp_type = new Field.I32(52);
        public static final Field.I32 sq_sig_all = new Field.I32(56);
        public static final Field.I32 comp_mask = new Field.I32(60);
        public static final Field.I64 pd = new Field.I64(64);
        public static final Field.I64 xrcd = new Field.I64(72);
        public static final Field.I32 create_flags = new Field.I32(80);
        public static final Field.U16 max_tso_header = new Field.U16(84);
        public static final Field.I64 rwq_ind_tbl = new Field.I64(88);
        public static final Field.Part rx_hash_conf = new Field.Part(96, 24);
        public static final Field.U8 rx_hash_conf$rx_hash_function = new Field.U8(96);
        public static final Field.U8 rx_hash_conf$rx_hash_key_len = new Field.U8(97);
        public static final Field.I64 rx_hash_conf$rx_hash_key = new Field.I64(104);
        public static final Field.I64 rx_hash_conf$rx_hash_fields_mask = new Field.I64(112);
        public static final Field.I32 source_qpn = new Field.I32(120);
        public static final Field.I64 send_ops_flags = new Field.I64(128);

        private ibv_qp_init_attr_ex() {}
    }

    /** {@code struct ibv_qp_open_attr}. */
    public static final class ibv_qp_open_attr {

        public static final int SIZE = 32;

        public static final Field.I32 comp_mask = new Field.I32(0);
        public static final Field.I32 qp_num = new Field.I32(4);
        public static final Field.I64 xrcd = new Field.I64(8);
        public static final Field.I64 qp_context = new Field.I64(16);
        public static final Field.I32 qp_type = new Field.I32(24);

        private ibv_qp_open_attr() {}
    }

    /** {@code struct ibv_qp_cap}. */
    public static final class ibv_qp_cap {

        public static final int SIZE = 20;

        public static final Field.I32 max_send_wr = new Field.I32(0);
        public static final Field.I32 max_recv_wr = new Field.I32(4);
        public static final Field.I32 max_send_sge = new Field.I32(8);
        public static final Field.I32 max_recv_sge = new Field.I32(12);
        public static final Field.I32 max_inline_data = new Field.I32(16);

        private ibv_qp_cap() {}
    }

    /** {@code struct ibv_qp_attr}. */
    public static final class ibv_qp_attr {

        public static final int SIZE = 144;

        public static final Field.I32 qp_state = new Field.I32(0);
        public static final Field.I32 cur_qp_state = new Field.I32(4);
        public static final Field.I32 path_mtu = new Field.I32(8);
        public static final Field.I32 path_mig_state = new Field.I32(12);
        public static final Field.I32 qkey = new Field.I32(16);
        public static final Field.I32 rq_psn = new Field.I32(20);
        public static final Field.I32 sq_psn = new Field.I32(24);
        public static final Field.I32 dest_qp_num = new Field.I32(28);
        public static final Field.I32 qp_access_flags = new Field.I32(32);
        public static final Field.Part cap = new Field.Part(36, 20);
        public static final Field.I32 cap$max_send_wr = new Field.I32(36);
        public static final Field.I32 cap$max_recv_wr = new Field.I32(40);
        public static final Field.I32 cap$max_send_sge = new Field.I32(44);
        public static final Field.I32 cap$max_recv_sge = new Field.I32(48);
        public static final Field.I32 cap$max_inline_data = new Field.I32(52);
        public static final Field.Part ah_attr = new Field.Part(56, 32);
        public static final Field.Part alt_ah_attr = new Field.Part(88, 32);
        public static final Field.U16 pkey_index = new Field.U16(120);
        public static final Field.U16 alt_pkey_index = new Field.U16(122);
        public static final Field.U8 en_sqd_async_notify = new Field.U8(124);
        public static final Field.U8 sq_draining = new Field.U8(125);
        public static final Field.U8 max_rd_atomic = new Field.U8(126);
        public static final Field.U8 max_dest_rd_atomic = new Field.U8(127);
        public static final Field.U8 min_rnr_timer = new Field.U8(128);
        public static final Field.U8 port_num = new Field.U8(129);
        public static final Field.U8 timeout = new Field.U8(130);
        public static final Field.U8 retry_cnt = new Field.U8(131);
        public static final Field.U8 rnr_retry = new Field.U8(132);
        public static final Field.U8 alt_port_num = new Field.U8(133);
        public static final Field.U8 alt_timeout = new Field.U8(134);
        public static final Field.I32 rate_limit = new Field.I32(136);

        private ibv_qp_attr() {}
    }

    /** {@code struct ibv_ah_attr}. */
    public static final class ibv_ah_attr {

        public static final int SIZE = 32;

        public static final Field.Part grh = new Field.Part(0, 24);
        public static final Field.U16 dlid = new Field.U16(24);
        public static final Field.U8 sl = new Field.U8(26);
        public static final Field.U8 src_path_bits = new Field.U8(27);
        public static final Field.U8 static_rate = new Field.U8(28);
        public static final Field.U8 is_global = new Field.U8(29);
        public static final Field.U8 port_num = new Field.U8(30);

        private ibv_ah_attr() {}
    }

    /** {@code struct ibv_global_route}. */
    public static final class ibv_global_route {

        public static final int SIZE = 24;

        public static final Field.Part dgid = new Field.Part(0, 16);
        public static final Field.Part dgid$raw = new Field.Part(0, 16);
        public static final Field.Part dgid$global = new Field.Part(0, 16);
        public static final Field.I64 dgid$global$subnet_prefix = new Field.I64(0);
        public static final Field.I64 dgid$global$interface_id = new Field.I64(8);
        public static final Field.I32 flow_label = new Field.I32(16);
        public static final Field.U8 sgid_index = new Field.U8(20);
        public static final Field.U8 hop_limit = new Field.U8(21);
        public static final Field.U8 traffic_class = new Field.U8(22);

        private ibv_global_route() {}
    }

    /** {@code struct ibv_grh}. */
    public static final class ibv_grh {

        public static final int SIZE = 40;

        public static final Field.I32 version_tclass_flow = new Field.I32(0);
        public static final Field.U16 paylen = new Field.U16(4);
        public static final Field.U8 next_hdr = new Field.U8(6);
        public static final Field.U8 hop_limit = new Field.U8(7);
        public static final Field.Part sgid = new Field.Part(8, 16);
        public static final Field.Part sgid$raw = new Field.Part(8, 16);
        public static final Field.Part sgid$global = new Field.Part(8, 16);
        public static final Field.I64 sgid$global$subnet_prefix = new Field.I64(8);
        public static final Field.I64 sgid$global$interface_id = new Field.I64(16);
        public static final Field.Part dgid = new Field.Part(24, 16);
        public static final Field.Part dgid$raw = new Field.Part(24, 16);
        public static final Field.Part dgid$global = new Field.Part(24, 16);
        public static final Field.I64 dgid$global$subnet_prefix = new Field.I64(24);
        public static final Field.I64 dgid$global$interface_id = new Field.I64(32);

        private ibv_grh() {}
    }

    /** {@code struct ibv_port_attr}. */
    public static final class ibv_port_attr {

        public static final int SIZE = 52;

        public static final Field.I32 state = new Field.I32(0);
        public static final Field.I32 max_mtu = new Field.I32(4);
        public static final Field.I32 active_mtu = new Field.I32(8);
        public static final Field.I32 gid_tbl_len = new Field.I32(12);
        public static final Field.I32 port_cap_flags = new Field.I32(16);
        public static final Field.I32 max_msg_sz = new Field.I32(20);
        public static final Field.I32 bad_pkey_cntr = new Field.I32(24);
        public static final Field.I32 qkey_viol_cntr = new Field.I32(28);
        public static final Field.U16 pkey_tbl_len = new Field.U16(32);
        public static final Field.U16 lid = new Field.U16(34);
        public static final Field.U16 sm_lid = new Field.U16(36);
        public static final Field.U8 lmc = new Field.U8(38);
        public static final Field.U8 max_vl_num = new Field.U8(39);
        public static final Field.U8 sm_sl = new Field.U8(40);
        public static final Field.U8 subnet_timeout = new Field.U8(41);
        public static final Field.U8 init_type_reply = new Field.U8(42);
        public static final Field.U8 active_width = new Field.U8(43);
        public static final Field.U8 active_speed = new Field.U8(44);
        public static final Field.U8 phys_state = new Field.U8(45);
        public static final Field.U8 link_layer = new Field.U8(46);
        public static final Field.U8 flags = new Field.U8(47);
        public static final Field.U16 port_cap_flags2 = new Field.U16(48);

        private ibv_port_attr() {}
    }

    /** {@code struct ibv_device_attr}. */
    public static final class ibv_device_attr {

        public static final int SIZE = 232;

        public static final Field.Part fw_ver = new Field.Part(0, 64);
        public static final Field.I64 node_guid = new Field.I64(64);
        public static final Field.I64 sys_image_guid = new Field.I64(72);
        public static final Field.I64 max_mr_size = new Field.I64(80);
        public static final Field.I64 page_size_cap = new Field.I64(88);
        public static final Field.I32 vendor_id = new Field.I32(96);
        public static final Field.I32 vendor_part_id = new Field.I32(100);
        public static final Field.I32 hw_ver = new Field.I32(104);
        public static final Field.I32 max_qp = new Field.I32(108);
        public static final Field.I32 max_qp_wr = new Field.I32(112);
        public static final Field.I32 device_cap_flags = new Field.I32(116);
        public static final Field.I32 max_sge = new Field.I32(120);
        public static final Field.I32 max_sge_rd = new Field.I32(124);
        public static final Field.I32 max_cq = new Field.I32(128);
        public static final Field.I32 max_cqe = new Field.I32(132);
        public static final Field.I32 max_mr = new Field.I32(136);
        public static final Field.I32 max_pd = new Field.I32(140);
        public static final Field.I32 max_qp_rd_atom = new Field.I32(144);
        public static final Field.I32 max_ee_rd_atom = new Field.I32(148);
        public static final Field.I32 max_res_rd_atom = new Field.I32(152);
        public static final Field.I32 max_qp_init_rd_atom = new Field.I32(156);
        public static final Field.I32 max_ee_init_rd_atom = new Field.I32(160);
        public static final Field.I32 atomic_cap = new Field.I32(164);
        public static final Field.I32 max_ee = new Field.I32(168);
        public static final Field.I32 max_rdd = new Field.I32(172);
        public static final Field.I32 max_mw = new Field.I32(176);
        public static final Field.I32 max_raw_ipv6_qp = new Field.I32(180);
        public static final Field.I32 max_raw_ethy_qp = new Field.I32(184);
        public static final Field.I32 max_mcast_grp = new Field.I32(188);
        public static final Field.I32 max_mcast_qp_attach = new Field.I32(192);
        public static final Field.I32 max_total_mcast_qp_attach = new Field.I32(196);
        public static final Field.I32 max_ah = new Field.I32(200);
        public static final Field.I32 max_fmr = new Field.I32(204);
        public static final Field.I32 max_map_per_fmr = new Field.I32(208);
        public static final Field.I32 max_srq = new Field.I32(212);
        public static final Field.I32 max_srq_wr = new Field.I32(216);
        public static final Field.I32 max_srq_sge = new Field.I32(220);
        public static final Field.U16 max_pkeys = new Field.U16(224);
        public static final Field.U8 local_ca_ack_delay = new Field.U8(226);
        public static final Field.U8 phys_port_cnt = new Field.U8(227);

        private ibv_device_attr() {}
    }

    /** {@code struct ibv_device_attr_ex}. */
    public static final class ibv_device_attr_ex {

        public static final int SIZE = 400;

        public static final Field.Part orig_attr = new Field.Part(0, 232);
        public static final Field.I32 comp_mask = new Field.I32(232);
        public static final Field.Part odp_caps = new Field.Part(240, 24);
        public static final Field.I64 completion_timestamp_mask = new Field.I64(264);
        public static final Field.I64 hca_core_clock = new Field.I64(272);
        public static final Field.I64 device_cap_flags_ex = new Field.I64(280);
        public static final Field.Part tso_caps = new Field.Part(288, 8);
        public static final Field.I32 tso_caps$max_tso = new Field.I32(288);
        public static final Field.I32 tso_caps$supported_qpts = new Field.I32(292);
        public static final Field.Part rss_caps = new Field.Part(296, 32);
        public static final Field.I32 rss_caps$supported_qpts = new Field.I32(296);
        public static final Field.I32 rss_caps$max_rwq_indirection_tables = new Field.I32(300);
        public static final Field.I32 rss_caps$max_rwq_indirection_table_size = new Field.I32(304);
        public static final Field.I64 rss_caps$rx_hash_fields_mask = new Field.I64(312);
        public static final Field.U8 rss_caps$rx_hash_function = new Field.U8(320);
        public static final Field.I32 max_wq_type_rq = new Field.I32(328);
        public static final Field.Part packet_pacing_caps = new Field.Part(332, 12);
        public static final Field.I32 packet_pacing_caps$qp_rate_limit_min = new Field.I32(332);
        public static final Field.I32 packet_pacing_caps$qp_rate_limit_max = new Field.I32(336);
        public static final Field.I32 packet_pacing_caps$supported_qpts = new Field.I32(340);
        public static final Field.I32 raw_packet_caps = new Field.I32(344);
        public static final Field.Part tm_caps = new Field.Part(348, 20);
        public static final Field.I32 tm_caps$max_rndv_hdr_size = new Field.I32(348);
        public static final Field.I32 tm_caps$max_num_tags = new Field.I32(352);
        public static final Field.I32 tm_caps$flags = new Field.I32(356);
        public static final Field.I32 tm_caps$max_ops = new Field.I32(360);
        public static final Field.I32 tm_caps$max_sge = new Field.I32(364);
        public static final Field.Part cq_mod_caps = new Field.Part(368, 4);
        public static final Field.U16 cq_mod_caps$max_cq_count = new Field.U16(368);
        public static final Field.U16 cq_mod_caps$max_cq_period = new Field.U16(370);
        public static final Field.I64 max_dm_size = new Field.I64(376);
        public static final Field.Part pci_atomic_caps = new Field.Part(384, 6);
        public static final Field.U16 pci_atomic_caps$fetch_add = new Field.U16(384);
        public static final Field.U16 pci_atomic_caps$swap = new Field.U16(386);
        public static final Field.U16 pci_atomic_caps$compare_swap = new Field.U16(388);
        public static final Field.I32 xrc_odp_caps = new Field.I32(392);
        public static final Field.I32 phys_port_cnt_ex = new Field.I32(396);

        private ibv_device_attr_ex() {}
    }

    /** {@code struct ibv_query_device_ex_input}. */
    public static final class ibv_query_device_ex_input {

        public static final int SIZE = 4;

        public static final Field.I32 comp_mask = new Field.I32(0);

        private ibv_query_device_ex_input() {}
    }

    /** {@code struct ibv_odp_caps}. */
    public static final class ibv_odp_caps {

        public static final int SIZE = 24;

        public static final Field.I64 general_caps = new Field.I64(0);
        public static final Field.Part per_transport_caps = new Field.Part(8, 12);
        public static final Field.I32 per_transport_caps$rc_odp_caps = new Field.I32(8);
        public static final Field.I32 per_transport_caps$uc_odp_caps = new Field.I32(12);
        public static final Field.I32 per_transport_caps$ud_odp_caps = new Field.I32(16);

        private ibv_odp_caps() {}
    }

    /** {@code struct ibv_srq_init_attr}. */
    public static final class ibv_srq_init_attr {

        public static final int SIZE = 24;

        public static final Field.I64 srq_context = new Field.I64(0);
        public static final Field.Part attr = new Field.Part(8, 12);

        private ibv_srq_init_attr() {}
    }

    /** {@code struct ibv_srq_attr}. */
    public static final class ibv_srq_attr {

        public static final int SIZE = 12;

        public static final Field.I32 max_wr = new Field.I32(0);
        public static final Field.I32 max_sge = new Field.I32(4);
        public static final Field.I32 srq_limit = new Field.I32(8);

        private ibv_srq_attr() {}
    }

    /** {@code struct ibv_srq_init_attr_ex}. */
    public static final class ibv_srq_init_attr_ex {

        public static final int SIZE = 64;

        public static final Field.I64 srq_context = new Field.I64(0);
        public static final Field.Part attr = new Field.Part(8, 12);
        public static final Field.I32 comp_mask = new Field.I32(20);
        public static final Field.I32 srq_type = new Field.I32(24);
        public static final Field.I64 pd = new Field.I64(32);
        public static final Field.I64 xrcd = new Field.I64(40);
        public static final Field.I64 cq = new Field.I64(48);
        public static final Field.Part tm_cap = new Field.Part(56, 8);
        public static final Field.I32 tm_cap$max_num_tags = new Field.I32(56);
        public static final Field.I32 tm_cap$max_ops = new Field.I32(60);

        private ibv_srq_init_attr_ex() {}
    }

    /** {@code struct ibv_cq_init_attr_ex}. */
    public static final class ibv_cq_init_attr_ex {

        public static final int SIZE = 56;

        public static final Field.I32 cqe = new Field.I32(0);
        public static final Field.I64 cq_context = new Field.I64(8);
        public static final Field.I64 channel = new Field.I64(16);
        public static final Field.I32 comp_vector = new Field.I32(24);
        public static final Field.I64 wc_flags = new Field.I64(32);
        public static final Field.I32 comp_mask = new Field.I32(40);
        public static final Field.I32 flags = new Field.I32(44);
        public static final Field.I64 parent_domain = new Field.I64(48);

        private ibv_cq_init_attr_ex() {}
    }

    /** {@code struct ibv_modify_cq_attr}. */
    public static final class ibv_modify_cq_attr {

        public static final int SIZE = 8;

        public static final Field.I32 attr_mask = new Field.I32(0);
        public static final Field.Part moderate = new Field.Part(4, 4);

        private ibv_modify_cq_attr() {}
    }

    /** {@code struct ibv_moderate_cq}. */
    public static final class ibv_moderate_cq {

        public static final int SIZE = 4;

        public static final Field.U16 cq_count = new Field.U16(0);
        public static final Field.U16 cq_period = new Field.U16(2);

        private ibv_moderate_cq() {}
    }

    /** {@code struct ibv_gid_entry}. */
    public static final class ibv_gid_entry {

        public static final int SIZE = 32;

        public static final Field.Part gid = new Field.Part(0, 16);
        public static final Field.Part gid$raw = new Field.Part(0, 16);
        public static final Field.Part gid$global = new Field.Part(0, 16);
        public static final Field.I64 gid$global$subnet_prefix = new Field.I64(0);
        public static final Field.I64 gid$global$interface_id = new Field.I64(8);
        public static final Field.I32 gid_index = new Field.I32(16);
        public static final Field.I32 port_num = new Field.I32(20);
        public static final Field.I32 gid_type = new Field.I32(24);
        public static final Field.I32 ndev_ifindex = new Field.I32(28);

        private ibv_gid_entry() {}
    }

    /** {@code struct ibv_async_event}. */
    public static final class ibv_async_event {

        public static final int SIZE = 16;

        public static final Field.Part element = new Field.Part(0, 8);
        public static final Field.I64 element$cq = new Field.I64(0);
        public static final Field.I64 element$qp = new Field.I64(0);
        public static final Field.I64 element$srq = new Field.I64(0);
        public static final Field.I64 element$wq = new Field.I64(0);
        public static final Field.I32 element$port_num = new Field.I32(0);
        public static final Field.I32 event_type = new Field.I32(8);

        private ibv_async_event() {}
    }

    /** {@code struct ibv_xrcd_init_attr}. */
    public static final class ibv_xrcd_init_attr {

        public static final int SIZE = 12;

        public static final Field.I32 comp_mask = new Field.I32(0);
        public static final Field.I32 fd = new Field.I32(4);
        public static final Field.I32 oflags = new Field.I32(8);

        private ibv_xrcd_init_attr() {}
    }

    /** {@code struct ibv_alloc_dm_attr}. */
    public static final class ibv_alloc_dm_attr {

        public static final int SIZE = 16;

        public static final Field.I64 length = new Field.I64(0);
        public static final Field.I32 log_align_req = new Field.I32(8);
        public static final Field.I32 comp_mask = new Field.I32(12);

        private ibv_alloc_dm_attr() {}
    }

    /** {@code struct ibv_mr_init_attr}. */
    @Since("IBVERBS_1.15")
    public static final class ibv_mr_init_attr {

        public static final int SIZE = 72;

        public static final Field.I64 length = new Field.I64(0);
        public static final Field.I32 access = new Field.I32(8);
        public static final Field.I64 comp_mask = new Field.I64(16);
        public static final Field.I64 iova = new Field.I64(24);
        public static final Field.I64 addr = new Field.I64(32);

        private ibv_mr_init_attr() {}
    }

    /** {@code struct ibv_td_init_attr}. */
    public static final class ibv_td_init_attr {

        public static final int SIZE = 4;

        public static final Field.I32 comp_mask = new Field.I32(0);

        private ibv_td_init_attr() {}
    }

    /** {@code struct ibv_td}. */
    public static final class ibv_td {

        public static final int SIZE = 8;

        public static final Field.I64 context = new Field.I64(0);

        private ibv_td() {}
    }

    /** {@code struct ibv_parent_domain_init_attr}. */
    public static final class ibv_parent_domain_init_attr {

        public static final int SIZE = 48;

        public static final Field.I64 pd = new Field.I64(0);
        public static final Field.I64 td = new Field.I64(8);
        public static final Field.I32 comp_mask = new Field.I32(16);
        public static final Field.I64 alloc = new Field.I64(24);
        public static final Field.I64 free = new Field.I64(32);
        public static final Field.I64 pd_context = new Field.I64(40);

        private ibv_parent_domain_init_attr() {}
    }

    /** {@code struct ibv_values_ex}. */
    public static final class ibv_values_ex {

        public static final int SIZE = 24;

        public static final Field.I32 comp_mask = new Field.I32(0);
        public static final Field.Part raw_clock = new Field.Part(8, 16);

        private ibv_values_ex() {}
    }

    /** {@code struct ibv_ece}. */
    public static final class ibv_ece {

        public static final int SIZE = 12;

        public static final Field.I32 vendor_id = new Field.I32(0);
        public static final Field.I32 options = new Field.I32(4);
        public static final Field.I32 comp_mask = new Field.I32(8);

        private ibv_ece() {}
    }

    /** {@code struct ibv_qp_rate_limit_attr}. */
    public static final class ibv_qp_rate_limit_attr {

        public static final int SIZE = 16;

        public static final Field.I32 rate_limit = new Field.I32(0);
        public static final Field.I32 max_burst_sz = new Field.I32(4);
        public static final Field.U16 typical_pkt_sz = new Field.U16(8);
        public static final Field.I32 comp_mask = new Field.I32(12);

        private ibv_qp_rate_limit_attr() {}
    }

    /** {@code struct rdma_cm_id}. */
    public static final class rdma_cm_id {

        public static final int SIZE = 416;

        public static final Field.I64 verbs = new Field.I64(0);
        public static final Field.I64 channel = new Field.I64(8);
        public static final Field.I64 context = new Field.I64(16);
        public static final Field.I64 qp = new Field.I64(24);
        public static final Field.Part route = new Field.Part(32, 312);
        public static final Field.Part route$addr = new Field.Part(32, 296);
        public static final Field.Part route$addr$src_addr = new Field.Part(32, 16);
        public static final Field.Part route$addr$src_sin = new Field.Part(32, 16);
        public static final Field.Part route$addr$src_sin6 = new Field.Part(32, 28);
        public static final Field.Part route$addr$src_storage = new Field.Part(32, 128);
        public static final Field.U16 route$addr$src_storage$ss_family = new Field.U16(32);
        public static final Field.Part route$addr$dst_addr = new Field.Part(160, 16);
        public static final Field.Part route$addr$dst_sin = new Field.Part(160, 16);
        public static final Field.Part route$addr$dst_sin6 = new Field.Part(160, 28);
        public static final Field.Part route$addr$dst_storage = new Field.Part(160, 128);
        public static final Field.U16 route$addr$dst_storage$ss_family = new Field.U16(160);
        public static final Field.Part route$addr$addr = new Field.Part(288, 40);
        public static final Field.Part route$addr$addr$ibaddr = new Field.Part(288, 40);
        public static final Field.Part route$addr$addr$ibaddr$sgid = new Field.Part(288, 16);
        public static final Field.Part route$addr$addr$ibaddr$sgid$raw = new Field.Part(288, 16);
        public static final Field.Part route$addr$addr$ibaddr$sgid$global = new Field.Part(288, 16);
        public static final Field.I64 route$addr$addr$ibaddr$sgid$global$subnet_prefix = new Field.I64(288);
        public static final Field.I64 route$addr$addr$ibaddr$sgid$global$interface_id = new Field.I64(296);
        public static final Field.Part route$addr$addr$ibaddr$dgid = new Field.Part(304, 16);
        public static final Field.Part route$addr$addr$ibaddr$dgid$raw = new Field.Part(304, 16);
        public static final Field.Part route$addr$addr$ibaddr$dgid$global = new Field.Part(304, 16);
        public static final Field.I64 route$addr$addr$ibaddr$dgid$global$subnet_prefix = new Field.I64(304);
        public static final Field.I64 route$addr$addr$ibaddr$dgid$global$interface_id = new Field.I64(312);
        public static final Field.U16 route$addr$addr$ibaddr$pkey = new Field.U16(320);
        public static final Field.I64 route$path_rec = new Field.I64(328);
        public static final Field.I32 route$num_paths = new Field.I32(336);
        public static final Field.I32 ps = new Field.I32(344);
        public static final Field.U8 port_num = new Field.U8(348);
        public static final Field.I64 event = new Field.I64(352);
        public static final Field.I64 send_cq_channel = new Field.I64(360);
        public static final Field.I64 send_cq = new Field.I64(368);
        public static final Field.I64 recv_cq_channel = new Field.I64(376);
        public static final Field.I64 recv_cq = new Field.I64(384);
        public static final Field.I64 srq = new Field.I64(392);
        public static final Field.I64 pd = new Field.I64(400);
        public static final Field.I32 qp_type = new Field.I32(408);

        private rdma_cm_id() {}
    }

    /** {@code struct rdma_event_channel}. */
    public static final class rdma_event_channel {

        public static final int SIZE = 4;

        public static final Field.I32 fd = new Field.I32(0);

        private rdma_event_channel() {}
    }

    /** {@code struct rdma_cm_event}. */
    public static final class rdma_cm_event {

        public static final int SIZE = 80;

        public static final Field.I64 id = new Field.I64(0);
        public static final Field.I64 listen_id = new Field.I64(8);
        public static final Field.I32 event = new Field.I32(16);
        public static final Field.I32 status = new Field.I32(20);
        public static final Field.Part param = new Field.Part(24, 56);
        public static final Field.Part param$conn = new Field.Part(24, 24);
        public static final Field.Part param$ud = new Field.Part(24, 56);

        private rdma_cm_event() {}
    }

    /** {@code struct rdma_conn_param}. */
    public static final class rdma_conn_param {

        public static final int SIZE = 24;

        public static final Field.I64 private_data = new Field.I64(0);
        public static final Field.U8 private_data_len = new Field.U8(8);
        public static final Field.U8 responder_resources = new Field.U8(9);
        public static final Field.U8 initiator_depth = new Field.U8(10);
        public static final Field.U8 flow_control = new Field.U8(11);
        public static final Field.U8 retry_count = new Field.U8(12);
        public static final Field.U8 rnr_retry_count = new Field.U8(13);
        public static final Field.U8 srq = new Field.U8(14);
        public static final Field.I32 qp_num = new Field.I32(16);

        private rdma_conn_param() {}
    }

    /** {@code struct rdma_ud_param}. */
    public static final class rdma_ud_param {

        public static final int SIZE = 56;

        public static final Field.I64 private_data = new Field.I64(0);
        public static final Field.U8 private_data_len = new Field.U8(8);
        public static final Field.Part ah_attr = new Field.Part(16, 32);
        public static final Field.I32 qp_num = new Field.I32(48);
        public static final Field.I32 qkey = new Field.I32(52);

        private rdma_ud_param() {}
    }

    /** {@code struct rdma_addrinfo}. */
    public static final class rdma_addrinfo {

        public static final int SIZE = 96;

        public static final Field.I32 ai_flags = new Field.I32(0);
        public static final Field.I32 ai_family = new Field.I32(4);
        public static final Field.I32 ai_qp_type = new Field.I32(8);
        public static final Field.I32 ai_port_space = new Field.I32(12);
        public static final Field.I32 ai_src_len = new Field.I32(16);
        public static final Field.I32 ai_dst_len = new Field.I32(20);
        public static final Field.I64 ai_src_addr = new Field.I64(24);
        public static final Field.I64 ai_dst_addr = new Field.I64(32);
        public static final Field.I64 ai_src_canonname = new Field.I64(40);
        public static final Field.I64 ai_dst_canonname = new Field.I64(48);
        public static final Field.I64 ai_route_len = new Field.I64(56);
        public static final Field.I64 ai_route = new Field.I64(64);
        public static final Field.I64 ai_connect_len = new Field.I64(72);
        public static final Field.I64 ai_connect = new Field.I64(80);
        public static final Field.I64 ai_next = new Field.I64(88);

        private rdma_addrinfo() {}
    }

    /** {@code struct rdma_cm_join_mc_attr_ex}. */
    public static final class rdma_cm_join_mc_attr_ex {

        public static final int SIZE = 16;

        public static final Field.I32 comp_mask = new Field.I32(0);
        public static final Field.I32 join_flags = new Field.I32(4);
        public static final Field.I64 addr = new Field.I64(8);

        private rdma_cm_join_mc_attr_ex() {}
    }

    /** {@code struct ibv_sa_path_rec}. */
    public static final class ibv_sa_path_rec {

        public static final int SIZE = 64;

        public static final Field.Part dgid = new Field.Part(0, 16);
        public static final Field.Part dgid$raw = new Field.Part(0, 16);
        public static final Field.Part dgid$global = new Field.Part(0, 16);
        public static final Field.I64 dgid$global$subnet_prefix = new Field.I64(0);
        public static final Field.I64 dgid$global$interface_id = new Field.I64(8);
        public static final Field.Part sgid = new Field.Part(16, 16);
        public static final Field.Part sgid$raw = new Field.Part(16, 16);
        public static final Field.Part sgid$global = new Field.Part(16, 16);
        public static final Field.I64 sgid$global$subnet_prefix = new Field.I64(16);
        public static final Field.I64 sgid$global$interface_id = new Field.I64(24);
        public static final Field.U16 dlid = new Field.U16(32);
        public static final Field.U16 slid = new Field.U16(34);
        public static final Field.I32 raw_traffic = new Field.I32(36);
        public static final Field.I32 flow_label = new Field.I32(40);
        public static final Field.U8 hop_limit = new Field.U8(44);
        public static final Field.U8 traffic_class = new Field.U8(45);
        public static final Field.I32 reversible = new Field.I32(48);
        public static final Field.U8 numb_path = new Field.U8(52);
        public static final Field.U16 pkey = new Field.U16(54);
        public static final Field.U8 sl = new Field.U8(56);
        public static final Field.U8 mtu_selector = new Field.U8(57);
        public static final Field.U8 mtu = new Field.U8(58);
        public static final Field.U8 rate_selector = new Field.U8(59);
        public static final Field.U8 rate = new Field.U8(60);
        public static final Field.U8 packet_life_time_selector = new Field.U8(61);
        public static final Field.U8 packet_life_time = new Field.U8(62);
        public static final Field.U8 preference = new Field.U8(63);

        private ibv_sa_path_rec() {}
    }

    /** {@code struct ib_user_path_rec} of the kernel's interface. */
    public static final class ib_user_path_rec {

        public static final int SIZE = 64;

        public static final Field.Part dgid = new Field.Part(0, 16);
        public static final Field.Part sgid = new Field.Part(16, 16);
        public static final Field.U16 dlid = new Field.U16(32);
        public static final Field.U16 slid = new Field.U16(34);
        public static final Field.I32 raw_traffic = new Field.I32(36);
        public static final Field.I32 flow_label = new Field.I32(40);
        public static final Field.I32 reversible = new Field.I32(44);
        public static final Field.I32 mtu = new Field.I32(48);
        public static final Field.U16 pkey = new Field.U16(52);
        public static final Field.U8 hop_limit = new Field.U8(54);
        public static final Field.U8 traffic_class = new Field.U8(55);
        public static final Field.U8 numb_path = new Field.U8(56);
        public static final Field.U8 sl = new Field.U8(57);
        public static final Field.U8 mtu_selector = new Field.U8(58);
        public static final Field.U8 rate_selector = new Field.U8(59);
        public static final Field.U8 rate = new Field.U8(60);
        public static final Field.U8 packet_life_time_selector = new Field.U8(61);
        public static final Field.U8 packet_life_time = new Field.U8(62);
        public static final Field.U8 preference = new Field.U8(63);

        private ib_user_path_rec() {}
    }

    /** {@code struct ib_uverbs_ah_attr} of the kernel's interface. */
    public static final class ib_uverbs_ah_attr {

        public static final int SIZE = 32;

        public static final Field.Part grh = new Field.Part(0, 24);
        public static final Field.U16 dlid = new Field.U16(24);
        public static final Field.U8 sl = new Field.U8(26);
        public static final Field.U8 src_path_bits = new Field.U8(27);
        public static final Field.U8 static_rate = new Field.U8(28);
        public static final Field.U8 is_global = new Field.U8(29);
        public static final Field.U8 port_num = new Field.U8(30);

        private ib_uverbs_ah_attr() {}
    }

    /** {@code struct ib_uverbs_qp_attr} of the kernel's interface. */
    public static final class ib_uverbs_qp_attr {

        public static final int SIZE = 144;

        public static final Field.I32 qp_attr_mask = new Field.I32(0);
        public static final Field.I32 qp_state = new Field.I32(4);
        public static final Field.I32 cur_qp_state = new Field.I32(8);
        public static final Field.I32 path_mtu = new Field.I32(12);
        public static final Field.I32 path_mig_state = new Field.I32(16);
        public static final Field.I32 qkey = new Field.I32(20);
        public static final Field.I32 rq_psn = new Field.I32(24);
        public static final Field.I32 sq_psn = new Field.I32(28);
        public static final Field.I32 dest_qp_num = new Field.I32(32);
        public static final Field.I32 qp_access_flags = new Field.I32(36);
        public static final Field.Part ah_attr = new Field.Part(40, 32);
        public static final Field.Part alt_ah_attr = new Field.Part(72, 32);
        public static final Field.I32 max_send_wr = new Field.I32(104);
        public static final Field.I32 max_recv_wr = new Field.I32(108);
        public static final Field.I32 max_send_sge = new Field.I32(112);
        public static final Field.I32 max_recv_sge = new Field.I32(116);
        public static final Field.I32 max_inline_data = new Field.I32(120);
        public static final Field.U16 pkey_index = new Field.U16(124);
        public static final Field.U16 alt_pkey_index = new Field.U16(126);
        public static final Field.U8 en_sqd_async_notify = new Field.U8(128);
        public static final Field.U8 sq_draining = new Field.U8(129);
        public static final Field.U8 max_rd_atomic = new Field.U8(130);
        public static final Field.U8 max_dest_rd_atomic = new Field.U8(131);
        public static final Field.U8 min_rnr_timer = new Field.U8(132);
        public static final Field.U8 port_num = new Field.U8(133);
        public static final Field.U8 timeout = new Field.U8(134);
        public static final Field.U8 retry_cnt = new Field.U8(135);
        public static final Field.U8 rnr_retry = new Field.U8(136);
        public static final Field.U8 alt_port_num = new Field.U8(137);
        public static final Field.U8 alt_timeout = new Field.U8(138);

        private ib_uverbs_qp_attr() {}
    }

    /** {@code struct sockaddr_in}. */
    public static final class sockaddr_in {

        public static final int SIZE = 16;

        public static final Field.U16 sin_family = new Field.U16(0);
        public static final Field.U16 sin_port = new Field.U16(2);
        public static final Field.Part sin_addr = new Field.Part(4, 4);
        public static final Field.I32 sin_addr$s_addr = new Field.I32(4);
        public static final Field.Part sin_zero = new Field.Part(8, 8);

        private sockaddr_in() {}
    }

    /** {@code struct sockaddr_in6}. */
    public static final class sockaddr_in6 {

        public static final int SIZE = 28;

        public static final Field.U16 sin6_family = new Field.U16(0);
        public static final Field.U16 sin6_port = new Field.U16(2);
        public static final Field.I32 sin6_flowinfo = new Field.I32(4);
        public static final Field.Part sin6_addr = new Field.Part(8, 16);
        public static final Field.Part sin6_addr$__in6_u = new Field.Part(8, 16);
        public static final Field.Part sin6_addr$__in6_u$__u6_addr8 = new Field.Part(8, 16);
        public static final Field.Part sin6_addr$__in6_u$__u6_addr16 = new Field.Part(8, 16);
        public static final Field.Part sin6_addr$__in6_u$__u6_addr32 = new Field.Part(8, 16);
        public static final Field.I32 sin6_scope_id = new Field.I32(24);

        private sockaddr_in6() {}
    }

    /** {@code struct sockaddr_ib}. */
    public static final class sockaddr_ib {

        public static final int SIZE = 48;

        public static final Field.U16 sib_family = new Field.U16(0);
        public static final Field.U16 sib_pkey = new Field.U16(2);
        public static final Field.I32 sib_flowinfo = new Field.I32(4);
        public static final Field.Part sib_addr = new Field.Part(8, 16);
        public static final Field.Part sib_addr$ib_u = new Field.Part(8, 16);
        public static final Field.Part sib_addr$ib_u$uib_addr8 = new Field.Part(8, 16);
        public static final Field.Part sib_addr$ib_u$uib_addr16 = new Field.Part(8, 16);
        public static final Field.Part sib_addr$ib_u$uib_addr32 = new Field.Part(8, 16);
        public static final Field.Part sib_addr$ib_u$uib_addr64 = new Field.Part(8, 16);
        public static final Field.I64 sib_sid = new Field.I64(24);
        public static final Field.I64 sib_sid_mask = new Field.I64(32);
        public static final Field.I64 sib_scope_id = new Field.I64(40);

        private sockaddr_ib() {}
    }

    /** {@code struct sockaddr}. */
    public static final class sockaddr {

        public static final int SIZE = 16;

        public static final Field.U16 sa_family = new Field.U16(0);
        public static final Field.Part sa_data = new Field.Part(2, 14);

        private sockaddr() {}
    }

    /** {@code struct addrinfo}. */
    public static final class addrinfo {

        public static final int SIZE = 48;

        public static final Field.I32 ai_flags = new Field.I32(0);
        public static final Field.I32 ai_family = new Field.I32(4);
        public static final Field.I32 ai_socktype = new Field.I32(8);
        public static final Field.I32 ai_protocol = new Field.I32(12);
        public static final Field.I32 ai_addrlen = new Field.I32(16);
        public static final Field.I64 ai_addr = new Field.I64(24);
        public static final Field.I64 ai_canonname = new Field.I64(32);
        public static final Field.I64 ai_next = new Field.I64(40);

        private addrinfo() {}
    }

    /** {@code struct pollfd}. */
    public static final class pollfd {

        public static final int SIZE = 8;

        public static final Field.I32 fd = new Field.I32(0);
        public static final Field.U16 events = new Field.U16(4);
        public static final Field.U16 revents = new Field.U16(6);

        private pollfd() {}
    }

    /** {@code struct iovec}. */
    public static final class iovec {

        public static final int SIZE = 16;

        public static final Field.I64 iov_base = new Field.I64(0);
        public static final Field.I64 iov_len = new Field.I64(8);

        private iovec() {}
    }

    /** {@code struct msghdr}. */
    public static final class msghdr {

        public static final int SIZE = 56;

        public static final Field.I64 msg_name = new Field.I64(0);
        public static final Field.I32 msg_namelen = new Field.I32(8);
        public static final Field.I64 msg_iov = new Field.I64(16);
        public static final Field.I64 msg_iovlen = new Field.I64(24);
        public static final Field.I64 msg_control = new Field.I64(32);
        public static final Field.I64 msg_controllen = new Field.I64(40);
        public static final Field.I32 msg_flags = new Field.I32(48);

        private msghdr() {}
    }

    /** {@code struct timespec}. */
    public static final class timespec {

        public static final int SIZE = 16;

        public static final Field.I64 tv_sec = new Field.I64(0);
        public static final Field.I64 tv_nsec = new Field.I64(8);

        private timespec() {}
    }

    /** {@code struct timeval}. */
    public static final class timeval {

        public static final int SIZE = 16;

        public static final Field.I64 tv_sec = new Field.I64(0);
        public static final Field.I64 tv_usec = new Field.I64(8);

        private timeval() {}
    }
}
