// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes slices of a buffer over several rails, each an adapter or a port of the sender and one of the receiver, and goes on over the others
// when one fails. It is plain libibverbs; both ends are in one process, so that it can look at what arrived.
// Usage: failover RAILS, with 2 * RAILS devices; failover RAILS ports, with two devices of RAILS ports each.
// Exit status: 0 all slices arrived, 1 no rail was left, 2 an error that no other rail mends.
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RAILS = 4, SLICES = 400, SLICE = 2048, DEPTH = 4, MOST_REPAIRS = 3, PATIENCE_SECONDS = 300 };

static char source[SLICES * SLICE], target[SLICES * SLICE];

struct end {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    int port, port_is_up;
};

struct rail {
    struct end sender, receiver;
    int outstanding, failed, repairs, given_up, sent;
};

static struct rail rails[MOST_RAILS];
static int count, waiting[SLICES], waiting_slices, arrived, sent_again;

static void fail(int status, const char *what, const char *why) {
    printf("%s: %s\n", what, why);
    exit(status);
}

static void require(int good, const char *what) {
    if (!good) {
        fail(3, what, strerror(errno));
    }
}

static void open_end(struct end *end, struct ibv_device *device, int port, char *memory) {
    end->port = port;
    require((end->context = ibv_open_device(device)) != NULL, "ibv_open_device");
    require((end->pd = ibv_alloc_pd(end->context)) != NULL, "ibv_alloc_pd");
    end->mr = ibv_reg_mr(end->pd, memory, SLICES * SLICE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    require(end->mr != NULL, "ibv_reg_mr");
    require((end->cq = ibv_create_cq(end->context, 2 * DEPTH, NULL, NULL, 0)) != NULL, "ibv_create_cq");
    struct ibv_qp_init_attr attributes = {
        .send_cq = end->cq, .recv_cq = end->cq, .cap = {DEPTH, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    require((end->qp = ibv_create_qp(end->pd, &attributes)) != NULL, "ibv_create_qp");
    fcntl(end->context->async_fd, F_SETFL, fcntl(end->context->async_fd, F_GETFL) | O_NONBLOCK);
    end->port_is_up = 1;
}

static void change(struct ibv_qp *qp, struct ibv_qp_attr *to, enum ibv_qp_state state, int mask) {
    to->qp_state = state;
    errno = ibv_modify_qp(qp, to, IBV_QP_STATE | mask);
    require(errno == 0, "ibv_modify_qp");
}

static void connect_end(struct end *end, struct end *peer) {
    struct ibv_qp_attr to = {
        .port_num = end->port,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp->qp_num,
        .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1, .port_num = end->port, .grh = {.hop_limit = 64}},
        .timeout = 15,
        .retry_cnt = 5,
    };
    require(ibv_query_gid(peer->context, peer->port, 0, &to.ah_attr.grh.dgid) == 0, "ibv_query_gid");
    change(end->qp, &to, IBV_QPS_RESET, 0);
    change(end->qp, &to, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    change(end->qp, &to, IBV_QPS_RTR,
           IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    change(end->qp, &to, IBV_QPS_RTS,
           IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static void connect_rail(struct rail *rail) {
    connect_end(&rail->receiver, &rail->sender);
    connect_end(&rail->sender, &rail->receiver);
    rail->failed = 0;
}

// A port that went down takes its rail with it: what is outstanding there is flushed, and goes over another.
static void port_changed(struct rail *rail, struct end *end, enum ibv_event_type type) {
    end->port_is_up = type == IBV_EVENT_PORT_ACTIVE;
    printf("rail %d: %s\n", (int)(rail - rails), ibv_event_type_str(type));
    if (!end->port_is_up && !rail->failed) {
        struct ibv_qp_attr to = {0};
        change(rail->sender.qp, &to, IBV_QPS_ERR, 0);
        rail->failed = 1;
    }
}

// Each context of a device is told of all its ports.
static void look_at_events(struct rail *rail, struct end *end) {
    struct ibv_async_event event;
    while (ibv_get_async_event(end->context, &event) == 0) {
        int is_of_port = event.event_type == IBV_EVENT_PORT_ERR || event.event_type == IBV_EVENT_PORT_ACTIVE;
        if (event.event_type == IBV_EVENT_DEVICE_FATAL) {
            rail->given_up = 1;
        } else if (is_of_port && event.element.port_num == end->port) {
            port_changed(rail, end, event.event_type);
        }
        ibv_ack_async_event(&event);
    }
}

static void look_at_completions(struct rail *rail) {
    struct ibv_wc wc;
    while (ibv_poll_cq(rail->sender.cq, 1, &wc) > 0) {
        rail->outstanding--;
        if (wc.status == IBV_WC_SUCCESS) {
            arrived++;
            rail->sent++;
        } else if (wc.status == IBV_WC_RETRY_EXC_ERR || wc.status == IBV_WC_WR_FLUSH_ERR || wc.status == IBV_WC_FATAL_ERR) {
            // It may have been executed; to write the same bytes to the same place again does no harm.
            if (wc.status != IBV_WC_WR_FLUSH_ERR) {
                printf("rail %d: %s\n", (int)(rail - rails), ibv_wc_status_str(wc.status));
            }
            rail->failed = 1;
            waiting[waiting_slices++] = wc.wr_id;
            sent_again++;
        } else {
            fail(2, "no other rail mends this", ibv_wc_status_str(wc.status));
        }
    }
}

// A rail that failed is connected anew when nothing of it is outstanding and both its ports are up, but not for ever.
static void mend(struct rail *rail) {
    if (!rail->failed || rail->given_up || rail->outstanding > 0 || !rail->sender.port_is_up || !rail->receiver.port_is_up) {
        return;
    }
    if (rail->repairs == MOST_REPAIRS) {
        printf("rail %d: given up after %d repairs\n", (int)(rail - rails), rail->repairs);
        rail->given_up = 1;
        return;
    }
    rail->repairs++;
    connect_rail(rail);
}

static void post(struct rail *rail) {
    while (!rail->failed && !rail->given_up && rail->outstanding < DEPTH && waiting_slices > 0) {
        int slice = waiting[waiting_slices - 1];
        struct ibv_sge element = {(uintptr_t)source + slice * SLICE, SLICE, rail->sender.mr->lkey};
        struct ibv_send_wr wr = {
            .wr_id = slice,
            .sg_list = &element,
            .num_sge = 1,
            .opcode = IBV_WR_RDMA_WRITE,
            .wr.rdma = {(uintptr_t)target + slice * SLICE, rail->receiver.mr->rkey},
        };
        struct ibv_send_wr *bad;
        if (ibv_post_send(rail->sender.qp, &wr, &bad) != 0) {
            rail->failed = 1;
            return;
        }
        waiting_slices--;
        rail->outstanding++;
    }
}

int main(int arguments, char **words) {
    int devices;
    struct ibv_device **list = ibv_get_device_list(&devices);
    int by_ports = arguments > 2 && strcmp(words[2], "ports") == 0;
    count = arguments > 1 ? atoi(words[1]) : 2;
    if (!list || count < 1 || count > MOST_RAILS || devices < (by_ports ? 2 : 2 * count)) {
        fail(3, "failover", "specify 1 to 4 rails, and twice as many devices, or two with as many ports");
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < SLICES * SLICE; i++) {
        source[i] = (char)(i * 31 + i / SLICE);
    }
    for (int i = 0; i < SLICES; i++) {
        waiting[waiting_slices++] = SLICES - 1 - i;
    }
    for (int i = 0; i < count; i++) {
        open_end(&rails[i].sender, list[by_ports ? 0 : i], by_ports ? i + 1 : 1, source);
        open_end(&rails[i].receiver, list[by_ports ? 1 : count + i], by_ports ? i + 1 : 1, target);
        connect_rail(&rails[i]);
    }
    time_t last = time(NULL);
    for (int before = 0; arrived < SLICES; before = arrived) {
        int left = 0;
        for (struct rail *rail = rails; rail < rails + count; rail++) {
            look_at_events(rail, &rail->sender);
            look_at_events(rail, &rail->receiver);
            look_at_completions(rail);
            mend(rail);
            post(rail);
            left += !rail->given_up || rail->outstanding > 0;
        }
        last = arrived > before ? time(NULL) : last;
        if (left == 0 || time(NULL) - last > PATIENCE_SECONDS) {
            printf("%d of %d slices arrived; ", arrived, SLICES);
            fail(1, "no rail is left", "all are down");
        }
    }
    printf("%s, %d sent again", memcmp(source, target, sizeof source) ? "WRONG BYTES" : "all arrived", sent_again);
    for (int i = 0; i < count; i++) {
        printf(", rail %d: %d", i, rails[i].sent);
    }
    printf("\n");
    return memcmp(source, target, sizeof source) ? 4 : 0;
}
