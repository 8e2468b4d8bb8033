// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Many queue pairs, or many threads, each request of which completes exactly once with its bytes in place, while the memory of the process
// does not grow. Queue pairs are connected to themselves. Usage: scale queues COUNT ROUNDS | own THREADS REQUESTS | shared THREADS REQUESTS
// | windows COUNT
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 64, LONGEST_SECONDS = 550, MOST_GROWTH_KIB = 24 << 10 };

struct end {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static long *sources, *targets; // a word for each request
static atomic_int *seen;
static int total, each;
static atomic_int completed, failed;

static struct ibv_qp *connected(struct ibv_cq *cq) {
    struct ibv_qp_init_attr wanted = {
        .send_cq = cq, .recv_cq = cq, .cap = {DEPTH, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 1};
    struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
    if (!qp) {
        perror("ibv_create_qp");
        exit(1);
    }
    struct ibv_qp_attr to = {
        .qp_state = IBV_QPS_INIT,
        .port_num = 1,
        .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
        .path_mtu = IBV_MTU_1024,
        .dest_qp_num = qp->qp_num,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 9}},
        .timeout = 18,
        .retry_cnt = 7,
    };
    ibv_query_gid(context, 1, 0, &to.ah_attr.grh.dgid);
    int bad = ibv_modify_qp(qp, &to, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to.qp_state = IBV_QPS_RTR;
    bad |= ibv_modify_qp(qp, &to,
                         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC
                             | IBV_QP_MIN_RNR_TIMER);
    to.qp_state = IBV_QPS_RTS;
    bad |= ibv_modify_qp(qp, &to,
                         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
    if (bad) {
        exit(2);
    }
    return qp;
}

static int write_word(struct ibv_qp *qp, int request) {
    struct ibv_sge element = {(uintptr_t)&sources[request], sizeof(long), mr->lkey};
    struct ibv_send_wr wr = {
        .wr_id = request,
        .sg_list = &element,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .wr.rdma = {(uintptr_t)&targets[request], mr->rkey},
    };
    struct ibv_send_wr *bad;
    return ibv_post_send(qp, &wr, &bad);
}

static int poll_some(struct ibv_cq *cq) {
    struct ibv_wc wc[16];
    int count = ibv_poll_cq(cq, 16, wc);
    for (int i = 0; i < count; i++) {
        failed += wc[i].status != IBV_WC_SUCCESS;
        seen[wc[i].wr_id]++;
        completed++;
    }
    return count;
}

static void *post_and_poll(void *arguments) {
    struct end *end = ((void **)arguments)[0];
    int first = (int)(intptr_t)((void **)arguments)[1];
    for (int i = 0; i < each; i++) {
        while (write_word(end->qp, first + i) != 0) { // the queue is full
            if (poll_some(end->cq) == 0) {
                sched_yield();
            }
        }
    }
    // With a queue of its own there is an end for each thread; a shared one is done when all are.
    while (completed < total && seen[first + each - 1] == 0) {
        poll_some(end->cq);
    }
    return NULL;
}

static long resident_kib(void) {
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) {
        sscanf(line, "VmRSS: %ld", &kib);
    }
    fclose(status);
    return kib;
}

static void make_words(int count) {
    total = count;
    sources = calloc(2 * (size_t)count, sizeof(long));
    targets = sources + count;
    seen = calloc(count, sizeof *seen);
    mr = ibv_reg_mr(pd, sources, 2 * (size_t)count * sizeof(long), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    for (int i = 0; i < count; i++) {
        sources[i] = i + 1;
    }
}

static int verdict(const char *what, int count, long growth_kib, int times) {
    int lost = 0, doubled = 0, wrong = 0;
    for (int i = 0; i < total; i++) {
        lost += seen[i] < times;
        doubled += seen[i] > times;
        wrong += targets[i] != sources[i];
    }
    printf("%d %s: %d requests, %d lost, %d doubled, %d failed, %d wrong, memory %s\n", count, what, total * times, lost, doubled,
           failed, wrong, growth_kib < MOST_GROWTH_KIB ? "flat" : "grows");
    return lost + doubled + failed + wrong > 0 || growth_kib >= MOST_GROWTH_KIB;
}

static int many_queues(int count, int rounds) {
    make_words(count);
    struct ibv_cq *cq = ibv_create_cq(context, count, NULL, NULL, 0);
    struct ibv_qp **all = calloc(count, sizeof *all);
    for (int i = 0; i < count; i++) {
        all[i] = connected(cq);
    }
    long before = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            if (write_word(all[i], i) != 0) {
                exit(3);
            }
        }
        while (completed < (round + 1) * count) {
            poll_some(cq);
        }
        before = round == rounds / 2 ? resident_kib() : before;
    }
    long growth = resident_kib() - before;
    for (int i = 0; i < count; i++) {
        if (ibv_destroy_qp(all[i]) != 0) {
            exit(4);
        }
    }
    return verdict("queue pairs", count, growth, rounds);
}

static int many_threads(int count, int are_shared) {
    make_words(count * each);
    struct end *ends = calloc(count, sizeof *ends);
    pthread_t *threads = calloc(count, sizeof *threads);
    void *(*arguments)[2] = calloc(count, sizeof *arguments);
    for (int i = 0; i < count; i++) {
        if (i > 0 && are_shared) {
            ends[i] = ends[0];
        } else {
            ends[i].cq = ibv_create_cq(context, DEPTH * 2, NULL, NULL, 0);
            ends[i].qp = connected(ends[i].cq);
        }
        arguments[i][0] = &ends[i];
        arguments[i][1] = (void *)(intptr_t)(i * each);
    }
    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, post_and_poll, arguments[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    while (completed < total && poll_some(ends[0].cq) >= 0) {
    }
    return verdict(are_shared ? "threads that share" : "threads", count, 0, 1);
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double allocating(struct ibv_mw **windows, int count) {
    double begin = cpu_seconds();
    for (int i = 0; i < count; i++) {
        windows[i] = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
        if (!windows[i]) {
            exit(5);
        }
    }
    return cpu_seconds() - begin;
}

// The processor's time for another tenth does not grow with the number of those that are there.
static int many_windows(int count) {
    struct ibv_mw **windows = calloc(count, sizeof *windows);
    int tenth = count / 10;
    double first = allocating(windows, tenth);
    allocating(windows + tenth, count - 2 * tenth);
    double last = allocating(windows + count - tenth, tenth);
    printf("%d windows: the last take %s\n", count, last < 3 * first ? "no longer" : "longer");
    for (int i = 0; i < count; i++) {
        if (ibv_dealloc_mw(windows[i]) != 0) {
            exit(4);
        }
    }
    return 0;
}

int main(int count, char **words) {
    int size = count > 2 ? atoi(words[2]) : 0;
    each = count > 3 ? atoi(words[3]) : 0;
    alarm(LONGEST_SECONDS);
    context = ibv_open_device(ibv_get_device_list(NULL)[0]);
    pd = ibv_alloc_pd(context);
    if (size > 0 && !strcmp(words[1], "windows")) {
        return many_windows(size);
    }
    if (size > 0 && each > 0) {
        return strcmp(words[1], "queues") ? many_threads(size, !strcmp(words[1], "shared")) : many_queues(size, each);
    }
    return 9;
}
