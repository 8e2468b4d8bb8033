// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Posts, polls and waits on two queue pairs of one device that are connected to each other. Usage: datapath WHAT
// Prints what it saw; the test knows what that should be.
#include <errno.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096, DEPTH = 8 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static char memory[SIZE] __attribute__((aligned(8)));
static struct ibv_comp_channel *channel;
static struct ibv_cq_ex *cq;
static struct ibv_qp *qps[2];

static void fail(const char *what) {
    perror(what);
    exit(99);
}

static void open_all(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    struct ibv_cq_init_attr_ex of_cq = {.cqe = 64, .cq_context = memory, .wc_flags = IBV_CREATE_CQ_SUP_WC_FLAGS & 0x7f};
    if (!context || !(pd = ibv_alloc_pd(context)) || !(mr = ibv_reg_mr(pd, memory, SIZE, access))
        || !(channel = of_cq.channel = ibv_create_comp_channel(context)) || !(cq = ibv_create_cq_ex(context, &of_cq))) {
        fail("open");
    }
}

static struct ibv_qp *create_for(int all_signaled, long operations, unsigned inline_bytes) {
    struct ibv_qp_init_attr_ex attributes = {
        .send_cq = ibv_cq_ex_to_cq(cq),
        .recv_cq = ibv_cq_ex_to_cq(cq),
        .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 2, .max_recv_sge = 1, .max_inline_data = inline_bytes},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = all_signaled,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .pd = pd,
        .send_ops_flags = operations,
    };
    struct ibv_qp *qp = ibv_create_qp_ex(context, &attributes);
    if (!qp) {
        fail("qp");
    }
    return qp;
}

static struct ibv_qp *create(int all_signaled) {
    return create_for(all_signaled, IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_LOCAL_INV, 32);
}

static void connect_to(struct ibv_qp *qp, struct ibv_qp *peer) {
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    struct ibv_qp_attr rtr = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num,
        .rq_psn = 0x1234567, // 24 bits count
        .max_dest_rd_atomic = 2,
        .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.flow_label = 0xffffffff, .hop_limit = 9, .traffic_class = 3}},
    };
    struct ibv_qp_attr rts = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 5, .rnr_retry = 6, .sq_psn = 0x234567, .max_rd_atomic = 2};
    ibv_query_gid(context, 1, 0, &rtr.ah_attr.grh.dgid);
    int failed = ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)
                 || ibv_modify_qp(qp, &rtr,
                                  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
                                      | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
                 || ibv_modify_qp(qp, &rts,
                                  IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                                      | IBV_QP_MAX_QP_RD_ATOMIC);
    if (failed) {
        fail("modify");
    }
}

static void connect_pair(int all_signaled) {
    qps[0] = create(all_signaled);
    qps[1] = create(all_signaled);
    connect_to(qps[0], qps[1]);
    connect_to(qps[1], qps[0]);
}

static struct ibv_wc await(void) {
    struct ibv_wc wc;
    int count;
    while ((count = ibv_poll_cq(ibv_cq_ex_to_cq(cq), 1, &wc)) == 0) {
    }
    if (count < 0) {
        fail("poll");
    }
    return wc;
}

static struct ibv_send_wr write_of(struct ibv_sge *from, unsigned id) {
    return (struct ibv_send_wr){.wr_id = id,
                                .sg_list = from,
                                .num_sge = 1,
                                .opcode = IBV_WR_RDMA_WRITE,
                                .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
                                .wr.rdma = {.remote_addr = (uintptr_t)memory + 64, .rkey = mr->rkey}};
}

static void receive(struct ibv_qp *qp, unsigned id, unsigned at, unsigned length) {
    struct ibv_sge to = {.addr = (uintptr_t)memory + at, .length = length, .lkey = mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &to, .num_sge = 1}, *bad;
    if (ibv_post_recv(qp, &wr, &bad)) {
        fail("post_recv");
    }
}

// A chain stops at the request that is refused, and inline data may lie anywhere.
static void chains(void) {
    char text[] = "on the stack";
    struct ibv_sge from = {.addr = (uintptr_t)text, .length = sizeof text}, two[3] = {from, from, from};
    struct ibv_send_wr chain[3] = {write_of(&from, 1), write_of(two, 2), write_of(&from, 3)}, *bad = NULL;
    connect_pair(0);
    chain[0].next = &chain[1];
    chain[1].next = &chain[2];
    chain[1].num_sge = 3;
    printf("refused %d", ibv_post_send(qps[0], chain, &bad));
    printf(" at %d\n", (int)(bad - chain));
    struct ibv_wc wc = await();
    printf("wr_id %d status %d opcode %d: %s\n", (int)wc.wr_id, wc.status, wc.opcode, memory + 64);
    printf("more %d\n", ibv_poll_cq(ibv_cq_ex_to_cq(cq), 1, &wc));
    struct ibv_recv_wr receives[2] = {{.wr_id = 1, .next = &receives[1]}, {.wr_id = 2, .sg_list = two, .num_sge = 3}}, *bad_receive;
    printf("refused %d", ibv_post_recv(qps[0], receives, &bad_receive));
    printf(" at %d\n", (int)(bad_receive - receives));
    int posted = 0, result;
    while ((result = ibv_post_send(qps[0], &chain[2], &bad)) == 0) {
        posted++;
    }
    printf("full %d after all: %d, bad %d\n", result, posted >= DEPTH, bad == &chain[2]);
}

// All of a batch is posted or nothing, and its elements are copied when they are set.
static void batches(void) {
    struct ibv_qp_ex *qp;
    struct ibv_sge element = {.addr = (uintptr_t)memory, .length = 4, .lkey = 0};
    connect_pair(1);
    qp = ibv_qp_to_qp_ex(qps[0]);
    element.lkey = mr->lkey;
    memcpy(memory, "abcdefgh", 8);
    ibv_wr_start(qp);
    for (int i = 0; i < 2; i++) {
        qp->wr_id = 10 + i;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory + 64 + 4 * i);
        ibv_wr_set_sge_list(qp, 1, &element);
        element.addr += 4;
    }
    printf("complete %d\n", ibv_wr_complete(qp));
    printf("wr_id %d\n", (int)await().wr_id);
    printf("wr_id %d\n", (int)await().wr_id);
    printf("%.8s\n", memory + 64);
    ibv_wr_start(qp);
    for (int i = 0; i < 2; i++) {
        qp->wr_id = 20 + i;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory + 64);
        char data[64] = "gone when it was set";
        ibv_wr_set_inline_data(qp, data, i == 0 ? 8 : 64);
    }
    printf("too long %d\n", ibv_wr_complete(qp));
    ibv_wr_start(qp);
    for (int i = 0; i <= DEPTH * 64; i++) {
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory + 64);
        ibv_wr_set_inline_data(qp, "no", 2);
    }
    printf("too many %d\n", ibv_wr_complete(qp));
    struct ibv_sge three[3] = {element, element, element};
    ibv_wr_start(qp);
    for (int i = 0; i < 2; i++) {
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory + 64);
        ibv_wr_set_sge_list(qp, 1 + 2 * i, three);
    }
    printf("too many elements %d\n", ibv_wr_complete(qp));
    ibv_wr_start(qp);
    ibv_wr_send(qp);
    ibv_wr_abort(qp);
    printf("without start %d\n", ibv_wr_complete(qp));
    struct ibv_wc wc;
    printf("more %d: %.8s\n", ibv_poll_cq(ibv_cq_ex_to_cq(cq), 1, &wc), memory + 64);
}

// The word of an ATOMIC_WRITE is in its request, whether or not there is room for other inline data.
static void word(void) {
    qps[0] = create_for(1, 1 << 12, 0);
    qps[1] = create(1);
    connect_to(qps[0], qps[1]);
    connect_to(qps[1], qps[0]);
    struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(qps[0]);
    ibv_wr_start(qp);
    qp->wr_id = 31;
    ibv_wr_atomic_write(qp, mr->rkey, (uintptr_t)memory + 64, "one word");
    printf("complete %d\n", ibv_wr_complete(qp));
    struct ibv_wc wc = await();
    printf("wr_id %d status %d: %.8s\n", (int)wc.wr_id, wc.status, memory + 64);
}

// Immediates are raw bytes; completions can be read field by field.
static void fields(void) {
    struct ibv_poll_cq_attr none = {0};
    connect_pair(1);
    receive(qps[1], 5, 64, 16);
    struct ibv_send_wr wr = {.wr_id = 6, .opcode = IBV_WR_SEND_WITH_IMM, .imm_data = 0x11223344}, *bad;
    printf("empty %d\n", ibv_start_poll(cq, &none));
    ibv_post_send(qps[0], &wr, &bad);
    for (int i = 0; i < 2; i++) {
        while (ibv_start_poll(cq, &none)) {
        }
        int received = ibv_wc_read_opcode(cq) == IBV_WC_RECV;
        printf("wr_id %d status %d opcode %d", (int)cq->wr_id, cq->status, ibv_wc_read_opcode(cq));
        if (received) {
            printf(" imm %x flags %x length %d qp %d", ibv_wc_read_imm_data(cq), ibv_wc_read_wc_flags(cq), ibv_wc_read_byte_len(cq),
                   ibv_wc_read_qp_num(cq) == qps[1]->qp_num);
        }
        printf("\n");
        ibv_end_poll(cq);
    }
}

static void *acknowledge(void *acknowledged) {
    *(int *)acknowledged = 1;
    ibv_ack_cq_events(ibv_cq_ex_to_cq(cq), 2);
    return NULL;
}

// The descriptor is readable while events wait; a queue is destroyed when its events are acknowledged.
static void events(void) {
    struct pollfd readable = {.fd = channel->fd, .events = POLLIN};
    struct ibv_cq *of;
    void *programs;
    connect_pair(1);
    for (int i = 0; i < 2; i++) {
        receive(qps[1], i, 64, 16);
        struct ibv_send_wr wr = {.opcode = IBV_WR_SEND, .send_flags = i == 0 ? IBV_SEND_SOLICITED : 0}, *bad;
        printf("armed %d readable %d\n", ibv_req_notify_cq(ibv_cq_ex_to_cq(cq), i == 0), poll(&readable, 1, 0));
        ibv_post_send(qps[0], &wr, &bad);
        printf("event %d", ibv_get_cq_event(channel, &of, &programs));
        printf(" of cq %d context %d\n", of == ibv_cq_ex_to_cq(cq), programs == memory);
        await();
        await();
    }
    printf("readable %d\n", poll(&readable, 1, 0));
    printf("destroyed %d %d in use %d\n", ibv_destroy_comp_channel(channel), ibv_destroy_cq(ibv_cq_ex_to_cq(cq)),
           ibv_dealloc_pd(pd));
    ibv_destroy_qp(qps[0]);
    ibv_destroy_qp(qps[1]);
    int acknowledged = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, acknowledge, &acknowledged);
    int result = ibv_destroy_cq(ibv_cq_ex_to_cq(cq));
    printf("destroyed %d after acknowledgement %d\n", result, acknowledged);
    pthread_join(thread, NULL);
    printf("destroyed %d\n", ibv_destroy_comp_channel(channel));
}

enum { ROUNDS = 200 };

static atomic_int current_round;

// Acknowledges the event of each round, a little later in each than in the one before.
static void *acknowledge_each(void *unused) {
    for (int round = 1; round <= ROUNDS; round++) {
        while (current_round < round) {
        }
        for (volatile int i = 0; i < round * 200; i++) {
        }
        ibv_ack_cq_events(ibv_cq_ex_to_cq(cq), 1);
        while (current_round == round) {
        }
    }
    return unused;
}

// A queue whose event another thread acknowledges at this moment is destroyed, not in use.
static void acknowledgements(void) {
    struct ibv_cq_init_attr_ex of_cq = {.cqe = 64, .cq_context = memory, .channel = channel};
    struct ibv_send_wr wr = {.opcode = IBV_WR_SEND}, *bad;
    struct ibv_cq *of;
    void *programs;
    pthread_t thread;
    int refused = 0;
    pthread_create(&thread, NULL, acknowledge_each, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        cq = ibv_create_cq_ex(context, &of_cq);
        connect_pair(1);
        receive(qps[1], round, 64, 16);
        ibv_req_notify_cq(ibv_cq_ex_to_cq(cq), 0);
        ibv_post_send(qps[0], &wr, &bad);
        ibv_get_cq_event(channel, &of, &programs);
        ibv_destroy_qp(qps[0]);
        ibv_destroy_qp(qps[1]);
        current_round = round;
        refused += ibv_destroy_cq(ibv_cq_ex_to_cq(cq)) != 0;
    }
    current_round = ROUNDS + 1;
    pthread_join(thread, NULL);
    printf("refused %d\n", refused);
}

static void try(const char *what, struct ibv_qp_init_attr_ex attributes) {
    struct ibv_qp *qp = ibv_create_qp_ex(context, &attributes);
    printf("%s: %d\n", what, qp ? 0 : errno);
    if (qp) {
        ibv_destroy_qp(qp);
    }
}

// What cannot be made is refused as on Linux, and attributes come back as they were set.
static void attributes(void) {
    struct ibv_cq *both = ibv_cq_ex_to_cq(cq);
    struct ibv_qp_init_attr_ex usual = {.send_cq = both,
                                        .recv_cq = both,
                                        .cap = {4, 4, 1, 1, 0},
                                        .qp_type = IBV_QPT_RC,
                                        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
                                        .pd = pd},
                               other;
    try("usual", usual);
    try("type 77", (other = usual, other.qp_type = 77, other));
    try("driver", (other = usual, other.qp_type = IBV_QPT_DRIVER, other));
    try("segmentation", (other = usual, other.send_ops_flags = IBV_QP_EX_WITH_TSO, other));
    try("atomic write", (other = usual, other.send_ops_flags = 1 << 12, other));
    try("unknown mask", (other = usual, other.comp_mask |= 1 << 20, other));
    try("hash", (other = usual, other.comp_mask |= IBV_QP_INIT_ATTR_RX_HASH, other));
    try("flags", (other = usual, other.comp_mask |= IBV_QP_INIT_ATTR_CREATE_FLAGS, other.create_flags = 2, other));
    try("no queue", (other = usual, other.send_cq = NULL, other));
    try("huge", (other = usual, other.cap.max_send_wr = 1 << 30, other));
    connect_pair(1);
    struct ibv_qp_attr now;
    struct ibv_qp_init_attr made;
    printf("query %d\n", ibv_query_qp(qps[0], &now, 0, &made));
    printf("state %d %d mtu %d rq_psn %x sq_psn %x dest %d\n", now.qp_state, qps[0]->state, now.path_mtu, now.rq_psn, now.sq_psn,
           now.dest_qp_num == qps[1]->qp_num);
    printf("global %d flow %x hops %d class %d port %d\n", now.ah_attr.is_global, now.ah_attr.grh.flow_label,
           now.ah_attr.grh.hop_limit, now.ah_attr.grh.traffic_class, now.ah_attr.port_num);
    printf("timeout %d retry %d rnr %d reads %d %d timer %d access %x\n", now.timeout, now.retry_cnt, now.rnr_retry,
           now.max_rd_atomic, now.max_dest_rd_atomic, now.min_rnr_timer, now.qp_access_flags);
    printf("all signaled %d type %d at least as asked %d\n", made.sq_sig_all, made.qp_type, made.cap.max_send_wr >= DEPTH);
    printf("rate %d unknown %d mtu %d\n", ibv_modify_qp(qps[0], &now, IBV_QP_RATE_LIMIT), ibv_modify_qp(qps[0], &now, 1 << 29),
           (now.path_mtu = 9, ibv_modify_qp(qps[0], &now, IBV_QP_PATH_MTU)));
    now.qp_state = IBV_QPS_ERR;
    printf("failed %d", ibv_modify_qp(qps[0], &now, IBV_QP_STATE));
    printf(" state %d\n", qps[0]->state);
}

int main(int count, char **words) {
    struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"chains", chains}, {"batches", batches}, {"word", word}, {"fields", fields}, {"events", events}, {"acknowledgements", acknowledgements}, {"attributes", attributes}};
    open_all();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (count > 1 && strcmp(words[1], all[i].name) == 0) {
            all[i].run();
        }
    }
    return 0;
}
