// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Uses what faults may concern, and prints what came of it. The queue pairs are of the first and the last device. Usage: lab WHAT
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 4096 };

struct side {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    struct ibv_cq *cq;
    struct ibv_srq *srq;
    struct ibv_qp *qp;
    char memory[SIZE];
};
static struct side sides[2];
static int timeout = 17, rnr_retry = 0;

static void open_side(struct side *side, struct ibv_device *device, int shared) {
    side->context = ibv_open_device(device);
    side->pd = ibv_alloc_pd(side->context);
    side->mr = ibv_reg_mr(side->pd, side->memory, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    side->cq = ibv_create_cq(side->context, 64, NULL, NULL, 0);
    struct ibv_srq_init_attr sizes = {.attr = {16, 1, 0}};
    side->srq = shared ? ibv_create_srq(side->pd, &sizes) : NULL;
    struct ibv_qp_init_attr attributes = {
        .send_cq = side->cq, .recv_cq = side->cq, .srq = side->srq, .cap = {16, 16, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    side->qp = ibv_create_qp(side->pd, &attributes);
}

static void take_to_rts(struct side *side, struct side *peer) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp->qp_num,
        .min_rnr_timer = 1,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 9}},
        .timeout = timeout,
        .retry_cnt = 5,
        .rnr_retry = rnr_retry,
    };
    ibv_query_gid(peer->context, 1, 0, &attributes.ah_attr.grh.dgid);
    int failed = ibv_modify_qp(side->qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    attributes.qp_state = IBV_QPS_RTR;
    failed |= ibv_modify_qp(side->qp, &attributes,
                            IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
                                | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    failed |= ibv_modify_qp(side->qp, &attributes,
                            IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                                | IBV_QP_MAX_QP_RD_ATOMIC);
    if (failed) {
        exit(99);
    }
}

static int post(int id, enum ibv_wr_opcode opcode, int length, struct ibv_send_wr **bad) {
    struct ibv_sge element = {(uintptr_t)sides[0].memory, length, sides[0].mr->lkey};
    struct ibv_send_wr wr = {
        .wr_id = id,
        .sg_list = &element,
        .num_sge = 1,
        .opcode = opcode,
        .wr.rdma = {(uintptr_t)sides[1].memory, sides[1].mr->rkey},
    };
    int error = ibv_post_send(sides[0].qp, &wr, bad);
    *bad = error && *bad == &wr ? *bad : NULL;
    return error;
}

static int write_once(int id, struct ibv_send_wr **bad) {
    return post(id, IBV_WR_RDMA_WRITE, 64, bad);
}

static int receive_once(int id) {
    struct ibv_sge element = {(uintptr_t)sides[1].memory, 64, sides[1].mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &element, .num_sge = 1}, *bad;
    return ibv_post_recv(sides[1].qp, &wr, &bad);
}

static struct ibv_wc next(void) {
    struct ibv_wc wc;
    while (ibv_poll_cq(sides[0].cq, 1, &wc) == 0) {
    }
    return wc;
}

static void complete(void) {
    struct ibv_wc wc = next();
    printf("%lu %s\n", wc.wr_id, ibv_wc_status_str(wc.status));
}

static void show_link(void) {
    struct ibv_port_attr port;
    ibv_query_port(sides[0].context, 1, &port);
    printf("mtu %d, width %d, speed %d\n", 128 << port.active_mtu, port.active_width, port.active_speed);
}

static void show_state(void) {
    struct ibv_qp_attr now;
    struct ibv_qp_init_attr made;
    ibv_query_qp(sides[0].qp, &now, IBV_QP_STATE, &made);
    printf("state %d\n", now.qp_state);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    int devices;
    alarm(550);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct ibv_device **list = ibv_get_device_list(&devices);
    struct ibv_send_wr *bad;
    if (!strcmp(what, "many") || !strcmp(what, "until") || !strcmp(what, "long")) {
        timeout = 16;
    }
    if (!strcmp(what, "waits") || !strcmp(what, "promise")) {
        rnr_retry = 7;
    }
    open_side(&sides[0], list[0], 0);
    open_side(&sides[1], list[devices - 1], !strcmp(what, "shared"));
    take_to_rts(&sides[0], &sides[1]);
    take_to_rts(&sides[1], &sides[0]);
    if (!strcmp(what, "regions")) {
        for (int i = 0; i < 5; i++) {
            errno = 0;
            struct ibv_mr *mr = ibv_reg_mr(sides[0].pd, sides[0].memory, 64, IBV_ACCESS_LOCAL_WRITE | (i % 2 ? IBV_ACCESS_RELAXED_ORDERING : 0));
            printf("%s\n", mr ? "registered" : strerrorname_np(errno));
        }
    } else if (!strcmp(what, "queues")) {
        struct ibv_qp_init_attr attributes = {
            .send_cq = sides[0].cq, .recv_cq = sides[0].cq, .cap = {1, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC};
        struct ibv_qp *last = NULL;
        for (int i = 0; i < 4; i++) {
            errno = 0;
            struct ibv_qp *qp = ibv_create_qp(sides[0].pd, &attributes);
            printf("%s\n", qp ? "created" : strerrorname_np(errno));
            last = qp ?: last;
        }
        printf("destroyed %d\n", ibv_destroy_qp(last));
        printf("%s\n", ibv_create_qp(sides[0].pd, &attributes) ? "created" : "refused");
    } else if (!strcmp(what, "writes")) {
        for (int i = 1; i <= 4; i++) {
            if (write_once(i, &bad) == 0) {
                complete();
            }
        }
        show_state();
    } else if (!strcmp(what, "many")) {
        int good = 0;
        for (int i = 1; i <= 30 && write_once(i, &bad) == 0; i++) {
            good += next().status == IBV_WC_SUCCESS;
        }
        printf("%d good\n", good);
    } else if (!strcmp(what, "until")) {
        struct ibv_wc wc = {.status = IBV_WC_SUCCESS};
        while (wc.status == IBV_WC_SUCCESS && write_once(1, &bad) == 0) {
            wc = next();
        }
        printf("%s\n", ibv_wc_status_str(wc.status));
    } else if (!strcmp(what, "long")) {
        write_once(1, &bad);
        complete();
        post(2, IBV_WR_RDMA_WRITE, 64, &bad);
        complete();
        post(3, IBV_WR_RDMA_WRITE, 512, &bad);
        complete();
    } else if (!strcmp(what, "link")) {
        show_link();
        write_once(1, &bad);
        complete();
        show_link();
        struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
        ibv_modify_qp(sides[0].qp, &reset, IBV_QP_STATE);
        struct ibv_qp_attr wide = {.qp_state = IBV_QPS_INIT, .port_num = 1, .path_mtu = IBV_MTU_1024, .ah_attr = {.is_global = 1, .port_num = 1}};
        ibv_query_gid(sides[1].context, 1, 0, &wide.ah_attr.grh.dgid);
        ibv_modify_qp(sides[0].qp, &wide, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
        wide.qp_state = IBV_QPS_RTR;
        int error = ibv_modify_qp(
            sides[0].qp, &wide,
            IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
        printf("%s\n", error ? strerrorname_np(error) : "ready");
    } else if (!strcmp(what, "sends") || !strcmp(what, "waits")) {
        receive_once(7);
        write_once(1, &bad);
        complete();
        post(2, IBV_WR_SEND, 64, &bad);
        complete();
    } else if (!strcmp(what, "promise")) {
        struct ibv_qp_attr now;
        struct ibv_qp_init_attr made;
        int sends = 0, receives = 0;
        while (sends < 16 && post(sends, IBV_WR_SEND, 64, &bad) == 0) {
            sends++;
        }
        ibv_query_qp(sides[1].qp, &now, IBV_QP_CAP, &made);
        printf("%d sends of %d\n", sends, made.cap.max_send_wr);
        struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
        ibv_modify_qp(sides[0].qp, &reset, IBV_QP_STATE);
        while (receives < 16 && receive_once(receives) == 0) {
            receives++;
        }
        printf("%d receives of %d\n", receives, made.cap.max_recv_wr);
    } else if (!strcmp(what, "shared")) {
        struct ibv_async_event event;
        write_once(1, &bad);
        complete();
        ibv_get_async_event(sides[1].context, &event);
        printf("%s%s\n", ibv_event_type_str(event.event_type), event.element.qp == sides[1].qp ? ", of the second" : "");
        ibv_ack_async_event(&event);
    } else if (!strcmp(what, "posts")) {
        for (int i = 1; i <= 3; i++) {
            int error = write_once(i, &bad);
            printf("%s%s\n", error ? strerrorname_np(error) : "posted", bad ? ", bad is the request" : "");
        }
        complete();
        complete();
    } else if (!strcmp(what, "event") || !strcmp(what, "events")) {
        write_once(1, &bad);
        complete();
        for (int i = 0, wanted = strcmp(what, "event") ? 2 : 1; i < wanted; i++) {
            struct ibv_async_event event;
            struct ibv_port_attr port;
            ibv_get_async_event(sides[0].context, &event);
            ibv_query_port(sides[0].context, 1, &port);
            printf("%s, port %s\n", ibv_event_type_str(event.event_type), ibv_port_state_str(port.state));
            ibv_ack_async_event(&event);
        }
    }
    return 0;
}
