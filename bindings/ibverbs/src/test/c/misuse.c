// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Small programs with one planted mistake each, which a device does not refuse, and their clean twins.
// Usage: misuse CASE | misuse CASE clean | misuse together | misuse together clean | misuse list
// The last line of a mistake has the comment "// S1 CASE", with the number of the mistake, by which the test finds it. Pairs of queue pairs
// of one device are connected.
#define _GNU_SOURCE
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

enum { SIZE = 1 << 16, PART = 4096, DEPTH = 8, ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC };

static int clean;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static char *memory;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_srq *srq;
static struct ibv_qp *qps[4]; // 0 with 1, and 2 with 3

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "misuse: %s failed\n", what);
        exit(99);
    }
}

static void prepare(struct ibv_qp *qp) {
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL};
    require(!ibv_modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
}

static void connect_to(struct ibv_qp *qp, struct ibv_qp *peer) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num,
        .max_dest_rd_atomic = 4,
        .min_rnr_timer = 1,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 9}},
        .timeout = 18,
        .retry_cnt = 7,
        .rnr_retry = 7,
        .max_rd_atomic = 4,
    };
    ibv_query_gid(context, 1, 0, &attributes.ah_attr.grh.dgid);
    require(!ibv_modify_qp(qp, &attributes,
                           IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
                               | IBV_QP_MIN_RNR_TIMER),
            "RTR");
    attributes.qp_state = IBV_QPS_RTS;
    require(!ibv_modify_qp(qp, &attributes,
                           IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
                               | IBV_QP_MAX_QP_RD_ATOMIC),
            "RTS");
}

static void change(struct ibv_qp *qp, enum ibv_qp_state state) {
    struct ibv_qp_attr attributes = {.qp_state = state};
    require(!ibv_modify_qp(qp, &attributes, IBV_QP_STATE), "a change of state");
}

static void make_pair(int first, struct ibv_cq *with, struct ibv_srq *shared) {
    for (int i = first; i < first + 2; i++) {
        struct ibv_qp_init_attr_ex attributes = {
            .send_cq = with,
            .recv_cq = with,
            .srq = i == first ? NULL : shared,
            .cap = {DEPTH, DEPTH, 2, 2, 64},
            .qp_type = IBV_QPT_RC,
            .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
            .pd = pd,
            .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
        };
        qps[i] = ibv_create_qp_ex(context, &attributes);
        require(qps[i] != NULL, "ibv_create_qp_ex");
        prepare(qps[i]);
    }
    connect_to(qps[first], qps[first + 1]);
    connect_to(qps[first + 1], qps[first]);
}

static void begin(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    pd = ibv_alloc_pd(context);
    memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mr = ibv_reg_mr(pd, memory, SIZE, ALL);
    channel = ibv_create_comp_channel(context);
    cq = ibv_create_cq(context, 64, NULL, channel, 0);
    srq = ibv_create_srq(pd, &(struct ibv_srq_init_attr){.attr = {.max_wr = DEPTH, .max_sge = 2}});
    make_pair(0, cq, NULL);
    make_pair(2, cq, srq);
}

// As if the network were slow: requests of the first queue pair wait until release().
static void hold(void) {
    change(qps[0], IBV_QPS_SQD);
}

static void release(void) {
    change(qps[0], IBV_QPS_RTS);
}

static void read_events(void) {
    struct ibv_async_event event;
    fcntl(context->async_fd, F_SETFL, O_NONBLOCK);
    while (!ibv_get_async_event(context, &event)) {
        ibv_ack_async_event(&event);
    }
}

static void end(void) {
    read_events();
    for (int i = 0; i < 4; i++) {
        if (qps[i]) {
            ibv_destroy_qp(qps[i]);
        }
    }
    ibv_destroy_srq(srq);
    ibv_destroy_cq(cq);
    ibv_destroy_comp_channel(channel);
    if (mr) {
        ibv_dereg_mr(mr);
    }
    ibv_dealloc_pd(pd);
    munmap(memory, SIZE);
    require(!ibv_close_device(context), "ibv_close_device");
}

static char *part(int number) {
    return memory + number * PART;
}

static struct ibv_sge element(int number) {
    return (struct ibv_sge){(uintptr_t)part(number), 64, mr->lkey};
}

static struct ibv_send_wr request(enum ibv_wr_opcode opcode, long id, struct ibv_sge *elements, int count, int to) {
    struct ibv_send_wr wr = {
        .wr_id = id,
        .sg_list = elements,
        .num_sge = count,
        .opcode = opcode,
        .send_flags = IBV_SEND_SIGNALED,
    };
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
        elements->length = 8;
        wr.wr.atomic.remote_addr = (uintptr_t)part(to);
        wr.wr.atomic.rkey = mr->rkey;
        wr.wr.atomic.compare_add = 1;
    } else {
        wr.wr.rdma.remote_addr = (uintptr_t)part(to);
        wr.wr.rdma.rkey = mr->rkey;
    }
    return wr;
}

// To be inlined, so that a post is at the line of its case.
#define SEND_TO(qp, wr) \
    do { \
        struct ibv_send_wr *bad; \
        require(!ibv_post_send(qp, wr, &bad), "ibv_post_send"); \
    } while (0)

#define POST(qp, opcode, id, from, to, flags) \
    do { \
        struct ibv_sge one = element(from); \
        struct ibv_send_wr wr = request(opcode, id, &one, 1, to); \
        wr.send_flags |= flags; \
        SEND_TO(qp, &wr); \
    } while (0)

#define RECEIVE(qp, id, into) \
    do { \
        struct ibv_sge one = element(into); \
        struct ibv_recv_wr wr = {.wr_id = id, .sg_list = &one, .num_sge = 1}, *bad; \
        require(!ibv_post_recv(qp, &wr, &bad), "ibv_post_recv"); \
    } while (0)

static struct ibv_wc next(void) {
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0) {
    }
    return wc;
}

static void succeed(int count) {
    for (int i = 0; i < count; i++) {
        require(next().status == IBV_WC_SUCCESS, "a request");
    }
}

// ---- S1: the source is the device's until the completion.

static void send_source(void) {
    RECEIVE(qps[1], 1, 1);
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, clean ? IBV_SEND_INLINE : 0); // S1 send_source
    part(0)[10] = 'x';
    succeed(2);
}

static void write_source(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 1, 0); // S1 write_source
    if (!clean) {
        part(0)[0] = 'x';
    }
    succeed(1);
    part(0)[0] = 'x';
}

static void second_element(void) {
    struct ibv_sge both[] = {element(0), element(2)};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, both, 2, 1);
    SEND_TO(qps[0], &wr); // S1 second_element
    part(clean ? 3 : 2)[63] = 'x';
    succeed(1);
}

static void extended_source(void) {
    struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(qps[0]);
    ibv_wr_start(qp);
    qp->wr_id = 9, qp->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)part(1));
    ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)part(0), 64);
    ibv_wr_complete(qp); // S1 extended_source
    if (!clean) {
        memset(part(0), 'x', 64);
    }
    succeed(1);
}

static void ring_wraps_early(void) {
    for (int i = 0; i < 3; i++) {
        if (clean && i == 2) {
            succeed(2);
        }
        part(i % 2)[0] = 'a' + i;
        POST(qps[0], IBV_WR_RDMA_WRITE, i, i % 2, 2 + i, 0); // S1 ring_wraps_early
    }
    if (!clean) {
    }
    succeed(clean ? 1 : 3);
}

static void unsignaled_source(void) {
    struct ibv_sge one = element(0);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    wr.send_flags = 0;
    SEND_TO(qps[0], &wr); // S1 unsignaled_source
    if (!clean) {
        part(0)[5]++;
    }
    POST(qps[0], IBV_WR_RDMA_WRITE, 2, 2, 3, 0);
    succeed(1);
    part(0)[5]++;
}

// Whoever was told by the peer that a message has come may use its source again before its own completion.
static void message_not_awaited(void) {
    RECEIVE(qps[1], 1, 1);
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0); // S1 message_not_awaited
    int polled = 0;
    while (clean && polled++ < 2 && next().wr_id != 1) {
    }
    part(0)[0]++;
    succeed(2 - polled);
}

static void credit_not_awaited(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 1, 0); // S1 credit_not_awaited
    if (clean) {
        struct ibv_sge word = {(uintptr_t)part(2), 8, mr->lkey};
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 2, &word, 1, 3);
        *(volatile long *)part(3) = 0, *(long *)part(2) = 1;
        SEND_TO(qps[1], &wr);
        while (!*(volatile long *)part(3)) {
        }
    }
    part(0)[0]++;
    succeed(clean ? 2 : 1);
}

// ---- S2: so is the destination.

static void receive_touched(void) {
    RECEIVE(qps[1], 1, 1); // S2 receive_touched
    part(clean ? 2 : 1)[0] = 'x';
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0);
    succeed(2);
}

static void read_target_touched(void) {
    POST(qps[0], IBV_WR_RDMA_READ, 1, 1, 0, 0); // S2 read_target_touched
    part(clean ? 2 : 1)[7] = 'x';
    succeed(1);
}

static void atomic_result_touched(void) {
    POST(qps[0], IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 1, 0, 0); // S2 atomic_result_touched
    *(long *)part(clean ? 2 : 1) = 1;
    succeed(1);
}

static void shared_receive_touched(void) {
    struct ibv_sge one = element(1);
    struct ibv_recv_wr wr = {.wr_id = 1, .sg_list = &one, .num_sge = 1}, *bad;
    require(!ibv_post_srq_recv(srq, &wr, &bad), "ibv_post_srq_recv"); // S2 shared_receive_touched
    part(clean ? 2 : 1)[0] = 'x';
    POST(qps[2], IBV_WR_SEND, 2, 0, 0, 0);
    succeed(2);
}

static void message_changed_in_place(void) {
    RECEIVE(qps[1], 1, 2);
    RECEIVE(qps[1], 2, 1); // S2 message_changed_in_place
    POST(qps[0], IBV_WR_SEND, 3, 0, 0, 0);
    succeed(2);
    POST(qps[0], IBV_WR_SEND, 4, 0, 0, 0);
    if (clean) {
        succeed(2);
    }
    part(1)[3] ^= 1;
    if (!clean) {
        succeed(2);
    }
}

static void zeroed_after_post(void) {
    if (clean) {
        memset(part(1), 'z', 64);
    }
    RECEIVE(qps[1], 1, 1); // S2 zeroed_after_post
    memset(part(1), 'z', 64);
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0);
    succeed(2);
}

// ---- S3: two outstanding requests for the same local bytes.

static void one_buffer_two_receives(void) {
    RECEIVE(qps[1], 1, 1);
    RECEIVE(qps[1], 2, clean ? 2 : 1); // S3 one_buffer_two_receives
    POST(qps[0], IBV_WR_SEND, 3, 0, 0, 0);
    POST(qps[0], IBV_WR_SEND, 4, 0, 0, 0);
    succeed(4);
}

static void fence_missing(void) {
    RECEIVE(qps[1], 1, 3);
    POST(qps[0], IBV_WR_RDMA_READ, 2, 1, 0, 0);
    POST(qps[0], IBV_WR_SEND, 3, 1, 0, clean ? IBV_SEND_FENCE : 0); // S3 fence_missing
    succeed(3);
}

static void fence_on_the_read(void) {
    POST(qps[0], IBV_WR_RDMA_READ, 2, 1, 0, clean ? 0 : IBV_SEND_FENCE);
    POST(qps[0], IBV_WR_RDMA_WRITE, 3, 1, 2, clean ? IBV_SEND_FENCE : 0); // S3 fence_on_the_read
    succeed(2);
}

static void received_into_a_source(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 1, 4, 0);
    RECEIVE(qps[1], 2, clean ? 2 : 1); // S3 received_into_a_source
    POST(qps[0], IBV_WR_SEND, 3, 0, 0, 0);
    succeed(3);
}

static void one_result_two_atomics(void) {
    POST(qps[0], IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 1, 0, 0);
    POST(qps[2], IBV_WR_ATOMIC_FETCH_AND_ADD, 2, clean ? 2 : 1, 0, 0); // S3 one_result_two_atomics
    succeed(2);
}

// ---- S4: accesses that nothing orders.

static void two_writers(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 3, 0);
    if (clean) {
        succeed(1);
    }
    POST(qps[2], IBV_WR_RDMA_WRITE, 2, 1, 3, 0); // S4 two_writers
    succeed(clean ? 1 : 2);
}

static void write_overtakes_read(void) {
    POST(qps[0], IBV_WR_RDMA_READ, 1, 1, 3, 0);
    POST(qps[0], IBV_WR_RDMA_WRITE, 2, 0, 3, clean ? IBV_SEND_FENCE : 0); // S4 write_overtakes_read
    succeed(2);
}

static void read_beside_write(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 3, 0);
    if (clean) {
        succeed(1);
    }
    POST(qps[2], IBV_WR_RDMA_READ, 2, 1, 3, 0); // S4 read_beside_write
    succeed(clean ? 1 : 2);
}

// ---- S7: status never looked at.

static void status_ignored(void) {
    struct ibv_sge one = element(1);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    one.length = SIZE; // beyond the region
    SEND_TO(qps[0], &wr);
    if (next().status != IBV_WC_SUCCESS && clean) {
        return;
    }
    struct ibv_wc wc;
    ibv_poll_cq(cq, 1, &wc);
    POST(qps[0], IBV_WR_RDMA_WRITE, 2, 0, 1, 0); // S7 status_ignored
    next();
}

static void failure_unpolled(void) {
    struct ibv_sge one = element(1);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    one.length = clean ? 64 : SIZE; // beyond the region
    SEND_TO(qps[0], &wr); // S7 failure_unpolled
    if (clean) {
        succeed(1);
    } else {
        struct ibv_qp_attr now;
        struct ibv_qp_init_attr made;
        do {
            ibv_query_qp(qps[0], &now, IBV_QP_STATE, &made);
        } while (now.qp_state != IBV_QPS_ERR);
    }
}

// ---- S8: closed while an outstanding request names it.

static void region_of_receive(void) {
    RECEIVE(qps[1], 1, 1);
    if (clean) {
        POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0);
        succeed(2);
    }
    ibv_dereg_mr(mr); // S8 region_of_receive
    mr = NULL;
}

static void region_of_write(void) {
    struct ibv_mr *other = ibv_reg_mr(pd, part(8), PART, ALL);
    struct ibv_sge one = {(uintptr_t)part(8), 64, other->lkey};
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    SEND_TO(qps[0], &wr);
    if (clean) {
        succeed(1);
    }
    ibv_dereg_mr(other); // S8 region_of_write
    if (!clean) {
        next();
    }
}

// ---- S9: lost wake-up.

static void wait_event(void) {
    struct ibv_cq *of;
    void *with;
    require(!ibv_get_cq_event(channel, &of, &with), "ibv_get_cq_event"); // S9 wakeup_lost
    ibv_ack_cq_events(of, 1);
}

static void wakeup_lost(void) {
    struct ibv_wc wc;
    hold();
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 1, 0);
    int found = ibv_poll_cq(cq, 1, &wc);
    ibv_req_notify_cq(cq, 0);
    if (clean) {
        found = ibv_poll_cq(cq, 1, &wc);
    }
    release();
    wait_event();
    require(!found, "a poll before the release");
    succeed(1);
}

static void wakeup_lost_by_poll(void) {
    struct ibv_wc wc;
    struct ibv_cq *of;
    void *with;
    hold();
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 1, 0);
    int found = ibv_poll_cq(cq, 1, &wc);
    ibv_req_notify_cq(cq, 0);
    if (clean) {
        found = ibv_poll_cq(cq, 1, &wc);
    }
    release();
    struct pollfd ready = {channel->fd, POLLIN, 0};
    poll(&ready, 1, -1);
    ibv_get_cq_event(channel, &of, &with); // S9 wakeup_lost_by_poll
    ibv_ack_cq_events(of, 1);
    require(!found, "a poll before the release");
    succeed(1);
}

// ---- S10: local key used as a remote key.

static void lkey_for_write(void) {
    struct ibv_sge one = element(0);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    wr.wr.rdma.rkey = clean ? mr->rkey : mr->lkey;
    SEND_TO(qps[0], &wr); // S10 lkey_for_write
    next();
}

static void lkey_for_read(void) {
    struct ibv_sge one = element(0);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_READ, 1, &one, 1, 1);
    wr.wr.rdma.rkey = clean ? mr->rkey : mr->lkey;
    SEND_TO(qps[0], &wr); // S10 lkey_for_read
    next();
}

// ---- S12: completion queue too small.

static void small_queue(void) {
    struct ibv_cq *small = ibv_create_cq(context, clean ? 2 * DEPTH : 2, NULL, NULL, 0), *usual = cq;
    ibv_destroy_qp(qps[0]);
    ibv_destroy_qp(qps[1]);
    make_pair(0, small, NULL);
    cq = small;
    int entries = clean ? DEPTH : small->cqe + 1;
    for (int i = 0; i < entries; i++) {
        RECEIVE(qps[0], i, i); // S12 small_queue
    }
    ibv_destroy_qp(qps[0]);
    ibv_destroy_qp(qps[1]);
    qps[0] = qps[1] = NULL;
    ibv_destroy_cq(small);
    cq = usual;
}

// ---- S14: the processor and the device change one word.

#define MIXED(opcode) \
    do { \
        volatile long *counter = (long *)part(4); \
        struct ibv_sge one = element(0), other = element(1); \
        struct ibv_send_wr wr = request(opcode, 1, &one, 1, 4), again = request(opcode, 2, &other, 1, 4); \
        *counter = 1; \
        wr.wr.atomic.swap = again.wr.atomic.swap = 2; \
        SEND_TO(qps[0], &wr); \
        while (*counter != 2) { \
        } \
        if (clean) { \
            succeed(1); \
        } \
        *counter += 5; \
        SEND_TO(qps[0], &again); \
        while (!((volatile long *)part(1))[0]) { /* a poll before its result would say that the first is over */ \
        } \
        succeed(clean ? 1 : 2); \
    } while (0)

static void counter_added_to(void) {
    MIXED(IBV_WR_ATOMIC_FETCH_AND_ADD); // S14 counter_added_to
}

static void lock_changed(void) {
    MIXED(IBV_WR_ATOMIC_CMP_AND_SWP); // S14 lock_changed
}

// ---- S15 and the end of the program.

static void region_left(void) {
    struct ibv_mr *other = ibv_reg_mr(pd, part(8), PART, ALL); // S15 region_left
    if (clean) {
        ibv_dereg_mr(other);
        end();
    }
    exit(0);
}

static void failure_at_end(void) {
    struct ibv_sge one = element(1);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    one.length = SIZE; // beyond the region
    SEND_TO(qps[0], &wr);
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0) { // S7 failure_at_end
    }
    if (clean && wc.status != IBV_WC_SUCCESS) {
        end();
    }
    exit(0);
}

static void event_unread(void) {
    struct ibv_sge one = element(1);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 1);
    wr.wr.rdma.remote_addr += SIZE;
    SEND_TO(qps[0], &wr);
    int failed = next().status != IBV_WC_SUCCESS;
    if (clean) {
        struct ibv_async_event event;
        ibv_get_async_event(context, &event);
        ibv_ack_async_event(&event);
        end();
    }
    exit(failed ? 3 : 0); // S7 event_unread
}

// ---- S16: ambiguous or unused requests.

static void one_identifier_twice(void) {
    POST(qps[0], IBV_WR_RDMA_WRITE, 1, 0, 1, 0);
    POST(qps[0], IBV_WR_RDMA_WRITE, clean ? 2 : 1, 0, 2, 0); // S16 one_identifier_twice
    succeed(2);
}

static void event_without_channel(void) {
    struct ibv_cq *other = ibv_create_cq(context, 8, NULL, clean ? channel : NULL, 0);
    ibv_req_notify_cq(other, 0); // S16 event_without_channel
    ibv_destroy_cq(other);
}

// ---- S18: receive posted when the peer may send.

static void receive_late(void) {
    if (clean) {
        RECEIVE(qps[1], 1, 1);
    }
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0);
    if (!clean) {
        POST(qps[2], IBV_WR_RDMA_WRITE, 3, 2, 5, 0); // when it completes, the SEND before it has found no receive
        succeed(1);
        RECEIVE(qps[1], 1, 1); // S18 receive_late
    }
    succeed(2);
}

// ---- S19: key that is not valid any more.

static void key_revoked(void) {
    struct ibv_mr *other = ibv_reg_mr(pd, part(8), PART, ALL);
    struct ibv_sge one = element(0);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, 1, &one, 1, 8);
    wr.wr.rdma.rkey = other->rkey;
    if (clean) {
        SEND_TO(qps[0], &wr);
        succeed(1);
    }
    ibv_dereg_mr(other);
    if (!clean) {
        SEND_TO(qps[0], &wr); // S19 key_revoked
        next();
    }
}

// ---- S21: queue pair closed before its requests are over.

static void closed_at_once(void) {
    RECEIVE(qps[1], 1, 1);
    POST(qps[0], IBV_WR_SEND, 2, 0, 0, 0);
    if (clean) {
        succeed(2);
    }
    ibv_destroy_qp(qps[0]); // S21 closed_at_once
    qps[0] = NULL;
    struct ibv_wc wc;
    ibv_poll_cq(cq, 1, &wc);
    POST(qps[2], IBV_WR_RDMA_WRITE, 3, 0, 5, 0);
    succeed(1);
}

// ---- S22: memory given back while it is registered.

static void freed(void) {
    char *own = malloc(PART);
    struct ibv_mr *other = ibv_reg_mr(pd, own, PART, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    free(own); // S22 freed
    if (!clean) {
        ibv_dereg_mr(other);
    }
}

static void grown(void) {
    char *own = malloc(PART), *blocker = malloc(PART);
    struct ibv_mr *other = ibv_reg_mr(pd, own, PART, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    own = realloc(own, 1 << 20); // S22 grown
    if (!clean) {
        ibv_dereg_mr(other);
    }
    free(own);
    free(blocker);
}

static void unmapped(void) {
    char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *other = ibv_reg_mr(pd, own + PART, PART, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    munmap(own, SIZE); // S22 unmapped
    if (!clean) {
        ibv_dereg_mr(other);
    }
}

static void shrunk(void) {
    char *own = malloc(2 * SIZE);
    struct ibv_mr *other = ibv_reg_mr(pd, own, 2 * SIZE, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    own = realloc(own, PART); // S22 shrunk
    if (!clean) {
        ibv_dereg_mr(other);
    }
    free(own);
}

// A region of whole pages, as caches of registrations make them, outlives the neighbour whose bytes it has.
static void freed_beside(void) {
    char *volatile beside = malloc(PART), *own = malloc(PART);
    char *page = (char *)((uintptr_t)own & -PART);
    struct ibv_mr *other = clean ? ibv_reg_mr(pd, page, 2 * PART, ALL) : ibv_reg_mr(pd, own, PART, ALL);
    free(clean ? beside : own); // S22 freed_beside
    ibv_dereg_mr(other);
    free(clean ? own : beside);
}

#define GONE(...) \
    do { \
        char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); \
        struct ibv_mr *other = ibv_reg_mr(pd, own, SIZE, ALL); \
        if (clean) { \
            ibv_dereg_mr(other); \
        } \
        __VA_ARGS__; \
        if (!clean) { \
            ibv_dereg_mr(other); \
        } \
        munmap(own, SIZE); \
    } while (0)

static void half_unmapped(void) {
    GONE(munmap(own + SIZE / 2, SIZE / 2)); // S22 half_unmapped
}

static void mapped_again(void) {
    GONE(mmap(own, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)); // S22 mapped_again
}

static void moved(void) {
    char *to = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    GONE(mremap(own, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, to)); // S22 moved
    munmap(to, SIZE);
}

static void dropped(void) {
    GONE(madvise(own + PART, PART, MADV_DONTNEED)); // S22 dropped
}

static void dropped_lazily(void) {
    GONE(madvise(own, SIZE, MADV_FREE)); // S22 dropped_lazily
}

// Pages of a shared mapping come back as they were.
static void dropped_and_back(void) {
    int kind = clean ? MAP_SHARED : MAP_PRIVATE;
    char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *other = ibv_reg_mr(pd, own, SIZE, ALL);
    madvise(own, SIZE, MADV_DONTNEED); // S22 dropped_and_back
    ibv_dereg_mr(other);
    munmap(own, SIZE);
}

// Memory of a file, of which the program does this.
#define OF_FILE(...) \
    do { \
        int file = memfd_create("misuse", 0); \
        ftruncate(file, SIZE); \
        char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); \
        struct ibv_mr *other = ibv_reg_mr(pd, own + PART, SIZE - PART, ALL); \
        if (clean) { \
            ibv_dereg_mr(other); \
        } \
        __VA_ARGS__; \
        if (!clean) { \
            ibv_dereg_mr(other); \
        } \
        munmap(own, SIZE); \
        close(file); \
    } while (0)

static void removed(void) {
    OF_FILE(madvise(own, SIZE, MADV_REMOVE)); // S22 removed
}

static void cut(void) {
    OF_FILE(ftruncate(file, PART + 1)); // S22 cut
}

static void cut_behind(void) {
    OF_FILE(ftruncate(file, clean ? PART : SIZE), ftruncate(file, SIZE / 2)); // S22 cut_behind
}

static void punched(void) {
    OF_FILE(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 2 * PART, PART)); // S22 punched
}

static void punched_beside(void) {
    int file = memfd_create("misuse", 0);
    ftruncate(file, SIZE);
    char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct ibv_mr *other = ibv_reg_mr(pd, own + PART, PART, ALL);
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, clean ? 2 * PART : PART, PART); // S22 punched_beside
    ftruncate(file, clean ? 2 * PART : SIZE);
    ibv_dereg_mr(other);
    munmap(own, SIZE);
    close(file);
}

static void detached(void) {
    int segment = shmget(IPC_PRIVATE, SIZE, 0600 | IPC_CREAT);
    char *own = shmat(segment, NULL, 0);
    shmctl(segment, IPC_RMID, NULL);
    struct ibv_mr *other = ibv_reg_mr(pd, own + SIZE / 2, PART, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    shmdt(own); // S22 detached
    if (!clean) {
        ibv_dereg_mr(other);
    }
}

static void heap_shrunk(void) {
    char *own = sbrk(SIZE + PART); // its end need not be that of a page
    struct ibv_mr *other = ibv_reg_mr(pd, own + PART, PART, ALL);
    if (clean) {
        ibv_dereg_mr(other);
    }
    sbrk(-(SIZE + PART)); // S22 heap_shrunk
    if (!clean) {
        ibv_dereg_mr(other);
    }
}

// Rights do not concern an adapter.
static void protected(void) {
    GONE(mprotect(own, SIZE, PROT_READ), mprotect(own, SIZE, PROT_READ | PROT_WRITE), clean ? 0 : madvise(own, PART, MADV_DONTNEED)); // S22 protected
}

// ---- S13: a word of the other byte order.

static void counter_swapped(void) {
    uint64_t *counter = (uint64_t *)part(4);
    *counter = clean ? 5 : __builtin_bswap64(5);
    POST(qps[0], IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 0, 4, 0); // S13 counter_swapped
    succeed(1);
}

static void lock_swapped(void) {
    uint64_t *lock = (uint64_t *)part(4);
    *lock = clean ? 1 : __builtin_bswap64(1);
    POST(qps[0], IBV_WR_ATOMIC_CMP_AND_SWP, 1, 0, 4, 0); // S13 lock_swapped
    succeed(1);
}

static void mark_in_the_upper_byte(void) {
    uint64_t *lock = (uint64_t *)part(4);
    *lock = clean ? 1ull << 63 : __builtin_bswap64(3); // a mark beside a count is none of these
    POST(qps[0], IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 0, 4, 0); // S13 mark_in_the_upper_byte
    succeed(1);
}

static void paged_on_demand(void) {
    char *own = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *other = ibv_reg_mr(pd, own, SIZE, ALL | (clean ? IBV_ACCESS_ON_DEMAND : 0));
    munmap(own, SIZE); // S22 paged_on_demand
    ibv_dereg_mr(other);
}

static const struct {
    const char *name;
    void (*run)(void);
    int alone; // it ends the program, or is of a kind that is told once
} cases[] = {
#define CASE(name) {#name, name, 0}
    CASE(send_source), CASE(write_source), CASE(second_element), CASE(extended_source), CASE(ring_wraps_early),
    CASE(unsignaled_source), CASE(message_not_awaited), CASE(credit_not_awaited), CASE(receive_touched), CASE(read_target_touched), CASE(atomic_result_touched),
    CASE(shared_receive_touched), CASE(message_changed_in_place), CASE(zeroed_after_post), CASE(one_buffer_two_receives), CASE(fence_missing),
    CASE(fence_on_the_read), CASE(received_into_a_source), CASE(one_result_two_atomics), CASE(two_writers),
    CASE(write_overtakes_read), CASE(read_beside_write), CASE(status_ignored), CASE(failure_unpolled), CASE(region_of_receive),
    CASE(region_of_write), CASE(wakeup_lost), CASE(wakeup_lost_by_poll), CASE(lkey_for_write), CASE(lkey_for_read),
    CASE(small_queue), CASE(counter_added_to), CASE(lock_changed), CASE(one_identifier_twice),
    CASE(receive_late), CASE(key_revoked), CASE(closed_at_once), CASE(freed), CASE(grown), CASE(unmapped),
    CASE(shrunk), CASE(freed_beside), CASE(half_unmapped), CASE(mapped_again), CASE(moved), CASE(paged_on_demand),
    CASE(dropped), CASE(dropped_lazily), CASE(dropped_and_back), CASE(removed), CASE(cut), CASE(cut_behind), CASE(punched),
    CASE(punched_beside), CASE(detached), CASE(heap_shrunk), CASE(protected), CASE(counter_swapped), CASE(lock_swapped),
    CASE(mark_in_the_upper_byte),
    {"event_without_channel", event_without_channel, 1}, {"region_left", region_left, 1}, {"failure_at_end", failure_at_end, 1}, {"event_unread", event_unread, 1},
};

#include <dlfcn.h>

// Before all libraries, as the sanitizers of compilers do. What a look-up says that finds nothing is given back by the next one, so that
// free is called within the look-up of free.
static void look_up(void) {
    dlsym(NULL, "no_such_function");
    dlsym(NULL, "no_such_function");
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = look_up;

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    int found = 0;
    clean = count > 2 && !strcmp(words[2], "clean");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!strcmp(what, "list")) {
            printf("%s%s\n", cases[i].name, cases[i].alone ? " alone" : "");
            found = 1;
        } else if (!strcmp(what, cases[i].name) || (!strcmp(what, "together") && !cases[i].alone)) {
            found = 1;
            fprintf(stderr, "case %s\n", cases[i].name);
            begin();
            cases[i].run();
            end();
        }
    }
    require(found, "finding the case");
    return 0;
}
