// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Two processes with a connection each time. Registered memory is unmapped before requests touch it, or while they do: those may fail,
// and both processes go on. Prints what the requests came to.
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(what) \
    do { \
        if (!(what)) { \
            perror(#what); \
            exit(1); \
        } \
    } while (0)

enum { SIZE = 4 << 20, COUNT = 8 };
struct end {
    union ibv_gid gid;
    uint32_t qp_num, rkey;
    uint64_t address;
};
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct ibv_mr *mr;
static struct end own, peer;
static int other; // a socket to the other process

static void meet(void) {
    REQUIRE(write(other, &own, sizeof own) == sizeof own && read(other, &peer, sizeof peer) == sizeof peer);
}

static void begin(void) {
    struct ibv_qp_init_attr wanted = {.send_cq = cq, .recv_cq = cq, .cap = {COUNT, COUNT, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    REQUIRE(memory != MAP_FAILED && (mr = ibv_reg_mr(pd, memory, SIZE, access)) && (qp = ibv_create_qp(pd, &wanted)));
    own.qp_num = qp->qp_num, own.rkey = mr->rkey, own.address = (uintptr_t)memory;
    meet();
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access};
    struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096, .dest_qp_num = peer.qp_num, .max_dest_rd_atomic = 4,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = peer.gid, .hop_limit = 1}}};
    struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 12, .retry_cnt = 2, .rnr_retry = 7, .max_rd_atomic = 4};
    REQUIRE(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    REQUIRE(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    REQUIRE(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC));
}

static void post(enum ibv_wr_opcode opcode) {
    struct ibv_sge all = {own.address, SIZE, mr->lkey};
    struct ibv_send_wr *bad, wr = {.sg_list = &all, .num_sge = 1, .opcode = opcode, .wr.rdma = {peer.address, peer.rkey}};
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(!ibv_post_send(qp, &wr, &bad));
    }
}

// The status of the first request of all; the others are awaited.
static enum ibv_wc_status reap(void) {
    enum ibv_wc_status first = IBV_WC_SUCCESS;
    for (int done = 0; done < COUNT;) {
        struct ibv_wc wc;
        int count = ibv_poll_cq(cq, 1, &wc);
        REQUIRE(count >= 0);
        first = count && !done ? wc.status : first;
        done += count;
    }
    return first;
}

static void unmap(void) {
    REQUIRE(!munmap((void *)own.address, SIZE));
}

static void end(int isUnmapped) {
    struct ibv_wc wc;
    meet();
    REQUIRE(!ibv_destroy_qp(qp) && !ibv_dereg_mr(mr));
    while (ibv_poll_cq(cq, 1, &wc) > 0) {
    }
    if (!isUnmapped) {
        unmap();
    }
}

// The target's, or the source's, memory is gone before, or goes meanwhile.
static void run(const char *what, enum ibv_wr_opcode opcode, int active, int whose, int isBefore) {
    int gone = whose == active;
    begin();
    if (gone && isBefore) {
        unmap();
    }
    meet();
    if (active) {
        post(opcode);
    }
    if (gone && !isBefore) {
        unmap();
    }
    if (active) {
        enum ibv_wc_status status = reap();
        printf("%s: %s\n", what, isBefore ? ibv_wc_status_str(status) : "ended");
        fflush(stdout);
    }
    end(gone);
}

int main(void) {
    int sockets[2], status = 0;
    REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    pid_t child = fork();
    int active = child != 0;
    other = sockets[active];
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(devices[0]);
    REQUIRE(context && (pd = ibv_alloc_pd(context)) && (cq = ibv_create_cq(context, 4 * COUNT, NULL, NULL, 0)));
    REQUIRE(!ibv_query_gid(context, 1, 0, &own.gid));
    run("target of WRITE gone", IBV_WR_RDMA_WRITE, active, 0, 1);
    run("target of READ gone", IBV_WR_RDMA_READ, active, 0, 1);
    run("source of WRITE gone", IBV_WR_RDMA_WRITE, active, 1, 1);
    run("target of WRITE goes", IBV_WR_RDMA_WRITE, active, 0, 0);
    run("target of READ goes", IBV_WR_RDMA_READ, active, 0, 0);
    run("source of WRITE goes", IBV_WR_RDMA_WRITE, active, 1, 0);
    run("all there", IBV_WR_RDMA_WRITE, active, 2, 1);
    if (active) {
        waitpid(child, &status, 0);
    }
    return status != 0;
}
