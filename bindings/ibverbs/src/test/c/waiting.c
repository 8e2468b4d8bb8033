// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Waits for ever, in as many ways as there are, each in a thread of its own or by a poll of the main thread, until a signal ends it.
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what) do { if (!(what)) { perror(#what); exit(1); } } while (0)
#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static union ibv_gid gid;
static char bytes[4096];

struct pair {
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq;
    struct ibv_srq *srq;
    struct ibv_qp *qp[2];
};

static void ready(struct ibv_qp *qp, int peer, int timeout) {
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL};
    CHECK(!ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    a = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer, .min_rnr_timer = 12,
        .max_dest_rd_atomic = 1, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = gid, .hop_limit = 1}}};
    CHECK(!ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    a = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = timeout, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    CHECK(!ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
        IBV_QP_MAX_QP_RD_ATOMIC));
}

static struct pair joined(int timeout) {
    struct pair p = {.channel = ibv_create_comp_channel(context)};
    struct ibv_srq_init_attr sa = {.attr = {.max_wr = 8, .max_sge = 1}};
    CHECK(p.cq = ibv_create_cq(context, 16, NULL, p.channel, 0));
    CHECK(p.srq = ibv_create_srq(pd, &sa));
    for (int i = 0; i < 2; i++) {
        struct ibv_qp_init_attr a = {.send_cq = p.cq, .recv_cq = p.cq, .srq = i ? p.srq : NULL, .qp_type = IBV_QPT_RC,
            .cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1}};
        CHECK(p.qp[i] = ibv_create_qp(pd, &a));
    }
    ready(p.qp[0], p.qp[1]->qp_num, timeout);
    ready(p.qp[1], p.qp[0]->qp_num, timeout);
    return p;
}

static int post(struct pair *p, int opcode, int flags) {
    struct ibv_sge s = {(uintptr_t)bytes, 8, mr->lkey};
    struct ibv_send_wr w = {.wr_id = 7, .sg_list = &s, .num_sge = 1, .opcode = opcode, .send_flags = flags,
        .wr.rdma = {(uintptr_t)bytes + 64, mr->rkey}}, *bad;
    return ibv_post_send(p->qp[0], &w, &bad);
}

static void fetched_event(struct pair *p) {
    struct ibv_cq *cq;
    void *unused;
    CHECK(!ibv_req_notify_cq(p->cq, 0));
    CHECK(!post(p, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED));
    CHECK(!ibv_get_cq_event(p->channel, &cq, &unused)); // never acknowledged
    CHECK(!ibv_destroy_qp(p->qp[0]) && !ibv_destroy_qp(p->qp[1]));
}

static void *destroy_cq(void *unused) {
    struct pair p = joined(14);
    fetched_event(&p);
    ibv_destroy_cq(p.cq); // waits
    return NULL;
}

static void fetched_async(struct pair *p) {
    struct ibv_srq_attr limit = {.srq_limit = 1};
    struct ibv_sge s = {(uintptr_t)bytes, 64, mr->lkey};
    struct ibv_recv_wr r = {.sg_list = &s, .num_sge = 1}, *bad;
    struct ibv_async_event event;
    CHECK(!ibv_post_srq_recv(p->srq, &r, &bad) && !ibv_modify_srq(p->srq, &limit, IBV_SRQ_LIMIT));
    CHECK(!post(p, IBV_WR_SEND, IBV_SEND_SIGNALED));
    CHECK(!ibv_get_async_event(context, &event)); // never acknowledged
    CHECK(!ibv_destroy_qp(p->qp[0]) && !ibv_destroy_qp(p->qp[1]));
}

static void *destroy_srq(void *unused) {
    struct pair p = joined(14);
    fetched_async(&p);
    ibv_destroy_srq(p.srq); // waits
    return NULL;
}

static struct rdma_cm_id *resolved(struct rdma_event_channel *channel) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7999), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct rdma_cm_event *event;
    struct rdma_cm_id *id;
    CHECK(!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP));
    CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr *)&to, 2000));
    CHECK(!rdma_get_cm_event(channel, &event)); // never acknowledged
    return id;
}

static void *destroy_id(void *unused) {
    rdma_destroy_id(resolved(rdma_create_event_channel())); // waits
    return NULL;
}

static void *migrate_id(void *unused) {
    rdma_migrate_id(resolved(rdma_create_event_channel()), rdma_create_event_channel()); // waits
    return NULL;
}

static void *unaccepted(void *unused) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_conn_param parameters = {.qp_num = 5};
    struct rdma_cm_id *listener, *id;
    struct rdma_cm_event *event;
    CHECK(!rdma_create_id(rdma_create_event_channel(), &listener, NULL, RDMA_PS_TCP)); // whose events nobody fetches
    CHECK(!rdma_bind_addr(listener, (struct sockaddr *)&at) && !rdma_listen(listener, 1));
    at.sin_port = rdma_get_src_port(listener);
    CHECK(!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP));
    CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr *)&at, 2000));
    CHECK(!rdma_get_cm_event(channel, &event) && !rdma_ack_cm_event(event) && !rdma_resolve_route(id, 2000));
    CHECK(!rdma_get_cm_event(channel, &event) && !rdma_ack_cm_event(event) && !rdma_connect(id, &parameters));
    rdma_get_cm_event(channel, &event); // waits
    return NULL;
}

static void *unarmed(void *unused) {
    struct pair p = joined(14);
    struct ibv_cq *cq;
    void *of;
    CHECK(!post(&p, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED));
    ibv_get_cq_event(p.channel, &cq, &of); // waits
    return NULL;
}

static void *start_twice(void *unused) {
    struct pair p = joined(14);
    struct ibv_poll_cq_attr none = {0};
    CHECK(!post(&p, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED));
    while (ibv_start_poll((struct ibv_cq_ex *)p.cq, &none)) {
        usleep(1000);
    }
    ibv_start_poll((struct ibv_cq_ex *)p.cq, &none); // waits
    return NULL;
}

int main(int count, char **words) {
    void *(*all[])(void *) = {destroy_cq, destroy_srq, destroy_id, migrate_id, unaccepted, unarmed, start_twice};
    pthread_t thread;
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_wc wc;
    CHECK(list && (context = ibv_open_device(list[0])) && (pd = ibv_alloc_pd(context)));
    CHECK((mr = ibv_reg_mr(pd, bytes, sizeof bytes, ALL)) && !ibv_query_gid(context, 1, 0, &gid));
    if (count > 1 && !strcmp(words[1], "threads")) {
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            CHECK(!pthread_create(&thread, NULL, all[i], NULL));
        }
    }
    struct pair rnr = joined(14), dead = joined(0), silent = joined(14);
    struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
    CHECK(!ibv_modify_qp(dead.qp[1], &reset, IBV_QP_STATE));
    CHECK(!post(&rnr, IBV_WR_SEND, IBV_SEND_SIGNALED) && !post(&dead, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED));
    if (count > 1 && !strcmp(words[1], "full")) {
        while (post(&silent, IBV_WR_RDMA_WRITE, 0) >= 0) {
            usleep(1000); // waits for room
        }
    }
    CHECK(!post(&silent, IBV_WR_RDMA_WRITE, 0));
    if (count > 1 && !strcmp(words[1], "asleep")) {
        pause();
    }
    for (;;) {
        int found = ibv_poll_cq(rnr.cq, 1, &wc);       // waits for a receive
        found += ibv_poll_cq(dead.cq, 1, &wc);         // waits for an answer
        found += ibv_poll_cq(silent.cq, 1, &wc);       // waits for a completion
        CHECK(!found);
        usleep(1000);
    }
}
