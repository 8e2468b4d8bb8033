// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the GID tables of two devices, and connects them by each pair of entries that have the same form.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, SIZE = 64 };

struct side {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_mr *mr;
    char memory[SIZE];
};
static struct side sides[2];

static struct ibv_qp *make(struct side *side) {
    struct ibv_qp_init_attr wanted = {
        .send_cq = side->cq, .recv_cq = side->cq, .cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    return ibv_create_qp(side->pd, &wanted);
}

static int join(struct ibv_qp *qp, struct ibv_qp *peer, int index, union ibv_gid to) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 9, .sgid_index = index, .dgid = to}},
        .timeout = 17,
        .retry_cnt = 7,
    };
    int error = ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    attributes.qp_state = IBV_QPS_RTR;
    error = error ?: ibv_modify_qp(qp, &attributes,
                                   IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
                                       | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    return error ?: ibv_modify_qp(qp, &attributes,
                                  IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                                      | IBV_QP_MAX_QP_RD_ATOMIC);
}

static void connect_by(int index, union ibv_gid gids[2]) {
    struct ibv_qp *qps[2] = {make(&sides[0]), make(&sides[1])};
    int error = join(qps[0], qps[1], index, gids[1]) ?: join(qps[1], qps[0], index, gids[0]);
    if (error) {
        printf("%d: %s\n", index, strerrorname_np(error));
        return;
    }
    struct ibv_sge element = {(uintptr_t)sides[0].memory, SIZE, sides[0].mr->lkey};
    struct ibv_send_wr wr = {
        .sg_list = &element,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .wr.rdma = {(uintptr_t)sides[1].memory, sides[1].mr->rkey},
    };
    struct ibv_send_wr *bad;
    struct ibv_wc wc;
    ibv_post_send(qps[0], &wr, &bad);
    while (ibv_poll_cq(sides[0].cq, 1, &wc) == 0) {
    }
    struct ibv_qp_attr now;
    struct ibv_qp_init_attr made;
    ibv_query_qp(qps[0], &now, IBV_QP_AV, &made);
    printf("%d: %s, at index %d%s\n", index, ibv_wc_status_str(wc.status), now.ah_attr.grh.sgid_index,
           memcmp(&now.ah_attr.grh.dgid, &gids[1], sizeof *gids) ? ", to another" : "");
}

int main(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_port_attr port;
    for (int i = 0; i < 2; i++) {
        sides[i].context = ibv_open_device(list[i]);
        sides[i].pd = ibv_alloc_pd(sides[i].context);
        sides[i].cq = ibv_create_cq(sides[i].context, 16, NULL, NULL, 0);
        sides[i].mr = ibv_reg_mr(sides[i].pd, sides[i].memory, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    }
    ibv_query_port(sides[0].context, 1, &port);
    struct ibv_gid_entry table[MOST];
    int known = ibv_query_gid_table(sides[0].context, table, MOST, 0);
    printf("%d entries, %d of them known:", port.gid_tbl_len, known);
    for (int i = 0; i < known; i++) {
        printf(" %d", table[i].gid_index);
    }
    printf("\n");
    for (int i = 0; i < port.gid_tbl_len; i++) {
        union ibv_gid gids[2];
        struct ibv_gid_entry entry;
        ibv_query_gid(sides[0].context, 1, i, &gids[0]);
        ibv_query_gid(sides[1].context, 1, i, &gids[1]);
        int error = ibv_query_gid_ex(sides[0].context, 1, i, &entry, 0);
        if (error) {
            static const union ibv_gid none;
            printf("%d: %s%s\n", i, strerrorname_np(error), memcmp(&gids[0], &none, sizeof none) ? ", not empty" : "");
        } else {
            printf("%d: %s v%d%s\n", i, gids[0].raw[0] == 0xfe ? "link-local" : "IPv4", entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? 2 : 1,
                   memcmp(&gids[0], &entry.gid, sizeof *gids) ? ", another" : "");
        }
        connect_by(i, gids);
    }
    return 0;
}
