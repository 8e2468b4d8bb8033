// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.call.Answers;

/** Made by SymbolsTest of symbols.txt. */
public final class VerbsAnswers {

    public static final int SYMBOLS = 1379706359;

    private VerbsAnswers() {}

    public static final class OfAddressHandles extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 64 -> AddressHandles.ibv_create_ah(a, b);
                case 65 -> AddressHandles.ibv_create_ah_from_wc(a, b, c, (int) d);
                case 66 -> AddressHandles.ibv_init_ah_from_wc(a, (int) b, c, d, e);
                case 67 -> AddressHandles.ibv_destroy_ah(a);
                case 68 -> AddressHandles.ibv_attach_mcast(a, b, (int) c);
                case 69 -> AddressHandles.ibv_detach_mcast(a, b, (int) c);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfAsyncEvents extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 51 -> {
                    AsyncEvents.ibv_ack_async_event(a);
                    yield 0;
                }
                case 184 -> AsyncEvents.take_async_event(a, b);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfCompletionQueues extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 45 -> CompletionQueues.ibv_create_comp_channel(a);
                case 46 -> CompletionQueues.ibv_destroy_comp_channel(a);
                case 47 -> CompletionQueues.ibv_create_cq(a, (int) b, c, d, (int) e);
                case 48 -> CompletionQueues.ibv_resize_cq(a, (int) b);
                case 49 -> CompletionQueues.ibv_destroy_cq(a);
                case 50 -> {
                    CompletionQueues.ibv_ack_cq_events(a, (int) b);
                    yield 0;
                }
                case 159 -> CompletionQueues.op_poll_cq(a, (int) b, c);
                case 160 -> CompletionQueues.op_req_notify_cq(a, (int) b);
                case 161 -> CompletionQueues.op_create_cq_ex(a, b);
                case 162 -> CompletionQueues.op_modify_cq(a, b);
                case 163 -> CompletionQueues.take_cq_event(a, b, c);
                case 164 -> {
                    CompletionQueues.await_cq_event(a);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfDevices extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 0 -> Devices.ibv_get_device_list(a);
                case 1 -> {
                    Devices.ibv_free_device_list(a);
                    yield 0;
                }
                case 2 -> Devices.ibv_get_device_name(a);
                case 3 -> Devices.ibv_get_device_guid(a);
                case 4 -> Devices.ibv_get_device_index(a);
                case 5 -> Devices.ibv_open_device(a);
                case 6 -> Devices.ibv_close_device(a);
                case 7 -> Devices.ibv_import_device((int) a);
                case 8 -> Devices.ibv_query_device(a, b);
                case 9 -> Devices.ibv_query_port(a, (int) b, c);
                case 10 -> Devices.ibv_query_gid(a, (int) b, (int) c, d);
                case 11 -> Devices.ibv_query_pkey(a, (int) b, (int) c, d);
                case 12 -> Devices.ibv_get_pkey_index(a, (int) b, (int) c);
                case 13 -> Devices._ibv_query_gid_ex(a, (int) b, (int) c, d, (int) e, f);
                case 14 -> Devices._ibv_query_gid_table(a, b, c, (int) d, e);
                case 15 -> Devices.ibv_query_gid_type(a, (int) b, (int) c, d);
                case 16 -> Devices.ibv_get_sysfs_path();
                case 17 -> Devices.ibv_read_sysfs_file(a, b, c, d);
                case 18 -> Devices.ibv_read_ibdev_sysfs_file(a, b, c, d);
                case 19 -> Devices.ibv_query_port_speed(a, (int) b, c);
                case 20 -> Devices.ibv_resolve_eth_l2_from_gid(a, b, c, d);
                case 143 -> Devices.op_query_port(a, (int) b, c, d);
                case 144 -> Devices.op_query_device_ex(a, b, c, d);
                case 145 -> Devices.op_query_rt_values(a, b);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfDomains extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 30 -> Domains.ibv_alloc_pd(a);
                case 31 -> Domains.ibv_dealloc_pd(a);
                case 32 -> Domains.ibv_import_pd(a, (int) b);
                case 33 -> {
                    Domains.ibv_unimport_pd(a);
                    yield 0;
                }
                case 146 -> Domains.op_alloc_parent_domain(a, b);
                case 147 -> Domains.op_alloc_td(a, b);
                case 148 -> Domains.op_dealloc_td(a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfExtendedPolls extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 166 -> ExtendedPolls.op_start_poll(a, b);
                case 167 -> ExtendedPolls.op_next_poll(a);
                case 168 -> {
                    ExtendedPolls.op_end_poll(a);
                    yield 0;
                }
                case 169 -> ExtendedPolls.op_read_opcode(a);
                case 170 -> ExtendedPolls.op_read_vendor_err(a);
                case 171 -> ExtendedPolls.op_read_byte_len(a);
                case 172 -> ExtendedPolls.op_read_imm_data(a);
                case 173 -> ExtendedPolls.op_read_qp_num(a);
                case 174 -> ExtendedPolls.op_read_src_qp(a);
                case 175 -> ExtendedPolls.op_read_wc_flags(a);
                case 176 -> ExtendedPolls.op_read_slid(a);
                case 177 -> ExtendedPolls.op_read_sl(a);
                case 178 -> ExtendedPolls.op_read_dlid_path_bits(a);
                case 179 -> ExtendedPolls.op_read_completion_ts(a);
                case 180 -> ExtendedPolls.op_read_cvlan(a);
                case 181 -> ExtendedPolls.op_read_flow_tag(a);
                case 182 -> {
                    ExtendedPolls.op_read_tm_info(a, b);
                    yield 0;
                }
                case 183 -> ExtendedPolls.op_read_completion_wallclock_ns(a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfExtendedPosts extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 195 -> {
                    ExtendedPosts.op_wr_atomic_cmp_swp(a, (int) b, c, d, e);
                    yield 0;
                }
                case 196 -> {
                    ExtendedPosts.op_wr_atomic_fetch_add(a, (int) b, c, d);
                    yield 0;
                }
                case 197 -> {
                    ExtendedPosts.op_wr_bind_mw(a, b, (int) c, d);
                    yield 0;
                }
                case 198 -> {
                    ExtendedPosts.op_wr_local_inv(a, (int) b);
                    yield 0;
                }
                case 199 -> {
                    ExtendedPosts.op_wr_rdma_read(a, (int) b, c);
                    yield 0;
                }
                case 200 -> {
                    ExtendedPosts.op_wr_rdma_write(a, (int) b, c);
                    yield 0;
                }
                case 201 -> {
                    ExtendedPosts.op_wr_rdma_write_imm(a, (int) b, c, (int) d);
                    yield 0;
                }
                case 202 -> {
                    ExtendedPosts.op_wr_send(a);
                    yield 0;
                }
                case 203 -> {
                    ExtendedPosts.op_wr_send_imm(a, (int) b);
                    yield 0;
                }
                case 204 -> {
                    ExtendedPosts.op_wr_send_inv(a, (int) b);
                    yield 0;
                }
                case 205 -> {
                    ExtendedPosts.op_wr_send_tso(a, b, (int) c, (int) d);
                    yield 0;
                }
                case 206 -> {
                    ExtendedPosts.op_wr_set_ud_addr(a, b, (int) c, (int) d);
                    yield 0;
                }
                case 207 -> {
                    ExtendedPosts.op_wr_set_xrc_srqn(a, (int) b);
                    yield 0;
                }
                case 208 -> {
                    ExtendedPosts.op_wr_set_inline_data(a, b, c);
                    yield 0;
                }
                case 209 -> {
                    ExtendedPosts.op_wr_set_inline_data_list(a, b, c);
                    yield 0;
                }
                case 210 -> {
                    ExtendedPosts.op_wr_set_sge(a, (int) b, c, (int) d);
                    yield 0;
                }
                case 211 -> {
                    ExtendedPosts.op_wr_set_sge_list(a, b, c);
                    yield 0;
                }
                case 212 -> {
                    ExtendedPosts.op_wr_start(a);
                    yield 0;
                }
                case 213 -> ExtendedPosts.op_wr_complete(a);
                case 214 -> {
                    ExtendedPosts.op_wr_abort(a);
                    yield 0;
                }
                case 215 -> {
                    ExtendedPosts.op_wr_atomic_write(a, (int) b, c, d);
                    yield 0;
                }
                case 216 -> {
                    ExtendedPosts.op_wr_flush(a, (int) b, c, d, (int) e, (int) f);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfFreedMemory extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 165 -> {
                    FreedMemory.memory_freed(a, b, c, (int) d);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfKernelCopies extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 218 -> {
                    KernelCopies.ibv_copy_path_rec_from_kern(a, b);
                    yield 0;
                }
                case 219 -> {
                    KernelCopies.ibv_copy_path_rec_to_kern(a, b);
                    yield 0;
                }
                case 220 -> {
                    KernelCopies.ibv_copy_qp_attr_from_kern(a, b);
                    yield 0;
                }
                case 221 -> {
                    KernelCopies.ibv_copy_ah_attr_from_kern(a, b);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfNames extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 21 -> Names.ibv_node_type_str((int) a);
                case 22 -> Names.ibv_port_state_str((int) a);
                case 23 -> Names.ibv_event_type_str((int) a);
                case 24 -> Names.ibv_wc_status_str((int) a);
                case 25 -> Names.ibv_wr_opcode_str((int) a);
                case 26 -> Names.ibv_rate_to_mult((int) a);
                case 27 -> Names.mult_to_ibv_rate((int) a);
                case 28 -> Names.ibv_rate_to_mbps((int) a);
                case 29 -> Names.mbps_to_ibv_rate((int) a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfQueuePairs extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 56 -> QueuePairs.ibv_create_qp(a, b);
                case 57 -> QueuePairs.ibv_query_qp(a, b, (int) c, d);
                case 58 -> QueuePairs.ibv_modify_qp(a, b, (int) c);
                case 59 -> QueuePairs.ibv_destroy_qp(a);
                case 60 -> QueuePairs.ibv_qp_to_qp_ex(a);
                case 61 -> QueuePairs.ibv_query_ece(a, b);
                case 62 -> QueuePairs.ibv_set_ece(a, b);
                case 63 -> QueuePairs.ibv_query_qp_data_in_order(a, (int) b, (int) c);
                case 190 -> QueuePairs.op_post_send(a, b, c);
                case 191 -> QueuePairs.op_post_recv(a, b, c);
                case 192 -> QueuePairs.op_create_qp_ex(a, b);
                case 193 -> QueuePairs.op_open_qp(a, b);
                case 194 -> QueuePairs.op_modify_qp_rate_limit(a, b);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfRegions extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 34 -> Regions.ibv_reg_mr(a, b, c, (int) d);
                case 35 -> Regions.ibv_reg_mr_iova(a, b, c, d, (int) e);
                case 36 -> Regions.ibv_reg_mr_iova2(a, b, c, d, (int) e);
                case 37 -> Regions.ibv_reg_mr_ex(a, b);
                case 38 -> Regions.ibv_reg_dmabuf_mr(a, b, c, d, (int) e, (int) f);
                case 39 -> Regions.ibv_rereg_mr(a, (int) b, c, d, e, (int) f);
                case 40 -> Regions.ibv_dereg_mr(a);
                case 41 -> Regions.ibv_import_mr(a, (int) b);
                case 42 -> {
                    Regions.ibv_unimport_mr(a);
                    yield 0;
                }
                case 43 -> Regions.ibv_import_dm(a, (int) b);
                case 44 -> {
                    Regions.ibv_unimport_dm(a);
                    yield 0;
                }
                case 149 -> Regions.op_alloc_null_mr(a);
                case 150 -> Regions.op_alloc_dm(a, b);
                case 151 -> Regions.op_free_dm(a);
                case 152 -> Regions.op_reg_dm_mr(a, b, c, d, (int) e);
                case 153 -> Regions.op_memcpy_to_dm(a, b, c, d);
                case 154 -> Regions.op_memcpy_from_dm(a, b, c, d);
                case 155 -> Regions.op_advise_mr(a, (int) b, (int) c, d, (int) e);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfSharedQueues extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 52 -> SharedQueues.ibv_create_srq(a, b);
                case 53 -> SharedQueues.ibv_modify_srq(a, b, (int) c);
                case 54 -> SharedQueues.ibv_query_srq(a, b);
                case 55 -> SharedQueues.ibv_destroy_srq(a);
                case 185 -> SharedQueues.op_post_srq_recv(a, b, c);
                case 186 -> SharedQueues.op_create_srq_ex(a, b);
                case 187 -> SharedQueues.op_get_srq_num(a, b);
                case 188 -> SharedQueues.op_open_xrcd(a, b);
                case 189 -> SharedQueues.op_close_xrcd(a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfWindows extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 156 -> Windows.op_alloc_mw(a, (int) b);
                case 157 -> Windows.op_bind_mw(a, b, c);
                case 158 -> Windows.op_dealloc_mw(a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }
}
