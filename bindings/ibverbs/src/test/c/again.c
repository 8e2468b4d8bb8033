// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the device, makes objects of all kinds, destroys them and closes it again. Usage: again ROUNDS. Prints the descriptors and
// threads that are there after the last round and were not after the first ones.
#define _GNU_SOURCE
#include <dirent.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST = 10 };
static char memory[4096];

static int entries(const char *directory) {
    DIR *all = opendir(directory);
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(all))) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "%s/%s/comm", directory, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file) {
            fgets(name, sizeof name, file);
            fclose(file);
        }
        count += !strstr(name, "Compiler"); // of these the JVM has as many as it needs at a time
    }
    closedir(all);
    return count;
}

struct round {
    int failed;
    pid_t thread;
};

// In a thread of its own, which ends.
static void *round_of_all(void *of) {
    struct round *round = of;
    round->thread = syscall(SYS_gettid);
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(devices[0]);
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_cq *cq = ibv_create_cq(context, 8, NULL, channel, 0);
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .cap = {4, 4, 1, 1, 64}, .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = ibv_create_qp(pd, &attributes);
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE);
    struct rdma_event_channel *events = rdma_create_event_channel();
    struct rdma_cm_id *id;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    round->failed |= rdma_create_id(events, &id, NULL, RDMA_PS_TCP) || rdma_bind_addr(id, (struct sockaddr *)&here) || rdma_listen(id, 1)
        || rdma_destroy_id(id) || !mr || !qp || ibv_dereg_mr(mr) || ibv_destroy_qp(qp) || ibv_destroy_cq(cq)
        || ibv_destroy_comp_channel(channel) || ibv_dealloc_pd(pd) || ibv_close_device(context);
    rdma_destroy_event_channel(events);
    ibv_free_device_list(devices);
    return NULL;
}

// A thread that was joined is listed until the kernel has taken it away.
static void wait_until_gone(pid_t thread) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d", thread);
    while (!access(path, F_OK)) {
        sched_yield();
    }
}

int main(int count, char **words) {
    int descriptors = 0, threads = 0;
    struct round round = {0};
    for (int i = 0; i < atoi(words[1]); i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, round_of_all, &round);
        pthread_join(thread, NULL);
        wait_until_gone(round.thread);
        if (i == FIRST) {
            descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
        }
    }
    printf("failed %d, descriptors %+d, threads %+d\n", round.failed, entries("/proc/self/fd") - descriptors, entries("/proc/self/task") - threads);
    return 0;
}
