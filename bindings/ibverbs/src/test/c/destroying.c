// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What is destroyed or closed while events of it wait, or are not acknowledged. Usage: destroying WHAT
#include <arpa/inet.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[64];

static void require(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(99);
    }
}

static struct ibv_context *open_device(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    require(context != NULL, "ibv_open_device");
    return context;
}

static void change(struct ibv_qp *qp, enum ibv_qp_state state) {
    struct ibv_qp_attr to = {.qp_state = state, .port_num = 1};
    int more = state == IBV_QPS_INIT ? IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS : 0;
    require(!ibv_modify_qp(qp, &to, IBV_QP_STATE | more), "ibv_modify_qp");
}

static struct ibv_qp_init_attr attributes_of(struct ibv_cq *cq, struct ibv_srq *srq) {
    return (struct ibv_qp_init_attr){.send_cq = cq, .recv_cq = cq, .srq = srq, .cap = {1, srq ? 0 : 1, 1, 1, 0}, .qp_type = IBV_QPT_RC};
}

static struct ibv_srq *shared_queue(struct ibv_pd *pd) {
    return ibv_create_srq(pd, &(struct ibv_srq_init_attr){.attr = {.max_wr = 1, .max_sge = 1}});
}

static int readable(int descriptor, int timeout) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    return poll(&one, 1, timeout);
}

// A descriptor is readable while an event waits, with one context of the device and with two.
static void descriptors(void) {
    struct ibv_context *context = open_device(), *other = NULL;
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_cq *cq = ibv_create_cq(context, 4, NULL, NULL, 0);
    struct ibv_srq *srq = shared_queue(pd);
    for (int contexts = 1; contexts <= 2; contexts++) {
        struct ibv_qp_init_attr wanted = attributes_of(cq, srq);
        struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
        struct ibv_async_event event;
        change(qp, IBV_QPS_INIT);
        change(qp, IBV_QPS_ERR);
        printf("readable %d", readable(context->async_fd, -1));
        ibv_get_async_event(context, &event);
        printf(": %s; readable %d", ibv_event_type_str(event.event_type), readable(context->async_fd, 0));
        ibv_ack_async_event(&event);
        printf("; destroyed %d\n", ibv_destroy_qp(qp));
        other = other ?: open_device();
    }
}

static struct ibv_async_event fetched;
static int acknowledged;

static void *acknowledge(void *unused) {
    acknowledged = 1;
    ibv_ack_async_event(&fetched);
    return unused;
}

// A queue pair of an identifier, whose events are of another context than the program's.
static void identifiers(void) {
    struct ibv_context *own = open_device();
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct rdma_cm_id *listener, *id;
    struct rdma_cm_event *resolved;
    pthread_t thread;
    require(own && !rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) && !rdma_bind_addr(listener, (struct sockaddr *)&here)
            && !rdma_listen(listener, 1), "rdma_listen");
    here.sin_port = rdma_get_src_port(listener);
    require(!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) && !rdma_resolve_addr(id, NULL, (struct sockaddr *)&here, 60000)
            && !rdma_get_cm_event(channel, &resolved) && resolved->event == RDMA_CM_EVENT_ADDR_RESOLVED && !rdma_ack_cm_event(resolved),
            "rdma_resolve_addr");
    struct ibv_cq *cq = ibv_create_cq(id->verbs, 4, NULL, NULL, 0);
    struct ibv_srq *srq = shared_queue(id->pd);
    for (int fetches = 0; fetches <= 1; fetches++) {
        struct ibv_qp_init_attr wanted = attributes_of(cq, srq);
        require(!rdma_create_qp(id, id->pd, &wanted), "rdma_create_qp");
        change(id->qp, IBV_QPS_ERR);
        readable(id->verbs->async_fd, -1);
        if (fetches) {
            ibv_get_async_event(id->verbs, &fetched);
            pthread_create(&thread, NULL, acknowledge, NULL);
        }
        rdma_destroy_qp(id);
        printf("destroyed %d, acknowledged %d\n", !id->qp, acknowledged);
    }
    pthread_join(thread, NULL);
    printf("destroyed %d %d\n", ibv_destroy_srq(srq), ibv_destroy_cq(cq));
}

// A context is closed with a queue whose event nobody acknowledges.
static void contexts(void) {
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_cq *cq = ibv_create_cq(context, 4, NULL, channel, 0), *of;
    struct ibv_qp_init_attr wanted = attributes_of(cq, NULL);
    struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
    struct ibv_sge into = {(uintptr_t)memory, sizeof memory, mr->lkey};
    struct ibv_recv_wr *bad, receive = {.sg_list = &into, .num_sge = 1};
    void *programs;
    change(qp, IBV_QPS_INIT);
    require(!ibv_post_recv(qp, &receive, &bad) && !ibv_req_notify_cq(cq, 0), "ibv_post_recv");
    change(qp, IBV_QPS_ERR);
    printf("event %d", ibv_get_cq_event(channel, &of, &programs));
    printf("; closed %d\n", ibv_close_device(context));
}

// A descriptor is not readable any more when the object is gone of which an event waited.
static void unread(void) {
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_comp_channel *completions = ibv_create_comp_channel(context);
    struct ibv_cq *other = ibv_create_cq(context, 4, NULL, NULL, 0), *cq = ibv_create_cq(context, 4, NULL, completions, 0);
    struct ibv_srq *srq = shared_queue(pd);
    struct ibv_qp_init_attr wanted = attributes_of(cq, NULL), shared = attributes_of(other, srq);
    struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
    struct ibv_sge into = {(uintptr_t)memory, sizeof memory, mr->lkey};
    struct ibv_recv_wr *bad, receive = {.sg_list = &into, .num_sge = 1};
    change(qp, IBV_QPS_INIT);
    require(!ibv_post_recv(qp, &receive, &bad) && !ibv_req_notify_cq(cq, 0), "ibv_post_recv");
    change(qp, IBV_QPS_ERR);
    printf("completion %d", readable(completions->fd, -1));
    require(!ibv_destroy_qp(qp) && !ibv_destroy_cq(cq), "ibv_destroy_cq");
    printf(", then %d\n", readable(completions->fd, 0));
    for (int contexts = 1; contexts <= 2; contexts++) {
        qp = ibv_create_qp(pd, &shared);
        change(qp, IBV_QPS_INIT);
        change(qp, IBV_QPS_ERR);
        printf("event %d", readable(context->async_fd, -1));
        require(!ibv_destroy_qp(qp), "ibv_destroy_qp");
        printf(", then %d\n", readable(context->async_fd, 0));
        open_device();
    }
    struct rdma_event_channel *connections = rdma_create_event_channel(), *more = rdma_create_event_channel();
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_port = htons(4711)};
    struct rdma_cm_id *id, *moved;
    require(!rdma_create_id(connections, &id, NULL, RDMA_PS_TCP) && !rdma_create_id(connections, &moved, NULL, RDMA_PS_TCP)
            && !rdma_resolve_addr(id, NULL, (struct sockaddr *)&there, 60000), "rdma_resolve_addr");
    printf("connection %d", readable(connections->fd, -1));
    require(!rdma_destroy_id(id), "rdma_destroy_id");
    printf(", then %d\n", readable(connections->fd, 0));
    require(!rdma_resolve_addr(moved, NULL, (struct sockaddr *)&there, 60000), "rdma_resolve_addr");
    printf("connection %d", readable(connections->fd, -1));
    require(!rdma_migrate_id(moved, more), "rdma_migrate_id");
    printf(", then %d and %d\n", readable(connections->fd, 0), readable(more->fd, 0));
}

// Handles are good only in the context in which an object was made: what the kernel looks up by another is not there.
static void foreign(void) {
    struct ibv_context *context = open_device(), *other = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_cq *cq = ibv_create_cq(context, 4, NULL, NULL, 0);
    struct ibv_srq *srq = shared_queue(pd);
    struct ibv_qp_init_attr wanted = attributes_of(cq, NULL);
    struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
    struct ibv_ah *ah = ibv_create_ah(pd, &(struct ibv_ah_attr){.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}});
    struct ibv_dm *dm = ibv_alloc_dm(context, &(struct ibv_alloc_dm_attr){.length = 64});
    struct ibv_xrcd *xrcd = ibv_open_xrcd(context, &(struct ibv_xrcd_init_attr){
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1, .oflags = O_CREAT});
    require(pd && cq && srq && qp && mr && mw && ah && dm && xrcd, "objects");
    pd->context = cq->context = srq->context = qp->context = mr->context = mw->context = ah->context = dm->context = xrcd->context = other;
    struct ibv_wc wc;
    printf("polled %d, modified %d, domain used %d\n", ibv_poll_cq(cq, 1, &wc),
           ibv_modify_qp(qp, &(struct ibv_qp_attr){.qp_state = IBV_QPS_ERR}, IBV_QP_STATE), ibv_alloc_mw(pd, IBV_MW_TYPE_1) != NULL);
    for (int foreign = 1; foreign >= 0; foreign--) {
        int destroyed[9], count = 0;
        destroyed[count++] = ibv_destroy_qp(qp);
        destroyed[count++] = ibv_destroy_srq(srq);
        destroyed[count++] = ibv_destroy_cq(cq);
        destroyed[count++] = ibv_dereg_mr(mr);
        destroyed[count++] = ibv_dealloc_mw(mw);
        destroyed[count++] = ibv_destroy_ah(ah);
        destroyed[count++] = ibv_free_dm(dm);
        destroyed[count++] = ibv_close_xrcd(xrcd);
        destroyed[count++] = ibv_dealloc_pd(pd);
        for (int i = 0; i < count; i++) {
            printf("%s%d", i ? " " : "destroyed ", destroyed[i]);
        }
        printf("\n");
        if (foreign) {
            pd->context = cq->context = srq->context = qp->context = mr->context = context;
            mw->context = ah->context = dm->context = xrcd->context = context;
        }
    }
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "descriptors")) {
        descriptors();
    } else if (!strcmp(what, "identifiers")) {
        identifiers();
    } else if (!strcmp(what, "contexts")) {
        contexts();
    } else if (!strcmp(what, "unread")) {
        unread();
    } else if (!strcmp(what, "foreign")) {
        foreign();
    }
    return 0;
}
