// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Two devices with two ports each: what each port says, what is refused, and what goes on when a port is down.
// Usage: ports [down], where a port of the first goes down with the second completion.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16, SIZE = 64 };

struct side {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_mr *mr;
    char memory[SIZE];
};
static struct side sides[2];

static const int to_init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
static const int to_rtr = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
                          | IBV_QP_MIN_RNR_TIMER;
static const int to_rts =
    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;

static const char *name(int error) {
    return error ? strerrorname_np(error) : "ok";
}

static struct ibv_qp *make(struct side *side) {
    struct ibv_qp_init_attr wanted = {
        .send_cq = side->cq, .recv_cq = side->cq, .cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    return ibv_create_qp(side->pd, &wanted);
}

static union ibv_gid gid_of(struct side *side, int port) {
    union ibv_gid gid;
    memset(&gid, 0, sizeof gid);
    ibv_query_gid(side->context, port, 0, &gid);
    return gid;
}

static int change(struct ibv_qp *qp, struct ibv_qp_attr *to, enum ibv_qp_state state, int mask) {
    to->qp_state = state;
    return ibv_modify_qp(qp, to, mask);
}

// Patience of a queue pair that must not fail on a busy machine, and of one that is going to.
static const int patient = 19, impatient = 14;

// Connects a queue pair by a port, with an address vector of that or of another one.
static int join(struct ibv_qp *qp, int port, int vector_port, struct ibv_qp *peer, union ibv_gid to, int timeout) {
    struct ibv_qp_attr attributes = {
        .port_num = port,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num,
        .ah_attr = {.is_global = 1, .port_num = vector_port, .grh = {.hop_limit = 9, .dgid = to}},
        .timeout = timeout,
        .retry_cnt = timeout == patient ? 7 : 1,
    };
    return change(qp, &attributes, IBV_QPS_INIT, to_init) ?: change(qp, &attributes, IBV_QPS_RTR, to_rtr)
           ?: change(qp, &attributes, IBV_QPS_RTS, to_rts);
}

static enum ibv_wc_status write_by(struct ibv_qp *qp) {
    struct ibv_sge element = {(uintptr_t)sides[0].memory, SIZE, sides[0].mr->lkey};
    struct ibv_send_wr wr = {
        .sg_list = &element,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .wr.rdma = {(uintptr_t)sides[1].memory, sides[1].mr->rkey},
    };
    struct ibv_send_wr *bad;
    struct ibv_wc wc;
    if (ibv_post_send(qp, &wr, &bad)) {
        return IBV_WC_GENERAL_ERR;
    }
    while (ibv_poll_cq(sides[0].cq, 1, &wc) == 0) {
        usleep(100);
    }
    return wc.status;
}

static void tell_ports(struct side *side) {
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    struct ibv_gid_entry table[MOST];
    union ibv_gid gid;
    uint16_t pkey;
    ibv_query_device(side->context, &device);
    printf("%d ports\n", device.phys_port_cnt);
    for (int number = 0; number <= 3; number++) {
        errno = 0;
        int asked = ibv_query_port(side->context, number, &port);
        printf("port %d: %s, GID %s, pkey %s\n", number, asked ? name(asked) : ibv_port_state_str(port.state),
               ibv_query_gid(side->context, number, 0, &gid) ? "none" : "there",
               ibv_query_pkey(side->context, number, 0, &pkey) ? "none" : "there");
    }
    int known = ibv_query_gid_table(side->context, table, MOST, 0);
    printf("table:");
    for (int i = 0; i < known; i++) {
        gid = gid_of(side, table[i].port_num);
        printf(" %d/%d%s", table[i].port_num, table[i].gid_index, memcmp(&gid, &table[i].gid, sizeof gid) ? " of another" : "");
    }
    printf("%s\n", known == 2 && !memcmp(&table[0].gid, &table[1].gid, sizeof gid) ? ", the same GID" : "");
}

static void tell_event(struct side *side) {
    struct ibv_async_event event;
    ibv_get_async_event(side->context, &event);
    printf("%s of port %d\n", ibv_event_type_str(event.event_type), event.element.port_num);
    ibv_ack_async_event(&event);
}

static void tell_identifier(void) {
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_id *id;
    for (int port = 1; port <= 2; port++) {
        struct sockaddr_in at = {.sin_family = AF_INET};
        union ibv_gid gid = gid_of(&sides[0], port);
        memcpy(&at.sin_addr, gid.raw + 12, 4);
        rdma_create_id(channel, &id, NULL, RDMA_PS_TCP);
        int bound = rdma_bind_addr(id, (struct sockaddr *)&at) ? errno : 0;
        printf("bound to port %d: %s, port_num %d\n", port, name(bound), bound ? 0 : id->port_num);
        rdma_destroy_id(id);
    }
    rdma_destroy_event_channel(channel);
}

int main(int arguments, char **words) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct ibv_device **list = ibv_get_device_list(NULL);
    for (int i = 0; i < 2; i++) {
        sides[i].context = ibv_open_device(list[i]);
        sides[i].pd = ibv_alloc_pd(sides[i].context);
        sides[i].cq = ibv_create_cq(sides[i].context, 16, NULL, NULL, 0);
        sides[i].mr = ibv_reg_mr(sides[i].pd, sides[i].memory, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    }
    tell_ports(&sides[0]);
    tell_identifier();
    struct ibv_qp *near[3], *far[3];
    for (int port = 0; port <= 2; port++) {
        near[port] = make(&sides[0]);
        far[port] = make(&sides[1]);
    }
    printf("port 3 in INIT: %s\n", name(join(near[0], 3, 3, far[0], gid_of(&sides[1], 1), patient)));
    printf("port 2, vector of port 1: %s\n", name(join(near[0], 2, 1, far[0], gid_of(&sides[1], 2), patient)));
    struct ibv_ah_attr way = {.is_global = 1, .port_num = 3, .grh.dgid = gid_of(&sides[1], 1)};
    printf("handle of port 3: %s\n", ibv_create_ah(sides[0].pd, &way) ? "made" : name(errno));
    near[0] = make(&sides[0]);
    far[0] = make(&sides[1]);
    for (int i = 0; i <= 2; i++) {
        int port = i ?: 1, timeout = i ? patient : impatient;
        int error = join(far[i], port, port, near[i], gid_of(&sides[0], port), timeout)
                    ?: join(near[i], port, port, far[i], gid_of(&sides[1], port), timeout);
        printf("joined by port %d: %s\n", port, name(error));
    }
    for (int port = 1; port <= 2; port++) {
        printf("write by port %d: %s\n", port, ibv_wc_status_str(write_by(near[port])));
    }
    int down = arguments > 1 && !strcmp(words[1], "down");
    if (down) {
        tell_event(&sides[0]);
    }
    printf("write by port 2: %s\n", ibv_wc_status_str(write_by(near[2])));
    printf("write by port 1: %s\n", ibv_wc_status_str(write_by(near[down ? 0 : 1])));
    return 0;
}
