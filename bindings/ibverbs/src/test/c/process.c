// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program does that has nothing to do with RDMA, after its first verb. Usage: process WHAT
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct ibv_context *context;

static void use_verbs(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = list && list[0] ? ibv_open_device(list[0]) : NULL;
    if (!context) {
        perror("open");
        exit(99);
    }
    ibv_free_device_list(list);
}

static void *query(void *unused) {
    struct ibv_device_attr attributes = {0};
    int result = ibv_query_device(context, &attributes);
    printf("query %d %s\n", result, attributes.max_qp > 0 ? "well" : "badly");
    return NULL;
}

static void *wait_for_event(void *ready) {
    struct ibv_async_event event;
    write(*(int *)ready, "r", 1);
    ibv_get_async_event(context, &event);
    return NULL;
}

static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static volatile int polls;

static void *poll_on(void *cq) {
    struct ibv_wc completion;
    while (polls) {
        ibv_poll_cq(cq, 1, &completion);
    }
    return NULL;
}

// Everything that a child may call with what its parent made, while a thread of the parent is in Java.
static void *child_calls(void *unused) {
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_cq *cq = ibv_create_cq(context, 8, NULL, channel, 0), *other = ibv_create_cq(context, 8, NULL, NULL, 0);
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .cap = {4, 4, 1, 1, 64}, .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = ibv_create_qp(pd, &attributes);
    pthread_t thread;
    polls = 1;
    pthread_create(&thread, NULL, poll_on, other);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        struct ibv_send_wr *bad_send, send = {.opcode = IBV_WR_SEND};
        struct ibv_recv_wr *bad_receive, receive = {.wr_id = 1};
        struct ibv_async_event event;
        struct ibv_wc completion;
        struct rdma_cm_id *id;
        void *of;
        printf("poll %d arm %d", ibv_poll_cq(cq, 1, &completion), ibv_req_notify_cq(cq, 0));
        printf(" send %d receive %d", ibv_post_send(qp, &send, &bad_send), ibv_post_recv(qp, &receive, &bad_receive));
        printf(" event %d %d", ibv_get_async_event(context, &event), errno);
        printf(" completion %d %d", ibv_get_cq_event(channel, &other, &of), errno);
        printf(" channel %d %d", rdma_create_event_channel() != NULL, errno);
        printf(" id %d %d", rdma_create_id(NULL, &id, NULL, RDMA_PS_TCP), errno);
        printf(" list %d %d", ibv_get_device_list(NULL) != NULL, errno);
        printf(" destroy %d %d\n", ibv_destroy_qp(qp), ibv_close_device(context));
        exit(6);
    }
    int status = wait_for(child);
    polls = 0;
    pthread_join(thread, NULL);
    printf("child %d\n", status);
    return NULL;
}

static void on_signal(int number) {
    char text[] = "handled\n";
    write(1, text, sizeof text - 1);
    _exit(40 + number);
}

static void in_thread(size_t stack, void *(*run)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_create(&thread, &attributes, run, NULL);
    pthread_join(thread, NULL);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGINT, SIG_DFL); /* ignored where the tests were started in the background of a shell */
    if (!strcmp(what, "fork-first")) {
        pid_t child = fork();
        if (!child) {
            use_verbs();
            query(NULL);
            exit(3);
        }
        printf("child %d\n", wait_for(child));
        use_verbs();
        query(NULL);
        return 0;
    }
    if (!strcmp(what, "fault-handled-before")) {
        signal(SIGSEGV, on_signal);
    }
    use_verbs();
    if (!strcmp(what, "fault-handled-after")) {
        signal(SIGSEGV, on_signal);
    }
    if (!strncmp(what, "fault", 5)) {
        *(volatile int *)8 = 1;
    } else if (!strcmp(what, "interrupt")) {
        raise(SIGINT);
    } else if (!strcmp(what, "interrupt-handled")) {
        signal(SIGINT, on_signal);
        raise(SIGINT);
    } else if (!strcmp(what, "terminate")) {
        raise(SIGTERM);
    } else if (!strcmp(what, "user-signal-handled")) {
        signal(SIGUSR2, on_signal);
        raise(SIGUSR2);
    } else if (!strcmp(what, "abort")) {
        abort();
    } else if (!strcmp(what, "broken-pipe")) {
        int ends[2];
        pipe(ends);
        close(ends[0]);
        write(ends[1], "x", 1);
        puts("lives");
    } else if (!strcmp(what, "children")) {
        pid_t child = fork();
        if (!child) {
            struct ibv_device_attr attributes;
            printf("child query %d\n", ibv_query_device(context, &attributes));
            printf("child pd %s %d\n", ibv_alloc_pd(context) ? "made" : "none", errno);
            exit(5);
        }
        printf("child %d\n", wait_for(child));
        printf("system %d\n", WEXITSTATUS(system("echo from a shell; exit 4")));
        query(NULL);
    } else if (!strcmp(what, "child-calls")) {
        in_thread(1 << 20, child_calls);
        in_thread(64 << 10, child_calls);
        query(NULL);
    } else if (!strcmp(what, "threads")) {
        in_thread(64 << 10, query);
        in_thread(128 << 10, query);
        in_thread(1 << 20, query);
        int ready[2];
        char byte;
        void *result;
        pthread_t thread;
        pipe(ready);
        pthread_create(&thread, NULL, wait_for_event, &ready[1]);
        read(ready[0], &byte, 1);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        printf("cancelled %d\n", result == PTHREAD_CANCELED);
        query(NULL);
    } else {
        query(NULL);
        return 17;
    }
    return 0;
}
