// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ib_user_path_rec;
import dev.verbatim.ibverbs.abi.Layouts.ib_uverbs_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ib_uverbs_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sa_path_rec;
import dev.verbatim.ibverbs.abi.Native;

/** Copies attributes from the structs of the kernel's interface, and to them, for programs that speak to the kernel themselves. */
final class KernelCopies {

    private static final int GID_BYTES = 16;

    private KernelCopies() {}

    static void ibv_copy_ah_attr_from_kern(long to, long from) {
        // The routes of both have the same layout.
        Native.copy(ib_uverbs_ah_attr.grh.of(from), ibv_ah_attr.grh.of(to), ibv_ah_attr.grh.sizeBytes());
        ibv_ah_attr.dlid.set(to, ib_uverbs_ah_attr.dlid.get(from));
        ibv_ah_attr.sl.set(to, ib_uverbs_ah_attr.sl.get(from));
        ibv_ah_attr.src_path_bits.set(to, ib_uverbs_ah_attr.src_path_bits.get(from));
        ibv_ah_attr.static_rate.set(to, ib_uverbs_ah_attr.static_rate.get(from));
        ibv_ah_attr.is_global.set(to, ib_uverbs_ah_attr.is_global.get(from));
        ibv_ah_attr.port_num.set(to, ib_uverbs_ah_attr.port_num.get(from));
    }

    static void ibv_copy_qp_attr_from_kern(long to, long from) {
        ibv_qp_attr.qp_state.set(to, ib_uverbs_qp_attr.qp_state.get(from));
        ibv_qp_attr.cur_qp_state.set(to, ib_uverbs_qp_attr.cur_qp_state.get(from));
        ibv_qp_attr.path_mtu.set(to, ib_uverbs_qp_attr.path_mtu.get(from));
        ibv_qp_attr.path_mig_state.set(to, ib_uverbs_qp_attr.path_mig_state.get(from));
        ibv_qp_attr.qkey.set(to, ib_uverbs_qp_attr.qkey.get(from));
        ibv_qp_attr.rq_psn.set(to, ib_uverbs_qp_attr.rq_psn.get(from));
        ibv_qp_attr.sq_psn.set(to, ib_uverbs_qp_attr.sq_psn.get(from));
        ibv_qp_attr.dest_qp_num.set(to, ib_uverbs_qp_attr.dest_qp_num.get(from));
        ibv_qp_attr.qp_access_flags.set(to, ib_uverbs_qp_attr.qp_access_flags.get(from));
        ibv_qp_attr.cap$max_send_wr.set(to, ib_uverbs_qp_attr.max_send_wr.get(from));
        ibv_qp_attr.cap$max_recv_wr.set(to, ib_uverbs_qp_attr.max_recv_wr.get(from));
        ibv_qp_attr.cap$max_send_sge.set(to, ib_uverbs_qp_attr.max_send_sge.get(from));
        ibv_qp_attr.cap$max_recv_sge.set(to, ib_uverbs_qp_attr.max_recv_sge.get(from));
        ibv_qp_attr.cap$max_inline_data.set(to, ib_uverbs_qp_attr.max_inline_data.get(from));
        ibv_qp_attr.pkey_index.set(to, ib_uverbs_qp_attr.pkey_index.get(from));
        ibv_qp_attr.alt_pkey_index.set(to, ib_uverbs_qp_attr.alt_pkey_index.get(from));
        ibv_qp_attr.en_sqd_async_notify.set(to, ib_uverbs_qp_attr.en_sqd_async_notify.get(from));
        ibv_qp_attr.sq_draining.set(to, ib_uverbs_qp_attr.sq_draining.get(from));
        ibv_qp_attr.max_rd_atomic.set(to, ib_uverbs_qp_attr.max_rd_atomic.get(from));
        ibv_qp_attr.max_dest_rd_atomic.set(to, ib_uverbs_qp_attr.max_dest_rd_atomic.get(from));
        ibv_qp_attr.min_rnr_timer.set(to, ib_uverbs_qp_attr.min_rnr_timer.get(from));
        ibv_qp_attr.port_num.set(to, ib_uverbs_qp_attr.port_num.get(from));
        ibv_qp_attr.timeout.set(to, ib_uverbs_qp_attr.timeout.get(from));
        ibv_qp_attr.retry_cnt.set(to, ib_uverbs_qp_attr.retry_cnt.get(from));
        ibv_qp_attr.rnr_retry.set(to, ib_uverbs_qp_attr.rnr_retry.get(from));
        ibv_qp_attr.alt_port_num.set(to, ib_uverbs_qp_attr.alt_port_num.get(from));
        ibv_qp_attr.alt_timeout.set(to, ib_uverbs_qp_attr.alt_timeout.get(from));
        ibv_copy_ah_attr_from_kern(ibv_qp_attr.ah_attr.of(to), ib_uverbs_qp_attr.ah_attr.of(from));
        ibv_copy_ah_attr_from_kern(ibv_qp_attr.alt_ah_attr.of(to), ib_uverbs_qp_attr.alt_ah_attr.of(from));
    }

    static void ibv_copy_path_rec_from_kern(long to, long from) {
        Native.copy(ib_user_path_rec.dgid.of(from), ibv_sa_path_rec.dgid.of(to), GID_BYTES);
        Native.copy(ib_user_path_rec.sgid.of(from), ibv_sa_path_rec.sgid.of(to), GID_BYTES);
        ibv_sa_path_rec.dlid.set(to, ib_user_path_rec.dlid.get(from));
        ibv_sa_path_rec.slid.set(to, ib_user_path_rec.slid.get(from));
        ibv_sa_path_rec.raw_traffic.set(to, ib_user_path_rec.raw_traffic.get(from));
        ibv_sa_path_rec.flow_label.set(to, ib_user_path_rec.flow_label.get(from));
        ibv_sa_path_rec.reversible.set(to, ib_user_path_rec.reversible.get(from));
        ibv_sa_path_rec.pkey.set(to, ib_user_path_rec.pkey.get(from));
        ibv_sa_path_rec.hop_limit.set(to, ib_user_path_rec.hop_limit.get(from));
        ibv_sa_path_rec.traffic_class.set(to, ib_user_path_rec.traffic_class.get(from));
        ibv_sa_path_rec.numb_path.set(to, ib_user_path_rec.numb_path.get(from));
        ibv_sa_path_rec.sl.set(to, ib_user_path_rec.sl.get(from));
        ibv_sa_path_rec.mtu_selector.set(to, ib_user_path_rec.mtu_selector.get(from));
        ibv_sa_path_rec.mtu.set(to, ib_user_path_rec.mtu.get(from));
        ibv_sa_path_rec.rate_selector.set(to, ib_user_path_rec.rate_selector.get(from));
        ibv_sa_path_rec.rate.set(to, ib_user_path_rec.rate.get(from));
        ibv_sa_path_rec.packet_life_time_selector.set(to, ib_user_path_rec.packet_life_time_selector.get(from));
        ibv_sa_path_rec.packet_life_time.set(to, ib_user_path_rec.packet_life_time.get(from));
        ibv_sa_path_rec.preference.set(to, ib_user_path_rec.preference.get(from));
    }

    static void ibv_copy_path_rec_to_kern(long to, long from) {
        Native.copy(ibv_sa_path_rec.dgid.of(from), ib_user_path_rec.dgid.of(to), GID_BYTES);
        Native.copy(ibv_sa_path_rec.sgid.of(from), ib_user_path_rec.sgid.of(to), GID_BYTES);
        ib_user_path_rec.dlid.set(to, ibv_sa_path_rec.dlid.get(from));
        ib_user_path_rec.slid.set(to, ibv_sa_path_rec.slid.get(from));
        ib_user_path_rec.raw_traffic.set(to, ibv_sa_path_rec.raw_traffic.get(from));
        ib_user_path_rec.flow_label.set(to, ibv_sa_path_rec.flow_label.get(from));
        ib_user_path_rec.reversible.set(to, ibv_sa_path_rec.reversible.get(from));
        ib_user_path_rec.pkey.set(to, ibv_sa_path_rec.pkey.get(from));
        ib_user_path_rec.hop_limit.set(to, ibv_sa_path_rec.hop_limit.get(from));
        ib_user_path_rec.traffic_class.set(to, ibv_sa_path_rec.traffic_class.get(from));
        ib_user_path_rec.numb_path.set(to, ibv_sa_path_rec.numb_path.get(from));
        ib_user_path_rec.sl.set(to, ibv_sa_path_rec.sl.get(from));
        ib_user_path_rec.mtu_selector.set(to, ibv_sa_path_rec.mtu_selector.get(from));
        ib_user_path_rec.mtu.set(to, ibv_sa_path_rec.mtu.get(from));
        ib_user_path_rec.rate_selector.set(to, ibv_sa_path_rec.rate_selector.get(from));
        ib_user_path_rec.rate.set(to, ibv_sa_path_rec.rate.get(from));
        ib_user_path_rec.packet_life_time_selector.set(to, ibv_sa_path_rec.packet_life_time_selector.get(from));
        ib_user_path_rec.packet_life_time.set(to, ibv_sa_path_rec.packet_life_time.get(from));
        ib_user_path_rec.preference.set(to, ibv_sa_path_rec.preference.get(from));
    }
}
