// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads read bytes of one rsocket: none sees its end before the peer shuts it down.
#include <arpa/inet.h>
#include <pthread.h>
#include <rdma/rsocket.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { BYTES = 500, READERS = 2 };

static int listener, client, accepted;
static struct sockaddr_in address = {.sin_family = AF_INET};
static atomic_int come, ends, early;

static void *connect_client(void *unused) {
    if (rconnect(client, (struct sockaddr *)&address, sizeof address)) {
        perror("rconnect");
    }
    return unused;
}

static void *read_bytes(void *unused) {
    char byte;
    while (rrecv(accepted, &byte, 1, 0) == 1) {
        come++;
    }
    early += !ends;
    return unused;
}

int main(void) {
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pthread_t threads[READERS];
    listener = rsocket(AF_INET, SOCK_STREAM, 0), client = rsocket(AF_INET, SOCK_STREAM, 0);
    if (rbind(listener, (struct sockaddr *)&address, length) || rgetsockname(listener, (struct sockaddr *)&address, &length)
        || rlisten(listener, 1)) {
        return 1;
    }
    pthread_create(&threads[0], NULL, connect_client, NULL);
    accepted = raccept(listener, NULL, NULL);
    pthread_join(threads[0], NULL);
    for (int i = 0; i < READERS; i++) {
        pthread_create(&threads[i], NULL, read_bytes, NULL);
    }
    for (int i = 0; i < BYTES; i++) {
        if (rsend(client, "x", 1, 0) != 1) {
            perror("rsend");
        }
        while (come <= i && !early) { // so that both threads see each byte come
            sched_yield();
        }
    }
    ends = 1;
    int shut = rshutdown(client, SHUT_WR);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("shut down %d, %d bytes, the end seen too early %d times\n", shut, come, early);
    return rclose(client) || rclose(accepted) || rclose(listener);
}
