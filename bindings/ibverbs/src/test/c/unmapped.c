// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Two processes with a connection each time. Registered memory is unmapped before requests touch it, or while they do: those may fail,
// and both processes go on. Prints what the requests came to. With any argument: memory goes while compiled code copies it.
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(what) \
    do { \
        if (!(what)) { \
            perror(#what); \
            exit(1); \
        } \
    } while (0)

enum { SIZE = 16 << 20, COUNT = 64, PART = SIZE / COUNT, WHOLE = 8, POLLS = 64, PAGE = 4096, WORD = 8, WARM = 2000, PATIENT = 20 };
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
static pid_t child;
static int timeout; // what was asked of a queue pair that failed meanwhile ends by that

static void meet(void) {
    REQUIRE(write(other, &own, sizeof own) == sizeof own && read(other, &peer, sizeof peer) == sizeof peer);
}

static void begin(void) {
    struct ibv_qp_init_attr wanted = {.send_cq = cq, .recv_cq = cq, .cap = {COUNT, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    REQUIRE(memory != MAP_FAILED && (mr = ibv_reg_mr(pd, memory, SIZE, access)) && (qp = ibv_create_qp(pd, &wanted)));
    own.qp_num = qp->qp_num, own.rkey = mr->rkey, own.address = (uintptr_t)memory;
    meet();
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = access};
    struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096, .dest_qp_num = peer.qp_num, .max_dest_rd_atomic = 4,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = peer.gid, .hop_limit = 1}}};
    struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = timeout, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 4};
    REQUIRE(!ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    REQUIRE(!ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    REQUIRE(!ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC));
}

static enum ibv_wc_status first_error;

// The completions that are there; remembers the first error.
static int take(void) {
    struct ibv_wc wc;
    int count = ibv_poll_cq(cq, 1, &wc);
    REQUIRE(count >= 0);
    first_error = count && !first_error ? wc.status : first_error;
    return count;
}

static void post(enum ibv_wr_opcode opcode, int offset, int length) {
    struct ibv_sge part = {own.address + offset, length, mr->lkey};
    struct ibv_send_wr *bad, wr = {.sg_list = &part, .num_sge = 1, .opcode = opcode, .wr.rdma = {peer.address + offset, peer.rkey}};
    REQUIRE(!ibv_post_send(qp, &wr, &bad));
}

static int post_whole(enum ibv_wr_opcode opcode) {
    for (int i = 0; i < WHOLE; i++) {
        post(opcode, 0, SIZE);
    }
    return WHOLE;
}

// Polls all the time, so that this thread, and no other, has the rest to write that a full socket did not take.
static int post_parts(enum ibv_wr_opcode opcode, int *done) {
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < POLLS; j++) {
            *done += take();
        }
        post(opcode, i * PART, PART);
    }
    return COUNT;
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

enum when { BEFORE, MEANWHILE, WHILE_IT_WAITS };

// The target's, or the source's, memory is gone before, or goes meanwhile, or while the other process takes nothing.
static void run(const char *what, enum ibv_wr_opcode opcode, int active, int whose, enum when when) {
    int gone = whose == active, posted = 0, done = 0;
    timeout = when == MEANWHILE ? 14 : PATIENT;
    begin();
    first_error = IBV_WC_SUCCESS;
    if (gone && when == BEFORE) {
        unmap();
    }
    meet();
    if (active && when == WHILE_IT_WAITS) {
        REQUIRE(!kill(child, SIGSTOP));
        posted = post_parts(opcode, &done);
    } else if (active) {
        posted = post_whole(opcode);
    }
    if (gone && when != BEFORE) {
        unmap();
    }
    if (active) {
        REQUIRE(!kill(child, SIGCONT));
        while (done < posted) {
            done += take();
        }
        printf("%s: %s\n", what, when == MEANWHILE ? "ended" : ibv_wc_status_str(first_error));
        fflush(stdout);
    }
    end(gone);
}

// Waits until somebody touches the second page, takes the first away, and lets that thread go on.
static void *unmap_first_page(void *faults) {
    struct uffd_msg fault;
    struct uffdio_zeropage second = {.range = {own.address + PAGE, PAGE}};
    REQUIRE(read((int)(long)faults, &fault, sizeof fault) == sizeof fault);
    // In place of the page, so that nothing of the JVM comes to lie there: the copy would find it, and unmap() take it away.
    void *nothing = mmap((void *)own.address, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    REQUIRE(nothing != MAP_FAILED && !ioctl((int)(long)faults, UFFDIO_ZEROPAGE, &second));
    return NULL;
}

// The memory of a short request goes when the library has found the first page there, and not yet copied it. No post and no poll fails.
static void run_under_copy(const char *what, enum ibv_wr_opcode opcode, int active, int whose) {
    int gone = whose == active, done = 0;
    int faults = syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
    pthread_t thread;
    struct pollfd said = {.fd = other, .events = POLLIN};
    REQUIRE(faults >= 0);
    begin();
    first_error = IBV_WC_SUCCESS;
    for (int posted = 0; active && done < WARM; done += take()) { // so that the code is compiled
        if (posted < WARM && posted - done < COUNT) {
            post(opcode, PAGE - WORD / 2, WORD);
            posted++;
        }
    }
    meet();
    if (gone) {
        struct uffdio_api api = {.api = UFFD_API};
        struct uffdio_register second = {.range = {own.address + PAGE, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};
        REQUIRE(!madvise((void *)second.range.start, PAGE, MADV_DONTNEED));
        REQUIRE(!ioctl(faults, UFFDIO_API, &api) && !ioctl(faults, UFFDIO_REGISTER, &second));
        REQUIRE(!pthread_create(&thread, NULL, unmap_first_page, (void *)(long)faults));
    }
    meet();
    if (active) {
        post(opcode, PAGE - WORD / 2, WORD);
        while (!take()) {
        }
        printf("%s: %s\n", what, ibv_wc_status_str(first_error));
        fflush(stdout);
    } else {
        while (!poll(&said, 1, 0)) {
            take();
        }
    }
    if (gone) {
        REQUIRE(!pthread_join(thread, NULL));
    }
    close(faults);
    end(0);
}

int main(int count, char **words) {
    int sockets[2], status = 0;
    REQUIRE(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    child = fork();
    int active = child != 0;
    if (!active) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // it may be stopped when the other one fails
    }
    other = sockets[active];
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(devices[0]);
    REQUIRE(context && (pd = ibv_alloc_pd(context)) && (cq = ibv_create_cq(context, COUNT, NULL, NULL, 0)));
    REQUIRE(!ibv_query_gid(context, 1, 0, &own.gid));
    if (count > 1) {
        timeout = PATIENT;
        run_under_copy("target of WRITE goes under the copy", IBV_WR_RDMA_WRITE, active, 0);
        run_under_copy("source of WRITE goes under the copy", IBV_WR_RDMA_WRITE, active, 1);
        run_under_copy("source of READ goes under the copy", IBV_WR_RDMA_READ, active, 0);
        run_under_copy("target of READ goes under the copy", IBV_WR_RDMA_READ, active, 1);
    } else {
        run("target of WRITE gone", IBV_WR_RDMA_WRITE, active, 0, BEFORE);
        run("source of READ gone", IBV_WR_RDMA_READ, active, 0, BEFORE);
        run("source of WRITE gone", IBV_WR_RDMA_WRITE, active, 1, BEFORE);
        run("target of WRITE goes", IBV_WR_RDMA_WRITE, active, 0, MEANWHILE);
        run("source of READ goes", IBV_WR_RDMA_READ, active, 0, MEANWHILE);
        run("source of WRITE goes", IBV_WR_RDMA_WRITE, active, 1, MEANWHILE);
        run("source of WRITE goes while it waits", IBV_WR_RDMA_WRITE, active, 1, WHILE_IT_WAITS);
    }
    run("all there", IBV_WR_RDMA_WRITE, active, 2, BEFORE);
    if (active) {
        waitpid(child, &status, 0);
    }
    return status != 0;
}
