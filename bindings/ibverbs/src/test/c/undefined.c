// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// A SEND that succeeds, a WRITE with a wrong key and one that is flushed behind it. Says of each completion, polled by ibv_poll_cq or with
// "extended" by ibv_start_poll, which of its fields are spoiled. Usage: undefined poll|extended
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUBBISH = (int)0xdeadbeef, DEPTH = 4 };
enum { RECEIVED, SENT, REFUSED, FLUSHED, ALL };

static struct ibv_context *context;
static struct ibv_cq_ex *cq;
static struct ibv_mr *mr;
static struct ibv_wc completions[ALL];
static char memory[256];

static void join(struct ibv_qp *one, struct ibv_qp *other) {
    struct ibv_qp_attr to = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    int failed = ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = other->qp_num, .max_dest_rd_atomic = 1,
        .min_rnr_timer = 12, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
    ibv_query_gid(context, 1, 0, &to.ah_attr.grh.dgid);
    failed |= ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    to = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    failed |= ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC);
    if (failed) {
        exit(1);
    }
}

static void post(struct ibv_qp *qp, enum ibv_wr_opcode opcode, int id, uint32_t rkey) {
    struct ibv_sge from = {(uintptr_t)memory, 8, mr->lkey};
    struct ibv_send_wr *bad, request = {.wr_id = id, .sg_list = &from, .num_sge = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = {(uintptr_t)memory + 64, rkey}};
    if (ibv_post_send(qp, &request, &bad)) {
        exit(1);
    }
}

static struct ibv_wc poll(void) {
    struct ibv_wc wc;
    while (!ibv_poll_cq(ibv_cq_ex_to_cq(cq), 1, &wc)) {
    }
    return wc;
}

static struct ibv_wc read_fields(void) {
    while (ibv_start_poll(cq, &(struct ibv_poll_cq_attr){0})) {
    }
    struct ibv_wc wc = {
        .wr_id = cq->wr_id,
        .status = cq->status,
        .opcode = ibv_wc_read_opcode(cq),
        .vendor_err = ibv_wc_read_vendor_err(cq),
        .byte_len = ibv_wc_read_byte_len(cq),
        .imm_data = ibv_wc_read_imm_data(cq),
        .qp_num = ibv_wc_read_qp_num(cq),
        .src_qp = ibv_wc_read_src_qp(cq),
        .wc_flags = ibv_wc_read_wc_flags(cq),
        .slid = ibv_wc_read_slid(cq),
        .sl = ibv_wc_read_sl(cq),
        .dlid_path_bits = ibv_wc_read_dlid_path_bits(cq),
    };
    ibv_end_poll(cq);
    return wc;
}

// The bit of an opcode that is set for receives is that of the other kind.
static void say(const char *name, uint32_t value, uint32_t mask) {
    if (((value | IBV_WC_RECV) & mask) == (RUBBISH & mask) || __builtin_bswap32(value) == (uint32_t)RUBBISH) {
        printf(" %s", name);
    }
}

int main(int count, char **words) {
    int is_extended = count > 1 && !strcmp(words[1], "extended");
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    struct ibv_pd *pd = ibv_alloc_pd(context);
    mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    cq = ibv_create_cq_ex(context, &(struct ibv_cq_init_attr_ex){.cqe = 2 * DEPTH, .wc_flags = IBV_WC_STANDARD_FLAGS});
    struct ibv_qp_init_attr attributes = {.send_cq = ibv_cq_ex_to_cq(cq), .recv_cq = ibv_cq_ex_to_cq(cq), .cap = {DEPTH, DEPTH, 1, 1, 0},
        .qp_type = IBV_QPT_RC};
    struct ibv_qp *one = ibv_create_qp(pd, &attributes), *other = ibv_create_qp(pd, &attributes);
    join(one, other);
    join(other, one);

    struct ibv_sge into = {(uintptr_t)memory + 128, 64, mr->lkey};
    struct ibv_recv_wr *bad, receive = {.wr_id = RECEIVED, .sg_list = &into, .num_sge = 1};
    if (ibv_post_recv(other, &receive, &bad)) {
        return 1;
    }
    post(one, IBV_WR_SEND, SENT, 0);
    post(one, IBV_WR_RDMA_WRITE, REFUSED, mr->rkey ^ 0x100);
    post(one, IBV_WR_RDMA_WRITE, FLUSHED, mr->rkey);
    for (int i = 0; i < ALL; i++) {
        struct ibv_wc wc = is_extended ? read_fields() : poll();
        completions[wc.wr_id] = wc;
    }
    for (int i = 0; i < ALL; i++) {
        struct ibv_wc *wc = &completions[i];
        printf("%s:", ibv_wc_status_str(wc->status));
        say("opcode", wc->opcode, -1);
        say("vendor_err", wc->vendor_err, -1);
        say("byte_len", wc->byte_len, -1);
        say("imm_data", wc->imm_data, -1);
        say("qp_num", wc->qp_num, -1);
        say("src_qp", wc->src_qp, -1);
        say("wc_flags", wc->wc_flags, -1);
        say("slid", wc->slid, 0xffff);
        say("sl", wc->sl, 0xff);
        say("dlid_path_bits", wc->dlid_path_bits, 0xff);
        printf("\n");
    }
    return ibv_destroy_qp(one) || ibv_destroy_qp(other) || ibv_destroy_cq(ibv_cq_ex_to_cq(cq)) || ibv_dereg_mr(mr) || ibv_dealloc_pd(pd)
        || ibv_close_device(context);
}
