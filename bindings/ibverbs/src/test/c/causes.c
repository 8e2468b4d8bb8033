// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Fails in one way or another on two queue pairs of one device that are connected to each other. Usage: causes WHAT
// The test finds the lines by their comments.
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096, DEPTH = 8 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static char memory[SIZE] __attribute__((aligned(8)));
static struct ibv_cq *cq;
static struct ibv_qp *qps[2];

static void take_to_rts(struct ibv_qp *qp, struct ibv_qp *peer) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num,
        .min_rnr_timer = 1,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 9}},
        .timeout = 8,
        .retry_cnt = 1,
        .rnr_retry = 1,
    };
    ibv_query_gid(context, 1, 0, &attributes.ah_attr.grh.dgid);
    ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    attributes.qp_state = IBV_QPS_RTR;
    ibv_modify_qp(qp, &attributes,
                  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
                      | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    if (ibv_modify_qp(qp, &attributes,
                      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC)) {
        exit(99);
    }
}

static void open_all(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    pd = ibv_alloc_pd(context);
    mr = ibv_reg_mr(pd, memory, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    cq = ibv_create_cq(context, 64, NULL, NULL, 0);
    struct ibv_qp_init_attr_ex attributes = {
        .send_cq = cq,
        .recv_cq = cq,
        .cap = {DEPTH, DEPTH, 1, 1, 0},
        .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .pd = pd,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
    };
    qps[0] = ibv_create_qp_ex(context, &attributes);
    qps[1] = ibv_create_qp_ex(context, &attributes);
    take_to_rts(qps[0], qps[1]);
    take_to_rts(qps[1], qps[0]);
}

static struct ibv_send_wr request(enum ibv_wr_opcode opcode, long id, struct ibv_sge *element) {
    *element = (struct ibv_sge){(uintptr_t)memory, 64, mr->lkey};
    return (struct ibv_send_wr){
        .wr_id = id,
        .sg_list = element,
        .num_sge = 1,
        .opcode = opcode,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = {(uintptr_t)memory + 1024, mr->rkey},
    };
}

static int post(struct ibv_send_wr *wr) {
    struct ibv_send_wr *bad;
    return ibv_post_send(qps[0], wr, &bad); // post
}

static struct ibv_wc next(void) {
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0) { // poll
    }
    return wc;
}

static void wrong_key(int many) {
    struct ibv_sge element;
    struct ibv_send_wr good = request(IBV_WR_RDMA_WRITE, 5, &element), wrong = good, *bad;
    wrong.wr.rdma.rkey ^= 0x100;
    good.send_flags = 0;
    ibv_post_send(qps[0], &good, &bad);
    ibv_post_send(qps[0], &wrong, &bad); // wrong key
    for (int i = 0; i < many; i++) {
        good.wr_id = 6 + i;
        ibv_post_send(qps[0], &good, &bad); // behind it
    }
    for (int i = 0; i < 1 + many; i++) {
        struct ibv_wc wc = next();
        printf("%lu %s %u\n", wc.wr_id, ibv_wc_status_str(wc.status), wc.vendor_err);
    }
}

static void full(void) {
    struct ibv_sge element;
    struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &element);
    int refused = 0;
    for (int i = 0; i < 2 * DEPTH; i++) {
        refused += post(&wr) == ENOMEM;
    }
    printf("refused %d\n", refused);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    open_all();
    if (!strcmp(what, "key")) {
        wrong_key(0);
    } else if (!strcmp(what, "flushed")) {
        wrong_key(4);
    } else if (!strcmp(what, "receiver")) {
        struct ibv_sge element;
        struct ibv_send_wr wr = request(IBV_WR_SEND, 1, &element);
        post(&wr); // no receive was posted for it
        printf("%s\n", ibv_wc_status_str(next().status));
    } else if (!strcmp(what, "short")) {
        struct ibv_sge element, small = {(uintptr_t)memory, 8, mr->lkey};
        struct ibv_recv_wr receive = {.wr_id = 40, .sg_list = &small, .num_sge = 1}, *worse;
        struct ibv_send_wr wr = request(IBV_WR_SEND, 41, &element);
        ibv_post_recv(qps[1], &receive, &worse); // too short
        post(&wr);
        next();
        next();
    } else if (!strcmp(what, "event")) {
        struct ibv_sge element;
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &element);
        struct ibv_async_event event;
        wr.wr.rdma.rkey ^= 0x100;
        post(&wr);
        ibv_get_async_event(context, &event); // event
        ibv_ack_async_event(&event);
    } else if (!strcmp(what, "extended")) {
        struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(qps[0]);
        ibv_wr_start(qp);
        qp->wr_id = 9, qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey ^ 0x100, (uintptr_t)memory); // wr_rdma_write
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)memory, 64);
        ibv_wr_complete(qp);
        next();
    } else if (!strcmp(what, "verbs")) {
        struct ibv_mr *none = ibv_reg_mr(pd, memory, SIZE, IBV_ACCESS_REMOTE_WRITE); // no local write
        printf("%p %d\n", (void *)none, errno);
        printf("%d\n", ibv_destroy_cq(cq)); // in use
    } else if (!strcmp(what, "full")) {
        full();
    } else if (!strcmp(what, "unseen")) {
        struct ibv_sge element;
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 9, &element);
        wr.wr.rdma.rkey ^= 0x100;
        post(&wr);
        struct ibv_qp_attr now;
        struct ibv_qp_init_attr made;
        do {
            ibv_query_qp(qps[0], &now, IBV_QP_STATE, &made);
        } while (now.qp_state != IBV_QPS_ERR);
    } else if (!strcmp(what, "nothing")) {
        struct ibv_sge element;
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 9, &element);
        post(&wr);
        struct ibv_wc wc = next();
        printf("%d %u\n", wc.status, wc.vendor_err);
    }
    return 0;
}
