// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests and calls that a device refuses, one mistake each. Says on standard error which comes now. Two queue pairs of one device are
// connected anew for each.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 1 << 16, DEPTH = 4, PAGE = 4096 };
enum { ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr; // what requests touch here
static char *memory;
static struct ibv_qp *qps[2];
static int rights = ALL; // of queue pairs
static int nowhere; // connects them with no address

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "refused: %s failed\n", what);
        exit(99);
    }
}

static void connect_to(struct ibv_qp *qp, struct ibv_qp *peer) {
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = rights};
    struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 4,
        .min_rnr_timer = 1, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
    struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 1, .max_rd_atomic = 4};
    if (nowhere) {
        rts.timeout = 8, rts.retry_cnt = 0;
    } else {
        ibv_query_gid(context, 1, 0, &rtr.ah_attr.grh.dgid);
    }
    require(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
    require(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "RTR");
    require(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC), "RTS");
}

static void begin(const char *what) {
    fprintf(stderr, "case %s\n", what);
    for (int i = 0; i < 2; i++) {
        struct ibv_qp_init_attr_ex wanted = {.send_cq = cq, .recv_cq = cq, .cap = {DEPTH, DEPTH, 2, 2, 32}, .qp_type = IBV_QPT_RC, .pd = pd,
            .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
            .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_BIND_MW};
        require((qps[i] = ibv_create_qp_ex(context, &wanted)) != NULL, "ibv_create_qp_ex");
    }
    connect_to(qps[0], qps[1]);
    connect_to(qps[1], qps[0]);
}

static void end(void) {
    struct ibv_wc wc;
    for (int i = 0; i < 2; i++) {
        ibv_destroy_qp(qps[i]);
    }
    while (ibv_poll_cq(cq, 1, &wc) > 0) {
    }
}

static struct ibv_wc next(void) {
    struct ibv_wc wc;
    while (ibv_poll_cq(cq, 1, &wc) == 0) {
    }
    return wc;
}

// A request with an address and key at the peer fails, as its completion says.
#define FAILS(name, number, what, bytes, address, key) \
    do { \
        begin(#name); \
        struct ibv_sge own = {(uintptr_t)memory, bytes, mr->lkey}; \
        struct ibv_send_wr *bad, wr = {.wr_id = 1, .sg_list = &own, .num_sge = 1, .opcode = what, .send_flags = IBV_SEND_SIGNALED}; \
        if ((what) == IBV_WR_ATOMIC_FETCH_AND_ADD) { \
            wr.wr.atomic.remote_addr = (address), wr.wr.atomic.rkey = (key), wr.wr.atomic.compare_add = 1; \
        } else { \
            wr.wr.rdma.remote_addr = (address), wr.wr.rdma.rkey = (key); \
        } \
        require(!ibv_post_send(qps[0], &wr, &bad), "ibv_post_send"); \
        struct ibv_wc wc = next(); \
        require(wc.wr_id == 1 && wc.status == (number), #name); \
        end(); \
    } while (0)

#define WRITE IBV_WR_RDMA_WRITE
#define READ IBV_WR_RDMA_READ
#define ADD IBV_WR_ATOMIC_FETCH_AND_ADD
#define ACCESS IBV_WC_REM_ACCESS_ERR
#define INVALID IBV_WC_REM_INV_REQ_ERR

// Memory of the peer with these rights, whose address has no bytes that are equal.
static struct ibv_mr *far(int access) {
    void *where = (void *)0x1234d6780000;
    mmap(where, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    struct ibv_mr *made = ibv_reg_mr(pd, where, PAGE, access);
    require(made != NULL, "ibv_reg_mr");
    return made;
}

static void remote(void) {
    struct ibv_mr *local = far(IBV_ACCESS_LOCAL_WRITE), *some = far(ALL & ~IBV_ACCESS_REMOTE_ATOMIC), *all = far(ALL);
    uint64_t at = (uintptr_t)all->addr;
    FAILS(no_right_to_write, ACCESS, WRITE, 8, at, local->rkey);
    FAILS(no_right_to_read, ACCESS, READ, 8, at, local->rkey);
    FAILS(no_right_for_atomics, ACCESS, ADD, 8, at, some->rkey);
    rights = ALL & ~IBV_ACCESS_REMOTE_WRITE;
    FAILS(queue_pair_without_the_right, INVALID, WRITE, 8, at, all->rkey);
    rights = ALL;
    FAILS(unknown_key, ACCESS, WRITE, 8, at, all->rkey ^ 0x10000000);
    FAILS(key_never_set, ACCESS, WRITE, 8, at, 0);
    FAILS(key_swapped, ACCESS, WRITE, 8, at, htonl(all->rkey));
    FAILS(key_cut, ACCESS, WRITE, 8, at, (uint16_t)all->rkey);
    FAILS(address_swapped, ACCESS, WRITE, 8, htobe64(at), all->rkey);
    FAILS(address_cut, ACCESS, READ, 8, (uint32_t)at, all->rkey);
    FAILS(address_with_a_sign, ACCESS, WRITE, 8, (uint64_t)(int64_t)(int32_t)(at | 8), all->rkey);
    FAILS(address_halves_swapped, ACCESS, WRITE, 8, at << 32 | at >> 32, all->rkey);
    FAILS(address_swapped_and_cut, ACCESS, WRITE, 8, htonl((uint32_t)at), all->rkey);
    FAILS(offset, ACCESS, WRITE, 8, 16, all->rkey);
    FAILS(beyond_the_end, ACCESS, WRITE, 8, at + PAGE - 4, all->rkey);
    FAILS(before_the_begin, ACCESS, READ, 8, at - 4, all->rkey);
    FAILS(unaligned_atomic, INVALID, ADD, 8, at + 4, all->rkey);
    struct ibv_pd *other = ibv_alloc_pd(context);
    struct ibv_mr *foreign = ibv_reg_mr(other, all->addr, PAGE, ALL);
    FAILS(other_domain, ACCESS, WRITE, 8, at, foreign->rkey);
    uint32_t gone = foreign->rkey;
    ibv_dereg_mr(foreign);
    FAILS(key_of_before, ACCESS, WRITE, 8, at, gone);
    FAILS(message_without_receive, IBV_WC_RNR_RETRY_EXC_ERR, IBV_WR_SEND, 8, 0, 0);
    nowhere = 1;
    FAILS(address_never_set, IBV_WC_RETRY_EXC_ERR, WRITE, 8, at, all->rkey);
    nowhere = 0;
    FAILS(local_range, IBV_WC_LOC_PROT_ERR, WRITE, 2 * SIZE, at, all->rkey);
    ibv_dealloc_pd(other);
    ibv_dereg_mr(local), ibv_dereg_mr(some), ibv_dereg_mr(all);
}

#define REFUSED(name, error, call) \
    do { \
        begin(#name); \
        require((call) == (error), #name); \
        end(); \
    } while (0)

static void reregistered(void) {
    struct ibv_mr *all = far(ALL);
    struct ibv_pd *other = ibv_alloc_pd(context);
    REFUSED(rereg_nothing, IBV_REREG_MR_ERR_INPUT, ibv_rereg_mr(all, 0, NULL, NULL, 0, 0));
    REFUSED(rereg_unknown, IBV_REREG_MR_ERR_INPUT, ibv_rereg_mr(all, 8, NULL, NULL, 0, 0));
    REFUSED(rereg_no_domain, IBV_REREG_MR_ERR_INPUT, ibv_rereg_mr(all, IBV_REREG_MR_CHANGE_PD, NULL, NULL, 0, 0));
    REFUSED(rereg_to_null, IBV_REREG_MR_ERR_INPUT, ibv_rereg_mr(all, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, NULL, PAGE, 0));
    REFUSED(rereg_no_bytes, IBV_REREG_MR_ERR_INPUT, ibv_rereg_mr(all, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, 0, 0));
    REFUSED(rereg_nobodys_memory, IBV_REREG_MR_ERR_CMD, ibv_rereg_mr(all, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, (void *)PAGE, PAGE, 0));
    REFUSED(rereg_rights, IBV_REREG_MR_ERR_CMD, ibv_rereg_mr(all, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_REMOTE_WRITE));
    ibv_dealloc_pd(other);
    ibv_dereg_mr(all);
}

#define BATCH(name, error, ...) \
    do { \
        begin(#name); \
        struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(qps[0]); \
        ibv_wr_start(qp); \
        qp->wr_id = 7, qp->wr_flags = IBV_SEND_SIGNALED; \
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory); \
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)memory, 8); \
        qp->wr_id = 8; \
        __VA_ARGS__; \
        require(ibv_wr_complete(qp) == (error), #name); \
        struct ibv_wc wc; \
        require(!ibv_poll_cq(cq, 1, &wc), "posting nothing"); \
        end(); \
    } while (0)

static void many(struct ibv_qp_ex *qp) {
    for (int i = 0; i < 40; i++) {
        qp->wr_id = 9 + i;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory);
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)memory, 8);
    }
}

static void batches(void) {
    struct ibv_data_buf parts[] = {{memory, 30}, {memory, 30}};
    struct ibv_sge three[3] = {{(uintptr_t)memory, 8, mr->lkey}, {(uintptr_t)memory, 8, mr->lkey}, {(uintptr_t)memory, 8, mr->lkey}};
    struct ibv_mw_bind_info info = {mr, (uintptr_t)memory, 8, IBV_ACCESS_REMOTE_READ};
    BATCH(too_many, ENOMEM, many(qp));
    BATCH(too_long_inline, ENOMEM, (ibv_wr_send(qp), ibv_wr_set_inline_data(qp, memory, 100)));
    BATCH(too_long_inline_list, ENOMEM, (ibv_wr_send(qp), ibv_wr_set_inline_data_list(qp, 2, parts)));
    BATCH(too_many_elements, EINVAL, (ibv_wr_send(qp), ibv_wr_set_sge_list(qp, 3, three)));
    BATCH(no_window, EINVAL, ibv_wr_bind_mw(qp, (struct ibv_mw *)&info, 1, &info));
}

static void *at_hole(void) {
    char *three = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(three + PAGE, PAGE);
    return three;
}

#define NO_REGION(name, error, address, bytes, access) REFUSED(name, error, ibv_reg_mr(pd, address, bytes, access) ? 0 : errno)

static void verbs(void) {
    char *half = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(half + PAGE, PAGE, PROT_READ);
    NO_REGION(region_without_local_write, EINVAL, memory, 64, IBV_ACCESS_REMOTE_WRITE);
    NO_REGION(region_with_a_hole, EFAULT, at_hole(), 3 * PAGE, IBV_ACCESS_LOCAL_WRITE);
    NO_REGION(region_half_for_reading, EFAULT, half, 2 * PAGE, IBV_ACCESS_LOCAL_WRITE);
    NO_REGION(region_without_rights, EFAULT, mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), PAGE, 0);
    NO_REGION(region_without_bytes, EINVAL, memory, 0, 0);
    struct ibv_mr *read = ibv_reg_mr(pd, half, 2 * PAGE, IBV_ACCESS_REMOTE_READ);
    require(read && !ibv_dereg_mr(read), "a region to be read");
    REFUSED(queue_in_use, EBUSY, ibv_destroy_cq(cq));
    REFUSED(domain_in_use, EBUSY, ibv_dealloc_pd(pd));
    uint32_t handle = mr->handle;
    mr->handle = 12345;
    REFUSED(handle_overwritten, ENOENT, ibv_dereg_mr(mr));
    mr->handle = handle;
}

int main(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 64, NULL, NULL, 0);
    memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mr = ibv_reg_mr(pd, memory, SIZE, ALL);
    remote();
    reregistered();
    batches();
    verbs();
    fprintf(stderr, "case end\n");
    return 0;
}
