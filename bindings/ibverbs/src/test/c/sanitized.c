// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes from a thread and polls in another, for builds with a sanitizer of the compiler; with "leak" it forgets a block, with "race"
// both threads write to a variable, with "overflow" behind a block.
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ibv_qp *qp;
static struct ibv_mr *mr;
static char memory[4096];
static int shared, is_racing;
static char *volatile block;

static void *post(void *unused) {
    for (int i = 0; i < 20; i++) {
        struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
        struct ibv_send_wr request = {.wr_id = i, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
            .send_flags = IBV_SEND_SIGNALED, .wr.rdma = {(uintptr_t)memory + 2048, mr->rkey}}, *bad;
        ibv_post_send(qp, &request, &bad);
        if (is_racing) {
            shared++;
        }
    }
    return NULL;
}

int main(int count, char **words) {
    const char *mistake = count > 1 ? words[1] : "";
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(devices[0]);
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_cq *cq = ibv_create_cq(context, 64, NULL, NULL, 0);
    mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = 32, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    qp = ibv_create_qp(pd, &attributes);
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    struct ibv_qp_attr b = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qp->qp_num, .min_rnr_timer = 12,
        .max_dest_rd_atomic = 1, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
    ibv_query_gid(context, 1, 0, &b.ah_attr.grh.dgid);
    ibv_modify_qp(qp, &b, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    struct ibv_qp_attr c = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    ibv_modify_qp(qp, &c, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC);
    block = malloc(16);
    is_racing = !strcmp(mistake, "race");
    pthread_t thread;
    pthread_create(&thread, NULL, post, NULL);
    int succeeded = 0;
    for (struct ibv_wc wc; succeeded < 20;) {
        succeeded += ibv_poll_cq(cq, 1, &wc) == 1 && wc.status == IBV_WC_SUCCESS;
        if (is_racing) {
            shared++;
        }
    }
    pthread_join(thread, NULL);
    if (!strcmp(mistake, "overflow")) {
        block[16] = 1;
    }
    if (!strcmp(mistake, "leak")) {
        block = NULL;
        block = malloc(8);
    }
    free(block);
    printf("%d %d\n", succeeded, ibv_destroy_qp(qp) + ibv_dereg_mr(mr) + ibv_destroy_cq(cq) + ibv_dealloc_pd(pd));
    ibv_close_device(context);
    ibv_free_device_list(devices);
    return 0;
}
