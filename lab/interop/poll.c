// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints how many nanoseconds an ibv_poll_cq of an empty queue takes: the median over rounds of a thousand polls.
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 400, polls = 1000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

int main(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    struct ibv_cq *queue = context ? ibv_create_cq(context, 16, NULL, NULL, 0) : NULL;
    static double nanos[rounds];
    struct ibv_wc completion;
    if (!queue) {
        perror("ibv_create_cq");
        return 1;
    }
    for (int round = -rounds; round < rounds; round++) { // as many to warm up
        double begin = now();
        for (int poll = 0; poll < polls; poll++) {
            if (ibv_poll_cq(queue, 1, &completion) != 0) {
                return 1;
            }
        }
        if (round >= 0) {
            nanos[round] = (now() - begin) / polls;
        }
    }
    qsort(nanos, rounds, sizeof *nanos, compare);
    printf("%.1f\n", nanos[rounds / 2]);
    return 0;
}
