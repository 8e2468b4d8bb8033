// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills the heap of the device until no object can be made, then calls every kind of verb: each works, or says that there is no memory.
// All objects can be destroyed, and then there is room again.
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <rdma/rsocket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 20000
#define ROUNDS 40

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static struct ibv_qp *filled[MOST], *pair;
static int count, refused;
static char memory[4096];
static struct rdma_event_channel *channel;

static struct ibv_qp *queue_pair(int depth) {
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = depth, .max_recv_wr = depth, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = ibv_create_qp(pd, &attributes);
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    if (qp && (errno = ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))) {
        int error = errno;
        ibv_destroy_qp(qp);
        errno = error;
        return NULL;
    }
    return qp;
}

static int connect_to_itself(struct ibv_qp *qp) {
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qp->qp_num, .min_rnr_timer = 12,
        .max_dest_rd_atomic = 1, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
    ibv_query_gid(context, 1, 0, &a.ah_attr.grh.dgid);
    int error = ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    struct ibv_qp_attr b = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    return error ? error : ibv_modify_qp(qp, &b, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
        | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static int receive(struct ibv_qp *qp) {
    struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
    struct ibv_recv_wr request = {.wr_id = 1, .sg_list = &sge, .num_sge = 1}, *bad;
    return ibv_post_recv(qp, &request, &bad);
}

static int write_and_poll(void) {
    struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
    struct ibv_send_wr request = {.wr_id = 1, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED, .wr.rdma = {(uintptr_t)memory + 2048, mr->rkey}}, *bad;
    struct ibv_wc wc;
    int error = ibv_post_send(pair, &request, &bad), polled;
    while (!error && !(polled = ibv_poll_cq(cq, 1, &wc))) {
    }
    return error ? error : polled < 0 ? -polled : wc.status ? 1000 + wc.status : 0;
}

// So many receives that the heap is full, of a queue pair each.
static int fill(void) {
    int error = 0;
    while (!error && count < MOST && (filled[count] = queue_pair(4000))) {
        struct ibv_qp *qp = filled[count++];
        for (int i = 0; i < 4000 && !error; i++) {
            error = receive(qp);
        }
    }
    return error ? error : errno;
}

static void expect(const char *what, int error, int other) {
    refused += error == ENOMEM;
    if (error && error != ENOMEM && error != other) {
        printf("%s: %d %s\n", what, error, strerror(error));
    }
}

#define MAKE(type, object, create, destroy)                \
    do {                                                   \
        errno = 0;                                         \
        type *object = create;                             \
        int error = object ? 0 : errno ? errno : -1;       \
        expect(#create, error, 0);                         \
        if (object && (error = destroy)) {                 \
            printf(#destroy ": %s\n", strerror(error));    \
        }                                                  \
    } while (0)
#define CALL(call) expect(#call, (call) ? errno ? errno : -1 : 0, 0)

static void call_all(void) {
    struct ibv_device **devices;
    struct ibv_port_attr port;
    struct ibv_device_attr device;
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_INIT};
    struct ibv_qp_init_attr init;
    struct ibv_srq_init_attr shared = {.attr = {.max_wr = 64, .max_sge = 1}};
    struct ibv_ah_attr vector = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}};
    struct ibv_async_event event;
    struct rdma_cm_event *happened;
    struct rdma_cm_id *id = NULL;
    struct rdma_addrinfo *address = NULL;
    struct ibv_wc wc;
    ibv_query_gid(context, 1, 0, &vector.grh.dgid);
    MAKE(struct ibv_pd, p, ibv_alloc_pd(context), ibv_dealloc_pd(p));
    MAKE(struct ibv_cq, q, ibv_create_cq(context, 1000, NULL, NULL, 0), ibv_destroy_cq(q));
    MAKE(struct ibv_qp, q, queue_pair(100), ibv_destroy_qp(q));
    MAKE(struct ibv_srq, q, ibv_create_srq(pd, &shared), ibv_destroy_srq(q));
    MAKE(struct ibv_mr, m, ibv_reg_mr(pd, memory, 64, 0), ibv_dereg_mr(m));
    MAKE(struct ibv_mw, w, ibv_alloc_mw(pd, IBV_MW_TYPE_1), ibv_dealloc_mw(w));
    MAKE(struct ibv_ah, h, ibv_create_ah(pd, &vector), ibv_destroy_ah(h));
    MAKE(struct ibv_comp_channel, c, ibv_create_comp_channel(context), ibv_destroy_comp_channel(c));
    MAKE(struct ibv_context, c, ibv_open_device(context->device), ibv_close_device(c));
    MAKE(struct rdma_event_channel, c, rdma_create_event_channel(), (rdma_destroy_event_channel(c), 0));
    devices = ibv_get_device_list(NULL);
    expect("list", devices ? 0 : errno, 0);
    if (devices) {
        ibv_free_device_list(devices);
    }
    expect("write", write_and_poll(), 0);
    expect("poll", -ibv_poll_cq(cq, 1, &wc), 0);
    expect("notify", ibv_req_notify_cq(cq, 0), 0);
    expect("query_qp", ibv_query_qp(pair, &attributes, IBV_QP_STATE, &init), 0);
    attributes.qp_state = IBV_QPS_INIT;
    expect("modify", ibv_modify_qp(pair, &attributes, IBV_QP_STATE), EINVAL);
    expect("query_device", ibv_query_device(context, &device), 0);
    expect("query_port", ibv_query_port(context, 1, &port), 0);
    CALL(ibv_get_async_event(context, &event) && errno != EAGAIN);
    CALL(rdma_get_cm_event(channel, &happened) && errno != EAGAIN);
    CALL(rdma_create_id(channel, &id, NULL, RDMA_PS_TCP));
    if (id) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        CALL(rdma_bind_addr(id, (void *)&to));
        expect("listen", rdma_listen(id, 1) ? errno : 0, EINVAL); // if it was not bound
        if (rdma_destroy_id(id)) {
            printf("rdma_destroy_id: %s\n", strerror(errno));
        }
    }
    int error = rdma_getaddrinfo("127.0.0.1", "9", NULL, &address);
    expect("getaddrinfo", error ? errno : 0, 0);
    if (!error) {
        rdma_freeaddrinfo(address);
    }
    int socket = rsocket(AF_INET, SOCK_STREAM, 0);
    expect("rsocket", socket < 0 ? errno : 0, 0);
    if (socket >= 0 && rclose(socket)) {
        printf("rclose: %s\n", strerror(errno));
    }
    if (!ibv_wc_status_str(3) || !rdma_event_str(1)) {
        printf("no name\n");
    }
}

int main(void) {
    context = ibv_open_device(ibv_get_device_list(NULL)[0]);
    pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 1000, NULL, NULL, 0);
    mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    pair = queue_pair(10);
    channel = rdma_create_event_channel();
    fcntl(context->async_fd, F_SETFL, O_NONBLOCK);
    fcntl(channel->fd, F_SETFL, O_NONBLOCK);
    if (connect_to_itself(pair) || write_and_poll()) {
        printf("the queue pair does not work\n");
        return 1;
    }
    printf("filled: %s\n", strerror(fill()));
    for (int i = 0; i < ROUNDS; i++) {
        call_all();
    }
    printf("refused: %s\n", refused ? "some" : "none");
    while (count) {
        int error = ibv_destroy_qp(filled[--count]);
        if (error) {
            printf("ibv_destroy_qp: %s\n", strerror(error));
        }
    }
    refused = 0;
    call_all();
    printf("refused: %d\n", refused);
    return 0;
}
