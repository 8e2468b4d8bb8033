// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_ex$46;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WrOpcode;

/** The functions of {@code struct ibv_qp_ex} (ibv_wr_post). */
final class ExtendedPosts {

    static final FunctionTable FUNCTIONS = new FunctionTable()
            .with(ibv_qp_ex.wr_atomic_cmp_swp, "op_wr_atomic_cmp_swp")
            .with(ibv_qp_ex.wr_atomic_fetch_add, "op_wr_atomic_fetch_add")
            .with(ibv_qp_ex.wr_bind_mw, "op_wr_bind_mw")
            .with(ibv_qp_ex.wr_local_inv, "op_wr_local_inv")
            .with(ibv_qp_ex.wr_rdma_read, "op_wr_rdma_read")
            .with(ibv_qp_ex.wr_rdma_write, "op_wr_rdma_write")
            .with(ibv_qp_ex.wr_rdma_write_imm, "op_wr_rdma_write_imm")
            .with(ibv_qp_ex.wr_send, "op_wr_send")
            .with(ibv_qp_ex.wr_send_imm, "op_wr_send_imm")
            .with(ibv_qp_ex.wr_send_inv, "op_wr_send_inv")
            .with(ibv_qp_ex.wr_set_ud_addr, "op_wr_set_ud_addr")
            .with(ibv_qp_ex.wr_set_xrc_srqn, "op_wr_set_xrc_srqn")
            .with(ibv_qp_ex.wr_set_inline_data, "op_wr_set_inline_data")
            .with(ibv_qp_ex.wr_set_inline_data_list, "op_wr_set_inline_data_list")
            .with(ibv_qp_ex.wr_set_sge, "op_wr_set_sge")
            .with(ibv_qp_ex.wr_set_sge_list, "op_wr_set_sge_list")
            .with(ibv_qp_ex.wr_start, "op_wr_start")
            .with(ibv_qp_ex.wr_complete, "op_wr_complete")
            .with(ibv_qp_ex.wr_abort, "op_wr_abort")
            .with(ibv_qp_ex.wr_atomic_write, "op_wr_atomic_write")
            .with(ibv_qp_ex$46.wr_flush, "op_wr_flush");

    /** Bits of {@code send_ops_flags}: all but TSO. */
    private static final long FLUSH = 1 << 11, ATOMIC_WRITE = 1 << 12, OTHERS = 0x3ff;

    private ExtendedPosts() {}

    /** What {@code send_ops_flags} may ask of a device with these {@link DeviceCapabilities}. */
    static long operationsOf(long capabilities) {
        return OTHERS
                | ((capabilities & DeviceCapabilities.FLUSH_GLOBAL) == 0 ? 0 : FLUSH)
                | ((capabilities & DeviceCapabilities.ATOMIC_WRITE) == 0 ? 0 : ATOMIC_WRITE);
    }

    /** Room for inline data that operations need even if the program asks for none: the word of an ATOMIC_WRITE is in its request. */
    static int inlineBytesOf(long operations) {
        return (operations & ATOMIC_WRITE) == 0 ? 0 : Long.BYTES;
    }

    private static Batch batch(long qp) {
        Batch batch = Qp.TABLE.inUse(qp).batch();
        if (batch == null) {
            throw new Refused(Errno.EINVAL.number(), "the queue pair was made without send_ops_flags");
        }
        return batch;
    }

    private static SendWorkRequest.Refillable begin(long qp, WrOpcode opcode) {
        return batch(qp).begin(qp, opcode, 0, 0);
    }

    static void op_wr_start(long qp) {
        batch(qp).start();
    }

    static int op_wr_complete(long qp) {
        batch(qp).complete();
        return 0;
    }

    static void op_wr_abort(long qp) {
        batch(qp).abort();
    }

    static void op_wr_send(long qp) {
        begin(qp, WrOpcode.SEND);
    }

    static void op_wr_send_imm(long qp, int immediate) {
        begin(qp, WrOpcode.SEND_WITH_IMM).immediate(Integer.reverseBytes(immediate));
    }

    static void op_wr_send_inv(long qp, int key) {
        begin(qp, WrOpcode.SEND_WITH_INV).immediate(key);
    }

    static void op_wr_send_tso(long qp, long header, int headerBytes, int segmentBytes) {
        throw new Refused(Errno.EOPNOTSUPP.number(), "segmentation is not supported");
    }

    static void op_wr_rdma_read(long qp, int key, long remoteAddress) {
        batch(qp).begin(qp, WrOpcode.RDMA_READ, remoteAddress, key);
    }

    static void op_wr_rdma_write(long qp, int key, long remoteAddress) {
        batch(qp).begin(qp, WrOpcode.RDMA_WRITE, remoteAddress, key);
    }

    static void op_wr_rdma_write_imm(long qp, int key, long remoteAddress, int immediate) {
        batch(qp)
                .begin(qp, WrOpcode.RDMA_WRITE_WITH_IMM, remoteAddress, key)
                .immediate(Integer.reverseBytes(immediate));
    }

    static void op_wr_atomic_cmp_swp(long qp, int key, long remoteAddress, long compare, long swap) {
        batch(qp).begin(qp, WrOpcode.ATOMIC_CMP_AND_SWP, remoteAddress, key).atomic(compare, swap);
    }

    static void op_wr_atomic_fetch_add(long qp, int key, long remoteAddress, long add) {
        batch(qp).begin(qp, WrOpcode.ATOMIC_FETCH_AND_ADD, remoteAddress, key).atomic(add, 0);
    }

    static void op_wr_atomic_write(long qp, int key, long remoteAddress, long word) {
        batch(qp).atomicWrite(qp, key, remoteAddress, word);
    }

    /** Length, type and level: {@code size_t}, and two bytes. */
    static void op_wr_flush(long qp, int key, long remoteAddress, long length, int type, int level) {
        batch(qp).flush(qp, key, remoteAddress, length, type & 0xff, level & 0xff);
    }

    static void op_wr_bind_mw(long qp, long mw, int key, long info) {
        batch(qp).bind(qp, mw, key, info);
    }

    static void op_wr_local_inv(long qp, int key) {
        begin(qp, WrOpcode.LOCAL_INV).immediate(key);
    }

    static void op_wr_set_ud_addr(long qp, long ah, int remoteQp, int remoteQueueKey) {
        batch(qp).datagram(ah, remoteQp, remoteQueueKey);
    }

    static void op_wr_set_xrc_srqn(long qp, int number) {
        batch(qp).remoteSrq(number);
    }

    static void op_wr_set_inline_data(long qp, long from, long lengthBytes) {
        batch(qp).inline(from, lengthBytes);
    }

    static void op_wr_set_inline_data_list(long qp, long count, long list) {
        batch(qp).inlineList(count, list);
    }

    static void op_wr_set_sge(long qp, int lkey, long address, int lengthBytes) {
        batch(qp).element(lkey, address, lengthBytes);
    }

    static void op_wr_set_sge_list(long qp, long count, long list) {
        batch(qp).elements(count, list);
    }
}
