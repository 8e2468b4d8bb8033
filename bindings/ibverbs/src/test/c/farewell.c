// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Two processes, each with a device over RoCEv2, connect, and the server exits without a word. Prints what event the client gets then.
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(what) \
    do { \
        if (!(what)) { \
            perror(#what); \
            exit(1); \
        } \
    } while (0)

enum { PATIENCE_MILLIS = 300000 };
static char address[2][20]; // of the server and of the client
static int ready[2];        // a pipe: the server listens

static struct rdma_cm_id *endpoint(int passive) {
    struct rdma_addrinfo hints = {.ai_port_space = RDMA_PS_TCP, .ai_flags = passive ? RAI_PASSIVE : 0}, *found;
    struct ibv_qp_init_attr wanted = {.cap = {1, 1, 1, 1, 0}};
    struct rdma_cm_id *id;
    REQUIRE(!setenv("VERBATIM_FABRIC", "roce", 1) && !setenv("VERBATIM_ADDRESS", address[!passive], 1));
    REQUIRE(!rdma_getaddrinfo(address[0], "7999", &hints, &found) && !rdma_create_ep(&id, found, NULL, &wanted));
    return id;
}

static void serve(void) {
    struct rdma_cm_id *listener = endpoint(1), *id;
    REQUIRE(!rdma_listen(listener, 1) && write(ready[1], "", 1) == 1);
    REQUIRE(!rdma_get_request(listener, &id) && !rdma_accept(id, NULL));
    exit(0);
}

int main(void) {
    char word;
    int status;
    snprintf(address[0], sizeof address[0], "127.%d.%d.1", 100 + getpid() % 100, getpid() / 100 % 256);
    snprintf(address[1], sizeof address[1], "127.%d.%d.2", 100 + getpid() % 100, getpid() / 100 % 256);
    REQUIRE(!pipe(ready));
    if (!fork()) {
        serve();
    }
    REQUIRE(read(ready[0], &word, 1) == 1);
    struct rdma_cm_id *id = endpoint(0);
    REQUIRE(!rdma_connect(id, NULL));
    struct pollfd events = {.fd = id->channel->fd, .events = POLLIN};
    struct rdma_cm_event *event;
    REQUIRE(poll(&events, 1, PATIENCE_MILLIS) == 1 && !rdma_get_cm_event(id->channel, &event));
    puts(rdma_event_str(event->event));
    REQUIRE(!rdma_ack_cm_event(event));
    wait(&status);
    return status != 0;
}
